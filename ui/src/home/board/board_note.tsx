// A quiet line where sessions of other agents can't be shown, or not all of them.
import { For, type JSX, Show } from "solid-js";
import { visible } from "../../text/visible";
import type { Board } from "./board";
import { t } from "./board_texts";

export function BoardNote(props: { board: Board }): JSX.Element {
  const say = () => {
    const trouble = props.board.trouble();
    if (!trouble) return "";
    return trouble.kind === "old" ? t("oldDaemon") : t("noBoard", { why: trouble.why });
  };
  return (
    <>
      <Show when={say()}>{(text) => <p class="home-note">{text()}</p>}</Show>
      <Show when={!say() && props.board.faults().length > 0}>
        <details class="home-note">
          <summary>{t("faults")}</summary>
          <ul>
            <For each={props.board.faults()}>{(fault) => <li>{visible(fault)}</li>}</For>
          </ul>
        </details>
      </Show>
    </>
  );
}
