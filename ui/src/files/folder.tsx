// A folder of the workspace, the way to it, and the search through all of it.
import { createSignal, For, type JSX, Show } from "solid-js";
import { Icon } from "../icons/icon";
import type { DirEntry, ListedDir, SearchedFiles } from "../model.gen";
import { useRoom } from "../state/room";
import { sayFault, visible } from "../text/visible";
import { crumbsOf } from "./matches";
import { t } from "./texts";

type Go = (path: string, line?: number) => void;

export function Crumbs(props: { path: string; onGo: Go }): JSX.Element {
  return (
    <nav class="files-crumbs" aria-label={t("path")}>
      <button type="button" class="plain" onClick={() => props.onGo("")}>
        {t("root")}
      </button>
      <For each={crumbsOf(props.path)}>
        {(crumb) => (
          <>
            <span aria-hidden="true">/</span>
            <button
              type="button"
              class="plain"
              aria-current={crumb.path === props.path ? "page" : undefined}
              onClick={() => props.onGo(crumb.path)}
            >
              <bdi>{visible(crumb.name)}</bdi>
            </button>
          </>
        )}
      </For>
    </nav>
  );
}

export function Folder(props: { listed: ListedDir; session: string; onGo: Go }): JSX.Element {
  const inside = (entry: DirEntry) => (props.listed.path ? `${props.listed.path}/${entry.name}` : entry.name);
  return (
    <div class="files-folder">
      <Search session={props.session} onGo={props.onGo} />
      <Show when={props.listed.entries.length > 0} fallback={<p class="files-note">{t("emptyFolder")}</p>}>
        <ul class="files-entries">
          <For each={props.listed.entries}>
            {(entry) => (
              <li>
                <button
                  type="button"
                  class="plain files-entry"
                  disabled={entry.kind === "other"}
                  onClick={() => props.onGo(inside(entry))}
                >
                  <Icon name={entry.kind === "dir" ? "folder" : "file"} />
                  <bdi>{visible(entry.name) + (entry.kind === "dir" ? "/" : "")}</bdi>
                  <span class="files-dim">{entry.kind === "file" ? sizeOf(entry.size ?? 0) : ""}</span>
                </button>
              </li>
            )}
          </For>
        </ul>
      </Show>
      <Show when={props.listed.truncated}>
        <p class="files-note">{t("truncated")}</p>
      </Show>
    </div>
  );
}

function Search(props: { session: string; onGo: Go }): JSX.Element {
  const room = useRoom();
  const [query, setQuery] = createSignal("");
  const [result, setResult] = createSignal<SearchedFiles>();
  const [why, setWhy] = createSignal("");
  let asked = 0;
  const search = async () => {
    asked += 1;
    const mine = asked;
    setWhy("");
    try {
      const found = await room.call("workspace.search", { session_id: props.session, query: query() });
      if (mine === asked) setResult(found);
    } catch (fault) {
      if (mine === asked) setWhy(sayFault(fault));
    }
  };
  return (
    <>
      <form
        class="files-search"
        onSubmit={(event) => {
          event.preventDefault();
          void search();
        }}
      >
        <input
          type="search"
          maxLength={1000}
          aria-label={t("search")}
          placeholder={t("search")}
          value={query()}
          onInput={(event) => setQuery(event.currentTarget.value)}
        />
        <button type="submit" disabled={query() === ""}>
          {t("searchGo")}
        </button>
      </form>
      <Show when={why()}>
        <p class="files-note" role="alert">
          {why()}
        </p>
      </Show>
      <Show when={result()}>{(found) => <Hits found={found()} onGo={props.onGo} />}</Show>
    </>
  );
}

function Hits(props: { found: SearchedFiles; onGo: Go }): JSX.Element {
  const count = () => props.found.hits.length;
  const status = () => {
    if (count() === 0) return t("noHits");
    return t(props.found.truncated ? "hitsMore" : "hits", { n: count() });
  };
  return (
    <>
      <p class="files-note" aria-live="polite">
        {status()}
      </p>
      <ul class="files-entries">
        <For each={props.found.hits}>
          {(hit) => (
            <li>
              <button type="button" class="plain files-hit" onClick={() => props.onGo(hit.path, hit.line)}>
                <bdi>
                  {visible(hit.path)}:{hit.line}
                </bdi>
                <code>{visible(hit.text.trim())}</code>
              </button>
            </li>
          )}
        </For>
      </ul>
    </>
  );
}

const UNITS = ["B", "kB", "MB", "GB"];

export function sizeOf(bytes: number): string {
  let size = bytes;
  let unit = 0;
  while (size >= 1000 && unit < UNITS.length - 1) {
    size /= 1000;
    unit += 1;
  }
  return `${unit === 0 ? size : size.toFixed(1)} ${UNITS[unit]}`;
}
