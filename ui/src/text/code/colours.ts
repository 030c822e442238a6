// Code colours: a text and its language in, runs of text with classes out; the grammars come when first wanted.
import type { Root, RootContent } from "hast";

export interface ColourRun {
  text: string;
  look: string; // classes, "" for none
}

export type Colour = (text: string, language: string) => ColourRun[] | undefined;

export const MAX_COLOURED = 30_000; // characters; above it code stays as it is
const MAX_LINE = 2_000; // characters of one line; minified code stays as it is
const MAX_DEPTH = 40;

let loading: Promise<Colour> | undefined; // the grammars' own chunk is fetched once

export function loadColours(): Promise<Colour> {
  loading ??= import("lowlight").then(({ common, createLowlight }) => makeColour(createLowlight(common)));
  return loading;
}

interface Lowlight {
  registered(language: string): boolean;
  highlight(language: string, text: string): Root;
}

function makeColour(lowlight: Lowlight): Colour {
  return (text, language) => {
    if (!mayColour(text) || !lowlight.registered(language)) return undefined;
    const runs: ColourRun[] = [];
    for (const child of lowlight.highlight(language, text).children) flatten(child, "", 0, runs);
    return runs;
  };
}

export function mayColour(text: string): boolean {
  return text.length <= MAX_COLOURED && !text.split("\n").some((line) => line.length > MAX_LINE);
}

function flatten(node: RootContent, look: string, depth: number, runs: ColourRun[]): void {
  if (node.type === "text") runs.push({ text: node.value, look });
  if (node.type !== "element" || depth > MAX_DEPTH) return;
  const names = node.properties.className;
  const own = Array.isArray(names) ? names.join(" ") : "";
  const both = [look, own].filter(Boolean).join(" ");
  for (const child of node.children) flatten(child, both, depth + 1, runs);
}

const BY_ENDING = new Map(
  Object.entries({
    cc: "cpp",
    h: "c",
    hpp: "cpp",
    htm: "xml",
    html: "xml",
    js: "javascript",
    jsx: "javascript",
    kt: "kotlin",
    md: "markdown",
    mjs: "javascript",
    py: "python",
    pyi: "python",
    rb: "ruby",
    rs: "rust",
    sh: "bash",
    svg: "xml",
    toml: "ini",
    ts: "typescript",
    tsx: "typescript",
    vue: "xml",
    yml: "yaml",
  }),
);
const BY_NAME = new Map([
  ["makefile", "makefile"],
  ["dockerfile", "bash"],
]);

/// The grammar for a file, by how its name ends.
export function languageOf(path: string): string {
  const name = (path.split("/").pop() ?? "").toLowerCase();
  const ending = name.includes(".") ? (name.split(".").pop() ?? "") : "";
  return BY_NAME.get(name) ?? BY_ENDING.get(ending) ?? ending;
}
