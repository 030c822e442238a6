// The way to what waits: the question of this session, else that of the session that has waited longest.
import { MACHINE, type Room } from "../state/room";

const FRAMES = 120; // a session takes its time to be shown

export function focusQuestion(room: Room): void {
  if (focusCard()) return;
  const waiting = [...room.inbox()]
    .filter((one) => one.session_id !== MACHINE)
    .sort((a, b) => (a.ask.opened_at_ms ?? 0) - (b.ask.opened_at_ms ?? 0));
  const next = waiting[0];
  if (!next) return;
  room.activate(next.session_id);
  focusSoon(FRAMES);
}

function focusSoon(left: number): void {
  if (focusCard() || left === 0) return;
  requestAnimationFrame(() => focusSoon(left - 1));
}

/// False when there is none in sight.
function focusCard(): boolean {
  const card = document.querySelector<HTMLElement>("[data-question], main .asks-card");
  card?.focus();
  return card !== null;
}
