import { afterEach, expect, it } from "vitest";
import { readSaid, say, settingOf } from "./said";
import { loadSentences } from "./sentence";
import { setLanguage } from "./texts";

afterEach(() => setLanguage("en"));

it("says a known code in the person's language, and an unknown one as the daemon did", async () => {
  const summary = { code: "edit.summary", fields: { files: 2, additions: 3, deletions: 1, plan: "ab" } };
  expect(say(summary, "2 files, +3 -1, plan ab")).toBe("2 files, +3 -1, plan ab");
  setLanguage("zh");
  expect(say(summary, "2 files")).toBe("2 files"); // the sentences are on their way
  await loadSentences();
  expect(say(summary, "2 files")).toBe("2 个文件，+3 −1");
  expect(say({ code: "run.declined.text", fields: { reason: "no" } }, "Your reason: no")).toBe(
    "你的理由：no",
  );
  expect(say({ code: "run.declined.text" }, "Your reason: no")).toBe("Your reason: no"); // stored without it
  expect(say({ code: "constructor" }, "New words")).toBe("New words");
  expect(say(undefined, "Plain")).toBe("Plain");
});

it("reads only what is a code, and the setting that it names", () => {
  expect(readSaid({ said: { code: "x", fields: { setting: "bascule.y" } } })?.code).toBe("x");
  for (const other of [null, 7, {}, { said: null }, { said: { code: 3 } }]) {
    expect(readSaid(other)).toBeUndefined();
  }
  expect(settingOf({ code: "x", fields: { setting: "bascule.y" } })).toBe("bascule.y");
  expect(settingOf({ code: "x" })).toBeUndefined();
});
