// Overlays to look at: a file or folder of the workspace, an image.
import { createMemo, createSignal, type JSX, Match, Show, Switch } from "solid-js";
import { Dialog } from "../frame/dialogs/dialog";
import type { Place } from "../host/host";
import { type Overlay, useRoom } from "../state/room";
import { visible } from "../text/visible";
import { FileView } from "./file_view";
import { Crumbs, Folder, sizeOf } from "./folder";
import { type FoundFile, startReading } from "./reading";
import { t } from "./texts";
import "./files.css";

type FileOverlayOf<K extends Overlay["kind"]> = Extract<Overlay, { kind: K }>;

export function FileOverlay(props: { overlay: FileOverlayOf<"file">; onMentioned: () => void }): JSX.Element {
  const room = useRoom();
  const path = createMemo(() => props.overlay.place.path.replace(/^\.?\/+|\/+$/g, ""));
  const session = createMemo(() => props.overlay.session);
  const key = createMemo(() => `${session()}\0${path()}`);
  const go = (to: string, line?: number) =>
    room.show({ kind: "file", session: session(), place: line ? { path: to, line } : { path: to } });
  return (
    <Dialog title={visible(path()) || t("folder")} onClose={room.close} wide>
      <div class="files">
        <Crumbs path={path()} onGo={go} />
        <Show when={key()} keyed>
          <Reading
            session={session()}
            place={{ ...props.overlay.place, path: path() }}
            onGo={go}
            onMentioned={props.onMentioned}
          />
        </Show>
      </div>
    </Dialog>
  );
}

interface ReadingProps {
  session: string;
  place: Place;
  onGo: (path: string, line?: number) => void;
  onMentioned: () => void;
}

function Reading(props: ReadingProps) {
  const reading = startReading(useRoom(), props.session, props.place.path);
  const is = <K extends FoundFile["kind"]>(kind: K) => {
    const found = reading.found();
    return found.kind === kind ? (found as Extract<FoundFile, { kind: K }>) : undefined;
  };
  return (
    <Switch>
      <Match when={is("reading")}>
        <p class="files-note" role="status">
          {t("loading")}
        </p>
      </Match>
      <Match when={is("failed")}>
        {(failed) => (
          <p class="files-note files-bad" role="alert">
            {failed().why}
          </p>
        )}
      </Match>
      <Match when={is("binary")}>
        {(binary) => <p class="files-note">{t("binary", { size: sizeOf(binary().size) })}</p>}
      </Match>
      <Match when={is("folder")}>
        {(folder) => <Folder listed={folder().listed} session={props.session} onGo={props.onGo} />}
      </Match>
      <Match when={is("text")}>
        {(text) => (
          <FileView
            session={props.session}
            place={props.place}
            reading={reading}
            found={text()}
            onMentioned={props.onMentioned}
          />
        )}
      </Match>
    </Switch>
  );
}

export function ImageOverlay(props: { overlay: FileOverlayOf<"image"> }): JSX.Element {
  const room = useRoom();
  const [isFull, setIsFull] = createSignal(false);
  const [hasFailed, setHasFailed] = createSignal(false);
  const caption = () => visible(props.overlay.caption) || t("image");
  return (
    <Dialog
      title={caption()}
      onClose={room.close}
      wide
      tools={
        <button type="button" aria-pressed={isFull()} onClick={() => setIsFull(!isFull())}>
          {t(isFull() ? "fit" : "full")}
        </button>
      }
    >
      <div class="files-image" classList={{ "files-image-full": isFull() }}>
        <Show when={!hasFailed()} fallback={<p role="alert">{t("imageFailed")}</p>}>
          <img src={props.overlay.url} alt={caption()} onError={() => setHasFailed(true)} />
        </Show>
      </div>
    </Dialog>
  );
}
