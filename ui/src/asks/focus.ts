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
  const panel = document.querySelector<HTMLElement>("main");
  panel?.focus(); // what is typed before the question is in sight goes into no input
  room.activate(next.session_id);
  focusSoon(FRAMES, panel);
}

/// Unless the person has gone elsewhere meanwhile.
function focusSoon(left: number, panel: HTMLElement | null): void {
  const at = document.activeElement;
  if ((at !== panel && at !== document.body) || focusCard() || left === 0) return;
  requestAnimationFrame(() => focusSoon(left - 1, panel));
}

/// False when there is none in sight.
function focusCard(): boolean {
  const card = document.querySelector<HTMLElement>("[data-question], main .asks-card");
  card?.focus();
  return card !== null;
}
