// One item of the log: a block, a fold of tool work, or the end of a run.
import { createMemo, type JSX, Match, Switch } from "solid-js";
import { BlockView } from "../blocks/block";
import { RunEnd } from "../blocks/runs/run_end";
import { ToolGroup } from "../blocks/tools/tool_group";
import type { Mirror } from "../state/room";
import type { Item } from "./items";

/// An item that is gone stays as it was until its view is.
export function OneItem(props: { mirror: Mirror; item: Item | undefined }): JSX.Element {
  const item = createMemo<Item | undefined>((last) => props.item ?? last);
  const of = <K extends Item["kind"]>(kind: K) => {
    const now = item();
    return now?.kind === kind ? (now as Extract<Item, { kind: K }>) : undefined;
  };
  return (
    <Switch>
      <Match when={of("block")}>{(block) => <BlockView mirror={props.mirror} id={block().id} />}</Match>
      <Match when={of("group")}>{(group) => <ToolGroup mirror={props.mirror} ids={group().ids} />}</Match>
      <Match when={of("end")}>
        {(end) => <RunEnd mirror={props.mirror} run={end().run} ids={end().ids} />}
      </Match>
    </Switch>
  );
}
