// A block: its frame, the view of its kind, and what hangs on it.
import { type Component, createMemo, Index, type JSX, Show } from "solid-js";
import { Dynamic } from "solid-js/web";
import type { Block } from "../model.gen";
import type { Mirror } from "../state/room";
import { Attachment } from "./attachment";
import { FileChange } from "./edits/file_change";
import { Assistant } from "./messages/assistant";
import { Plan } from "./messages/plan";
import { Reasoning } from "./messages/reasoning";
import { Remote } from "./messages/remote";
import { User } from "./messages/user";
import { Divider } from "./notices/divider";
import { ErrorNotice } from "./notices/error";
import { Info } from "./notices/info";
import { System } from "./notices/system";
import { ImageView } from "./pictures/image";
import { t } from "./texts";
import { Command } from "./tools/command";
import { Mcp } from "./tools/mcp";
import { WebSearch } from "./tools/web_search";
import type { ViewProps } from "./view";
import "./blocks.css";

type BlockViews = { [K in Block["kind"]]: Component<ViewProps<K>> };

const VIEWS: BlockViews = {
  user: User,
  remote: Remote,
  assistant: Assistant,
  reasoning: Reasoning,
  command: Command,
  fileChange: FileChange,
  mcp: Mcp,
  webSearch: WebSearch,
  plan: Plan,
  image: ImageView,
  divider: Divider,
  info: Info,
  system: System,
  error: ErrorNotice,
};

const NAMES = {
  user: "you",
  remote: "remote",
  assistant: "assistant",
  reasoning: "reasoning",
  command: "command",
  fileChange: "changes",
  mcp: "mcp",
  webSearch: "webSearch",
  plan: "plan",
  image: "image",
  divider: "info",
  info: "info",
  system: "system",
  error: "error",
} as const satisfies Record<Block["kind"], string>;

export function BlockView(props: { mirror: Mirror; id: string }): JSX.Element {
  // A block that is gone stays readable until its view is.
  const block = createMemo<Block | undefined>((last) => props.mirror.block(props.id) ?? last);
  const kind = createMemo(() => block()?.kind);
  return (
    <Show when={kind()} keyed>
      {(now) => (
        <article class={`blocks-block blocks-${now}`} data-block={props.id} aria-label={t(NAMES[now])}>
          <Show when={block()?.dropped}>
            {(count) => <p class="blocks-note">{t("dropped", { count: count().toLocaleString() })}</p>}
          </Show>
          <Dynamic
            component={VIEWS[now] as Component<ViewProps<Block["kind"]>>}
            mirror={props.mirror}
            block={block() as Block}
          />
          <Index each={hungOn(block())}>
            {(attachment, index) => (
              <Attachment
                mirror={props.mirror}
                attachment={attachment()}
                key={`${props.id}/attachment:${index}`}
              />
            )}
          </Index>
        </article>
      )}
    </Show>
  );
}

/// Without what the block shows itself: an error its code, a command its output.
function hungOn(block: Block | undefined) {
  const all = block?.attachments;
  if (block?.kind === "error") return all?.filter((one) => one.type !== "error");
  if (block?.kind !== "command") return all;
  const output = block.output ?? "";
  return all?.filter((one) => one.type !== "logs" || !output.endsWith(one.text));
}
