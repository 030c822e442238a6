// Code: coloured where its language is known, copied with one click, and kept element by element while it grows.
import { createEffect, createMemo, createSignal, Index, type JSX, onCleanup, Show } from "solid-js";
import { CopyButton } from "../copy";
import { createFramed } from "../frames";
import { GrowingText } from "../growing";
import { PLAIN_PIECE, Plain } from "../plain";
import { t } from "../texts";
import { type Colour, type ColourRun, loadColours, mayColour } from "./colours";
import "../text.css";

const MAX_LABEL = 24;
const PAUSE_MS = 150; // between two colourings of a text that grows
const SHARE = 8;

interface Coloured {
  text: string;
  runs: readonly ColourRun[];
}
const NOTHING: Coloured = { text: "", runs: [] };

export function Code(props: { text: string; language?: string; bare?: boolean }): JSX.Element {
  const text = createFramed(() => props.text);
  const language = () => (props.language ?? "").trim().toLowerCase();
  const coloured = createColoured(text, language);
  const rest = () => text().slice(coloured().text.length);
  return (
    <div class="text-code" classList={{ "text-code-bare": props.bare }}>
      <Show when={!props.bare}>
        <div class="text-code-bar">
          <span class="text-code-language">{language().slice(0, MAX_LABEL)}</span>
          <CopyButton text={props.text} />
        </div>
      </Show>
      <Show when={text().length <= PLAIN_PIECE} fallback={<Plain text={text()} />}>
        {/* biome-ignore lint/a11y/useSemanticElements: a fieldset is for forms */}
        <pre
          role="group"
          tabindex="0"
          aria-label={language() ? t("codeOf", { language: language() }) : t("code")}
        >
          <code>
            <Index each={coloured().runs}>
              {(run) => (
                <span class={run().look}>
                  <GrowingText text={run().text} />
                </span>
              )}
            </Index>
            <GrowingText text={rest()} />
          </code>
        </pre>
      </Show>
    </div>
  );
}

/// The longest beginning of the text that has its colours already.
function createColoured(text: () => string, language: () => string): () => Coloured {
  const [colour, setColour] = createSignal<Colour>();
  const [done, setDone] = createSignal<Coloured>(NOTHING);
  let timer: ReturnType<typeof setTimeout> | undefined;
  let spent = 0;
  let gone = false;
  onCleanup(() => {
    gone = true;
    clearTimeout(timer);
  });
  createEffect(() => {
    if (language() && mayColour(text()) && !colour())
      void loadColours().then((loaded) => !gone && setColour(() => loaded));
  });
  const run = () => {
    timer = undefined;
    const from = performance.now();
    const [all, make] = [text(), colour()];
    const runs = make?.(all, language());
    spent = performance.now() - from;
    setDone(runs ? { text: all, runs } : NOTHING);
  };
  createEffect(() => {
    text();
    if (!language() || !colour()) return;
    if (spent === 0) run();
    else timer ??= setTimeout(run, Math.max(PAUSE_MS, spent * SHARE));
  });
  return createMemo(() => (text().startsWith(done().text) ? done() : NOTHING));
}
