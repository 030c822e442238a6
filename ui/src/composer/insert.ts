// Text that comes from outside of the page, into the prompt of the session that is shown.
import type { Room } from "../state/room";

/// In a new session where none is open. Undefined where that could not be begun.
export async function insertIntoPrompt(room: Room, text: string): Promise<string | undefined> {
  const session = room.active() || (await room.create());
  if (!session) return undefined;
  room.setDraft(session, { text: joined(room.draft(session).text, text) });
  return session;
}

/// A place is a word among others; what has several lines begins on a line of its own.
export function joined(before: string, text: string): string {
  if (!before.trim()) return text;
  const between = text.includes("\n") ? "\n\n" : " ";
  return before.trimEnd() + between + text;
}
