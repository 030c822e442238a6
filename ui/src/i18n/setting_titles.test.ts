import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { groupOf, groupTitle, unitOf } from "../settings/values";
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

describe("every setting of the daemon", () => {
  const reference = readFileSync(join(__dirname, "../../../docs/reference/settings.md"), "utf-8");
  const rows = [...reference.matchAll(/^\| `(bascule\.[\w.]+)` \|.*?\| ([^|]*) \| [^|]* \|$/gm)];
  const keys = rows.map(([, key = ""]) => key);

  it.each(["en", "ja", "zh"] as const)(
    "is in a group with a name in %s, and its time and size has a unit",
    (tag) => {
      setLanguage(tag);
      expect(keys.length).toBeGreaterThan(25);
      const groups = new Set(keys.map(groupOf));
      expect([...groups].filter((group) => group !== "codex" && groupTitle(group) === group)).toEqual([]);
      const counted = keys.filter((key) => /(Ms|Seconds|Minutes|Days|Bytes)$/.test(key));
      expect(counted.length).toBeGreaterThan(5);
      expect(counted.filter((key) => !unitOf(key))).toEqual([]);
      setLanguage("en");
    },
  );
});
