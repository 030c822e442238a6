import { createRoot, createSignal } from "solid-js";
import { expect, it, vi } from "vitest";
import { MAX_WATCHED } from "../../limits.gen";
import type { BoardNotify, WatchedSession } from "../../model.gen";
import { type Connection, Lost, Refused, type Room } from "../../state/room";
import { findResume } from "../theirs/resume";
import { createBoard } from "./board";
import { fold } from "./board_lines";
import { parseKeys, toggled } from "./marks";

function line(their_id: string, some: Partial<WatchedSession> = {}): WatchedSession {
  return { key: `codex:${their_id}`, agent: "codex", their_id, status: "working", source: "socket", ...some };
}

function makeRoom(answer: () => Promise<unknown>) {
  const [connection, setConnection] = createSignal<Connection>({ state: "connecting" });
  const called: string[] = [];
  let heard: ((sent: BoardNotify) => void) | undefined;
  const room = {
    connection,
    call: (method: string) => {
      called.push(method);
      return answer();
    },
    hear: (_method: string, hear: (sent: BoardNotify) => void) => {
      heard = hear;
      return () => {
        heard = undefined;
      };
    },
  } as unknown as Room;
  return { room, called, setConnection, send: (sent: BoardNotify) => heard?.(sent), hears: () => !!heard };
}

it("watches while it is shown, again on a new connection, and stops when it is left", async () => {
  const { room, called, setConnection, send, hears } = makeRoom(async () => ({}));
  const [board, leave] = createRoot((dispose) => [createBoard(room), dispose] as const);
  await vi.waitFor(() => expect(hears()).toBe(true));
  expect(called).toEqual([]);
  setConnection({ state: "open" });
  setConnection({ state: "silent" });
  setConnection({ state: "open" });
  expect(called).toEqual(["board.watch"]);
  send({ sessions: [line("a"), line("b")], whole: true, faults: ["/x: Permission denied"] });
  send({ sessions: [line("a", { status: "completed" }), line("c")] });
  send({ sessions: [], gone: ["codex:c"] });
  expect(board.sessions().map((one) => `${one.their_id} ${one.status}`)).toEqual([
    "a completed",
    "b working",
  ]);
  expect(board.faults()).toEqual(["/x: Permission denied"]);
  send({ sessions: [], whole: false, faults: null });
  expect(board.faults()).toEqual(["/x: Permission denied"]);
  send({ sessions: [], whole: false, faults: ["/x: Permission denied", "/y: it is not a file"] });
  expect(board.faults()).toHaveLength(2);
  setConnection({ state: "lost", why: "", retryAtMs: 0 });
  setConnection({ state: "open" });
  expect(called).toEqual(["board.watch", "board.watch"]);
  send({ sessions: [line("c")], whole: true });
  expect(board.sessions().map((one) => one.their_id)).toEqual(["c"]);
  expect(board.faults()).toEqual([]);
  leave();
  expect(called.at(-1)).toBe("board.unwatch");
  expect(hears()).toBe(false);
});

it.each([
  [new Refused(-32601, "There is no method board.watch."), { kind: "old" }],
  [new Refused(-32001, "Not for this device."), { kind: "refused", why: "Not for this device." }],
  [new Lost(), undefined],
])("says quietly why there is no board: %s", async (reason, expected) => {
  const { room, called, setConnection } = makeRoom(() => Promise.reject(reason));
  const board = createRoot(() => createBoard(room));
  setConnection({ state: "open" });
  await vi.waitFor(() => expect(called).toEqual(["board.watch"]));
  await Promise.resolve();
  expect(board.trouble()).toEqual(expected);
});

it("keeps a bounded number, the latest", () => {
  const many = Array.from({ length: MAX_WATCHED + 10 }, (_, at) => line(`${at}`, { activity_at_ms: at }));
  const kept = fold(new Map(), { sessions: many });
  expect([kept.size, kept.has("codex:9"), kept.has("codex:10")]).toEqual([MAX_WATCHED, false, true]);
});

it.each([
  ["codex", "01a1e2e1-9688", "codex resume 01a1e2e1-9688"],
  ["claude", "c1", "claude --resume c1"],
  ["claude", "a; rm -rf ~", undefined],
  ["claude", "--dangerously-skip-permissions", undefined],
  ["codex", "a\nb", undefined],
  ["codex", "", undefined],
  ["constructor", "c1", undefined],
])("resumes %s %j with %j", (agent, id, expected) => {
  expect(findResume(agent, id)).toBe(expected);
});

it("keeps what was pinned or hidden, and drops what is no list of keys", () => {
  expect(toggled(toggled([], "a"), "b")).toEqual(["a", "b"]);
  expect(toggled(["a", "b"], "a")).toEqual(["b"]);
  const many = Array.from({ length: 500 }, (_, at) => `${at}`);
  expect(toggled(many, "new").slice(-1)).toEqual(["new"]);
  expect(toggled(many, "new")).toHaveLength(500);
  expect([undefined, "{", "{}", '["a", 1]'].map(parseKeys)).toEqual([[], [], [], ["a"]]);
});
