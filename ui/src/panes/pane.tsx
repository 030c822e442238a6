// One pane on the page: a terminal with its bytes, its keys, its size, and what there is to say about it.
import {
  createEffect,
  createMemo,
  createSignal,
  type JSX,
  on,
  onCleanup,
  onMount,
  Show,
  untrack,
} from "solid-js";
import type { Pane } from "../model.gen";
import { type Room, useRoom } from "../state/room";
import { visible } from "../text/visible";
import { ofBinary } from "./bytes";
import { FindBar } from "./find_bar";
import { sayName } from "./pane_name";
import type { PaneStore, Screen } from "./store";
import { t } from "./texts";
import { KeyRow } from "./typing/key_row";
import { findPaneKey, type PaneKey } from "./typing/keys";
import { makePaneTyping } from "./typing/pane_typing";
import { PasteQuestion } from "./typing/paste_question";
import { makePasting } from "./typing/pasting";
import { makeTerm, readTheme, type Term, tellTyped } from "./xterm";

const RESIZE_MS = 60;

export interface PaneViewProps {
  pane: Pane;
  store: PaneStore;
  isActive: boolean;
  isFinding: boolean;
  onActive: () => void;
  onFind: (isFinding: boolean) => void;
  onLeave: () => void;
}

export function PaneView(props: PaneViewProps): JSX.Element {
  const room = useRoom();
  const [term, setTerm] = createSignal<Term>();
  let box!: HTMLDivElement;
  const id = props.pane.pane_id;
  const typing = makePaneTyping(room, () => props.pane);
  const pasting = makePasting(room, term, typing);
  const copy = () => copyChosen(term());
  const takeOver = async () => {
    await room.attempt("pane.drive", { pane_id: id });
    fitNow();
    term()?.xterm.focus();
  };
  const startAgain = () => {
    const size = term()?.fit.proposeDimensions();
    void props.store.open({ pane_id: id, cols: size?.cols, rows: size?.rows });
    term()?.xterm.focus();
  };

  const fitNow = () => {
    const now = term();
    if (now && box.clientWidth > 0) fitTerm(room, now, props.pane, typing.isElsewhere());
  };

  onMount(() => {
    const made = makeTerm(box, (url) => window.open(url, "_blank", "noopener,noreferrer"));
    const { xterm } = made;
    const writer = new Writer(xterm);
    tellTyped(xterm, (text, isTyped) => {
      if (isTyped) typing.press(new TextEncoder().encode(text));
      else if (writer.isNew) typing.answer(new TextEncoder().encode(text));
    });
    xterm.onBinary((text) => typing.press(ofBinary(text)));
    listenForPastes(box, pasting.take);
    listenForKeys(xterm, {
      copy,
      paste: () => void pasting.fromClipboard(),
      find: () => props.onFind(true),
      leave: () => props.onLeave(),
    });
    xterm.textarea?.addEventListener("focus", props.onActive);
    xterm.textarea?.setAttribute("aria-description", t("leave"));
    setTerm(made);
    const detach = props.store.attach(id, writer);
    fitNow();
    const unwatch = [watchSize(box, fitNow), watchTheme(() => (xterm.options.theme = readTheme(box)))];
    onCleanup(() => {
      for (const end of unwatch) end();
      detach();
      xterm.dispose();
    });
  });
  createEffect(on([() => props.pane.typing, () => props.pane.cols, () => props.pane.rows], fitNow));
  createEffect(() => {
    const now = term();
    if (now) now.xterm.options.disableStdin = !typing.mayType();
  });
  const hasKeys = createMemo(() => props.isActive && !props.isFinding);
  createEffect(() => {
    const now = hasKeys() ? term() : undefined;
    untrack(() => now?.xterm.focus()); // who hears of it reads what would bring the focus back again and again
  });
  return (
    <section
      class="panes-pane"
      classList={{ "panes-active": props.isActive }}
      data-pane={id}
      aria-label={sayName(props.pane)}
    >
      <Show when={props.isFinding && term()}>
        {(now) => <FindBar search={now().search} onClose={() => props.onFind(false)} />}
      </Show>
      <div ref={box} class="panes-box" />
      <Show when={typing.mayType() && pasting.waiting()}>
        {(text) => (
          <PasteQuestion text={text()} onPaste={() => pasting.end(text())} onCancel={() => pasting.end()} />
        )}
      </Show>
      <PaneNote
        pane={props.pane}
        isElsewhere={typing.isElsewhere()}
        onTakeOver={() => void takeOver()}
        onStartAgain={startAgain}
      />
      <Show when={props.isActive && typing.mayType()}>
        <KeyRow
          onKeys={(keys) => {
            typing.press(new TextEncoder().encode(keys));
            term()?.xterm.focus();
          }}
          onPaste={pasting.fromClipboard}
        />
      </Show>
    </section>
  );
}

/// The surface that types sets the size; the others show the same.
function fitTerm(room: Room, { xterm, fit }: Term, pane: Pane, isElsewhere: boolean): void {
  if (isElsewhere) return xterm.resize(pane.cols, pane.rows);
  const size = fit.proposeDimensions();
  if (!size || Number.isNaN(size.cols)) return;
  const fitted = { cols: Math.max(size.cols, 2), rows: Math.max(size.rows, 2) };
  xterm.resize(fitted.cols, fitted.rows);
  const isOther = fitted.cols !== pane.cols || fitted.rows !== pane.rows;
  if (isOther && pane.state === "running")
    room.call("pane.resize", { pane_id: pane.pane_id, ...fitted }).catch(() => undefined); // another took over
}

function copyChosen(term: Term | undefined): void {
  const text = term?.xterm.getSelection();
  if (text) void navigator.clipboard.writeText(text).catch(() => undefined);
}

/// What was there before, and then whatever comes. While old output is drawn the terminal types nothing: it
/// would answer a query that somebody asked long ago.
class Writer implements Screen {
  private olds = 0;
  constructor(private readonly xterm: Term["xterm"]) {}

  get isNew(): boolean {
    return this.olds === 0;
  }

  reset(before: Uint8Array): void {
    this.xterm.reset();
    this.write(before, true, () => undefined);
  }

  write(data: Uint8Array, isOld: boolean, shown: () => void): void {
    if (isOld) this.olds += 1;
    this.xterm.write(data, () => {
      if (isOld) this.olds -= 1;
      shown();
    });
  }
}

/// The browser's own: by its menu, its key and the middle button. Nothing is dropped into a terminal.
function listenForPastes(box: HTMLElement, take: (text: string) => void): void {
  const paste = (event: ClipboardEvent) => {
    event.preventDefault();
    event.stopPropagation();
    take(event.clipboardData?.getData("text/plain") ?? "");
  };
  box.addEventListener("paste", paste, { capture: true });
  box.addEventListener("drop", (event) => event.preventDefault(), { capture: true });
}

/// Keys that the terminal doesn't get.
function listenForKeys(xterm: Term["xterm"], acts: Record<PaneKey, () => void>): void {
  xterm.attachCustomKeyEventHandler((event) => {
    const key = findPaneKey(event, xterm.hasSelection());
    if (!key) return true;
    event.preventDefault();
    if (event.type === "keydown") acts[key]();
    return false;
  });
}

/// A window that is dragged changes its size many times.
function watchSize(box: HTMLElement, fit: () => void): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const observer = new ResizeObserver(() => {
    clearTimeout(timer);
    timer = setTimeout(fit, RESIZE_MS);
  });
  observer.observe(box);
  return () => {
    clearTimeout(timer);
    observer.disconnect();
  };
}

/// The page's own choice, and the system's.
function watchTheme(look: () => void): () => void {
  const chosen = new MutationObserver(look);
  chosen.observe(document.documentElement, { attributes: true });
  const dark = matchMedia("(prefers-color-scheme: dark)");
  dark.addEventListener("change", look);
  return () => {
    chosen.disconnect();
    dark.removeEventListener("change", look);
  };
}

interface PaneNoteProps {
  pane: Pane;
  isElsewhere: boolean;
  onTakeOver: () => void;
  onStartAgain: () => void;
}

/// That somebody else types here, or that it is over.
function PaneNote(props: PaneNoteProps): JSX.Element {
  const isRunning = () => props.pane.state === "running";
  return (
    <Show when={props.isElsewhere || !isRunning()}>
      <p class="panes-note" role="status">
        {isRunning() ? t("elsewhere", { who: visible(props.pane.typing ?? "") }) : sayEnd(props.pane)}{" "}
        <button type="button" onClick={() => (isRunning() ? props.onTakeOver() : props.onStartAgain())}>
          {t(isRunning() ? "takeOver" : "startAgain")}
        </button>
      </p>
    </Show>
  );
}

function sayEnd(pane: Pane): string {
  if (pane.state === "restored") return t("restored");
  return pane.exit_code ? t("endedCode", { code: pane.exit_code }) : t("ended");
}
