// Texts that grow: which block a delta belongs to, and how it is appended.
import type { Block, TextGrew } from "../model.gen";
import { KIND, MAX_PARTS, MAX_TEXT, OTHER_EVENTS, TEXTS } from "./tables.gen";

const SLACK = MAX_TEXT / 4; // a text at its ceiling is not cut again at every delta

export function emptyBlock(change: TextGrew): Block {
  // The first delta may come before its block: the table names the block that it makes.
  const block: Record<string, unknown> = { kind: KIND[change.field], id: change.block };
  if (change.run) block.run = change.run;
  if (change.field === "debug") Object.assign(block, { title: OTHER_EVENTS, debug: true });
  return block as unknown as Block;
}

export function grown(block: Block, change: TextGrew): Block {
  const name = change.field === "plan" || change.field === "debug" ? "text" : change.field;
  // An agent that gives two kinds of block one id: the first kind wins.
  if (!TEXTS[block.kind].includes(name)) return block;
  const texts = block as unknown as Record<string, string | string[] | undefined>;
  if (name !== "summary" && name !== "raw")
    return withText(block, name, `${texts[name] ?? ""}${change.text}`);
  const parts = [...((texts[name] as string[] | undefined) ?? [])];
  const part = Math.min(change.part ?? 0, MAX_PARTS - 1);
  while (parts.length <= part) parts.push("");
  parts[part] = `${parts[part]}${change.text}`;
  return cutAbove(MAX_TEXT + SLACK, { ...block, [name]: parts } as Block);
}

function withText(block: Block, name: string, text: string): Block {
  return cutAbove(MAX_TEXT + SLACK, { ...block, [name]: text } as Block);
}

/// Exactly as the daemon has it: no text above the ceiling.
export function settled(block: Block): Block {
  return cutAbove(MAX_TEXT, block);
}

/// Texts longer than `most` are cut to the ceiling.
function cutAbove(most: number, block: Block): Block {
  const texts = block as unknown as Record<string, string | string[] | undefined>;
  let all = 0;
  const cut = (text: string) => {
    if (text.length <= most) return text;
    const [kept, dropped] = clip(text);
    all += dropped;
    return kept;
  };
  const cuts = TEXTS[block.kind].map((name) => {
    const text = texts[name];
    return [name, typeof text === "string" ? cut(text) : text?.map(cut)] as const;
  });
  return all
    ? ({ ...block, ...Object.fromEntries(cuts), dropped: (block.dropped ?? 0) + all } as Block)
    : block;
}

/// The last MAX_TEXT characters (not UTF-16 units: Python counts characters), and how many went before them.
export function clip(text: string, limit = MAX_TEXT): [string, number] {
  if (text.length <= limit) return [text, 0];
  let at = text.length;
  for (let kept = 0; kept < limit && at > 0; kept++) at -= isPairBefore(text, at) ? 2 : 1;
  return [text.slice(at), countCharacters(text, at)];
}

function isPairBefore(text: string, at: number): boolean {
  const last = text.charCodeAt(at - 1);
  const first = at > 1 ? text.charCodeAt(at - 2) : 0;
  return (last & 0xfc00) === 0xdc00 && (first & 0xfc00) === 0xd800;
}

function countCharacters(text: string, end: number): number {
  let count = 0;
  for (let at = end; at > 0; count++) at -= isPairBefore(text, at) ? 2 : 1;
  return count;
}
