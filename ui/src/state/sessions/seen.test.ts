import { expect, it } from "vitest";
import { SeenSessions } from "./seen";

function makeWishes() {
  const kept = new Map<string, string>();
  return {
    kept,
    wish: (name: string) => kept.get(name),
    setWish: (name: string, value: string) => void kept.set(name, value),
  };
}

const card = (session_id: string, updated_at_ms: number) => ({ session_id, updated_at_ms });

it("counts what was looked at as seen until it changes again, over a reload", () => {
  const wishes = makeWishes();
  const seen = new SeenSessions(wishes, 100);
  expect([seen.has(card("a", 90)), seen.has(card("a", 110))]).toEqual([true, false]);
  seen.look(card("a", 110));
  const again = new SeenSessions(wishes, 500);
  expect([again.has(card("a", 110)), again.has(card("a", 111)), again.has(card("b", 110))]).toEqual([
    true,
    false,
    false,
  ]);
  again.lookAtAll(600);
  expect([again.has(card("a", 111)), again.has(card("b", 601))]).toEqual([true, false]);
});

it("keeps a bounded number, and starts over from what it cannot read", () => {
  const wishes = makeWishes();
  wishes.setWish("seen", "{broken");
  const seen = new SeenSessions(wishes, 0);
  for (let at = 1; at <= 300; at++) seen.look(card(`s${at}`, at));
  expect([seen.has(card("s300", 300)), seen.has(card("s1", 1))]).toEqual([true, false]);
  expect(wishes.kept.get("seen")?.length).toBeLessThan(5_000);
});
