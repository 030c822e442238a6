// The files as they would be after a diff, whole, from the daemon's memory.
import { createMemo, createSignal, For, type JSX, Show } from "solid-js";
import { LineList } from "../../files/line_list";
import { FileLines } from "../../files/lines";
import type { ViewedFile } from "../../model.gen";
import { useRoom } from "../../state/room";
import { visible } from "../../text/visible";
import { createAsked, hereOf, whyOf } from "../asked";
import { t } from "../texts";
import type { Target } from "./applying";

export function ResultView(props: { target: () => Promise<Target>; isEmpty: boolean }): JSX.Element {
  const room = useRoom();
  const result = createAsked(async (): Promise<readonly ViewedFile[]> => {
    if (props.isEmpty) throw new Error(t("nothing"));
    const { diffId } = await props.target();
    return (await room.call("edits.view", { diff_id: diffId })).files;
  });
  const [at, setAt] = createSignal(0);
  const [side, setSide] = createSignal<"before" | "after">("after");
  const file = () => hereOf(result())?.[at()];
  const lines = createMemo(() => linesOf(file()?.[side()]));
  return (
    <Show
      when={hereOf(result())}
      fallback={
        <p class="review-told" role="status">
          {whyOf(result()) ?? t("busy")}
        </p>
      }
    >
      {(files) => (
        <div class="review-result">
          <div class="review-head">
            <select
              aria-label={t("file")}
              value={at()}
              onChange={(event) => setAt(Number(event.currentTarget.value))}
            >
              <For each={files()}>{(one, i) => <option value={i()}>{visible(one.path)}</option>}</For>
            </select>
            <Sides side={side()} onSide={setSide} />
          </div>
          <Show when={file()?.[side()] != null} fallback={<p class="review-told">{t("noFile")}</p>}>
            <LineList path={file()?.path ?? ""} lines={lines()} />
          </Show>
        </div>
      )}
    </Show>
  );
}

function Sides(props: { side: "before" | "after"; onSide: (side: "before" | "after") => void }) {
  return (
    <div class="diff-switch">
      <button type="button" aria-pressed={props.side === "before"} onClick={() => props.onSide("before")}>
        {t("before")}
      </button>
      <button type="button" aria-pressed={props.side === "after"} onClick={() => props.onSide("after")}>
        {t("after")}
      </button>
    </div>
  );
}

function linesOf(text: string | null | undefined) {
  const lines = new FileLines();
  lines.feed(text ?? "");
  return lines.list;
}
