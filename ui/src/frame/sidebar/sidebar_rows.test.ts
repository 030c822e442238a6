import { describe, expect, it } from "vitest";
import type { Card } from "../../model.gen";
import { countUp, makeRows, stepRow } from "./sidebar_rows";

const card = (session_id: string, workspace: string, title: string): Card => ({
  session_id,
  workspace,
  title,
  status: "completed",
});
const a1 = card("1", "/work/app", "Fix the parser");
const b1 = card("2", "/work/lib", "Write docs");
const a2 = card("3", "/work/app", "Speed up");

describe("rows", () => {
  it("stand under their folder, the latest folder first", () => {
    expect(makeRows([a1, b1, a2], { query: "" })).toEqual([
      { kind: "folder", folder: "/work/app", count: 2 },
      a1,
      a2,
      { kind: "folder", folder: "/work/lib", count: 1 },
      b1,
    ]);
  });

  it("are found by every word, anywhere", () => {
    expect(makeRows([a1, b1, a2], { query: "APP parser" })).toEqual([
      { kind: "folder", folder: "/work/app", count: 1 },
      a1,
    ]);
    expect(makeRows([a1, b1, a2], { query: "parser docs" })).toEqual([]);
  });

  it("stand pinned above all folders, and archived below them once they are wanted or sought", () => {
    const pinned: Card = { ...a2, place: "pinned" };
    const archived: Card = { ...b1, place: "archived" };
    const all = [a1, archived, pinned];
    const first = [
      { kind: "pinned", folder: "", count: 1 },
      pinned,
      { kind: "folder", folder: "/work/app", count: 1 },
      a1,
    ];
    const put = [{ kind: "archived", folder: "", count: 1 }, archived];
    expect(makeRows(all, { query: "" })).toEqual(first);
    expect(makeRows(all, { query: "", showsArchived: true })).toEqual([...first, ...put]);
    expect(makeRows(all, { query: "docs" })).toEqual(put);
  });

  it("are found by what was said in them too", () => {
    expect(makeRows([a1, b1], { query: "bridge", said: new Set(["2"]) })).toEqual([
      { kind: "folder", folder: "/work/lib", count: 1 },
      b1,
    ]);
  });

  it("are counted without their folders", () => {
    expect(countUp(makeRows([a1, b1, a2], { query: "" }))).toEqual([0, 1, 2, 2, 3]);
  });

  it("are ten thousand without trouble", () => {
    const many = Array.from({ length: 10_000 }, (_, n) => card(`s${n}`, `/work/p${n % 50}`, `Session ${n}`));
    expect(makeRows(many, { query: "" })).toHaveLength(10_050);
  });
});

describe("walking", () => {
  const rows = makeRows([a1, b1, a2], { query: "" }); // folder a1 a2 folder b1
  it.each([
    [-1, 1, 1],
    [1, 1, 2],
    [2, 1, 4],
    [4, 1, 4],
    [4, -1, 2],
    [1, -1, 1],
    [1, 10, 4],
    [5, -99, 1],
  ])("from %i by %i to %i", (from, by, to) => {
    expect(stepRow(rows, from, by)).toBe(to);
  });
});
