// The composer: the input with its popup, files, context and queue, and the buttons that send or stop.
import {
  createEffect,
  createMemo,
  createSignal,
  createUniqueId,
  on,
  onCleanup,
  onMount,
  Show,
} from "solid-js";
import { never } from "../never";
import { type Capability, can } from "../state/capabilities";
import { type Mirror, useRoom } from "../state/room";
import { installDrop, pastedFiles } from "./attach";
import { AttachButton, SendButtons } from "./buttons";
import { ContextChips, FileChips } from "./chips";
import "./composer.css";
import { makePreview } from "./context";
import { ContextMenu } from "./context_menu";
import { INPUT_ID } from "./focus";
import { isNew } from "./history";
import { meaningOf } from "./keys";
import { Driver, NotSent, Silent } from "./notices";
import { optionId, Popup } from "./popup";
import type { How } from "./prompt";
import { Queue } from "./queue";
import { findPageCommand, isPrompt, type PageCommand } from "./slash";
import { t } from "./texts";
import { mentionsSelection } from "./token";
import { makeTyping } from "./typing";
import type { Underway } from "./underway";
import { isNothing, makeWhereabouts } from "./whereabouts";

const MAX_COPIED = 20_000; // characters that make the input grow: more than the highest input shows

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
  const popupId = createUniqueId();
  let section!: HTMLElement;

  // The head changes with every piece of news, and the draft with every letter: these rarely do.
  const workspace = createMemo(() => props.mirror.head().workspace);
  const context = createMemo(() => draft().context);
  const where = makeWhereabouts(room, workspace);
  const { sending, attaching } = props.underway;
  const typing = makeTyping(room, session, input);
  const preview = makePreview(room, session, context, where.context);

  const isUploading = () => attaching.uploading().some((one) => one.session === session());
  const isNothingToSend = () => draft().text.trim() === "" && draft().files.length === 0;

  onMount(() =>
    onCleanup(
      installDrop(document, {
        onOver: setOver,
        onFiles: (files) => void attaching.attach(session(), files),
      }),
    ),
  );

  // Another tab, a draft that was given back: the input follows. What is being composed is left alone.
  createEffect(
    on([session, () => draft().text, input], ([, text, field]) => {
      if (field && field.value !== text) field.value = text;
    }),
  );

  function refuse(why: string): void {
    room.toast("error", why);
  }

  function send(how: How): void {
    const text = draft().text.trimEnd();
    if (isNothingToSend()) return;
    if (isUploading()) return refuse(t("waitForFiles"));
    const selection = where.selection();
    if (mentionsSelection(text) && (!selection || isNothing(selection))) return refuse(t("noSelection"));
    if (isNew(room.sent(session()), text)) room.remember(session(), text);
    const command = findPageCommand(text);
    const carries = isPrompt(text);
    const { files, context } = draft();
    typing.put({ text: "", caret: 0 });
    if (command) return act(command);
    const out = { key: crypto.randomUUID(), session: session(), text, how, where: where.context() };
    if (carries) room.setDraft(session(), { files: [], context: {} });
    void sending.send({ ...out, files: carries ? files : [], context: carries ? context : {} });
  }

  function act(command: PageCommand): void {
    switch (command) {
      case "diff":
        return showDiff();
      case "resume":
        return props.onResume?.();
      case "rename":
        return room.show({ kind: "rename", session: session() });
      default:
        never(command);
    }
  }

  function showDiff(): void {
    const unified = props.mirror.head().diff?.unified;
    if (!unified) return refuse(t("noDiff"));
    room.show({ kind: "diff", title: t("latestDiff"), unified, session: session() });
  }

  function interrupt(): void {
    void room.attempt("session.interrupt", { session_id: session() });
  }

  // A person reading the log has the focus there or nowhere; with the focus elsewhere the key means something else.
  function onEscape(event: KeyboardEvent): void {
    if (event.key !== "Escape" || event.isComposing || event.defaultPrevented || !busy()) return;
    const target = event.target as Element;
    const isHere = target === document.body || section.contains(target) || target.closest("[role='log']");
    if (isHere && !document.querySelector("dialog[open]")) interrupt();
  }
  document.addEventListener("keydown", onEscape);
  onCleanup(() => document.removeEventListener("keydown", onEscape));

  function onKeyDown(event: KeyboardEvent & { currentTarget: HTMLTextAreaElement }): void {
    const { selectionStart: start, selectionEnd: end } = event.currentTarget;
    const steers = able("steer");
    const around = { popup: typing.popup(), busy: busy(), steers, caret: { start, end } };
    if (!carryOut(meaningOf(event, around))) return;
    event.preventDefault();
    event.stopPropagation();
  }

  function carryOut(meaning: ReturnType<typeof meaningOf>): boolean {
    switch (meaning.do) {
      case "nothing":
        return false;
      case "walk":
        return typing.walk(meaning.by);
      case "send":
        send("queue");
        return true;
      case "steer":
        send("steer");
        return true;
      case "interrupt":
        interrupt();
        return true;
      case "choose":
        typing.choose(typing.chosen());
        return true;
      case "point":
        typing.point(typing.chosen() + meaning.by);
        return true;
      case "closePopup":
        typing.closePopup();
        return true;
      default:
        return never(meaning);
    }
  }

  function onPaste(event: ClipboardEvent): void {
    const files = pastedFiles(event.clipboardData);
    if (files.length === 0) return;
    event.preventDefault();
    void attaching.attach(session(), files);
  }

  function sendByButton(how: How): void {
    send(how);
    input()?.focus();
  }

  return (
    <section ref={section} class="composer" aria-label={t("composer")}>
      <Silent mirror={props.mirror} />
      <Driver mirror={props.mirror} busy={busy()} />
      <NotSent session={session()} sending={sending} />
      <Queue mirror={props.mirror} canSendNow={!busy() || able("steer")} />
      <FileChips session={session()} uploading={attaching.uploading()} />
      <ContextChips session={session()} preview={preview} />
      <div class="composer-field">
        <Show when={typing.popup()}>
          <Popup
            id={popupId}
            list={typing.suggestions.list()}
            chosen={typing.chosen()}
            truncated={typing.suggestions.truncated()}
            onChoose={typing.choose}
            onPoint={typing.point}
          />
        </Show>
        <div class="composer-grow" data-text={draft().text.slice(0, MAX_COPIED)}>
          <textarea
            ref={setInput}
            id={INPUT_ID}
            class="composer-input"
            rows={1}
            autocomplete="off"
            placeholder={t("placeholder")}
            aria-label={t("prompt")}
            aria-autocomplete="list"
            aria-controls={typing.popup() ? popupId : undefined}
            aria-activedescendant={typing.popup() ? optionId(popupId, typing.chosen()) : undefined}
            onInput={typing.onInput}
            onKeyDown={onKeyDown}
            onKeyUp={typing.onCaret}
            onSelect={typing.onCaret}
            onClick={typing.onCaret}
            onPaste={onPaste}
            onFocus={() => {
              typing.onFocus(true);
              typing.onCaret();
            }}
            onBlur={() => typing.onFocus(false)}
          />
        </div>
      </div>
      <div class="composer-bar">
        <Show when={able("images")}>
          <AttachButton onFiles={(files) => void attaching.attach(session(), files)} />
        </Show>
        <ContextMenu session={session()} where={where} preview={preview} />
        <div class="composer-send">
          <SendButtons
            busy={busy()}
            steers={able("steer")}
            nothing={isNothingToSend()}
            onSend={sendByButton}
            onStop={interrupt}
          />
        </div>
      </div>
      <Show when={over()}>
        <div class="composer-drop">{t("dropHere")}</div>
      </Show>
    </section>
  );
}
