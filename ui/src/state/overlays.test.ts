// Overlays on top of the log: added, replaced, removed.
import { describe, expect, it } from "vitest";
import { MAX_OVERLAYS, Overlays } from "./overlays";
import type { Overlay } from "./room";

const RENAME: Overlay = { kind: "rename", session: "s" };
const HELP: Overlay = { kind: "help" };

function file(path: string): Overlay {
  return { kind: "file", session: "s", place: { path } };
}

describe("overlays", () => {
  it("keep what is underneath, the same object, until the one over it is closed", () => {
    const overlays = new Overlays();
    overlays.show(RENAME);
    overlays.show(file("a.py"));
    expect(overlays.list()).toEqual([RENAME, file("a.py")]);
    expect(overlays.list()[0]).toBe(RENAME);
    overlays.close();
    expect(overlays.list()).toEqual([RENAME]);
    overlays.close();
    overlays.close();
    expect(overlays.list()).toEqual([]);
  });

  it("show another of the same kind in the place of the first", () => {
    const overlays = new Overlays();
    overlays.show(RENAME);
    overlays.show(file("a.py"));
    overlays.show(file("b.py"));
    expect(overlays.list()).toEqual([RENAME, file("b.py")]);
  });

  it("are only so many: the uppermost gives way", () => {
    const overlays = new Overlays();
    for (let i = 0; i < MAX_OVERLAYS; i += 1) overlays.show(i % 2 ? HELP : RENAME);
    overlays.show(file("a.py"));
    expect(overlays.list().length).toBe(MAX_OVERLAYS);
    expect(overlays.list().slice(-2)).toEqual([RENAME, file("a.py")]);
  });
});
