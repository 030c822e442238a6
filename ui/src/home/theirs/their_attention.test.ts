import { createRoot, createSignal } from "solid-js";
import { expect, it } from "vitest";
import type { WatchedSession } from "../../model.gen";
import type { Room } from "../../state/room";
import type { Board } from "../board/board";
import { asCards, needsBoard, watchTheirs } from "./their_attention";

const line = (status: WatchedSession["status"], more: Partial<WatchedSession> = {}): WatchedSession => ({
  key: "claude:c",
  agent: "claude",
  their_id: "c",
  status,
  source: "registry",
  title: "Tidy the attic",
  cwd: "/srv/attic",
  ...more,
});

function stage(isLookedAt: boolean, active = "s1", may = "granted") {
  const [sessions, setSessions] = createSignal<WatchedSession[]>([]);
  const [isWhole, setWhole] = createSignal(false);
  const said: string[] = [];
  const clicks: (() => void)[] = [];
  const shown: string[] = [];
  const room = {
    host: {
      isLookedAt: () => isLookedAt,
      mayNotify: () => may,
      notify: (notice: { title: string; onClick: () => void }) => {
        said.push(`notified: ${notice.title}`);
        clicks.push(notice.onClick);
      },
    },
    wish: () => undefined,
    active: () => active,
    access: () => ({ may: [] }),
    activate: (session: string) => void shown.push(session),
    toast: (_level: string, message: string, action: { act: () => void }) => {
      said.push(`toast: ${message}`);
      clicks.push(action.act);
    },
  } as unknown as Room;
  const board = { sessions, isWhole } as unknown as Board;
  createRoot(() => watchTheirs(room, board));
  return { room, said, clicks, shown, setSessions, setWhole };
}

it("says nothing of what is there at first, then of each that waits or ends, with a link to it", () => {
  const here = stage(false);
  here.setSessions([line("waiting_user")]);
  here.setWhole(true);
  expect(here.said).toEqual([]);
  here.setSessions([line("working")]);
  here.setSessions([line("waiting_user")]);
  here.setSessions([line("completed")]);
  expect(here.said).toHaveLength(2);
  here.setSessions([line("working")]);
  here.setSessions([line("stopped")]);
  expect(here.said[2]).toBe("notified: Tidy the attic has ended"); // closed by somebody, not failed
  expect(here.said[0]).toContain("Tidy the attic");
  here.clicks[0]?.();
  expect(here.shown).toEqual(["watched:claude:c"]);
});

it("shows a message in a page that is looked at, unless the session is in sight", () => {
  const elsewhere = stage(true);
  const home = stage(true, "");
  const view = stage(true, "watched:claude:c");
  for (const one of [elsewhere, home, view]) {
    one.setWhole(true);
    one.setSessions([line("working")]);
    one.setSessions([line("waiting_user")]);
  }
  expect(elsewhere.said.map((said) => said.split(":")[0])).toEqual(["toast"]);
  expect([...home.said, ...view.said]).toEqual([]);
});

it("begins again after a pause, and leaves out what is driven here or known by a rollout alone", () => {
  const here = stage(false);
  here.setWhole(true);
  here.setSessions([line("working")]);
  here.setWhole(false);
  here.setSessions([line("completed")]);
  here.setWhole(true);
  expect(here.said).toEqual([]);
  expect(asCards([line("working", { session_id: "s" })])).toEqual([]);
  expect(asCards([line("working", { source: "rollout" })])[0]?.status).toBe("unknown");
});

it("needs the board at home, in a live view, and elsewhere only for notifications", () => {
  expect(needsBoard(stage(true, "", "ask").room)).toBe(true);
  expect(needsBoard(stage(true, "watched:x", "ask").room)).toBe(true);
  expect(needsBoard(stage(true, "s1", "ask").room)).toBe(false);
  expect(needsBoard(stage(true, "s1").room)).toBe(true);
});
