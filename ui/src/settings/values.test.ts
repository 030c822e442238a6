import { describe, expect, it } from "vitest";
import type { ListedSetting } from "../model.gen";
import { groupOf, makeGroups, parseNumber, showRange, showValue } from "./values";

const setting = (key: string, rest: Partial<ListedSetting> = {}): ListedSetting => ({
  key,
  kind: "text",
  value: "",
  default: "",
  doc: "",
  source: "default",
  workspace: "free",
  ...rest,
});

describe("groups", () => {
  const all = [
    setting("bascule.codex.command", { doc: "The program that runs." }),
    setting("bascule.log.maxBytes", { value: 5_000_000 }),
    setting("bascule.codex.sandbox", { value: "read-only" }),
    setting("bascule.allowApplyPatch", { value: true }),
  ];

  it("are made of the names, what stands alone first", () => {
    expect(makeGroups(all, "")).toEqual([
      { name: "", keys: ["bascule.allowApplyPatch"] },
      { name: "codex", keys: ["bascule.codex.command", "bascule.codex.sandbox"] },
      { name: "log", keys: ["bascule.log.maxBytes"] },
    ]);
  });

  it.each([
    ["program", ["bascule.codex.command"]],
    ["CODEX read", ["bascule.codex.sandbox"]],
    ["5000000", ["bascule.log.maxBytes"]],
    ["nothing", []],
  ])("are searched for %s", (query, keys) => {
    expect(makeGroups(all, query).flatMap((group) => group.keys)).toEqual(keys);
  });

  it("know a key that has no group", () => {
    expect([groupOf("bascule.a.b"), groupOf("bascule.a"), groupOf("a")]).toEqual(["a", "", ""]);
    expect(["relayUrl", "testCommands", "contextMaxFiles"].map((key) => groupOf(`bascule.${key}`))).toEqual([
      "relay",
      "tests",
      "context",
    ]);
  });
});

describe("values", () => {
  it("are shown as a person says them", () => {
    expect([true, false, ["a", "b"], [], "", 7].map(showValue)).toEqual([
      "on",
      "off",
      "a, b",
      "(empty)",
      "(empty)",
      "7",
    ]);
  });

  it("are whole numbers or none", () => {
    expect(["12", " -3 ", "１２", "1.5", "", "1e3", "x"].map(parseNumber)).toEqual([
      12,
      -3,
      12, // as an input method for Japanese or Chinese writes them
      undefined,
      undefined,
      undefined,
      undefined,
    ]);
  });

  it("have a range", () => {
    const number = (least?: number, most?: number) =>
      showRange(setting("n", { kind: "number", least, most }));
    expect([number(1, 9), number(0), number(undefined, 5), number()]).toEqual([
      "1 to 9",
      "at least 0",
      "at most 5",
      "",
    ]);
    expect(showRange(setting("n", { least: 1 }))).toBe("");
  });
});
