// The board: every agent session on the machine as the daemon sends it, for as long as somebody here needs it.
import { type Accessor, batch, createEffect, createMemo, createSignal, onCleanup, untrack } from "solid-js";
import type { WatchedSession } from "../../model.gen";
import { Lost, Refused, type Room } from "../../state/room";
import { sayFault } from "../../text/visible";
import { fold, type KnownLines } from "./board_lines";

const METHOD_NOT_FOUND = -32601;

/// Why there is no board: the daemon is older than it, or said no.
export type BoardTrouble = { kind: "old" } | { kind: "refused"; why: string };

export interface Board {
  sessions: Accessor<readonly WatchedSession[]>;
  /// All of it is here, and what changes is sent.
  isWhole: Accessor<boolean>;
  find(key: string): WatchedSession | undefined;
  /// Sources that can't be read, each in a line.
  faults: Accessor<readonly string[]>;
  trouble: Accessor<BoardTrouble | undefined>;
}

export function createBoard(
  room: Pick<Room, "call" | "connection" | "hear">,
  isWanted: Accessor<boolean> = () => true,
): Board {
  const [known, setKnown] = createSignal<KnownLines>(new Map());
  const [faults, setFaults] = createSignal<readonly string[]>([]);
  const [trouble, setTrouble] = createSignal<BoardTrouble>();
  const [isWhole, setWhole] = createSignal(false);
  const stop = room.hear("board.changed", (sent) =>
    batch(() => {
      setKnown((now) => fold(now, sent));
      if (sent.whole || sent.faults) setFaults(sent.faults ?? []);
      if (sent.whole) setWhole(true);
    }),
  );
  // A line that was silent for a moment is still the same one.
  const isConnected = createMemo(() => ["open", "silent"].includes(room.connection().state));
  const isWatched = createMemo(isWanted);
  createEffect(() => {
    if (!isConnected() || !isWatched()) return;
    room.call("board.watch", {}).then(
      () => setTrouble(undefined),
      (reason) => {
        if (!(reason instanceof Lost)) setTrouble(nameTrouble(reason));
      },
    );
    onCleanup(() => {
      setWhole(false);
      if (untrack(isConnected)) room.call("board.unwatch", {}).catch(() => undefined); // an older daemon
    });
  });
  onCleanup(stop);
  const sessions = createMemo(() => [...known().values()]);
  return { sessions, isWhole, find: (key) => known().get(key), faults, trouble };
}

function nameTrouble(reason: unknown): BoardTrouble {
  if (reason instanceof Refused && reason.code === METHOD_NOT_FOUND) return { kind: "old" };
  return { kind: "refused", why: sayFault(reason) };
}
