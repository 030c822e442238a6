// The switch for Claude's hooks: what would be written, and "Apply now", which asks before it writes anything.
import { createSignal, type JSX, onMount, Show } from "solid-js";
import type { HooksStatus } from "../model.gen";
import { mayManage } from "../state/access";
import { useRoom } from "../state/room";
import { shownPath } from "../text/paths";
import { sayFault, visible } from "../text/visible";
import { HOOKS, t } from "./hooks_texts";

/// Found by its own words, in the settings and in the palette; an empty query finds all.
export function isAboutHooks(query: string): boolean {
  const words = hooksWords().toLocaleLowerCase();
  return query
    .toLocaleLowerCase()
    .split(/\s+/)
    .every((word) => words.includes(word));
}

function hooksWords(): string {
  return `${t("title")} ${t("switch")} ${t("note")}`;
}

export function ClaudeHooks(props: { onShown?: () => void }): JSX.Element {
  const room = useRoom();
  const [status, setStatus] = createSignal<HooksStatus>();
  const [wanted, setWanted] = createSignal(false);
  const [failed, setFailed] = createSignal("");
  const isInstalled = () => status()?.state === "installed";
  onMount(async () => {
    if (!mayManage(room.access())) return;
    try {
      const now = await room.call("hooks.status", {});
      setStatus(now);
      setWanted(now.state === "installed");
      queueMicrotask(() => props.onShown?.());
    } catch (fault) {
      setFailed(sayFault(fault));
    }
  });
  const apply = async () => {
    const method = wanted() ? "hooks.install" : "hooks.uninstall";
    room.close();
    room.activate(""); // the question is no session's: it is answered on Home
    room.toast("info", t("asked"));
    const done = await room.attempt(method, {});
    if (done) room.toast("info", t(done.state === "installed" ? "installed" : "removed"));
  };
  return (
    <Show when={status()} fallback={<NotRead why={failed()} />}>
      {(now) => (
        <section class="settings-group" aria-labelledby="settings-hooks" data-setting={HOOKS}>
          <h3 id="settings-hooks">{t("title")}</h3>
          <p class="settings-dim">{t("note")}</p>
          <label class="settings-hooks">
            <input
              type="checkbox"
              checked={wanted()}
              onChange={(event) => setWanted(event.currentTarget.checked)}
            />
            <span>{t("switch")}</span>
          </label>
          <Show when={wanted() !== isInstalled() || now().state === "partly"}>
            <p class="settings-dim">
              {t(wanted() ? "adds" : "removes", {
                settings: shownPath(now().settings),
                command: visible(now().command),
              })}
            </p>
            <button type="button" onClick={() => void apply()}>
              {t("apply")}
            </button>
          </Show>
        </section>
      )}
    </Show>
  );
}

/// The daemon says what is wrong with the file and what to do.
function NotRead(props: { why: string }): JSX.Element {
  return (
    <Show when={props.why}>
      <section class="settings-group" aria-labelledby="settings-hooks">
        <h3 id="settings-hooks">{t("title")}</h3>
        <p class="settings-why" role="alert">
          {props.why}
        </p>
      </section>
    </Show>
  );
}
