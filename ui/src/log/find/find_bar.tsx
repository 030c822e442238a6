// Find in the log: in all of it, also in what is not drawn, is folded, or lies with the daemon yet.
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
import { Icon, type IconName } from "../../icons/icon";
import { type Mirror, useRoom } from "../../state/room";
import { loadEarlier } from "../earlier_pages";
import { t } from "../texts";
import { findBlocks, findPlace, nearestPlace } from "./find_text";
import type { Finding } from "./finding";

const PAUSE_MS = 150; // after the last letter
const MAX_QUERY = 200;

export interface FindBarProps {
  mirror: Mirror;
  finding: Pick<Finding, "show" | "middle">;
  onClose: () => void;
}

export function FindBar(props: FindBarProps): JSX.Element {
  const [query, setQuery] = createSignal("");
  const [place, setPlace] = createSignal(-1);
  const isLoading = createEarlier(() => props.mirror);
  const found = createMemo(() => {
    const order = props.mirror.order();
    const blocks = untrack(() =>
      order.map((id) => props.mirror.block(id)).filter((one) => one !== undefined),
    );
    return findBlocks(blocks, query());
  });
  const count = createMemo(() => found().reduce((sum, block) => sum + block.count, 0));
  let field!: HTMLInputElement;
  let timer: ReturnType<typeof setTimeout> | undefined;
  onMount(() => field.focus());
  onCleanup(() => {
    clearTimeout(timer);
    props.finding.show(undefined, []);
  });

  const go = (at: number) => {
    const to = count() === 0 ? -1 : (at + count()) % count();
    const there = to < 0 ? undefined : findPlace(found(), to);
    setPlace(to);
    props.finding.show(there?.id, [query()], there?.nth);
  };
  const typed = (text: string) => {
    clearTimeout(timer);
    timer = setTimeout(() => setQuery(text.slice(0, MAX_QUERY)), PAUSE_MS);
  };
  const nearest = () => nearestPlace(found(), props.mirror.order(), props.finding.middle());
  createEffect(on(query, () => go(nearest()), { defer: true }));
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.isComposing) return;
    if (event.key === "Escape") props.onClose();
    else if (event.key === "Enter") go(place() + (event.shiftKey ? 1 : -1));
    else return;
    event.preventDefault();
    event.stopPropagation();
  };
  return (
    <search class="log-find" onKeyDown={onKeyDown}>
      <Icon name="search" />
      <input
        ref={field}
        type="text"
        maxLength={MAX_QUERY}
        aria-label={t("find")}
        placeholder={t("find")}
        onInput={(event) => typed(event.currentTarget.value)}
      />
      <span class="log-find-count" role="status">
        {sayCount(query(), place(), count())}
        <Show when={isLoading()}> {t("loading")}</Show>
      </span>
      <FindButton icon="arrowUp" label={t("findBefore")} onClick={() => go(place() - 1)} />
      <FindButton icon="arrowDown" label={t("findAfter")} onClick={() => go(place() + 1)} />
      <FindButton icon="close" label={t("findClose")} onClick={() => props.onClose()} />
    </search>
  );
}

function FindButton(props: { icon: IconName; label: string; onClick: () => void }): JSX.Element {
  return (
    <button
      type="button"
      class="plain icon"
      aria-label={props.label}
      title={props.label}
      onClick={() => props.onClick()}
    >
      <Icon name={props.icon} />
    </button>
  );
}

function sayCount(query: string, place: number, count: number): string {
  if (!query) return "";
  return count === 0 ? t("findNone") : t("findPlace", { place: place + 1, count });
}

/// What came before is asked for, page after page, for as long as the search is open.
function createEarlier(mirror: () => Mirror): () => boolean {
  const room = useRoom();
  const [isLoading, setLoading] = createSignal(false);
  let isGone = false;
  onCleanup(() => {
    isGone = true;
  });
  const load = async () => {
    setLoading(true);
    await loadEarlier(room, mirror(), () => !isGone);
    setLoading(false);
  };
  onMount(() => void load());
  return isLoading;
}
