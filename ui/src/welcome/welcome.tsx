// The empty page: what is found, what is missing and what to do about it, three things to try, the demo.
import { createEffect, createSignal, For, on, Show } from "solid-js";
import { LookNote } from "../frame/looking_only";
import { baseName } from "../frame/names";
import { demoDoc } from "../i18n/demo_docs";
import { Icon } from "../icons/icon";
import type { Check, DemoPrompt, Inspected } from "../model.gen";
import { mayAct } from "../state/access";
import { Refused, useRoom } from "../state/room";
import { shownPath } from "../text/paths";
import { sayFault, visible } from "../text/visible";
import { t } from "./texts";
import "./welcome.css";

const TRIES = [
  ["try1", "try1Text"],
  ["try2", "try2Text"],
  ["try3", "try3Text"],
] as const;

/// `onStarted` hears of the session that a click began.
export function Welcome(props: { onStarted?: (session: string) => void }) {
  const room = useRoom();
  const [inspected, setInspected] = createSignal<Inspected>();
  const [failed, setFailed] = createSignal("");
  const isThere = () => room.connection().state === "open";

  const isFirst = () => room.cards().length === 0;
  const canStart = () => isThere() && mayAct(room.access());

  const look = async () => {
    setFailed("");
    try {
      setInspected(await room.call("setup.inspect", {}));
    } catch (fault) {
      setFailed(t("failed", { why: fault instanceof Refused ? sayFault(fault) : t("notThere") }));
    }
  };
  createEffect(
    on(isThere, (there) => {
      if (there) void look();
    }),
  );
  const start = async (workspace?: string, text = "") => {
    const session = await room.create(workspace);
    if (!session) return;
    if (text) room.setDraft(session, { text });
    props.onStarted?.(session);
  };
  let isSending = false; // a double click sends once
  const send = async (prompt: DemoPrompt) => {
    if (isSending) return;
    isSending = true;
    const session = await room.create();
    isSending = false;
    if (!session) return;
    room.remember(session, prompt.text);
    await room.attempt("run.start", {
      session_id: session,
      input: { type: "text", text: prompt.text },
      key: crypto.randomUUID(),
    });
    props.onStarted?.(session);
  };
  return (
    <div class="welcome">
      <Show when={isFirst()} fallback={<h2>{t("begin")}</h2>}>
        <h2>{t("title")}</h2>
        <p class="welcome-about">{t("about")}</p>
      </Show>
      <LookNote />
      <div class="welcome-start">
        <button type="button" class="primary" disabled={!canStart()} onClick={() => void start()}>
          {t("start")}
        </button>
        <Show when={room.workspace()}>
          <span class="welcome-dim">{t("folder", { folder: shownPath(room.workspace()) })}</span>
        </Show>
      </div>
      <Show when={mayAct(room.access()) && inspected()?.demo}>
        <Demo prompts={inspected()?.prompts ?? []} onSend={(prompt) => void send(prompt)} />
      </Show>
      <Show when={isFirst()}>
        <Tries canStart={canStart()} onTry={(text) => void start(undefined, text)} />
      </Show>
      <Found inspected={inspected()} failed={failed()} isThere={isThere()} onAgain={() => void look()} />
      <Recent
        folders={mayAct(room.access()) ? (inspected()?.workspaces ?? []) : []}
        onOpen={(folder) => void start(folder)}
      />
    </div>
  );
}

function Tries(props: { canStart: boolean; onTry: (text: string) => void }) {
  return (
    <section aria-labelledby="welcome-try">
      <h3 id="welcome-try">{t("try")}</h3>
      <p class="welcome-dim">{t("tryNote")}</p>
      <ul class="welcome-cards">
        <For each={TRIES}>
          {([title, text]) => (
            <li>
              <button type="button" disabled={!props.canStart} onClick={() => props.onTry(t(text))}>
                <strong>{t(title)}</strong>
                <span>{t(text)}</span>
              </button>
            </li>
          )}
        </For>
      </ul>
    </section>
  );
}

function Demo(props: { prompts: readonly DemoPrompt[]; onSend: (prompt: DemoPrompt) => void }) {
  return (
    <section aria-labelledby="welcome-demo">
      <h3 id="welcome-demo">{t("demo")}</h3>
      <p class="welcome-dim">{t("demoNote")}</p>
      <ul class="welcome-cards">
        <For each={props.prompts}>
          {(prompt) => (
            <li>
              <button type="button" onClick={() => props.onSend(prompt)}>
                <strong>{demoDoc(prompt.text, prompt.title)}</strong>
                <span>{prompt.text}</span>
              </button>
            </li>
          )}
        </For>
      </ul>
    </section>
  );
}

function Found(props: {
  inspected: Inspected | undefined;
  failed: string;
  isThere: boolean;
  onAgain: () => void;
}) {
  return (
    <section aria-labelledby="welcome-found">
      <h3 id="welcome-found">{t("found")}</h3>
      <div role="status">
        <Show when={props.failed}>
          <p class="welcome-bad">{props.failed}</p>
        </Show>
        <Show when={!props.inspected && !props.failed}>
          <p class="welcome-dim">{t(props.isThere ? "looking" : "notThere")}</p>
        </Show>
      </div>
      <ul class="welcome-checks">
        <For each={props.inspected?.checks ?? []}>{(check) => <OneCheck check={check} />}</For>
      </ul>
      <Show when={props.inspected || props.failed}>
        <button type="button" disabled={!props.isThere} onClick={() => props.onAgain()}>
          {t("again")}
        </button>
      </Show>
    </section>
  );
}

const SIGNS = { ok: "check", note: "info", missing: "close" } as const;

function OneCheck(props: { check: Check }) {
  return (
    <li class={`welcome-${props.check.state}`}>
      <Icon name={SIGNS[props.check.state]} />
      <span class="unseen">{t(props.check.state)}: </span>
      <div>
        <strong>{props.check.name}</strong> <span>{visible(props.check.text)}</span>
        <Show when={props.check.next}>
          <p>{visible(props.check.next ?? "")}</p>
        </Show>
      </div>
    </li>
  );
}

function Recent(props: { folders: readonly string[]; onOpen: (folder: string) => void }) {
  return (
    <Show when={props.folders.length > 0}>
      <section aria-labelledby="welcome-recent">
        <h3 id="welcome-recent">{t("recent")}</h3>
        <ul class="welcome-folders">
          <For each={props.folders}>
            {(folder) => (
              <li>
                <button
                  type="button"
                  class="plain"
                  title={t("startIn", { folder: shownPath(folder) })}
                  onClick={() => props.onOpen(folder)}
                >
                  <Icon name="folder" /> <strong>{visible(baseName(folder) || folder)}</strong>{" "}
                  <span class="welcome-dim">{shownPath(folder)}</span>
                </button>
              </li>
            )}
          </For>
        </ul>
      </section>
    </Show>
  );
}
