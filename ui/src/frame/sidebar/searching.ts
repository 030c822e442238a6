// What was said, as the daemon finds it: asked after a pause in typing, and only the latest question's answer counts.
import { type Accessor, createEffect, createSignal, onCleanup } from "solid-js";
import { MAX_QUERY } from "../../limits.gen";
import type { FoundSession } from "../../model.gen";
import type { Room } from "../../state/room";

export const PAUSE_MS = 150;
const MAX_SESSIONS = 30;

export interface Searched {
  state: "idle" | "busy" | "done" | "failed";
  query: string; // that was answered
  sessions: readonly FoundSession[];
}

const NOTHING: Searched = { state: "idle", query: "", sessions: [] };

/// While a question is open, what was found for the one before it stays if the new one only adds to it.
export function makeSearching(room: Pick<Room, "call">, typed: Accessor<string>): Accessor<Searched> {
  const [searched, setSearched] = createSignal<Searched>(NOTHING);
  let latest = 0;
  createEffect(() => {
    const query = typed().trim().slice(0, MAX_QUERY);
    latest += 1;
    const mine = latest;
    if (!isEnough(query)) {
      setSearched(NOTHING);
      return;
    }
    setSearched((before) => ({ ...(query.startsWith(before.query) ? before : NOTHING), state: "busy" }));
    const keep = (now: Searched) => {
      if (mine === latest) setSearched(now);
    };
    const pause = setTimeout(() => {
      room
        .call("session.search", { query, limit: MAX_SESSIONS })
        .then(({ sessions }) => keep({ state: "done", query, sessions }))
        .catch(() => keep({ ...NOTHING, state: "failed", query }));
    }, PAUSE_MS);
    onCleanup(() => {
      clearTimeout(pause);
      latest += 1; // nothing is taken after the field is gone
    });
  });
  return searched;
}

/// One letter is in everything; one character of Chinese or Japanese is a word.
function isEnough(query: string): boolean {
  return query.length > 1 || /\P{ASCII}/u.test(query);
}
