// How to begin: what is still missing with its next step, three things to try, the demo, recent folders.
import { createEffect, createSignal, For, on, Show } from "solid-js";
import { LookNote } from "../frame/dialogs/looking_only";
import { baseName } from "../frame/names";
import { Icon } from "../icons/icon";
import type { DemoPrompt, Inspected } from "../model.gen";
import { mayAct, mayManage } from "../state/access";
import { Refused, useRoom } from "../state/room";
import { shownPath } from "../text/paths";
import { sayFault, visible } from "../text/visible";
import { Found } from "./found";
import { Demo, Tries } from "./prompts";
import { Steps } from "./steps";
import { t } from "./texts";
import "./welcome.css";

/// `onStarted` hears of the session that a click began.
export function Welcome(props: { onStarted?: (session: string) => void }) {
  const room = useRoom();
  const [inspected, setInspected] = createSignal<Inspected>();
  const [failed, setFailed] = createSignal("");
  const [isBusy, setBusy] = createSignal(false);
  const isThere = () => room.connection().state === "open";

  const isFirst = () => room.cards().length === 0;
  const canStart = () => isThere() && mayAct(room.access());

  /// Where a session would begin: the folder that the page was opened for, or the latest one used.
  const folder = () => room.workspace() || room.cards()[0]?.workspace || "";

  /// The demo has its own model.
  const isReady = () => inspected()?.demo || !(inspected()?.checks ?? []).some((check) => check.step);

  const look = async () => {
    setFailed("");
    setBusy(true);
    try {
      setInspected(await room.call("setup.inspect", {}));
    } catch (fault) {
      setFailed(t("failed", { why: fault instanceof Refused ? sayFault(fault) : t("notThere") }));
    }
    setBusy(false);
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
      <Steps
        inspected={inspected()}
        hasFolder={folder() !== ""}
        isBusy={isBusy()}
        onAgain={() => void look()}
        onFolder={() => room.show({ kind: "folders" })}
      />
      <Show when={folder()}>
        <Start
          folder={folder()}
          canStart={canStart()}
          canChoose={isThere() && mayManage(room.access())}
          isMain={Boolean(isReady())}
          onStart={() => void start(folder())}
          onOther={() => room.show({ kind: "folders" })}
        />
      </Show>
      <Show when={mayAct(room.access()) && inspected()?.demo}>
        <Demo
          prompts={inspected()?.prompts ?? []}
          isOpen={isFirst()}
          onSend={(prompt) => void send(prompt)}
        />
      </Show>
      <Show when={isFirst() && inspected() && !inspected()?.demo}>
        <Tries canStart={canStart()} onTry={(text) => void start(undefined, text)} />
      </Show>
      <Found
        inspected={inspected()}
        failed={failed()}
        isThere={isThere()}
        isOpen={isFirst() || failed() !== ""}
        onAgain={() => void look()}
      />
      <Recent
        folders={mayAct(room.access()) ? (inspected()?.workspaces ?? []) : []}
        onOpen={(folder) => void start(folder)}
      />
    </div>
  );
}

interface StartProps {
  folder: string;
  canStart: boolean;
  canChoose: boolean; // another folder
  isMain: boolean; // nothing else comes first
  onStart: () => void;
  onOther: () => void;
}

function Start(props: StartProps) {
  return (
    <div class="welcome-start">
      <button
        type="button"
        classList={{ primary: props.isMain }}
        disabled={!props.canStart}
        onClick={() => props.onStart()}
      >
        {t("start")}
      </button>
      <span class="welcome-dim">{t("folder", { folder: shownPath(props.folder) })}</span>
      <button type="button" class="plain" disabled={!props.canChoose} onClick={() => props.onOther()}>
        {t("otherFolder")}
      </button>
    </div>
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
