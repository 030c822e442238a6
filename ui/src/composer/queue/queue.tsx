// The queue: prompts that wait for the run to end, to be changed, moved, sent now or taken out.
import { createEffect, createMemo, createSignal, For, on, onCleanup, Show } from "solid-js";
import { Icon } from "../../icons/icon";
import type { Prompt } from "../../model.gen";
import { type Mirror, useRoom } from "../../state/room";
import { visible } from "../../text/visible";
import { t } from "../texts";
import { dropTo, stepTo } from "./queue_order";

const DRAGGED = "application/x-bascule-queued";

export function Queue(props: { mirror: Mirror; canSendNow: boolean }) {
  const room = useRoom();
  const session_id = () => props.mirror.id;
  const queue = () => props.mirror.head().queue ?? [];
  const keys = createMemo(() => queue().map((prompt) => prompt.key), [], { equals: sameKeys });
  const [dragged, setDragged] = createSignal("");
  let list: HTMLOListElement | undefined;
  let moved = ""; // keeps the focus: an element that is moved in the page loses it

  function move(key: string, to: number | undefined): void {
    if (to === undefined) return;
    moved = list?.contains(document.activeElement) ? key : "";
    void room.attempt("queue.move", { session_id: session_id(), key, to });
  }

  /// It was sent or removed elsewhere while being edited here: the typed text is kept.
  function keepTyped(key: string, typed: string): void {
    if (keys().includes(key)) return;
    const { text } = room.draft(session_id());
    room.setDraft(session_id(), { text: text ? `${text}\n\n${typed}` : typed });
    room.toast("warn", t("queuedWent"));
  }

  createEffect(
    on(keys, (now) => {
      const item = moved ? list?.children[now.indexOf(moved)] : undefined;
      moved = "";
      if (item && !item.contains(document.activeElement)) item.querySelector<HTMLElement>("button")?.focus();
    }),
  );

  return (
    <Show when={keys().length > 0}>
      <section class="composer-queue" aria-label={t("queue")}>
        <Show when={props.mirror.head().queue_held}>
          <p class="composer-held" role="status">
            <span>{t("queueHeld")}</span>
            <button
              type="button"
              onClick={() => void room.attempt("queue.release", { session_id: session_id() })}
            >
              {t("release")}
            </button>
          </p>
        </Show>
        <ol ref={list}>
          <For each={keys()}>
            {(key) => (
              <Queued
                session={session_id()}
                prompt={queue().find((prompt) => prompt.key === key)}
                isFirst={keys()[0] === key}
                isLast={keys().at(-1) === key}
                canSendNow={props.canSendNow}
                onStep={(by) => move(key, stepTo(keys(), key, by))}
                onDrag={setDragged}
                onWent={(typed) => keepTyped(key, typed)}
                onDrop={(below) => move(dragged(), dropTo(keys(), dragged(), key, below))}
              />
            )}
          </For>
        </ol>
      </section>
    </Show>
  );
}

function sameKeys(a: readonly string[], b: readonly string[]): boolean {
  return a.length === b.length && a.every((key, at) => key === b[at]);
}

interface QueuedProps {
  session: string;
  prompt: Prompt | undefined;
  isFirst: boolean;
  isLast: boolean;
  canSendNow: boolean; // into the run, or where none goes on
  onStep: (by: -1 | 1) => void;
  onDrag: (key: string) => void;
  onWent: (typed: string) => void;
  onDrop: (below: boolean) => void;
}

function Queued(props: QueuedProps) {
  const room = useRoom();
  const [editing, setEditing] = createSignal(false);
  const key = () => props.prompt?.key ?? "";
  const text = () => props.prompt?.text ?? "";

  function onKeyDown(event: KeyboardEvent): void {
    if (!event.altKey || editing() || (event.key !== "ArrowUp" && event.key !== "ArrowDown")) return;
    event.preventDefault();
    props.onStep(event.key === "ArrowUp" ? -1 : 1);
  }

  /// Whether it is as the person wants it now; what is refused is left in their hands.
  async function save(changed: string): Promise<boolean> {
    if (!changed.trim() || changed === text()) return true;
    return (
      (await room.attempt("queue.edit", { session_id: props.session, key: key(), text: changed })) !==
      undefined
    );
  }

  return (
    <li
      class="composer-queued"
      draggable={!editing()}
      onKeyDown={onKeyDown}
      onDragStart={(event) => {
        event.dataTransfer?.setData(DRAGGED, key());
        props.onDrag(key());
      }}
      onDragEnd={() => props.onDrag("")}
      onDragOver={(event) => {
        if (event.dataTransfer?.types.includes(DRAGGED)) event.preventDefault();
      }}
      onDrop={(event) => {
        if (!event.dataTransfer?.types.includes(DRAGGED)) return;
        event.preventDefault();
        const box = event.currentTarget.getBoundingClientRect();
        props.onDrop(event.clientY > box.top + box.height / 2);
      }}
    >
      <Show
        when={!editing()}
        fallback={<Edit text={text()} onSave={save} onDone={() => setEditing(false)} onWent={props.onWent} />}
      >
        <Words prompt={props.prompt} />
        <Tools {...props} onEdit={() => setEditing(true)} />
      </Show>
    </li>
  );
}

/// What waits to be said, and who said it.
function Words(props: { prompt: Prompt | undefined }) {
  const text = () => visible(props.prompt?.text ?? "");
  const images = () => props.prompt?.images?.length ?? 0;
  return (
    <span class="composer-queued-text" title={text()}>
      <Show when={props.prompt?.sender}>
        {(sender) => (
          <b class="composer-queued-sender">
            <bdi>{visible(sender().user)}</bdi>
          </b>
        )}
      </Show>
      {text()}
      <Show when={images() > 0}>
        <span class="composer-chip-note"> {t("imageCount", { n: images() })}</span>
      </Show>
    </span>
  );
}

/// What can be done with it.
function Tools(props: QueuedProps & { onEdit: () => void }) {
  const room = useRoom();
  const ref = () => ({ session_id: props.session, key: props.prompt?.key ?? "" });
  return (
    <span class="composer-queued-tools">
      <Show when={!props.prompt?.sender}>
        <button type="button" class="plain" onClick={() => props.onEdit()}>
          {t("edit")}
        </button>
      </Show>
      <button
        type="button"
        class="plain icon composer-up"
        disabled={props.isFirst}
        aria-label={t("moveUp")}
        title={t("moveUp")}
        onClick={() => props.onStep(-1)}
      >
        <Icon name="down" />
      </button>
      <button
        type="button"
        class="plain icon"
        disabled={props.isLast}
        aria-label={t("moveDown")}
        title={t("moveDown")}
        onClick={() => props.onStep(1)}
      >
        <Icon name="down" />
      </button>
      <Show when={props.canSendNow}>
        <button type="button" class="plain" onClick={() => void room.attempt("queue.steer", ref())}>
          {t("sendNow")}
        </button>
      </Show>
      <button
        type="button"
        class="plain icon"
        aria-label={t("removeQueued")}
        title={t("removeQueued")}
        onClick={() => void room.attempt("queue.remove", ref())}
      >
        <Icon name="close" />
      </button>
    </span>
  );
}

interface EditProps {
  text: string;
  onSave: (text: string) => Promise<boolean>;
  onDone: () => void;
  onWent: (typed: string) => void;
}

function Edit(props: EditProps) {
  const began = props.text; // what others change meanwhile does not overwrite what is being typed
  let field!: HTMLTextAreaElement;
  let saving: Promise<boolean> | undefined;
  let isDone = false;
  queueMicrotask(() => field.focus());
  onCleanup(async () => {
    const typed = field.value;
    if (!isDone && typed !== began && !(await saving)) props.onWent(typed);
  });

  function end(): void {
    isDone = true;
    props.onDone();
  }

  async function save(): Promise<void> {
    saving = props.onSave(field.value);
    if (await saving) end();
  }

  function onKeyDown(event: KeyboardEvent): void {
    if (event.isComposing || event.keyCode === 229) return;
    if (event.key === "Escape") end();
    else if (event.key === "Enter" && !event.shiftKey) void save();
    else return;
    event.preventDefault();
    event.stopPropagation();
  }

  return (
    <>
      <textarea
        ref={field}
        class="mono composer-queued-edit"
        rows={3}
        aria-label={t("editQueued")}
        value={began}
        onKeyDown={onKeyDown}
      />
      <span class="composer-queued-tools">
        <button type="button" class="primary" onClick={save}>
          {t("save")}
        </button>
        <button type="button" onClick={end}>
          {t("cancel")}
        </button>
      </span>
    </>
  );
}
