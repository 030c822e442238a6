// Text that comes from outside of the page, into the prompt of the session that is shown.
import { createEffect, createRoot } from "solid-js";
import type { Room } from "../../state/room";
import { ownSession } from "../../state/sessions/viewed";

/// In a new session where none is open. Undefined where that could not be begun. A page that is just being opened
/// does not know yet which session it shows.
export async function insertIntoPrompt(room: Room, text: string): Promise<string | undefined> {
  await untilListed(room);
  const session = ownSession(room) || (await room.create());
  if (!session) return undefined;
  room.setDraft(session, { text: joined(room.draft(session).text, text) });
  return session;
}

function untilListed(room: Room): Promise<void> {
  return new Promise((resolve) => {
    createRoot((end) =>
      createEffect(() => {
        if (!room.listed()) return;
        resolve();
        end();
      }),
    );
  });
}

/// A place is a word among others; what has several lines begins on a line of its own.
export function joined(before: string, text: string): string {
  if (!before.trim()) return text;
  const between = text.includes("\n") ? "\n\n" : " ";
  return before.trimEnd() + between + text;
}
