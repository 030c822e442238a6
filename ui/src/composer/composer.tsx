// The composer: the input with its popup, files, context and queue, and the buttons that send or stop.
import { createMemo, createSignal, onCleanup, onMount, Show } from "solid-js";
import { type Mirror, useRoom } from "../state/room";
import { type Capability, can } from "../state/sessions/capabilities";
import { AttachButton, SendButtons } from "./buttons";
import { installDrop } from "./context/attach";
import { ContextChips, FileChips } from "./context/chips";
import { makeActs } from "./sending/acts";
import "./composer.css";
import { isAway } from "../frame/status/connection";
import { makePreview } from "./context/context";
import { ContextMenu } from "./context/context_menu";
import { makeWhereabouts } from "./context/whereabouts";
import { InputField } from "./input/input_field";
import { makeTyping } from "./input/typing";
import { Driver, NotSent, Silent } from "./notices";
import { Queue } from "./queue/queue";
import type { Underway } from "./sending/underway";
import { t } from "./texts";

export interface ComposerProps {
  mirror: Mirror;
  underway: Underway;
  /// `/resume`: where a person looks for an older session.
  onResume?: () => void;
}

export function isBusy(mirror: Mirror): boolean {
  const head = mirror.head();
  return (
    head.status === "working" || (head.runs ?? []).some((run) => (run.outcome ?? "running") === "running")
  );
}

export function Composer(props: ComposerProps) {
  const room = useRoom();
  const session = () => props.mirror.id;
  const draft = () => room.draft(session());
  const busy = () => isBusy(props.mirror);
  const able = (what: Capability) => can(props.mirror.head(), what);
  const [input, setInput] = createSignal<HTMLTextAreaElement>();
  const [over, setOver] = createSignal(false);
  let section!: HTMLElement;

  // The head changes with every piece of news, and the draft with every letter: these rarely do.
  const workspace = createMemo(() => props.mirror.head().workspace);
  const context = createMemo(() => draft().context);
  const where = makeWhereabouts(room, workspace);
  const { sending, attaching } = props.underway;
  const attach = (files: readonly File[]) => void attaching.attach(session(), files);
  const typing = makeTyping(room, session, input);
  const preview = makePreview(room, session, context, where.context);
  const acts = makeActs(room, {
    mirror: () => props.mirror,
    underway: props.underway,
    typing,
    where,
    onResume: () => props.onResume?.(),
  });
  onMount(() => onCleanup(installDrop(document, { onOver: setOver, onFiles: attach })));
  listenForEscape(
    () => busy() && acts.interrupt(),
    () => section,
  );

  return (
    <section ref={section} class="composer" aria-label={t("composer")}>
      <Silent mirror={props.mirror} />
      <Driver mirror={props.mirror} busy={busy()} />
      <NotSent session={session()} sending={sending} />
      <Queue mirror={props.mirror} canSendNow={!busy() || able("steer")} />
      <div class="composer-box">
        <FileChips session={session()} uploading={attaching.uploading()} />
        <ContextChips session={session()} preview={preview} />
        <InputField
          session={session()}
          text={draft().text}
          typing={typing}
          isBusy={busy()}
          steers={able("steer")}
          input={input()}
          onInput={setInput}
          onSend={acts.send}
          onStop={acts.interrupt}
          onFiles={attach}
        />
        <div class="composer-bar">
          <Show when={able("images")}>
            <AttachButton onFiles={attach} />
          </Show>
          <ContextMenu session={session()} where={where} preview={preview} />
          <div class="composer-send">
            <SendButtons
              busy={busy()}
              isAway={isAway(room.connection())}
              steers={able("steer")}
              nothing={acts.isNothingToSend()}
              onSend={(how) => {
                acts.send(how);
                input()?.focus();
              }}
              onStop={acts.interrupt}
            />
          </div>
        </div>
      </div>
      <Show when={over()}>
        <div class="composer-drop">{t("dropHere")}</div>
      </Show>
    </section>
  );
}

/// A person reading the log has the focus there or nowhere; with the focus elsewhere the key means something else.
function listenForEscape(act: () => void, section: () => HTMLElement): void {
  const onEscape = (event: KeyboardEvent) => {
    if (event.key !== "Escape" || event.isComposing || event.defaultPrevented) return;
    const target = event.target as Element;
    const isHere = target === document.body || section().contains(target) || target.closest("[role='log']");
    if (isHere && !document.querySelector("dialog[open]")) act();
  };
  document.addEventListener("keydown", onEscape);
  onCleanup(() => document.removeEventListener("keydown", onEscape));
}
