// What came before what is here, asked for page after page.
import { mayAct } from "../state/access";
import type { Mirror, Room } from "../state/room";

const TURN_MS = 50;
const PATIENCE_TURNS = 60;

/// For as long as it is wanted; ends with the last page, or when a page brings nothing. The agent is started
/// for it, so who only looks has what is here.
export async function loadEarlier(room: Room, mirror: Mirror, isWanted: () => boolean): Promise<void> {
  if (!mayAct(room.access())) return;
  while (isWanted() && mirror.head().earlier) {
    const before = mirror.head().earlier;
    if (!(await room.attempt("session.earlier", { session_id: mirror.id }))) return;
    if (!(await hasChanged(() => mirror.head().earlier !== before))) return;
  }
}

/// A page is shown with the next frame after its answer.
async function hasChanged(isOther: () => boolean): Promise<boolean> {
  for (let turn = 0; turn < PATIENCE_TURNS && !isOther(); turn++)
    await new Promise((done) => setTimeout(done, TURN_MS));
  return isOther();
}
