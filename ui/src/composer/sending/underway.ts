// What is on its way to the daemon, of any session: prompts and files. It outlives the tab that is shown.
import type { Room } from "../../state/room";
import { type Attaching, makeAttaching } from "../context/attach";
import { makeSending, type Sending } from "./sending";

export interface Underway {
  sending: Sending;
  attaching: Attaching;
}

export function makeUnderway(room: Room): Underway {
  return { sending: makeSending(room), attaching: makeAttaching(room) };
}
