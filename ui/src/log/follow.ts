// Following the tail: until the reader goes up, and again when they are back.

export const NEAR = 32; // pixels from the end that still count as the end

export interface LogView {
  top: number;
  height: number; // of the window
  whole: number;
}

export function distance(view: LogView): number {
  return Math.max(0, view.whole - view.height - view.top);
}

/// `meant`: a wheel, a finger, a key or the scrollbar moved it. What moves by itself is the log growing or being
/// measured, unless it went far: assistive programs and find-in-page scroll without any of these.
export function nextFollowing(following: boolean, lastTop: number, view: LogView, meant: boolean): boolean {
  const away = distance(view);
  if (away <= NEAR) return true;
  const wentUp = view.top < lastTop - 1;
  if (!wentUp) return following && !(meant && away > view.height);
  return meant || away > view.height / 2 ? false : following;
}
