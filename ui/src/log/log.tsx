// The log: a session's blocks, of which only those in sight are made, following the tail until the reader goes up.
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
import { Virtualizer, type VirtualizerHandle } from "virtua/solid";
import { Icon } from "../icons/icon";
import { type Mirror, type Room, useRoom } from "../state/room";
import { Announcer } from "./announcer";
import { Column } from "./column";
import { Earlier } from "./earlier";
import { loadEarlier } from "./earlier_pages";
import { FindBar } from "./find/find_bar";
import { createFinding, type Finding } from "./find/finding";
import { OneItem } from "./item";
import { makeItems } from "./items";
import { createHeld, placesOf } from "./kept";
import { findSteps } from "./steps";
import { Tail } from "./tail";
import { t } from "./texts";
import "./log.css";

const AHEAD = 600; // pixels that are made before they come into sight

interface LogProps {
  mirror: Mirror;
  /// What this person sent last: its answer is what they want to see next.
  sent: { session: string } | undefined;
}

/// Rebuilt when another session is shown, and only then.
export function Log(props: LogProps): JSX.Element {
  const id = createMemo(() => props.mirror.id);
  return (
    <Show when={id()} keyed>
      {(_) => <Blocks mirror={props.mirror} sent={props.sent} />}
    </Show>
  );
}

function Blocks(props: LogProps): JSX.Element {
  const [scroller, setScroller] = createSignal<HTMLElement>();
  const [above, setAbove] = createSignal(0);
  const { items, shown } = createItems(() => props.mirror);
  const held = createHeld(scroller);
  const kept = createMemo(() => placesOf(held(), shown().ids));
  const tail = new Tail(scroller, () => shown().ids);
  let list: VirtualizerHandle | undefined;
  const room = useRoom();
  const finding = createFinding(room, props.mirror, {
    scroller,
    items: () => [...items().values()],
    scrollTo: (place) => {
      tail.leave();
      list?.scrollToIndex(place, { align: "center" });
    },
    stayAt: (place) => {
      const from = above() + (list?.getItemOffset(place) ?? 0);
      list?.scrollToIndex(place, { align: "start", offset: (scroller()?.scrollTop ?? 0) - from });
    },
  });
  const endFind = () => {
    finding.close();
    scroller()?.focus({ preventScroll: true });
  };
  let top: HTMLDivElement | undefined;

  onMount(() => {
    tail.start();
    const watch = new ResizeObserver(() => setAbove(top?.offsetHeight ?? 0));
    if (top) watch.observe(top);
    onCleanup(() => watch.disconnect());
  });
  createEffect(on(shown, () => tail.grew(), { defer: true }));
  createEffect(
    on(
      () => props.sent,
      (sent) => {
        if (sent?.session !== props.mirror.id) return;
        finding.show(undefined, []);
        tail.follow();
      },
      { defer: true },
    ),
  );
  goToTarget(room, () => props.mirror, finding);

  return (
    <div class="log">
      <div
        class="log-scroller"
        ref={setScroller}
        role="log"
        aria-live="off"
        aria-label={t("log")}
        tabindex="0"
      >
        <div class="log-top" ref={top}>
          <Earlier mirror={props.mirror} />
        </div>
        <Show when={shown().ids.length > 0} fallback={<Empty />}>
          <Virtualizer
            ref={(handle) => {
              list = handle;
            }}
            as={Column}
            data={shown().ids}
            shift={shown().atFront}
            keepMounted={kept()}
            startMargin={above()}
            scrollRef={scroller()}
            bufferSize={AHEAD}
            onResize={() => tail.grew()}
          >
            {(key) => <OneItem mirror={props.mirror} item={items().get(key)} />}
          </Virtualizer>
        </Show>
      </div>
      <Show when={finding.isOpen()}>
        <FindBar mirror={props.mirror} finding={finding} onClose={endFind} />
      </Show>
      <Jump tail={tail} />
      <Announcer mirror={props.mirror} />
    </div>
  );
}

/// A session's blocks as the items that are drawn; an update that changes none of them keeps the list.
function createItems(mirror: () => Mirror) {
  const ended = createMemo(() => endedRuns(mirror()), new Set<string>(), { equals: isSameSet });
  const items = createMemo(
    () => new Map(makeItems(mirror().outline(), ended()).map((one) => [one.key, one])),
  );
  const keys = createMemo(() => [...items().keys()], [], { equals: isSameList });
  return { items, shown: createShown(keys) };
}

/// A link to a block leads here: what is not loaded yet is asked for.
function goToTarget(room: Room, mirror: () => Mirror, finding: Finding): void {
  createEffect(
    on(room.target, async (target) => {
      if (!target?.block || target.session !== mirror().id) return;
      const isMissing = () =>
        !mirror()
          .order()
          .includes(target.block ?? "");
      await loadEarlier(room, mirror(), isMissing);
      if (room.target() !== target) return;
      requestAnimationFrame(() => finding.point(target.block ?? "", target.words ?? []));
      room.reached();
    }),
  );
}

/// For who has left the end: the way back, and how much came since.
function Jump(props: { tail: Tail }): JSX.Element {
  const fresh = () => props.tail.fresh();
  return (
    <Show when={props.tail.isAway()}>
      <button type="button" class="log-jump" onClick={() => props.tail.jump()}>
        <Icon name="arrowDown" /> {t("jump")}{" "}
        <Show when={fresh() > 0}>
          <span class="log-fresh">{fresh() === 1 ? t("fresh_one") : t("fresh", { count: fresh() })}</span>
        </Show>
      </button>
    </Show>
  );
}

function endedRuns(mirror: Mirror): Set<string> {
  const runs = mirror.head().runs ?? [];
  return new Set(runs.filter((run) => (run.outcome ?? "running") !== "running").map((run) => run.id));
}

function isSameSet(one: ReadonlySet<string>, other: ReadonlySet<string>): boolean {
  return one.size === other.size && [...one].every((id) => other.has(id));
}

function isSameList(one: readonly string[], other: readonly string[]): boolean {
  return one.length === other.length && one.every((id, at) => id === other[at]);
}

/// The blocks as the list is given them: one end at a time.
function createShown(order: () => readonly string[]) {
  const [shown, setShown] = createSignal({ ids: untrack(order), atFront: false });
  const advance = () => {
    const [step, ...rest] = findSteps(untrack(shown).ids, untrack(order));
    if (step) setShown(step);
    if (rest.length > 0) queueMicrotask(advance); // after the list has taken the first in
  };
  createEffect(on(order, advance, { defer: true }));
  return shown;
}

function Empty(): JSX.Element {
  return (
    <div class="log-empty">
      <p>{t("empty")}</p>
      <p>{t("emptyHint")}</p>
    </div>
  );
}
