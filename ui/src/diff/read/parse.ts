// A tolerant parser for diffs that others wrote: any input gives the files and hunks in it, or none.
import type { FileEdit } from "../../model.gen";
import { gitNames, NOWHERE, plainName, unquoted } from "./names";

export const MAX_LINES = 500_000; // beyond it a list becomes higher than browsers can scroll

export type Sign = " " | "+" | "-";
export type FileKind = "add" | "delete" | "update" | "rename" | "copy";

export interface DiffLine {
  readonly sign: Sign;
  readonly text: string; // with the carriage return that it ends with
  readonly before: number; // line of the file before, 0 where it is not in it or not known
  readonly after: number;
  readonly index: number; // in its hunk
  bare: boolean; // the file ends here, without a newline
}

export interface DiffHunk {
  readonly number: number; // in its file, from 1, as the daemon counts
  readonly head: string; // the @@ line
  readonly lines: DiffLine[];
}

export interface DiffFile {
  path: string; // where it is after the change
  source: string; // where it was, when that is elsewhere
  kind: FileKind;
  modeBefore: string;
  modeAfter: string;
  binary: boolean;
  readonly hunks: DiffHunk[];
  additions: number;
  deletions: number;
}

export interface ParsedDiff {
  readonly files: readonly DiffFile[];
  readonly left: number; // characters that were too many
}

const HUNK = /^@@ -(\d{1,9})(?:,(\d{1,9}))? \+(\d{1,9})(?:,(\d{1,9}))? @@/;
const UNKNOWN = -1; // a hunk that does not say how long it is

export function parseDiff(text: string): ParsedDiff {
  const reader = new Reader();
  const left = reader.read(text);
  return { files: reader.finish(), left };
}

/// The text of one file's change that the daemon could not read: hunks alone, or with a header before them.
export function parseEdit(edit: FileEdit): DiffFile {
  const reader = new Reader(edit.path);
  reader.read(edit.diff ?? "");
  const files = reader.finish();
  const file = files.find((one) => one.hunks.length > 0) ?? files.at(-1) ?? makeFile(edit.path);
  if (edit.diff && !file.binary && file.hunks.length === 0 && !/^(diff --git|--- )/.test(edit.diff)) {
    file.hunks.push(plainHunk(edit.diff));
  }
  file.path = edit.moved_to ?? edit.path;
  file.source = edit.moved_to ? edit.path : "";
  if (file.kind !== "copy") file.kind = edit.moved_to ? "rename" : edit.change;
  return file;
}

export function makeFile(path: string): DiffFile {
  return {
    path,
    source: "",
    kind: "update",
    modeBefore: "",
    modeAfter: "",
    binary: false,
    hunks: [],
    additions: 0,
    deletions: 0,
  };
}

function plainHunk(text: string): DiffHunk {
  const lines = text.replace(/\n$/, "").split("\n", MAX_LINES);
  return {
    number: 1,
    head: "",
    lines: lines.map((line, index) => ({
      sign: " ",
      text: line,
      before: 0,
      after: 0,
      index,
      bare: false,
    })),
  };
}

type Header = (file: DiffFile, rest: string) => void;

// What a header says about the file that follows.
const HEADERS: readonly (readonly [string, Header])[] = [
  ["+++ ", (file, rest) => nameAfter(file, plainName(rest))],
  ["rename from ", (file, rest) => moved(file, "rename", unquoted(rest))],
  ["copy from ", (file, rest) => moved(file, "copy", unquoted(rest))],
  ["rename to ", (file, rest) => Object.assign(file, { path: unquoted(rest) })],
  ["copy to ", (file, rest) => Object.assign(file, { path: unquoted(rest) })],
  ["*** Move to: ", (file, rest) => moveTo(file, rest)],
  ["new file mode ", (file, rest) => Object.assign(file, { kind: "add", modeAfter: rest })],
  ["deleted file mode ", (file, rest) => Object.assign(file, { kind: "delete", modeBefore: rest })],
  ["old mode ", (file, rest) => Object.assign(file, { modeBefore: rest })],
  ["new mode ", (file, rest) => Object.assign(file, { modeAfter: rest })],
  ["Binary files ", (file) => Object.assign(file, { binary: true })],
  ["GIT binary patch", (file) => Object.assign(file, { binary: true })],
];

// Codex's own format names the file and what happens to it.
const CODEX: readonly (readonly [string, FileKind])[] = [
  ["*** Add File: ", "add"],
  ["*** Update File: ", "update"],
  ["*** Delete File: ", "delete"],
];

class Reader {
  private readonly files: DiffFile[] = [];
  private file: DiffFile | undefined;
  private named = false; // the present file has had its +++
  private hunk: DiffHunk | undefined;
  private leftBefore = 0;
  private leftAfter = 0;
  private before = 0; // the number that the next line has
  private after = 0;
  private lines = 0;

  constructor(path?: string) {
    if (path !== undefined) this.begin(path);
  }

  /// Gives how many characters were left when there were too many lines.
  read(text: string): number {
    for (let at = 0; at < text.length; ) {
      const newline = text.indexOf("\n", at);
      const end = newline < 0 ? text.length : newline;
      this.feed(text.slice(at, end), text.startsWith("+++ ", end + 1));
      at = end + 1;
      if (this.lines >= MAX_LINES) return Math.max(0, text.length - at);
    }
    return 0;
  }

  finish(): DiffFile[] {
    return this.files;
  }

  private feed(line: string, isBeforePlus: boolean): void {
    if (this.hunk && this.takeLine(this.hunk, line, isBeforePlus)) return;
    this.hunk = undefined;
    if (line.startsWith("@@")) this.beginHunk(line);
    else this.takeHeader(line, isBeforePlus);
  }

  /// Inside a hunk that is not over a deleted `-- x` is content, though it looks like a header.
  private takeLine(hunk: DiffHunk, line: string, isBeforePlus: boolean): boolean {
    const sign = line === "" ? " " : line[0];
    if (sign === "\\") return markBare(hunk);
    if (sign !== " " && sign !== "+" && sign !== "-") return false;
    const isSure = this.leftBefore > 0 || this.leftAfter > 0;
    if (!isSure && this.endsHunk(line, isBeforePlus)) return false;
    if (isSure && sign === "-" && this.leftBefore === 0 && line.startsWith("--- ") && isBeforePlus)
      return false;
    this.push(hunk, sign, line.slice(1));
    return true;
  }

  private endsHunk(line: string, isBeforePlus: boolean): boolean {
    if (line === "" || line === "\r") return this.leftBefore !== UNKNOWN;
    return line === "-- " || (line.startsWith("--- ") && isBeforePlus);
  }

  private push(hunk: DiffHunk, sign: Sign, text: string): void {
    const isBefore = sign !== "+";
    const isAfter = sign !== "-";
    hunk.lines.push({
      sign,
      text,
      before: isBefore ? this.before : 0,
      after: isAfter ? this.after : 0,
      index: hunk.lines.length,
      bare: false,
    });
    this.lines += 1;
    if (isBefore) this.passBefore();
    if (isAfter) this.passAfter();
    if (this.file && sign === "+") this.file.additions += 1;
    if (this.file && sign === "-") this.file.deletions += 1;
  }

  private passBefore(): void {
    if (this.leftBefore > 0) this.leftBefore -= 1;
    if (this.before > 0) this.before += 1;
  }

  private passAfter(): void {
    if (this.leftAfter > 0) this.leftAfter -= 1;
    if (this.after > 0) this.after += 1;
  }

  private beginHunk(head: string): void {
    const match = HUNK.exec(head);
    if (!this.file && !match) return;
    const file = this.file ?? this.begin("");
    this.before = match ? Number(match[1]) : 0;
    this.after = match ? Number(match[3]) : 0;
    this.leftBefore = match ? Number(match[2] ?? 1) : UNKNOWN;
    this.leftAfter = match ? Number(match[4] ?? 1) : UNKNOWN;
    this.hunk = { number: file.hunks.length + 1, head: head.replace(/\r$/, ""), lines: [] };
    file.hunks.push(this.hunk);
  }

  private takeHeader(written: string, isBeforePlus: boolean): void {
    const line = written.replace(/\r$/, "");
    if (line.startsWith("diff --git ")) {
      const [before, after] = gitNames(line.slice("diff --git ".length));
      nameBoth(this.begin(after), before, after);
    } else if (line.startsWith("--- ") && isBeforePlus) {
      nameBefore(this.unnamed(), plainName(line.slice(4)));
    } else this.takeDetail(line);
  }

  private takeDetail(line: string): void {
    const codex = CODEX.find(([prefix]) => line.startsWith(prefix));
    if (codex) return this.beginCodex(line.slice(codex[0].length), codex[1]);
    const header = HEADERS.find(([prefix]) => line.startsWith(prefix));
    if (!header || !this.file) return;
    if (header[0] === "+++ ") this.named = true;
    header[1](this.file, line.slice(header[0].length));
  }

  private beginCodex(path: string, kind: FileKind): void {
    this.begin(path).kind = kind;
    if (kind === "add") this.beginHunk("@@");
  }

  private unnamed(): DiffFile {
    return this.file && !this.named && this.file.hunks.length === 0 ? this.file : this.begin("");
  }

  private begin(path: string): DiffFile {
    this.file = makeFile(path);
    this.named = false;
    this.files.push(this.file);
    return this.file;
  }
}

function markBare(hunk: DiffHunk): true {
  const last = hunk.lines.at(-1);
  if (last) last.bare = true;
  return true;
}

function nameBoth(file: DiffFile, before: string, after: string): void {
  if (before && before !== after) moved(file, "rename", before);
}

function nameBefore(file: DiffFile, name: string): void {
  if (name === NOWHERE) file.kind = "add";
  else if (file.path === "") file.path = name;
  else if (file.path !== name && file.source === "") moved(file, "rename", name);
}

function nameAfter(file: DiffFile, name: string): void {
  if (name === NOWHERE) {
    file.kind = "delete";
    file.path = file.source || file.path;
    file.source = "";
    return;
  }
  if (file.path !== "" && file.path !== name && file.kind === "update") moved(file, "rename", file.path);
  file.path = name;
}

function moved(file: DiffFile, kind: "rename" | "copy", source: string): void {
  file.source = source;
  if (file.kind !== "add" && file.kind !== "delete") file.kind = kind;
}

function moveTo(file: DiffFile, path: string): void {
  moved(file, "rename", file.path);
  file.path = path;
}
