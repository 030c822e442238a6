import { describe, expect, it } from "vitest";
import { splitFound } from "../frame/marked";
import { groupFitting, LIMITS, makeName, type PaletteEntry } from "./groups";
import { findTier, parseSought } from "./rank";

function entry(kind: PaletteEntry["kind"], label: string, also = ""): PaletteEntry {
  return {
    key: `${kind} ${label}`,
    kind,
    label,
    note: "",
    name: makeName(label, also),
    run: () => undefined,
  };
}

const labels = (all: readonly PaletteEntry[], typed: string) =>
  groupFitting(all, typed).map((group) => [group.kind, group.entries.map((one) => one.label)]);

describe("how well a name fits", () => {
  it.each([
    ["New session", "new session", 0],
    ["New session", "NEW  Ses", 1],
    ["Open Latest Diff", "diff latest", 2],
    ["Open Latest Diff", "atest", 3],
    ["Open Latest Diff", "codex", undefined],
    ["New session", "ns", 5],
    ["New session", "newse", 5],
    ["Open Latest Diff", "old", 5],
    ["New session", "nsn", undefined],
    ["New session", "ew", 3],
    ["New session", "n s", 2],
    ["ｎｅｗ", "new", 0], // wide letters
    ["設定を開く", "定を", 3],
  ])("%s by %s: %s", (label, typed, tier) => {
    expect(findTier(makeName(label), parseSought(typed))).toBe(tier);
  });

  it("counts what else it is found by, also together with its name", () => {
    const name = makeName("What commands may write", "bascule.codex.sandbox");
    expect(findTier(name, parseSought("sandbox"))).toBe(4);
    expect(findTier(name, parseSought("sandbox write"))).toBe(4);
  });
});

describe("conversations", () => {
  const said = entry("texts", "where the sandbox ends");
  const all = [
    entry("settings", "Sandbox"),
    entry("actions", "Leave the sandbox"),
    entry("sessions", "Why does the sandbox refuse this"),
  ];

  it("come before settings, however well these fit, and before all that is not named as typed", () => {
    const kinds = (typed: string) => groupFitting(all, typed, [said]).map(({ kind }) => kind);
    expect(kinds("sandbox")).toEqual(["sessions", "actions", "texts", "settings"]);
    expect(kinds("leave the")).toEqual(["actions", "texts"]);
    expect(kinds("zzz")).toEqual(["texts"]);
  });
});

describe("the groups", () => {
  const all = [
    entry("sessions", "Explain the settings file"),
    entry("sessions", "Settings page"),
    entry("actions", "New session"),
    entry("actions", "Settings"),
    entry("commands", "/plan"),
    entry("settings", "Theme", "light dark"),
  ];

  it("put the best fit first, and keep the given order among equals", () => {
    expect(labels(all, "settings")).toEqual([
      ["actions", ["Settings"]],
      ["sessions", ["Settings page", "Explain the settings file"]],
    ]);
    expect(labels(all, "/pl")).toEqual([["commands", ["/plan"]]]);
    expect(labels(all, "dark")).toEqual([["settings", ["Theme"]]]);
    expect(labels(all, "no such thing")).toEqual([]);
  });

  it("show recent sessions and actions before anything is typed", () => {
    expect(labels(all, " ").map(([kind]) => kind)).toEqual(["sessions", "actions"]);
    const many = Array.from({ length: 40 }, (_, n) => entry("sessions", `Session ${n}`));
    expect(groupFitting(many, "")[0]?.entries).toHaveLength(5);
    const here = { ...entry("sessions", "Shown now"), isHere: true };
    expect(labels([here], "")).toEqual([]);
    expect(labels([here], "shown")).toEqual([["sessions", ["Shown now"]]]);
  });

  it("are bounded, and count what they leave out", () => {
    const many = Array.from({ length: 10_000 }, (_, n) => entry("sessions", `Session ${n}`));
    const [group] = groupFitting(many, "session");
    expect([group?.entries.length, group?.count]).toEqual([LIMITS.sessions, 10_000]);
    expect(group?.entries[0]?.label).toBe("Session 0");
  });
});

describe("marking", () => {
  it("marks words as they are written, whatever characters they have", () => {
    expect(splitFound("Fix the (Parser) now", ["(parser"])).toEqual([
      { text: "Fix the ", isFound: false },
      { text: "(Parser", isFound: true },
      { text: ") now", isFound: false },
    ]);
    expect(splitFound("plain", [])).toEqual([{ text: "plain", isFound: false }]);
    expect(splitFound("a|b", ["|", "\\"]).map((piece) => piece.text)).toEqual(["a", "|", "b"]);
  });
});
