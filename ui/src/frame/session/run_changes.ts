// What a run changed, as its review has it: the only one that knows what commands wrote. Asked one run at a time.
import { type Accessor, createEffect, createSignal, on, onCleanup } from "solid-js";
import type { RunReview } from "../../model.gen";
import { Refused, type Room } from "../../state/room";

export interface RunChange {
  files: number;
  additions: number;
  deletions: number;
  isSure: boolean; // nothing about it is unknown
}

export interface WantedRun {
  session: string;
  run: string; // "" for the latest
  version?: number; // of what is wanted: another one is asked for again
}

const MAX_KNOWN = 200; // runs; the ones asked for longest ago go first

interface KnownChanges {
  answers: Map<string, RunChange | undefined>;
  turn: Promise<unknown>; // each look reads files of the workspace: never two at once
}

const KNOWN = new WeakMap<Room, KnownChanges>();

/// Undefined until it is known, and where nobody can say. `wanted` gives undefined where there is nothing to ask.
export function createRunChange(
  room: Room,
  wanted: () => WantedRun | undefined,
): Accessor<RunChange | undefined> {
  const [change, setChange] = createSignal<RunChange>();
  const key = () => {
    const now = wanted();
    return now && room.connection().state === "open" ? JSON.stringify(now) : "";
  };
  createEffect(
    on(key, (text) => {
      if (text === "") return;
      let isWanted = true;
      onCleanup(() => {
        isWanted = false;
      });
      void ask(room, text, () => isWanted).then((found) => {
        if (isWanted) setChange(found);
      });
    }),
  );
  return change;
}

async function ask(room: Room, key: string, isWanted: () => boolean): Promise<RunChange | undefined> {
  const known = KNOWN.get(room) ?? { answers: new Map(), turn: Promise.resolve() };
  KNOWN.set(room, known);
  if (known.answers.has(key)) return known.answers.get(key);
  const answer = known.turn.then(async () => {
    if (!isWanted() || known.answers.has(key)) return known.answers.get(key);
    const { session, run } = JSON.parse(key) as WantedRun;
    let found: RunChange | undefined;
    try {
      found = sum(await room.call("edits.review", { session_id: session, run_id: run }));
    } catch (fault) {
      if (!(fault instanceof Refused)) return undefined; // the next one to ask may find somebody there
    }
    known.answers.set(key, found);
    if (known.answers.size > MAX_KNOWN) known.answers.delete(known.answers.keys().next().value ?? "");
    return found;
  });
  known.turn = answer;
  return answer;
}

function sum(review: RunReview): RunChange {
  const add = (of: "additions" | "deletions") => review.files.reduce((all, file) => all + file[of], 0);
  return {
    files: review.files.length,
    additions: add("additions"),
    deletions: add("deletions"),
    isSure: !review.note,
  };
}
