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
import { useRoom } from "../state/room";
import { sayFault, visible } from "../text/visible";
import { ofBinary } from "./bytes";
import { FindBar } from "./find_bar";
import { KeyRow } from "./key_row";
import { findPaneKey } from "./keys";
import { cleanPaste, pressesEnter } from "./paste";
import { PasteQuestion } from "./paste_question";
import type { PaneStore } from "./store";
import { t } from "./texts";
import { Typing } from "./typing";
import { makeTerm, readTheme, type Term, tellTyped } from "./xterm";

const RESIZE_MS = 60; // a window that is dragged changes its size many times

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
  const mayType = () => props.pane.state === "running" && !isElsewhere();
  const isElsewhere = () => Boolean(props.pane.typing) && props.pane.typing !== room.surface();
  const typing = new Typing(
    (data) => room.call("pane.write", { pane_id: id, data }),
    (reason) => room.toast("warn", sayFault(reason)),
  );
  const type = (data: Uint8Array) => {
    if (mayType() && !typing.put(data)) room.toast("warn", t("tooMuch"));
  };
  const isTypist = () => Boolean(props.pane.typing) && props.pane.typing === room.surface();
  /// Keys of a person: the first to press one where nobody types is who types.
  const typeKeys = (data: Uint8Array) => {
    if (mayType() && !props.pane.typing) room.call("pane.drive", { pane_id: id }).catch(() => undefined);
    type(data);
  };
  const [pasting, setPasting] = createSignal("");
  const putPaste = (text: string) => {
    setPasting("");
    term()?.xterm.paste(text);
    term()?.xterm.focus();
  };
  /// Every way a paste can come: nothing in it is a key, and what would press Enter is shown first.
  const takePaste = (text: string) => {
    const now = term()?.xterm;
    if (!text || !now || !mayType()) return;
    const clean = cleanPaste(text);
    if (clean.removed > 0) room.toast("info", t("pasteCleaned"));
    if (pressesEnter(clean.text) && !now.modes.bracketedPasteMode) setPasting(clean.text);
    else putPaste(clean.text);
  };
  const paste = async () => {
    term()?.xterm.focus();
    takePaste(await navigator.clipboard.readText().catch(() => ""));
  };
  const copy = () => {
    const text = term()?.xterm.getSelection();
    if (text) void navigator.clipboard.writeText(text).catch(() => undefined);
  };
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

  /// The surface that types sets the size; the others show the same.
  function fitNow(): void {
    const now = term();
    if (!now || box.clientWidth === 0) return;
    if (isElsewhere()) return now.xterm.resize(props.pane.cols, props.pane.rows);
    const size = now.fit.proposeDimensions();
    if (!size || Number.isNaN(size.cols)) return;
    const fitted = { cols: Math.max(size.cols, 2), rows: Math.max(size.rows, 2) };
    now.xterm.resize(fitted.cols, fitted.rows);
    const isOther = fitted.cols !== props.pane.cols || fitted.rows !== props.pane.rows;
    if (isOther && props.pane.state === "running")
      room.call("pane.resize", { pane_id: id, ...fitted }).catch(() => undefined); // another took over
  }

  onMount(() => {
    const made = makeTerm(box, (url) => window.open(url, "_blank", "noopener,noreferrer"));
    const { xterm } = made;
    let replayed = 0; // pieces of old bytes that are still to be read
    tellTyped(xterm, (text, isTyped) => {
      if (isTyped) typeKeys(new TextEncoder().encode(text));
      else if (replayed === 0 && isTypist()) type(new TextEncoder().encode(text)); // the terminal's own answer
    });
    xterm.onBinary((text) => typeKeys(ofBinary(text)));
    const readOld = (data: Uint8Array, shown?: () => void) => {
      replayed += 1;
      xterm.write(data, () => {
        replayed -= 1;
        shown?.();
      });
    };
    const onPaste = (event: ClipboardEvent) => {
      event.preventDefault();
      event.stopImmediatePropagation();
      takePaste(event.clipboardData?.getData("text/plain") ?? "");
    };
    const onDrop = (event: Event) => event.preventDefault();
    box.addEventListener("paste", onPaste, { capture: true });
    box.addEventListener("drop", onDrop, { capture: true });
    xterm.attachCustomKeyEventHandler((event) => {
      const key = findPaneKey(event, xterm.hasSelection());
      if (!key) return true;
      event.preventDefault();
      if (event.type !== "keydown") return false;
      if (key === "copy") copy();
      else if (key === "paste") void paste();
      else if (key === "find") props.onFind(true);
      else props.onLeave();
      return false;
    });
    xterm.textarea?.addEventListener("focus", props.onActive);
    xterm.textarea?.setAttribute("aria-description", t("leave"));
    setTerm(made);
    const detach = props.store.attach(id, {
      reset(before) {
        xterm.reset();
        readOld(before);
      },
      write: (data, isOld, shown) => (isOld ? readOld(data, shown) : xterm.write(data, shown)),
    });
    let timer: ReturnType<typeof setTimeout> | undefined;
    const observer = new ResizeObserver(() => {
      clearTimeout(timer);
      timer = setTimeout(fitNow, RESIZE_MS);
    });
    observer.observe(box);
    fitNow();
    const looks = new MutationObserver(() => {
      xterm.options.theme = readTheme(box);
    });
    looks.observe(document.documentElement, { attributes: true });
    const dark = matchMedia("(prefers-color-scheme: dark)");
    const relook = () => {
      xterm.options.theme = readTheme(box);
    };
    dark.addEventListener("change", relook);
    onCleanup(() => {
      clearTimeout(timer);
      observer.disconnect();
      looks.disconnect();
      dark.removeEventListener("change", relook);
      detach();
      xterm.dispose();
    });
  });
  createEffect(on([() => props.pane.typing, () => props.pane.cols, () => props.pane.rows], fitNow));
  createEffect(() => {
    const now = term();
    if (now) now.xterm.options.disableStdin = !mayType();
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
      <Show when={mayType() && pasting()}>
        {(text) => (
          <PasteQuestion
            text={text()}
            onPaste={() => putPaste(text())}
            onCancel={() => {
              setPasting("");
              term()?.xterm.focus();
            }}
          />
        )}
      </Show>
      <Show when={isElsewhere() && props.pane.state === "running"}>
        <p class="panes-note" role="status">
          {t("elsewhere", { who: visible(props.pane.typing ?? "") })}{" "}
          <button type="button" onClick={takeOver}>
            {t("takeOver")}
          </button>
        </p>
      </Show>
      <Show when={props.pane.state !== "running"}>
        <p class="panes-note" role="status">
          {sayEnd(props.pane)}{" "}
          <button type="button" onClick={startAgain}>
            {t("startAgain")}
          </button>
        </p>
      </Show>
      <Show when={props.isActive && mayType()}>
        <KeyRow
          onKeys={(keys) => {
            typeKeys(new TextEncoder().encode(keys));
            term()?.xterm.focus();
          }}
          onPaste={paste}
        />
      </Show>
    </section>
  );
}

export function sayName(pane: Pane): string {
  return visible(pane.command || pane.title || pane.shell);
}

function sayEnd(pane: Pane): string {
  if (pane.state === "restored") return t("restored");
  return pane.exit_code ? t("endedCode", { code: pane.exit_code }) : t("ended");
}
