// Every text of every theme can be read: WCAG AA, from the tokens themselves.
import { describe, expect, it } from "vitest";
import css from "./tokens.css?raw";

const TEXT = 4.5; // WCAG 1.4.3
const SHAPE = 3; // WCAG 1.4.11: edges of controls, dots, the focus
const MORE = 7; // WCAG 1.4.6, for those who asked for contrast

const themes = {
  light: read(0, false),
  dark: read(1, false),
  moreLight: read(0, true),
  moreDark: read(1, true),
};

const GROUNDS = ["bg", "bg-side", "bg-raised", "bg-hover", "bg-input", "bg-code"];
const TINTS = [...css.matchAll(/^ {2}--([a-z]+-bg):/gm)]
  .map((match) => match[1] ?? "")
  .filter((name) => !["accent-bg", "added-bg", "deleted-bg", "danger-bg"].includes(name));
const TEXTS = ["fg", "fg-dim", "accent", "ok", "warn", "bad", "busy"];
const CODE = [...css.matchAll(/^ {2}--((?:code|ansi)-[a-z-]+):/gm)].map((match) => match[1] ?? "");
const EDGES = ["line-strong", "focus", "dot-working", "dot-waiting", "dot-completed", "dot-failed"];
const PAIRS = [
  ["fg-chosen", "bg-chosen"],
  ["accent-fg", "accent-bg"],
  ["danger-fg", "danger-bg"],
  ["fg", "added-bg"],
  ["fg", "deleted-bg"],
  ["fg", "added-word"],
  ["fg", "deleted-word"],
  ["added", "added-bg"],
  ["deleted", "deleted-bg"],
  ["added", "bg"],
  ["deleted", "bg"],
  ["fg-dim", "added-bg"],
  ["fg-dim", "deleted-bg"],
] as const;

describe.each(Object.entries(themes))("%s", (name, tokens) => {
  const least = name.startsWith("more") ? MORE : TEXT;

  it("has texts that can be read on every ground", () => {
    const pairs = [...GROUNDS, ...TINTS].flatMap((ground) => TEXTS.map((text) => [text, ground] as const));
    expect(tooFaint(tokens, [...pairs, ...PAIRS], least)).toEqual([]);
  });

  it("has code that can be read where code stands", () => {
    const grounds = ["bg", "bg-code", "added-bg", "deleted-bg"];
    const pairs = grounds.flatMap((ground) => CODE.map((text) => [text, ground] as const));
    expect(tooFaint(tokens, pairs, TEXT)).toEqual([]);
  });

  it("has code that can be read where a word of it changed", () => {
    const code = CODE.filter((text) => text.startsWith("code-"));
    const pairs = ["added-word", "deleted-word"].flatMap((ground) =>
      code.map((text) => [text, ground] as const),
    );
    expect(tooFaint(tokens, pairs, TEXT)).toEqual([]);
  });

  it("has edges that can be seen", () => {
    const pairs = ["bg", "bg-side", "bg-raised", "bg-input"].flatMap((ground) =>
      EDGES.map((edge) => [edge, ground] as const),
    );
    expect(tooFaint(tokens, pairs, SHAPE)).toEqual([]);
  });
});

type Tokens = Map<string, string>;

/// The tokens of one theme: 0 is the light side of light-dark(), 1 the dark one.
function read(side: 0 | 1, more: boolean): Tokens {
  const [ground = "", rest = ""] = css.split(":root[data-contrast]");
  const tokens: Tokens = new Map();
  for (const part of more ? [ground, rest.slice(0, rest.indexOf("}"))] : [ground])
    for (const [, name = "", value = ""] of part.matchAll(/--([a-z0-9-]+):\s*([^;]+);/g))
      tokens.set(name, pickSide(value.trim(), side));
  return tokens;
}

function pickSide(value: string, side: 0 | 1): string {
  const bare = value.replace(/^var\(--vscode-[\w-]+,\s*(.*)\)$/s, "$1");
  const both = bare.match(/^light-dark\((#\w+), (#\w+)\)$/);
  return both?.[side + 1] ?? bare;
}

function colour(tokens: Tokens, name: string): string {
  const value = tokens.get(name) ?? "";
  const other = value.match(/^var\(--([\w-]+)\)$/)?.[1];
  if (other) return colour(tokens, other);
  if (!/^#[0-9a-f]{6}$/.test(value)) throw new Error(`--${name} is ${value}`);
  return value;
}

function tooFaint(tokens: Tokens, pairs: (readonly [string, string])[], least: number): string[] {
  return pairs.flatMap(([front, ground]) => {
    const ratio = contrast(colour(tokens, front), colour(tokens, ground));
    return ratio < least ? [`${front} on ${ground}: ${ratio.toFixed(2)}`] : [];
  });
}

function contrast(one: string, other: string): number {
  const [dark = 0, bright = 0] = [luminance(one), luminance(other)].sort((a, b) => a - b);
  return (bright + 0.05) / (dark + 0.05);
}

function luminance(hex: string): number {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5]
    .map((start) => Number.parseInt(hex.slice(start, start + 2), 16) / 255)
    .map((part) => (part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4));
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}
