// The demo's chat: messages to a relay and its answers, live, with an input.
import { createEffect, createSignal, For, type JSX, on, onCleanup, Show } from "solid-js";
import { spelt, speltLine } from "../text/spelt";
import "./chat.css";
import { type ChatApi, type ChatLog, type ChatMessage, ChatRefused, makeChatApi } from "./chat_api";
import { t } from "./texts";
import { takeToken } from "./token";

const LOOK_MS = 700;
const EXAMPLES = [
  "@dev help",
  "@dev status",
  "@dev plan one more function",
  "@dev patch one more function",
  "@dev test",
];

export function Chat(): JSX.Element {
  const [token, setToken] = createSignal(takeToken());
  return (
    <Show keyed when={token()} fallback={<p class="chat-none">{t("noLink")}</p>}>
      {(given) => <Room api={makeChatApi(given)} onRefused={() => setToken("")} />}
    </Show>
  );
}

function Room(props: { api: ChatApi; onRefused: () => void }): JSX.Element {
  const [log, setLog] = createSignal<ChatLog>();
  const [fault, setFault] = createSignal<"away" | "unsent">();

  async function look() {
    try {
      const found = await props.api.read();
      if (lastOf(found) !== lastOf(log()) || !log()) setLog(found);
      setFault((before) => (before === "away" ? undefined : before));
    } catch (refused) {
      if (refused instanceof ChatRefused && refused.message === "unauthorized") props.onRefused();
      else setFault("away");
    }
  }
  async function say(text: string): Promise<boolean> {
    setFault(undefined);
    try {
      await props.api.say(text);
    } catch {
      setFault("unsent");
      return false;
    }
    await look();
    return true;
  }
  const timer = setInterval(() => !document.hidden && void look(), LOOK_MS);
  onCleanup(() => clearInterval(timer));
  void look();

  return (
    <div class="chat">
      <header>
        <h1>{t("title")}</h1>
        <Show when={log()}>
          {(now) => (
            <>
              <span class="chat-note">{t("as", { user: speltLine(now().user) })}</span>
              <a href={now().desk} target="_blank" rel="noreferrer" title={t("deskHow")}>
                {t("desk")}
              </a>
            </>
          )}
        </Show>
      </header>
      <Messages items={log()?.items ?? []} />
      <footer>
        <Show when={fault()}>{(key) => <p role="alert">{t(key())}</p>}</Show>
        <Input onSay={say} isNew={log()?.items.length === 0} />
      </footer>
    </div>
  );
}

const lastOf = (log: ChatLog | undefined) => log?.items.at(-1)?.number ?? 0;

function Messages(props: { items: readonly ChatMessage[] }): JSX.Element {
  let place: HTMLElement | undefined;
  createEffect(
    on(
      () => props.items.length,
      () => place?.scrollTo({ top: place.scrollHeight }),
    ),
  );
  return (
    <main ref={(element) => (place = element)} aria-label={t("messages")}>
      <ol aria-live="polite">
        <For each={props.items}>
          {(one) => (
            <li classList={{ "chat-own": one.user !== "" }}>
              <b>{one.user ? speltLine(one.user) : t("relay")}</b>
              <p>{spelt(one.text)}</p>
              <Show when={one.file}>
                {(file) => (
                  <details>
                    <summary>{speltLine(file().name)}</summary>
                    <pre>{spelt(file().text)}</pre>
                  </details>
                )}
              </Show>
            </li>
          )}
        </For>
      </ol>
    </main>
  );
}

function Input(props: { onSay: (text: string) => Promise<boolean>; isNew: boolean }): JSX.Element {
  const [text, setText] = createSignal("");
  async function send() {
    const said = text().trim();
    if (said && (await props.onSay(said))) setText("");
  }
  return (
    <>
      <Show when={props.isNew}>
        <p class="chat-examples">
          {t("examples")}{" "}
          <For each={EXAMPLES}>
            {(example) => (
              <button type="button" class="small" onClick={() => void props.onSay(example)}>
                {example}
              </button>
            )}
          </For>
        </p>
      </Show>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          void send();
        }}
      >
        <input
          type="text"
          aria-label={t("message")}
          placeholder="@dev help"
          maxLength={20_000}
          autocomplete="off"
          autofocus
          value={text()}
          onInput={(event) => setText(event.currentTarget.value)}
        />
        <button type="submit" class="primary" disabled={!text().trim()}>
          {t("send")}
        </button>
      </form>
    </>
  );
}
