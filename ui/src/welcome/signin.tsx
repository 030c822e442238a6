// The page before anybody is signed in: how to get a link, and a field to paste it into.
import { createSignal, Show } from "solid-js";
import { type SignInEnd, signIn, tokenOf } from "../host/signin";
import { startCommand } from "../host/start_command";
import { t } from "./signin_texts";
import "./signin.css";

/// `entry` says how the link ended that the page was opened with, if it was.
export function SignIn(props: { entry?: SignInEnd; onIn: () => void }) {
  const command = { command: startCommand() };
  const [link, setLink] = createSignal("");
  const [why, setWhy] = createSignal(() =>
    props.entry && props.entry !== "in" ? t(props.entry, command) : "",
  );
  const [busy, setBusy] = createSignal(false);

  const submit = async (event: SubmitEvent) => {
    event.preventDefault();
    const token = tokenOf(link());
    if (!token) {
      setWhy(() => () => t("noLink", command));
      return;
    }
    setBusy(true);
    const entry = await signIn(token);
    setBusy(false);
    if (entry === "in") props.onIn();
    else setWhy(() => () => t(entry, command));
  };
  return (
    <main class="signin">
      <div class="signin-card">
        <img class="signin-mark" src="./icon.svg" alt="" width="40" height="40" />
        <h1>{t("title")}</h1>
        <p>{t("about")}</p>
        <pre>{command.command}</pre>
        <p>{t("next")}</p>
        <form onSubmit={(event) => void submit(event)}>
          <input
            type="text"
            autofocus
            aria-label={t("link", command)}
            placeholder="http://127.0.0.1:…/#token=…"
            autocomplete="off"
            spellcheck={false}
            value={link()}
            onInput={(event) => setLink(event.currentTarget.value)}
          />
          <button type="submit" class="primary" disabled={busy()}>
            {t(busy() ? "busy" : "open")}
          </button>
        </form>
        <div role="status">
          <Show when={why()()}>
            <p class="signin-bad">{why()()}</p>
          </Show>
        </div>
      </div>
    </main>
  );
}
