// Mirrors, cards and memory: what is folded, listed and remembered.
import { createRoot } from "solid-js";
import { describe, expect, it } from "vitest";
import type { Host } from "../host/host";
import type { Card, Change } from "../model.gen";
import { Memory, read } from "./memory";
import { Cards, withoutId } from "./sessions/cards";
import { LiveMirror } from "./sessions/mirror";

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
  it("lists the latest first; tabs are what was opened, in that order, without the hidden", async () => {
    const [cards, dispose] = createRoot((end) => [new Cards(() => ["c", "b", "a", "gone"]), end] as const);
    cards.take({ whole: true, cards: [card("a", 1), card("b", 2, { hidden: true }), card("c", 3)] });
    cards.take({ cards: [card("a", 9, { created_at_ms: 1 })] });
    expect(cards.list().map((one) => one.session_id)).toEqual(["c", "b", "a"]); // many changes are shown at once
    await expect.poll(() => cards.list().map((one) => one.session_id)).toEqual(["a", "c", "b"]);
    expect(cards.tabs().map((tab) => tab.id)).toEqual(["c", "a"]);
    cards.hide("c");
    expect(cards.tabs().map((tab) => tab.id)).toEqual(["a"]);
    dispose();
  });

  it("lists those of one moment by when they were made, which their ids sort by", () => {
    const [cards, dispose] = createRoot((end) => [new Cards(() => []), end] as const);
    cards.take({ whole: true, cards: [card("s_01", 5), card("s_03", 5), card("s_02", 5)] });
    expect(cards.list().map((one) => one.session_id)).toEqual(["s_03", "s_02", "s_01"]);
    dispose();
  });

  it("shows again what was hidden here and brought back elsewhere", async () => {
    const [cards, dispose] = createRoot((end) => [new Cards(() => ["a"]), end] as const);
    const tell = async (at: number, hidden: boolean) => {
      cards.take({ cards: [card("a", at, { hidden })] });
      await expect.poll(() => cards.list()[0]?.updated_at_ms).toBe(at);
    };
    await tell(1, false);
    cards.hide("a");
    await tell(2, false); // was on its way
    expect(cards.tabs()).toEqual([]);
    cards.settle("a", true);
    expect(cards.tabs()).toEqual([]);
    await tell(3, false);
    expect(cards.tabs().map((tab) => tab.id)).toEqual(["a"]);
    cards.hide("a");
    cards.settle("a", false); // it could not be
    expect(cards.tabs().map((tab) => tab.id)).toEqual(["a"]);
    dispose();
  });

  it("has one name for a session everywhere, and tells those apart that have the same title", async () => {
    const [cards, dispose] = createRoot((end) => [new Cards(() => ["a", "b", "c"]), end] as const);
    const [titled, other, fresh] = [
      card("a", 1, { title: "run the tests" }),
      card("b", 2, { title: "run the tests" }),
      card("c", 3, { title: "app (0199c2d4)" }),
    ];
    const closed = card("d", 4, { title: "run the tests" });
    cards.take({ whole: true, cards: [titled, other, fresh, closed] });
    const names = () => [titled, other, fresh, closed].map((one) => cards.name(one));
    expect(names()).toEqual(["run the tests", "run the tests #2", "app #1", "run the tests #3"]);
    expect(cards.tabs().map((tab) => tab.label)).toEqual(names().slice(0, 3));
    cards.hide("a"); // the others keep their names
    expect(cards.tabs().map((tab) => tab.label)).toEqual(["run the tests #2", "app #1"]);
    expect(cards.name(card("e", 5, { title: "" }))).toBe("#1");
    dispose();
  });

  it("tells equal titles apart by which was first, on a page that was just opened too", () => {
    const [cards, dispose] = createRoot((end) => [new Cards(() => []), end] as const);
    const second = card("a", 9, { title: "run the tests", created_at_ms: 2 });
    const first = card("b", 1, { title: "run the tests", created_at_ms: 1 });
    cards.take({ whole: true, cards: [second, first] });
    expect([second, first].map((one) => cards.name(one))).toEqual(["run the tests #2", "run the tests"]);
    dispose();
  });

  it("shortens a default title, and leaves a person's own", () => {
    expect(withoutId("app (0199c2d4)")).toBe("app");
    expect(withoutId("fix the parser")).toBe("fix the parser");
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

  it("offers the draft of a session that is gone in a new one of its folder, over a reload too", () => {
    const kept = new Map<string, string>();
    const before = new Memory(hostWith(kept));
    before.setDraft("lost", { text: "half a thought" }, "/w");
    before.setDraft("other", { text: "elsewhere" }, "/x");
    before.setDraft("spoken", { text: "in a session with prompts" });
    before.save();
    const after = new Memory(hostWith(kept));
    expect([after.draftFolder("lost"), after.draftFolder("spoken")]).toEqual(["/w", undefined]);
    after.adoptDraft("new", "/w", (session) => session === "here");
    expect(after.draft("new").text).toBe("");
    after.adoptDraft("new", "/w", () => true);
    expect([after.draft("new").text, after.draft("lost").text]).toEqual(["half a thought", ""]);
    after.adoptDraft("newer", "/w", (session) => session !== "new"); // it is offered once
    expect(after.draft("newer").text).toBe("");
  });

  it("leaves alone what another window of the browser has written", () => {
    const kept = new Map<string, string>();
    const [one, other] = [new Memory(hostWith(kept)), new Memory(hostWith(kept))];
    one.setDraft("a", { text: "of the one" });
    other.setDraft("b", { text: "of the other" });
    other.setWish("theme", "dark");
    other.save();
    one.save();
    one.save(); // as it goes, with nothing new to say
    const after = new Memory(hostWith(kept));
    expect([after.draft("a").text, after.draft("b").text, after.wish("theme")]).toEqual([
      "of the one",
      "of the other",
      "dark",
    ]);
  });

  it("keeps what two windows type and send in one session", () => {
    const kept = new Map<string, string>();
    const [one, other] = [new Memory(hostWith(kept)), new Memory(hostWith(kept))];
    one.setDraft("a", { text: "of the one" });
    one.remember("a", "first");
    one.save();
    other.setDraft("a", { text: "of the other" });
    other.remember("a", "second");
    other.setDraft("a", { text: "" }); // it was sent
    other.save();
    one.save(); // as it goes
    const after = new Memory(hostWith(kept));
    expect([after.draft("a").text, after.sent("a")]).toEqual(["of the one", ["first", "second"]]);
  });

  it("makes room by forgetting what is oldest, never what was written last", () => {
    const kept = new Map<string, string>();
    const long = new Memory(hostWith(kept));
    for (let at = 0; at < 30; at++) {
      for (let n = 0; n < 4; n++) long.remember(`s${at}`, `${n}`.repeat(150_000));
      long.setDraft(`s${at}`, { text: `draft ${at}` });
    }
    for (let n = 0; n < 150; n++) long.remember("many", `prompt ${n}`);
    expect([long.sent("many").length, long.sent("many")[0]]).toEqual([100, "prompt 50"]);
    long.save();
    const [stored] = kept.values();
    expect(stored?.length).toBeLessThan(2_500_000);
    const after = new Memory(hostWith(kept));
    expect([after.draft("s29").text, after.sent("s29").length, after.draft("s0").text]).toEqual([
      "draft 29",
      1,
      "",
    ]);
  });

  it("never cuts what was written: a text that is too long to be stored is whole until then", () => {
    const kept = new Map<string, string>();
    const memory = new Memory(hostWith(kept));
    const [long, longer] = ["x".repeat(900_000), "y".repeat(1_100_000)];
    memory.setDraft("a", { text: long });
    memory.setDraft("b", { text: longer });
    memory.remember("b", longer);
    expect([memory.draft("b").text === longer, memory.sent("b")[0] === longer]).toEqual([true, true]);
    memory.save();
    const after = new Memory(hostWith(kept));
    expect([after.draft("a").text === long, after.draft("b").text, after.sent("b")]).toEqual([true, "", []]);
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
