// Output of programs: colours become classes, every other escape is taken out.
import Anser from "anser";
import type { ColourRun } from "../code/colours";
import { nearest, paletteColour } from "./palette";

export const MAX_ANSI = 200_000; // characters; the last ones are shown
const MAX_COLOUR_CHANGES = 4_000; // after them the text goes on without

const ESC = "\u001b";
const ESCAPE = new RegExp(
  [
    // OSC, DCS, SOS, PM, APC: up to their end, or to the line's where it never comes
    "(?:\\u001b[\\]PX^_]|[\\u0090\\u0098\\u009d-\\u009f])[^\\u0007\\u001b\\u009c\\n]*(?:\\u0007|\\u001b\\\\|\\u009c)?",
    "(?:\\u001b\\[|\\u009b)[0-?]*[ -/]*[@-~]?", // CSI
    "\\u001b[ -/]*[0-~]?",
  ].join("|"),
  "g",
);
// biome-ignore lint/suspicious/noControlCharactersInRegex: escapes are what it looks for
const COLOUR = /^(?:\u001b\[|\u009b)([\d;:]*)m$/;
// biome-ignore lint/suspicious/noControlCharactersInRegex: escapes are what it looks for
const COLOURS = /\u001b\[[\d;]*m/g;
// Controls but for tab, line break and the ESC of a colour; overrides of direction.
// biome-ignore lint/suspicious/noControlCharactersInRegex: escapes are what it looks for
const CONTROLS = /(?![\t\n\u001b])\p{Cc}|[\u200e\u200f\u202a-\u202e\u2066-\u2069]/gu;

/// Text with nothing in it but line breaks, tabs and colours.
export function stripEscapes(text: string): string {
  const kept = text.replace(ESCAPE, (found) => {
    const codes = COLOUR.exec(found)?.[1];
    return codes === undefined ? "" : `${ESC}[${codes.replace(/:+/g, ";")}m`;
  });
  return overwrite(kept.replace(/\r+\n/g, "\n")).replace(CONTROLS, "");
}

/// A carriage return restarts the line: only the last state of a progress bar stays.
function overwrite(text: string): string {
  if (!text.includes("\r")) return text;
  const last = (line: string) => line.split("\r").findLast((part) => part.replace(COLOURS, "") !== "") ?? "";
  return text
    .split("\n")
    .map((line) => (line.includes("\r") ? last(line) : line))
    .join("\n");
}

export function parseAnsi(text: string): ColourRun[] {
  const clean = stripEscapes(text.slice(-MAX_ANSI));
  if (!clean.includes(ESC)) return clean ? [{ text: clean, look: "" }] : [];
  const cut = findCut(clean);
  const entries = Anser.ansiToJson(clean.slice(0, cut), { use_classes: true, remove_empty: true });
  const runs = entries.map((entry) => ({ text: entry.content, look: lookOf(entry) }));
  return join([...runs, { text: clean.slice(cut).replace(COLOURS, ""), look: "" }]);
}

function findCut(text: string): number {
  let left = MAX_COLOUR_CHANGES;
  for (const match of text.matchAll(COLOURS)) if (left-- === 0) return match.index;
  return text.length;
}

function join(runs: readonly ColourRun[]): ColourRun[] {
  const joined: ColourRun[] = [];
  for (const run of runs) {
    const last = joined.at(-1);
    if (last?.look === run.look) last.text += run.text;
    else if (run.text) joined.push({ ...run });
  }
  return joined;
}

// No "hidden" or "blink": output may not hide or flicker.
const DECORATIONS: Record<string, string> = {
  bold: "ansi-bold",
  dim: "ansi-dim",
  italic: "ansi-italic",
  underline: "ansi-underline",
  strikethrough: "ansi-strike",
};

function lookOf(entry: Anser.AnserJsonEntry): string {
  const looks = entry.decorations.map((name) => DECORATIONS[name]);
  const fg = colourName(entry.fg, entry.fg_truecolor);
  const bg = colourName(entry.bg, entry.bg_truecolor);
  return [...new Set([fg && `${fg}-fg`, bg && `${bg}-bg`, ...looks])].filter(Boolean).join(" ");
}

const PALETTE = "ansi-palette-";

/// One of the sixteen, in which the theme keeps every text readable.
function colourName(name: string | null, rgb: string | null): string {
  if (!name) return "";
  if (name.startsWith(PALETTE)) return nearest(paletteColour(Number(name.slice(PALETTE.length))));
  if (name !== "ansi-truecolor") return name;
  const [red = 0, green = 0, blue = 0] = (rgb ?? "").split(",").map(Number);
  return nearest([red, green, blue]);
}
