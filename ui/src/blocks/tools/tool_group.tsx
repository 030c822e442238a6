// Neighbouring tool work in one line ("Read 3 files, ran 2 commands"), opened in place.
import { createMemo, For, type JSX, untrack } from "solid-js";
import type { Block } from "../../model.gen";
import { type Mirror, useRoom } from "../../state/room";
import { BlockView } from "../block";
import { Details } from "../details";
import { sayDuration } from "../duration";
import { saySum } from "./tool_sum";

export function groupKey(ids: readonly string[]): string {
  return `${ids[0]}/group`;
}

export function ToolGroup(props: { mirror: Mirror; ids: readonly string[] }): JSX.Element {
  const room = useRoom();
  const blocks = createMemo(() =>
    props.ids.map((id) => props.mirror.block(id)).filter((block) => block !== undefined),
  );
  // What somebody has opened stays in sight when its neighbours are folded.
  const isRead = untrack(() => props.ids.some((id) => room.isOpen(props.mirror.id, id, false)));
  return (
    <div class="blocks-group" data-item={`group:${props.ids[0]}`}>
      <Details
        session={props.mirror.id}
        key={groupKey(props.ids)}
        open={isRead}
        status={blocks().some(isFailed) ? "failed" : undefined}
        note={sayTime(blocks())}
        summary={<span class="blocks-kind">{saySum(blocks())}</span>}
      >
        <For each={props.ids}>{(id) => <BlockView mirror={props.mirror} id={id} />}</For>
      </Details>
    </div>
  );
}

function isFailed(block: Block): boolean {
  return "status" in block && block.status === "failed";
}

function sayTime(blocks: readonly Block[]): string {
  const ms = blocks.reduce(
    (all, block) => all + (block.kind === "command" ? (block.duration_ms ?? 0) : 0),
    0,
  );
  return ms > 0 ? sayDuration(ms) : "";
}
