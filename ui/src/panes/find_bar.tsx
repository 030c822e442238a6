// Find in a terminal, its scrollback included: Enter goes on, Shift+Enter back, Escape closes.
import type { SearchAddon } from "@xterm/addon-search";
import { createSignal, type JSX, onCleanup, onMount } from "solid-js";
import { Icon } from "../icons/icon";
import { t } from "./texts";

const MARKED = {
  matchOverviewRuler: "#b45309",
  activeMatchColorOverviewRuler: "#3b5bdb",
  matchBackground: "#f5b04c",
  activeMatchBackground: "#7b93ff",
};

export function FindBar(props: { search: SearchAddon; onClose: () => void }): JSX.Element {
  const [words, setWords] = createSignal("");
  const [found, setFound] = createSignal<{ at: number; count: number }>();
  const search = props.search; // also when the terminal goes first
  let input!: HTMLInputElement;
  const listening = search.onDidChangeResults(({ resultIndex, resultCount }) =>
    setFound({ at: resultIndex + 1, count: resultCount }),
  );
  const go = (isBack: boolean, isIncremental = false) => {
    if (!words()) return search.clearDecorations();
    const options = { decorations: MARKED, incremental: isIncremental };
    if (isBack) search.findPrevious(words(), options);
    else search.findNext(words(), options);
  };
  const press = (event: KeyboardEvent) => {
    if (event.key === "Escape") props.onClose();
    else if (event.key === "Enter") go(!event.shiftKey);
    else return;
    event.preventDefault();
    event.stopPropagation();
  };
  onMount(() => input.focus());
  onCleanup(() => {
    listening.dispose();
    search.clearDecorations();
  });
  return (
    <search class="panes-find">
      <input
        ref={input}
        type="search"
        aria-label={t("findIn")}
        placeholder={t("findIn")}
        value={words()}
        onInput={(event) => {
          setWords(event.currentTarget.value);
          go(true, true);
        }}
        onKeyDown={press}
      />
      <span class="panes-found" role="status">
        {words() ? sayFound(found()) : ""}
      </span>
      <button type="button" class="plain icon" aria-label={t("before")} onClick={() => go(true)}>
        <Icon name="arrowUp" />
      </button>
      <button type="button" class="plain icon" aria-label={t("next")} onClick={() => go(false)}>
        <Icon name="arrowDown" />
      </button>
      <button type="button" class="plain icon" aria-label={t("close")} onClick={() => props.onClose()}>
        <Icon name="close" />
      </button>
    </search>
  );
}

function sayFound(found: { at: number; count: number } | undefined): string {
  if (!found) return "";
  return found.count > 0 ? t("matches", found) : t("noMatch");
}
