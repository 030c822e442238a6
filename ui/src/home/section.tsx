// A section of the home page: its state, its name, how many it lists; and a list whose entries keep their elements.
import { createMemo, createUniqueId, For, type JSX, Show } from "solid-js";
import type { Status } from "../frame/session/shown_status";
import { StatusDot } from "../frame/session/status_dot";
import type { Card, WatchedSession } from "../model.gen";
import type { HomeEntry, Project } from "./entries";
import { t } from "./texts";

export interface SectionProps {
  name: string;
  state: Status;
  count: number; // all of them
  more?: number; // of these not listed
  tools?: JSX.Element;
  children: JSX.Element;
}

export function Section(props: SectionProps): JSX.Element {
  const id = createUniqueId();
  return (
    <section aria-labelledby={id}>
      <h2 id={id}>
        <StatusDot status={props.state} decorative />
        {props.name} <span class="home-count">{props.count}</span>
        <span class="home-gap" />
        {props.tools}
      </h2>
      {props.children}
      <More count={props.more ?? 0} />
    </section>
  );
}

/// That there are others, and how to see them.
function More(props: { count: number }): JSX.Element {
  return (
    <Show when={props.count > 0}>
      <p class="home-more">{t("more", { count: props.count })}</p>
    </Show>
  );
}

/// By key: what has the focus stays when a session changes.
export function ByKeys<E extends HomeEntry>(props: {
  entries: readonly E[];
  children: (entry: () => E) => JSX.Element;
}): JSX.Element {
  const keys = createMemo(() => props.entries.map((entry) => entry.key), [], { equals: isSame });
  const find = (key: string) => props.entries.find((entry) => entry.key === key);
  return <For each={keys()}>{(key) => <Show when={find(key)}>{(entry) => props.children(entry)}</Show>}</For>;
}

/// By folder, for the same reason.
export function ByFolders(props: {
  projects: readonly Project[];
  children: (project: () => Project) => JSX.Element;
}): JSX.Element {
  const folders = createMemo(() => props.projects.map((project) => project.folder), [], { equals: isSame });
  const find = (folder: string) => props.projects.find((project) => project.folder === folder);
  return (
    <For each={folders()}>
      {(folder) => <Show when={find(folder)}>{(project) => props.children(project)}</Show>}
    </For>
  );
}

/// Ours or theirs, which an entry stays.
export function Either(props: {
  entry: HomeEntry;
  ours: (card: () => Card) => JSX.Element;
  theirs: (session: () => WatchedSession) => JSX.Element;
}): JSX.Element {
  const session = () => (props.entry.kind === "theirs" ? props.entry.session : undefined);
  const card = () => (props.entry.kind === "ours" ? props.entry.card : undefined);
  return (
    <>
      <Show when={card()}>{(one) => props.ours(one)}</Show>
      <Show when={session()}>{(one) => props.theirs(one)}</Show>
    </>
  );
}

function isSame(one: readonly string[], other: readonly string[]): boolean {
  return one.length === other.length && one.every((id, at) => id === other[at]);
}
