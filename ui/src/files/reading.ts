// A file or folder of the workspace as it is read: piece by piece, as far as it is looked at.
import { type Accessor, createSignal, onCleanup } from "solid-js";
import type { ListedDir } from "../model.gen";
import type { Room } from "../state/room";
import { sayFault } from "../text/visible";
import { type FileLine, FileLines } from "./lines";

const FIRST_PIECE = 200_000; // bytes: what is seen at once
const NEXT_PIECE = 1_000_000;
export const MAX_FILE_LINES = 500_000; // beyond it a list becomes higher than browsers can scroll
const MAX_LOADED = 64_000_000; // characters

export type FoundFile =
  | { kind: "reading" }
  | { kind: "folder"; listed: ListedDir }
  | { kind: "text"; size: number; isWhole: boolean; isCut: boolean; crlf: boolean }
  | { kind: "binary"; size: number }
  | { kind: "failed"; why: string };

export interface FileReading {
  found: Accessor<FoundFile>;
  lines: Accessor<readonly FileLine[]>;
  /// Reads on until this many lines are there, or the end.
  until(count: number): Promise<void>;
}

export function startReading(room: Room, session: string, path: string): FileReading {
  const [found, setFound] = createSignal<FoundFile>({ kind: "reading" });
  const [lines, setLines] = createSignal<readonly FileLine[]>([]);
  const all = new FileLines();
  let loaded = 0;
  let offset: number | null = 0;
  let going: Promise<void> = Promise.resolve();
  let isGone = false;
  onCleanup(() => {
    isGone = true;
  });

  const fail = (fault: unknown) => {
    offset = null;
    setFound({ kind: "failed", why: sayFault(fault) });
  };

  const readPiece = async (): Promise<void> => {
    const limit = offset === 0 ? FIRST_PIECE : NEXT_PIECE;
    const piece = await room.call("workspace.read", {
      session_id: session,
      path,
      offset: offset ?? 0,
      limit,
    });
    if (isGone) return;
    if (piece.binary) {
      offset = null;
      setFound({ kind: "binary", size: piece.size });
      return;
    }
    all.feed(piece.text);
    loaded += piece.text.length;
    const isCut = piece.next_offset != null && (all.list.length >= MAX_FILE_LINES || loaded >= MAX_LOADED);
    offset = isCut ? null : (piece.next_offset ?? null);
    setLines(all.list.slice(0, MAX_FILE_LINES));
    setFound({ kind: "text", size: piece.size, isWhole: offset === null, isCut, crlf: all.endings.crlf });
  };

  const until = (count: number): Promise<void> => {
    going = going.then(async () => {
      while (!isGone && offset !== null && lines().length < count) await readPiece();
    });
    going = going.catch(fail);
    return going;
  };

  const list = async (): Promise<void> => {
    const listed = await room.call("workspace.list", { session_id: session, path });
    offset = null;
    setFound({ kind: "folder", listed });
  };

  /// What can't be read may be a folder; if not, the file's own error is shown.
  const begin = async (): Promise<void> => {
    if (path === "") return list();
    try {
      await readPiece();
    } catch (fault) {
      await list().catch(() => {
        throw fault;
      });
    }
  };

  going = begin().catch(fail);
  return { found, lines, until };
}
