// The same golden cases that hold Python's fold: the same end, in one piece and Change by Change.
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import type { Block, Change, Session } from "../model.gen";
import { Fold } from "./fold";
import { clip } from "./texts";

const FOLDER = join(__dirname, "../../../tests/golden");

interface Golden {
  name: string;
  start: Session;
  changes: Change[];
  end: Session;
}

const cases: Golden[] = readdirSync(FOLDER)
  .filter((file) => file.endsWith(".json"))
  .map((file) => JSON.parse(readFileSync(join(FOLDER, file), "utf-8")));

// Python leaves defaults out of its JSON; these are the ones that are not simply empty.
const DEFAULTS: Record<string, string> = { status: "unknown", title_by: "default", agent: "codex" };
const BLOCK_STATUS: Record<string, string> = { image: "completed", info: "completed" };

function bare(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(bare);
  if (typeof value !== "object" || value === null) return value;
  const kind = (value as Partial<Block>).kind;
  const status = kind ? (BLOCK_STATUS[kind] ?? "inProgress") : DEFAULTS.status;
  const kept = Object.entries(value).filter(([key, one]) => !isDefault(key, one, status));
  return Object.fromEntries(kept.map(([key, one]) => [key, bare(one)]));
}

function isDefault(key: string, value: unknown, status: string | undefined): boolean {
  if (key === "status") return value === status;
  if (Array.isArray(value)) return value.length === 0;
  return (
    value === undefined ||
    value === null ||
    value === "" ||
    value === 0 ||
    value === false ||
    DEFAULTS[key] === value
  );
}

describe("golden", () => {
  it("has cases", () => expect(cases.length).toBeGreaterThan(15));

  it.each(cases)("$name", ({ start, changes, end }) => {
    const whole = new Fold(start);
    whole.applyAll(changes);
    expect(bare(whole.session())).toEqual(bare(end));
  });

  it.each(cases)("$name, joined at any Change", ({ start, changes, end }) => {
    for (let k = 0; k <= changes.length; k += Math.max(1, Math.floor(changes.length / 25))) {
      const first = new Fold(start);
      first.applyAll(changes.slice(0, k));
      const joined = new Fold(JSON.parse(JSON.stringify(first.session())));
      joined.applyAll(changes.slice(k));
      expect(bare(joined.session())).toEqual(bare(end));
    }
  });

  it.each(cases)("$name: what is touched is all that differs", ({ start, changes }) => {
    const fold = new Fold(start);
    const seen = new Map((start.blocks ?? []).map((block) => [block.id, block]));
    for (const change of changes) {
      fold.apply(change);
      for (const id of fold.drain().blocks) {
        const block = fold.block(id);
        if (block) seen.set(id, block);
        else seen.delete(id);
      }
      if (change.change === "cleared") seen.clear();
    }
    expect([...seen.values()].sort(byId)).toEqual((fold.session().blocks ?? []).sort(byId));
  });
});

function byId(a: Block, b: Block): number {
  return a.id < b.id ? -1 : 1;
}

describe("a text at its ceiling", () => {
  it("keeps its last two million characters, however it came", () => {
    const fold = new Fold({ id: "s", workspace: "/w" });
    for (let k = 0; k < 30; k++)
      fold.apply({ change: "textGrew", block: "b", field: "output", text: String(k % 10).repeat(100_000) });
    const block = fold.session().blocks?.[0];
    expect(block?.kind === "command" && block.output?.length).toBe(2_000_000);
    expect(block?.dropped).toBe(1_000_000);
  });
});

describe("clip", () => {
  it("counts characters, not UTF-16 units", () => {
    expect(clip("a😀b😀", 4)).toEqual(["a😀b😀", 0]);
    expect(clip("a😀b😀", 3)).toEqual(["😀b😀", 1]);
    expect(clip("😀😀😀😀", 2)).toEqual(["😀😀", 2]);
  });
});
