// A line cut into pieces that look alike: its colours, its changed words, and characters that hide or move.
import type { ColourRun } from "../../text/code/colours";
import { LEFTWARD } from "../../text/spelt";
import type { Span } from "./words";

export interface Segment {
  readonly text: string;
  readonly look: string; // classes of the code colours, or ""
  readonly word: boolean; // a changed word
  readonly hidden: boolean; // an escape in the place of a character that is not seen
  readonly apart: boolean; // a word that is written from right to left, and moves nothing beside it
}

// Controls, bidi and zero-width marks, separators, blanks that are none, half pairs: as the daemon has it.
const KINDS = "\\p{Cc}\\p{Cf}\\p{Cs}\\p{Zl}\\p{Zp}\\p{Zs}";
const BLANKS =
  "\\u034F\\u115F\\u1160\\u17B4\\u17B5\\u2065\\u2800\\u2D7F\\u3164\\uFFA0\\uFFF0-\\uFFF8\\u180B-\\u180F" +
  "\\uFE00-\\uFE0F\\u{1107F}\\u{11A47}\\u{11A99}\\u{16FE4}\\u{1D159}\\u{1DA7F}\\u{1DA80}\\u{E0000}-\\u{E0FFF}";
const HIDDEN = new RegExp(`(?![\\t \\u3000])[${KINDS}${BLANKS}]`, "u");
const ODD = new RegExp(`${HIDDEN.source}|[${LEFTWARD}]`, "u");
const EACH_ODD = new RegExp(
  `(${HIDDEN.source})|[${LEFTWARD}](?:(?!${HIDDEN.source})[${LEFTWARD}\\p{M}])*`,
  "gu",
);

function escaped(char: string): string {
  if (char === "\r") return "\\r";
  if (char === "\n") return "\\n";
  const code = char.codePointAt(0) ?? 0;
  if (code < 0x100) return `\\x${code.toString(16).padStart(2, "0")}`;
  return code < 0x10000 ? `\\u${code.toString(16).padStart(4, "0")}` : `\\u{${code.toString(16)}}`;
}

/// The first `most` characters of the line.
export function cutSegments(runs: readonly ColourRun[], words: readonly Span[], most: number): Segment[] {
  const segments: Segment[] = [];
  let at = 0;
  for (const run of runs) {
    if (at >= most) break;
    const text = run.text.slice(0, most - at);
    for (const part of splitAtWords(text, at, words)) {
      for (const piece of splitOdd(part.text)) segments.push({ ...piece, look: run.look, word: part.word });
    }
    at += text.length;
  }
  return segments;
}

function* splitAtWords(text: string, at: number, words: readonly Span[]) {
  let done = 0;
  for (const { start, end } of words) {
    const from = Math.min(Math.max(start - at, done), text.length);
    const to = Math.min(Math.max(end - at, from), text.length);
    if (from > done) yield { text: text.slice(done, from), word: false };
    if (to > from) yield { text: text.slice(from, to), word: true };
    done = to;
  }
  if (done < text.length) yield { text: text.slice(done), word: false };
}

function* splitOdd(text: string) {
  if (!ODD.test(text)) {
    yield { text, hidden: false, apart: false };
    return;
  }
  let done = 0;
  for (const match of text.matchAll(EACH_ODD)) {
    if (match.index > done) yield { text: text.slice(done, match.index), hidden: false, apart: false };
    const hidden = match[1] !== undefined;
    yield { text: hidden ? escaped(match[0]) : match[0], hidden, apart: !hidden };
    done = match.index + match[0].length;
  }
  if (done < text.length) yield { text: text.slice(done), hidden: false, apart: false };
}
