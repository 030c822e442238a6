// What can be found in a block: every text that it shows when it is open.
import type { Block } from "../../model.gen";

export function textsOf(block: Block): string[] {
  switch (block.kind) {
    case "command":
      return [block.command, block.summary, block.output, block.stdin].filter(isText);
    case "fileChange":
      return [
        ...(block.files ?? []).flatMap((file) => [file.path, file.moved_to, file.diff]),
        block.detail,
      ].filter(isText);
    case "mcp":
      return [
        `${block.server ?? ""}/${block.tool ?? ""}`,
        ...[block.arguments, block.progress, block.result, block.error],
      ].filter(isText);
    case "webSearch":
      return [block.query].filter(isText);
    case "reasoning":
      return [...(block.summary ?? []), ...(block.raw ?? [])];
    case "plan":
      return [block.text, ...(block.steps ?? []).map((step) => step.text)].filter(isText);
    case "image":
      return [block.caption, block.path].filter(isText);
    case "info":
      return [block.title, block.text, ...(block.facts ?? []).map((fact) => fact.value)].filter(isText);
    case "remote":
      return [block.author, block.text].filter(isText);
    case "user":
    case "assistant":
      return [block.text].filter(isText);
    case "divider":
    case "system":
    case "error":
      return [block.title, block.text].filter(isText);
  }
}

function isText(text: string | null | undefined): text is string {
  return Boolean(text);
}

export interface FoundBlock {
  id: string;
  count: number; // of the places in it
}

/// The blocks that hold the words, in order; upper and lower case count as the same.
export function findBlocks(blocks: Iterable<Block>, query: string): FoundBlock[] {
  const wanted = query.toLowerCase();
  if (!wanted) return [];
  const found: FoundBlock[] = [];
  for (const block of blocks) {
    const count = textsOf(block).reduce((sum, text) => sum + countIn(text.toLowerCase(), wanted), 0);
    if (count > 0) found.push({ id: block.id, count });
  }
  return found;
}

function countIn(text: string, wanted: string): number {
  let count = 0;
  for (let at = text.indexOf(wanted); at >= 0; at = text.indexOf(wanted, at + wanted.length)) count++;
  return count;
}

/// The place to begin with: the first one in the block nearest to what is in the middle of the view.
export function nearestPlace(
  found: readonly FoundBlock[],
  order: readonly string[],
  middle: string | undefined,
): number {
  const at = order.indexOf(middle ?? "");
  if (at < 0) return found.reduce((sum, { count }) => sum + count, 0) - 1;
  const places = new Map(order.map((id, place) => [id, place]));
  const far = ({ id }: FoundBlock) => Math.abs((places.get(id) ?? 0) - at);
  const least = Math.min(...found.map(far));
  let place = 0;
  for (const block of found) {
    if (far(block) === least) return place;
    place += block.count;
  }
  return place - 1;
}

/// The block of one of all places, and which of its own that is.
export function findPlace(found: readonly FoundBlock[], at: number): { id: string; nth: number } | undefined {
  let nth = at;
  for (const { id, count } of found) {
    if (nth < count) return { id, nth };
    nth -= count;
  }
  return undefined;
}
