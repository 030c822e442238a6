import { createRoot, createSignal } from "solid-js";
import { describe, expect, it } from "vitest";
import type { Notice } from "../../host/host";
import type { Card } from "../../model.gen";
import type { Room } from "../../state/room";
import { watchAttention } from "./attention";

const card = (status: Card["status"], asks = 0): Card => ({
  session_id: "s1",
  title: "Fix the parser",
  workspace: "/home/me/project",
  status,
  asks,
});

/// Only what the watch touches of a room.
function watched(looked: boolean, wish?: string) {
  const notices: Notice[] = [];
  const titles: [string, number][] = [];
  const activated: string[] = [];
  const [cards, setCards] = createSignal<readonly Card[]>([]);
  const host = {
    isLookedAt: () => looked,
    mayNotify: () => "granted",
    notify: (notice: Notice) => notices.push(notice),
    setTitle: (title: string, waiting: number) => titles.push([title, waiting]),
  };
  const room = {
    host,
    cards,
    card: (id: string) => cards().find((one) => one.session_id === id),
    name: (card: Card) => card.title,
    active: () => "s1",
    workspace: () => "",
    wish: () => wish,
    activate: (id: string) => activated.push(id),
  } as unknown as Room;
  const dispose = createRoot((end) => {
    watchAttention(room);
    return end;
  });
  return { setCards, notices, titles, activated, dispose };
}

describe("the watch", () => {
  it("tells who needs the person, and a click leads there", () => {
    const { setCards, notices, activated, titles, dispose } = watched(false);
    setCards([card("working")]);
    expect(notices).toEqual([]);
    setCards([card("waiting_user", 1)]);
    expect(notices.map(({ title, body, tag }) => [title, body, tag])).toEqual([
      ["Fix the parser is waiting for you", "project", "bascule:s1"],
    ]);
    notices[0]?.onClick();
    expect(activated).toEqual(["s1"]);
    expect(titles.at(-1)).toEqual(["Fix the parser – project – Bascule", 1]);
    setCards([card("completed")]);
    expect(notices.at(-1)?.title).toBe("Fix the parser is done");
    expect(titles.at(-1)).toEqual(["Fix the parser – project – Bascule", 0]);
    dispose();
  });

  it.each([
    ["somebody looks", true, undefined],
    ["it is not wished", false, "off"],
  ])("is silent while %s, but the tab still counts", (_, looked, wish) => {
    const { setCards, notices, titles, dispose } = watched(looked, wish);
    setCards([card("working")]);
    setCards([card("waiting_user", 1)]);
    expect(notices).toEqual([]);
    expect(titles.at(-1)?.[1]).toBe(1);
    dispose();
  });
});
