// The folder picker: a person at this machine walks through its folders and begins a session in one of them.
import { createSignal, For, onMount, Show } from "solid-js";
import { Dialog } from "../frame/dialogs/dialog";
import { Icon } from "../icons/icon";
import type { ListedFolder, ListedFolders } from "../model.gen";
import { Refused, type Room, useRoom } from "../state/room";
import { shownPath } from "../text/paths";
import { sayFault, visible } from "../text/visible";
import { t } from "./folder_texts";
import "./folder_overlay.css";

/// `onStarted` hears of the session that was begun.
export function FolderOverlay(props: { onStarted: (session: string) => void }) {
  const room = useRoom();
  const walk = createFolderWalk(room);
  const begin = async () => {
    const session = await walk.begin();
    if (!session) return;
    room.close();
    props.onStarted(session);
  };
  return (
    <Dialog
      title={t("pickTitle")}
      onClose={() => room.close()}
      footer={
        <>
          <span class="folders-note">{t("pickTrust")}</span>
          <button
            type="button"
            class="primary"
            disabled={walk.isBusy() || !walk.listed() || walk.listed()?.can_open === false}
            onClick={() => void begin()}
          >
            {t("pickHere")}
          </button>
        </>
      }
    >
      <PathForm walk={walk} />
      <p class="folders-why" role="status">
        {walk.why()}
      </p>
      <Show when={walk.listed()} fallback={<p class="folders-note">{walk.why() ? "" : t("pickLoading")}</p>}>
        {(found) => <FolderList found={found()} onGo={(folder) => void walk.go(folder)} />}
      </Show>
    </Dialog>
  );
}

type FolderWalk = ReturnType<typeof createFolderWalk>;

/// The folder that is listed, the one that is typed, and why one can't be shown or opened.
function createFolderWalk(room: Room) {
  const [listed, setListed] = createSignal<ListedFolders>();
  const [typed, setTyped] = createSignal("");
  const [why, setWhy] = createSignal("");
  const [isBusy, setBusy] = createSignal(false);

  let latest = 0;
  /// Whether this was still the latest request when it was answered: only that one counts.
  const go = async (folder: string): Promise<boolean> => {
    const mine = ++latest;
    const before = typed();
    setBusy(true);
    try {
      const found = await room.call("folders.list", { folder });
      if (mine !== latest) return false;
      setListed(found);
      if (typed() === before) setTyped(shownPath(found.folder)); // what was typed meanwhile stays
      setWhy(found.can_open === false ? t("pickNot") : "");
    } catch (fault) {
      if (mine !== latest) return false;
      setWhy(fault instanceof Refused ? sayFault(fault) : String((fault as Error).message));
    }
    setBusy(false);
    return true;
  };
  /// The new session in the listed folder, where there could be one.
  const begin = async (): Promise<string | undefined> => {
    const folder = listed()?.folder;
    if (!folder) return undefined;
    setBusy(true);
    const opened = await room.attempt("folders.open", { folder });
    const session = opened && (await room.create(opened.workspace));
    setBusy(false);
    return session;
  };
  /// Where the known folder lies; from a place that no session can begin in, the person's own folder.
  onMount(async () => {
    let isLatest = await go(above(room.workspace()));
    if (isLatest && why()) isLatest = await go("");
    if (isLatest && listed()) setWhy(""); // nothing has been asked for yet
  });
  return { listed, typed, setTyped, why, isBusy, go, begin };
}

/// The path as it is typed, and the way up.
function PathForm(props: { walk: FolderWalk }) {
  return (
    <form
      class="folders-path"
      onSubmit={(event) => {
        event.preventDefault();
        void props.walk.go(props.walk.typed());
      }}
    >
      <button
        type="button"
        class="plain icon"
        aria-label={t("pickUp")}
        title={t("pickUp")}
        disabled={!props.walk.listed()?.parent}
        onClick={() => void props.walk.go(props.walk.listed()?.parent ?? "")}
      >
        <Icon name="arrowUp" />
      </button>
      <input
        type="text"
        autofocus
        aria-label={t("pickPath")}
        spellcheck={false}
        autocomplete="off"
        maxLength={4_000}
        value={props.walk.typed()}
        onInput={(event) => props.walk.setTyped(event.currentTarget.value)}
      />
      <button type="submit">{t("pickGo")}</button>
    </form>
  );
}

/// Where the other projects probably are.
function above(folder: string): string {
  return folder.includes("/") ? folder.slice(0, folder.lastIndexOf("/")) : "";
}

function FolderList(props: { found: ListedFolders; onGo: (folder: string) => void }) {
  const folders = () => props.found.folders ?? [];
  return (
    <>
      <ul class="folders-list" aria-label={t("pickList", { folder: shownPath(props.found.folder) })}>
        <For each={folders()} fallback={<li class="folders-note">{t("pickNone")}</li>}>
          {(folder) => <OneFolder folder={folder} onGo={props.onGo} />}
        </For>
      </ul>
      <Show when={props.found.truncated}>
        <p class="folders-note">{t("pickMore", { n: folders().length })}</p>
      </Show>
    </>
  );
}

function OneFolder(props: { folder: ListedFolder; onGo: (folder: string) => void }) {
  return (
    <li>
      <button type="button" class="plain" onClick={() => props.onGo(props.folder.folder)}>
        <Icon name="folder" />
        <span class="folders-name">{visible(props.folder.name)}</span>
        <Show when={props.folder.is_repository}>
          <span class="folders-note">{t("pickRepo")}</span>
        </Show>
      </button>
    </li>
  );
}
