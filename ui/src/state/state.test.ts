// Mirrors, cards and memory: what is folded, listed and remembered.
import { createRoot } from "solid-js";
import { describe, expect, it } from "vitest";
import type { Host } from "../host/host";
import type { Card, Change } from "../model.gen";
import { Cards, shortLabel } from "./cards";
import { Memory, read } from "./memory";
import { LiveMirror } from "./mirror";

const START = { session_id: "s", seq: 3, session: { id: "s", workspace: "/w" } };

function grew(text: string): Change {
  return { change: "textGrew", block: "b", field: "text", text };
}

describe("a mirror", () => {
  it("shows a frame's Changes at once", () => {
    const mirror = new LiveMirror("s", START);
    expect(mirror.advance({ session_id: "s", after: 3, seq: 5, changes: [grew("a"), grew("b")] })).toBe(true);
    expect(mirror.order()).toEqual([]);
    mirror.publish();
    expect(mirror.order()).toEqual(["b"]);
    expect(mirror.block("b")).toMatchObject({ kind: "assistant", text: "ab" });
  });

  it("asks once for a new snapshot when something was missed, and ends in its state", () => {
    const mirror = new LiveMirror("s", START);
    expect(mirror.advance({ session_id: "s", after: 4, seq: 5, changes: [grew("lost")] })).toBe(false);
    expect(mirror.advance({ session_id: "s", after: 5, seq: 6, changes: [grew("x")] })).toBe(true);
    mirror.publish();
    expect(mirror.order()).toEqual([]);
    mirror.restart({ session_id: "s", seq: 6, session: { id: "s", workspace: "/w", title: "after" } });
    expect(mirror.head().title).toBe("after");
    expect(mirror.advance({ session_id: "s", after: 6, seq: 7, changes: [grew("y")] })).toBe(true);
  });
});

function card(id: string, at: number, more: Partial<Card> = {}): Card {
  return {
    session_id: id,
    title: `app (0199c2d${at})`,
    workspace: "/w",
    status: "unknown",
    updated_at_ms: at,
    created_at_ms: at,
    ...more,
  };
}

describe("cards", () => {
  it("lists the latest first; tabs stand in the order of their birth, without the hidden", async () => {
    const [cards, dispose] = createRoot((end) => [new Cards(), end] as const);
    cards.take({ whole: true, cards: [card("a", 1), card("b", 2, { hidden: true }), card("c", 3)] });
    cards.take({ cards: [card("a", 9, { created_at_ms: 1 })] });
    expect(cards.list().map((one) => one.session_id)).toEqual(["c", "b", "a"]); // many changes are shown at once
    await expect.poll(() => cards.list().map((one) => one.session_id)).toEqual(["a", "c", "b"]);
    expect(cards.tabs().map((tab) => tab.id)).toEqual(["a", "c"]);
    cards.hide("c", true);
    expect(cards.tabs().map((tab) => tab.id)).toEqual(["a"]);
    dispose();
  });

  it("shortens a default title, and leaves a person's own", () => {
    expect(shortLabel("app (0199c2d4)", 2)).toBe("app #2");
    expect(shortLabel("fix the parser", 2)).toBe("fix the parser");
    expect(shortLabel("", 3)).toBe("#3");
  });
});

function hostWith(kept: Map<string, string>): Host {
  return {
    load: (key: string) => kept.get(key) ?? null,
    save: (key: string, value: string) => void kept.set(key, value),
  } as Host;
}

describe("memory", () => {
  it("has everything again after a reload", () => {
    const kept = new Map<string, string>();
    const before = new Memory(hostWith(kept));
    before.setDraft("s", { text: "half a thought" });
    before.remember("s", "one");
    before.remember("s", "one");
    before.remember("s", "two");
    before.setOpen("s", "block", true);
    before.setWish("theme", "dark");
    before.save();
    const after = new Memory(hostWith(kept));
    expect(after.draft("s")).toEqual({ text: "half a thought", files: [], context: {} });
    expect(after.sent("s")).toEqual(["one", "two"]);
    expect([after.isOpen("s", "block", false), after.isOpen("s", "other", true)]).toEqual([true, true]);
    expect(after.wish("theme")).toBe("dark");
  });

  it("is not broken by what it finds", () => {
    for (const bad of [
      null,
      "",
      "{",
      "[]",
      "7",
      '{"sessions":null,"wishes":{}}',
      '{"sessions":{"s":{}},"wishes":{}}',
    ])
      expect(read(bad).sessions).toEqual({});
  });
});
