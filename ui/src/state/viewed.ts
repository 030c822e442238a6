// A session of another program that is only looked at: its id is that of its line on the board, marked as such.
import { VIEWED } from "../limits.gen";

export function viewId(key: string): string {
  return VIEWED + key;
}

export function isViewed(session: string): boolean {
  return session.startsWith(VIEWED);
}
