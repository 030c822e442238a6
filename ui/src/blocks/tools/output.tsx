// A program's output: its last part, and all of it when it is asked for, piece by piece.
import { createMemo, createSignal, For, type JSX, Show } from "solid-js";
import { useRoom } from "../../state/room";
import { CopyButton } from "../../text/copy";
import { Ansi, NEAR } from "../../text/terminal/ansi";
import { t } from "../texts";

export const TAIL = 8_000; // characters
const STEP = 4_000; // the cut moves by so much at once, so that what is shown stays while text arrives
const PIECE = 100_000; // of the whole, at a time

/// Where the shown part begins: at a line, and at the same one for a while.
export function findTail(text: string): number {
  if (text.length <= TAIL + STEP) return 0;
  const from = Math.floor((text.length - TAIL) / STEP) * STEP;
  const line = text.indexOf("\n", from);
  return line >= 0 && line < from + STEP ? line + 1 : from;
}

/// The reader has scrolled up or is selecting: remove nothing under them.
function isRead(pre: HTMLPreElement | null | undefined): boolean {
  if (!pre) return false;
  const selection = document.getSelection();
  const isSelected = selection !== null && !selection.isCollapsed && pre.contains(selection.anchorNode);
  return isSelected || pre.scrollHeight - pre.clientHeight - pre.scrollTop > NEAR;
}

function readHere(text: string, offset: number): { text: string; next_offset: number | null } {
  const end = offset + PIECE;
  return { text: text.slice(offset, end), next_offset: end < text.length ? end : null };
}

export function Output(props: { text: string; artifact?: string; growing?: boolean }): JSX.Element {
  const room = useRoom();
  const [pieces, setPieces] = createSignal<readonly string[]>();
  const [next, setNext] = createSignal<number | null>(0);
  let box: HTMLDivElement | undefined;
  const cut = createMemo<number>((last) => {
    const next = findTail(props.text);
    return next > last && isRead(box?.querySelector("pre")) ? last : next;
  }, 0);
  const load = async () => {
    const offset = next();
    if (offset === null) return;
    const read = props.artifact
      ? await room.attempt("artifact.read", { artifact_id: props.artifact, offset, limit: PIECE })
      : readHere(props.text, offset);
    if (!read) return;
    setPieces([...(pieces() ?? []), read.text]);
    setNext(read.next_offset ?? null);
  };
  const fold = () => {
    setPieces(undefined);
    setNext(0);
  };
  return (
    <div class="blocks-output" ref={box}>
      <div class="blocks-output-bar">
        <span class="blocks-label">{t("output")}</span>
        <Show when={cut() > 0 && !pieces()}>
          <span class="blocks-dim">{t("tailShown", { count: props.text.length.toLocaleString() })}</span>
          <Show when={!props.growing}>
            <button type="button" class="plain" onClick={() => void load()}>
              {t("showAll")}
            </button>
          </Show>
        </Show>
        <Show when={pieces()}>
          <button type="button" class="plain" onClick={fold}>
            {t("showTail")}
          </button>
        </Show>
        <CopyButton text={props.text} />
      </div>
      <Show
        when={pieces()}
        fallback={<Ansi text={props.text.slice(cut())} label={t("output")} follow={props.growing} />}
      >
        <For each={pieces()}>{(piece) => <Ansi text={piece} label={t("output")} />}</For>
        <Show when={next() !== null}>
          <button type="button" class="plain" onClick={() => void load()}>
            {t("showNext")}
          </button>
        </Show>
      </Show>
    </div>
  );
}
