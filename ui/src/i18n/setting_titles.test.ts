import { expect, it } from "vitest";
import { settingTitle } from "./setting_titles";
import { setLanguage } from "./texts";

it("names a setting in the person's language, and an unknown one by its key", () => {
  expect(settingTitle("bascule.codex.approvals")).toBe("When Codex asks");
  expect(settingTitle("bascule.later.someNewThing")).toBe("Some new thing");
  expect(settingTitle("constructor")).toBe("Constructor");
  setLanguage("zh");
  expect(settingTitle("bascule.codex.approvals")).toBe("Codex 何时询问");
  setLanguage("en");
});
