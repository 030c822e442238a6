import { afterEach, expect, it } from "vitest";
import { loadSentences } from "../i18n/sentence";
import { setLanguage } from "../i18n/texts";
import { sayRule } from "./ask_words";

afterEach(() => setLanguage("en"));

it("says which commands are always allowed in the person's language, and the command as it is", async () => {
  const rule = "allow commands that begin with: sed s/a: $&/b/";
  const choice = { id: "acceptWithExecpolicyAmendment", label: "Yes, and always", grants: true, rule };
  expect(sayRule(choice)).toBe(rule);
  await loadSentences();
  setLanguage("zh");
  expect(sayRule(choice)).toBe("允许以此开头的命令：sed s/a: $&/b/");
  setLanguage("ja");
  expect(sayRule({ ...choice, id: "acceptWithExecpolicyAmendment:2" })).toBe(
    "次で始まるコマンドを許可: sed s/a: $&/b/",
  );
});
