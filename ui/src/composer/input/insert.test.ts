import { expect, it, vi } from "vitest";
import type { Room } from "../../state/room";
import { makeComposerRoom } from "../test_room";
import { insertIntoPrompt, joined } from "./insert";

it.each([
  ["", "@a.py#L1", "@a.py#L1"],
  ["  ", "@a.py#L1", "@a.py#L1"],
  ["Explain", "@a.py#L1", "Explain @a.py#L1"],
  ["Why? ", "$ make\nfailed", "Why?\n\n$ make\nfailed"],
])("%j and %j", (before, text, after) => {
  expect(joined(before, text)).toBe(after);
});

it("adds to the draft of the session that is shown", async () => {
  const { room } = makeComposerRoom();
  const shown = { ...room, active: () => "s1", listed: () => true } as Room;
  shown.setDraft("s1", { text: "Look at" });
  expect(await insertIntoPrompt(shown, "@a.py")).toBe("s1");
  expect(shown.draft("s1").text).toBe("Look at @a.py");
});

it("begins a session where none is shown, and does nothing where that fails", async () => {
  const { room } = makeComposerRoom();
  const create = vi.fn(async () => "s2" as string | undefined);
  const none = { ...room, active: () => "", listed: () => true, create } as unknown as Room;
  expect(await insertIntoPrompt(none, "@a.py")).toBe("s2");
  expect(none.draft("s2").text).toBe("@a.py");
  create.mockResolvedValueOnce(undefined);
  expect(await insertIntoPrompt(none, "@b.py")).toBeUndefined();
});
