// The tab's history: one entry for each session that was shown, and one for each thing that is open over it.
import { type Address, parseAddress, sayAddress } from "./address";

/// Of how many open things this entry is.
interface KeptHistory {
  open: number;
}

/// What was open before a reload is not open any more.
export function beginHistory(): void {
  if (openHere() > 0) put(0, location.href);
}

export function keepShown(session: string): void {
  const before = parseAddress(location.hash);
  const hash = sayAddress({ session });
  if (before?.session === session) return;
  // The entry of what was open becomes that of what is shown next, so that closing the rest leads there.
  if (before === undefined || openHere() > 0) put(0, hash);
  else history.pushState(null, "", hash);
  pushOpen();
}

let wanted = 0;
let isLeaving = false; // an entry: that takes the browser a moment

/// So many things are open over what is shown: Back closes them one by one.
export function keepOpen(count: number): void {
  wanted = count;
  pushOpen();
  if (openHere() === wanted || isLeaving) return;
  isLeaving = true;
  setTimeout(leave);
}

function pushOpen(): void {
  while (openHere() < wanted) history.pushState(kept(openHere() + 1), "", location.href);
}

/// Closed by hand: its entry goes, unless what was opened from it has taken its place.
function leave(): void {
  if (openHere() > wanted) history.go(wanted - openHere());
  else isLeaving = false;
}

export function onAddress(callback: (address: Address, open: number) => void): void {
  window.addEventListener("popstate", () => {
    const isOurs = isLeaving;
    isLeaving = false;
    if (isOurs) keepOpen(wanted); // something may have been opened while the browser took its moment
    const address = parseAddress(location.hash);
    if (address) callback(address, isOurs ? wanted : openHere());
  });
}

function openHere(): number {
  const state = history.state as KeptHistory | null;
  return typeof state?.open === "number" ? state.open : 0;
}

function put(open: number, url: string): void {
  history.replaceState(kept(open), "", url);
}

function kept(open: number): KeptHistory | null {
  return open > 0 ? { open } : null;
}
