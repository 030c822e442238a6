// Colours for the lines of a long list: asked for piece by piece as they come into sight, one at a time.
import { type Accessor, createSignal, onCleanup, type Setter } from "solid-js";
import { type Colour, type ColourRun, loadColours } from "../../text/code/colours";

export const PIECE = 200; // lines that are coloured together
const MAX_WAITING = 30; // pieces; what was scrolled past is asked for again when it comes back
const REST_MS = 60; // without a new piece: nothing is coloured during fast scrolling
const MAX_LINE = 2_000; // characters; a longer line stays as it is

export interface Painted {
  readonly text: string;
}

/// Each group is one text to the grammar; a line in several takes its colours from the last.
export type Groups = () => readonly (readonly Painted[])[];

interface Job {
  readonly owner: object;
  readonly piece: number;
  readonly language: string;
  readonly groups: Groups;
  readonly isDone: Accessor<boolean>;
  readonly setDone: Setter<boolean>;
}

export class Painter {
  private readonly runs = new WeakMap<Painted, readonly ColourRun[]>();
  private readonly jobs = new WeakMap<object, Map<number, Job>>();
  private waiting: Job[] = [];
  private timer: ReturnType<typeof setTimeout> | undefined;
  private isGone = false;

  constructor() {
    onCleanup(() => {
      this.isGone = true;
      this.waiting = [];
      clearTimeout(this.timer);
    });
  }

  /// Tracked: undefined until the colours are there.
  find(
    line: Painted,
    owner: object,
    piece: number,
    language: string,
    groups: Groups,
  ): readonly ColourRun[] | undefined {
    if (language === "" || line.text.length > MAX_LINE) return undefined;
    const job = this.jobs.get(owner)?.get(piece) ?? this.add(owner, piece, language, groups);
    return job.isDone() ? this.runs.get(line) : undefined;
  }

  private add(owner: object, piece: number, language: string, groups: Groups): Job {
    const [isDone, setDone] = createSignal(false);
    const job: Job = { owner, piece, language, groups, isDone, setDone };
    const ofOwner = this.jobs.get(owner) ?? new Map<number, Job>();
    this.jobs.set(owner, ofOwner.set(piece, job));
    this.waiting.push(job);
    for (const old of this.waiting.splice(0, Math.max(0, this.waiting.length - MAX_WAITING))) {
      this.jobs.get(old.owner)?.delete(old.piece);
    }
    this.schedule(REST_MS);
    return job;
  }

  private schedule(afterMs: number): void {
    clearTimeout(this.timer);
    if (this.waiting.length > 0 && !this.isGone) this.timer = setTimeout(() => void this.work(), afterMs);
  }

  private async work(): Promise<void> {
    const colour = await loadColours();
    const job = this.waiting.pop(); // what came into sight last is looked at now
    if (job) this.paint(job, colour);
    this.schedule(0);
  }

  private paint(job: Job, colour: Colour): void {
    for (const group of job.groups()) {
      const text = group.map((line) => (line.text.length > MAX_LINE ? "" : line.text)).join("\n");
      const runs = colour(text, job.language);
      if (!runs) continue;
      const lines = splitRuns(runs);
      for (const [i, line] of group.entries()) this.runs.set(line, lines[i] ?? []);
    }
    job.setDone(true);
  }
}

/// The runs of a text, line by line.
export function splitRuns(runs: readonly ColourRun[]): ColourRun[][] {
  let line: ColourRun[] = [];
  const lines = [line];
  for (const { text, look } of runs) {
    for (const [i, part] of text.split("\n").entries()) {
      if (i > 0) {
        line = [];
        lines.push(line);
      }
      if (part) line.push({ text: part, look });
    }
  }
  return lines;
}
