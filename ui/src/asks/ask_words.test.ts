// Asks of Bascule's own in another language: titles, answers and what follows have words of their own.
import { afterEach, beforeAll, expect, it } from "vitest";
import { loadSentences } from "../i18n/sentence";
import { setLanguage } from "../i18n/texts";
import type { Ask, Choice } from "../model.gen";
import { sayAsk, sayChoice, sayRule } from "./ask_words";

const YES: Choice = { id: "accept", label: "Yes, delete it", grants: true, said: { code: "choice.delete" } };
const ASK: Ask = {
  id: "a",
  by: "bascule",
  title: "Delete this session?",
  said: { code: "ask.delete" },
  subject: { about: "action", text: "“words” in app." },
  choices: [YES],
};

beforeAll(loadSentences);
afterEach(() => setLanguage("en"));

it.each([
  ["en", "Delete this session?", "Yes, delete it"],
  ["ja", "このセッションを削除しますか?", "はい、削除する"],
  ["zh", "删除此会话？", "是，删除"],
] as const)("says a question and its yes in %s", (language, title, yes) => {
  setLanguage(language);
  expect([sayAsk(ASK), sayChoice(ASK, YES)]).toEqual([title, yes]);
});

it("shows a title as it came where it has no code", () => {
  expect(sayAsk({ ...ASK, said: null, title: "Write these files? (plan b)" })).toBe(
    "Write these files? (plan b)",
  );
});

it("says which commands are always allowed in the person's language, and the command as it is", () => {
  const rule = "allow commands that begin with: sed s/a: $&/b/";
  const rule_said = { code: "rule.acceptWithExecpolicyAmendment", fields: { words: "sed s/a: $&/b/" } };
  const choice = { id: "acceptWithExecpolicyAmendment:2", label: "Yes", grants: true, rule, rule_said };
  expect(sayRule(choice)).toBe(rule);
  setLanguage("zh");
  expect(sayRule(choice)).toBe("允许以此开头的命令：sed s/a: $&/b/");
  setLanguage("ja");
  expect(sayRule(choice)).toBe("次で始まるコマンドを許可: sed s/a: $&/b/");
});
