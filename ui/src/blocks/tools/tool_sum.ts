// What a stretch of tool work amounts to, in one sentence.
import type { Block } from "../../model.gen";
import { t } from "./tool_texts";

type ToolPart =
  | "sumRead"
  | "sumList"
  | "sumSearch"
  | "sumRun"
  | "sumCall"
  | "sumWeb"
  | "sumDeclined"
  | "sumCancelled";

const ORDER: readonly ToolPart[] = [
  "sumRead",
  "sumList",
  "sumSearch",
  "sumRun",
  "sumCall",
  "sumWeb",
  "sumDeclined",
  "sumCancelled",
];
const COMMANDS = {
  run: "sumRun",
  read: "sumRead",
  list: "sumList",
  search: "sumSearch",
  test: "sumRun",
} as const;

export function saySum(blocks: readonly Block[]): string {
  const counts = new Map<ToolPart, number>();
  for (const block of blocks) {
    const [part, count] = partOf(block);
    if (part) counts.set(part, (counts.get(part) ?? 0) + count);
  }
  const parts = ORDER.flatMap((part) => {
    const count = counts.get(part) ?? 0;
    return count === 0 ? [] : [count === 1 ? t(`${part}_one`) : t(part, { count })];
  });
  const words = parts.join(t("sumJoin"));
  return words.charAt(0).toLocaleUpperCase() + words.slice(1);
}

function partOf(block: Block): [ToolPart | undefined, number] {
  if ("status" in block && block.status === "declined") return ["sumDeclined", 1];
  if ("status" in block && block.status === "cancelled") return ["sumCancelled", 1];
  if (block.kind === "command") return [COMMANDS[block.does ?? "run"], Math.max(1, block.reads ?? 0)];
  if (block.kind === "mcp") return ["sumCall", 1];
  return [block.kind === "webSearch" ? "sumWeb" : undefined, 1];
}
