// Folders that were decided about: trusted or not, and how to change that.
import { createEffect, createMemo, createSignal, For, type JSX, on, Show } from "solid-js";
import { AskCard } from "../asks/ask_card";
import "../asks/asks.css";
import { makeGuard } from "../frame/dialogs/guard";
import type { DecidedFolder, WaitingAsk } from "../model.gen";
import { mayManage } from "../state/access";
import { useRoom } from "../state/room";
import { shownPath } from "../text/paths";
import { t } from "./trust_texts";

/// Not shown to a surface that may not manage trust, nor before anything was decided.
export function TrustedFolders(): JSX.Element {
  const room = useRoom();
  const [folders, setFolders] = createSignal<readonly DecidedFolder[]>([]);
  const read = async () => {
    if (!mayManage(room.access())) return;
    const listed = await room.call("trust.list", {}).catch(() => undefined);
    if (listed) setFolders(listed.folders);
  };
  const waiting = createMemo(() => room.inbox().filter((one) => one.ask.subject.about === "trust"));
  createEffect(on([() => waiting().length, () => room.connection().state], () => void read()));
  return (
    <Show when={folders().length > 0}>
      <section class="settings-group" aria-labelledby="settings-trust">
        <h3 id="settings-trust">{t("title")}</h3>
        <p class="settings-dim">{t("note")}</p>
        <ul class="settings-folders">
          <For each={folders()}>
            {(one) => (
              <Folder
                decided={one}
                waiting={waiting().find((ask) => isAbout(ask, one.folder))}
                onChanged={read}
              />
            )}
          </For>
        </ul>
      </section>
    </Show>
  );
}

interface FolderProps {
  decided: DecidedFolder;
  waiting: WaitingAsk | undefined;
  onChanged: () => Promise<void>;
}

function Folder(props: FolderProps): JSX.Element {
  const room = useRoom();
  const guard = makeGuard(() => props.waiting?.ask.id);
  const folder = () => props.decided.folder;
  const ask = async () => {
    if (await room.attempt("trust.ask", { folder: folder() })) await props.onChanged();
  };
  const forget = async () => {
    if (await room.attempt("trust.revoke", { folder: folder() })) await props.onChanged();
  };
  return (
    <li>
      <code>{shownPath(folder())}</code> <span class="settings-dim">{t(state(props.decided))}</span>
      <span class="settings-acts">
        <Show when={props.decided.now !== "gone"}>
          <button
            type="button"
            class="small"
            disabled={props.waiting !== undefined}
            onClick={() => void ask()}
          >
            {t(state(props.decided) === "refused" ? "askRefused" : "askTrusted")}
          </button>{" "}
        </Show>
        <button type="button" class="small" onClick={() => void forget()}>
          {t("forget")}
        </button>
      </span>
      <Show when={props.waiting}>
        {(one) => <AskCard session={one().session_id} ask={one().ask} guard={guard} heading="h4" />}
      </Show>
    </li>
  );
}

/// What counts now: a decision is about the files as they were.
function state(decided: DecidedFolder): "trusted" | "refused" | "changed" | "gone" {
  return decided.now === undefined || decided.now === "same" ? decided.decision : decided.now;
}

function isAbout(one: WaitingAsk, folder: string): boolean {
  return one.ask.subject.about === "trust" && one.ask.subject.folder === folder;
}
