// A file of the workspace, found by a few letters of its name.
import { createEffect, createSignal, createUniqueId, For, type JSX, on, Show } from "solid-js";
import { useRoom } from "../state/room";
import { sayFault, visible } from "../text/visible";
import { t } from "./texts";
import "./files.css";

const MOST = 30;

export function FilePicker(props: { session: string; onPick: (path: string) => void }): JSX.Element {
  const room = useRoom();
  const list = createUniqueId();
  const [query, setQuery] = createSignal("");
  const [paths, setPaths] = createSignal<readonly string[]>([]);
  const [why, setWhy] = createSignal("");
  const [at, setAt] = createSignal(0);
  let asked = 0;
  const find = async (text: string) => {
    asked += 1;
    const mine = asked;
    try {
      const found = await room.call("files.find", { session_id: props.session, query: text, limit: MOST });
      if (mine !== asked) return;
      setAt(0);
      setWhy("");
      setPaths(found.files);
    } catch (fault) {
      if (mine === asked) setWhy(sayFault(fault));
    }
  };
  createEffect(on(query, (text) => void find(text)));
  const onKey = (event: KeyboardEvent) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    const path = paths()[at()];
    if (event.isComposing) return;
    if (step) setAt((now) => Math.min(Math.max(now + step, 0), paths().length - 1));
    else if (event.key === "Enter" && path !== undefined) props.onPick(path);
    else return;
    event.preventDefault();
  };
  return (
    <div class="files-picker">
      <input
        type="search"
        role="combobox"
        aria-label={t("pick")}
        placeholder={t("pick")}
        aria-expanded={paths().length > 0}
        aria-controls={paths().length > 0 ? list : undefined}
        aria-activedescendant={paths().length > 0 ? `${list}-${at()}` : undefined}
        value={query()}
        onInput={(event) => setQuery(event.currentTarget.value)}
        onKeyDown={onKey}
      />
      <Show when={why()}>
        <p class="files-note files-bad" role="alert">
          {why()}
        </p>
      </Show>
      <Show when={paths().length > 0} fallback={<p class="files-note">{t("noFiles")}</p>}>
        <div id={list} role="listbox" aria-label={t("pick")} class="files-options">
          <For each={paths()}>
            {(path, i) => (
              <button
                type="button"
                role="option"
                id={`${list}-${i()}`}
                class="plain files-entry"
                tabindex="-1"
                aria-selected={at() === i()}
                onClick={() => props.onPick(path)}
              >
                <bdi>{visible(path)}</bdi>
              </button>
            )}
          </For>
        </div>
      </Show>
    </div>
  );
}
