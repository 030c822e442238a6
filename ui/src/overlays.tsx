// Overlays on top of the log, loaded on first use.
import { ErrorBoundary, Index, lazy, Match, Suspense, Switch } from "solid-js";
import { t } from "./app_texts";
import { focusComposer } from "./composer/input/focus";
import { Dialog } from "./frame/dialogs/dialog";
import { RenameOverlay } from "./frame/session/rename_overlay";
import type { PaletteReach } from "./palette/entries";
import { type Overlay, useRoom } from "./state/room";

const FileOverlay = lazy(() => import("./files/overlays").then((all) => ({ default: all.FileOverlay })));
const ImageOverlay = lazy(() => import("./files/overlays").then((all) => ({ default: all.ImageOverlay })));
const SettingsOverlay = lazy(() =>
  import("./settings/settings_overlay").then((all) => ({ default: all.SettingsOverlay })),
);
const EnrolOverlay = lazy(() =>
  import("./devices/enrol_overlay").then((all) => ({ default: all.EnrolOverlay })),
);
const HelpOverlay = lazy(() =>
  import("./settings/help_overlay").then((all) => ({ default: all.HelpOverlay })),
);

const FolderOverlay = lazy(() =>
  import("./welcome/folder_overlay").then((all) => ({ default: all.FolderOverlay })),
);
const DeletedOverlay = lazy(() =>
  import("./frame/session/deleted_overlay").then((all) => ({ default: all.DeletedOverlay })),
);

const Palette = lazy(() => import("./palette/palette").then((all) => ({ default: all.Palette })));

type OverlayOf<K extends Overlay["kind"]> = Extract<Overlay, { kind: K }>;

export function Overlays(props: { reach: PaletteReach }) {
  const room = useRoom();
  return (
    <Index each={room.overlays()}>{(overlay) => <Layer overlay={overlay()} reach={props.reach} />}</Index>
  );
}

/// Each waits and fails by itself: what is under it stays.
function Layer(props: { overlay: Overlay; reach: PaletteReach }) {
  const room = useRoom();
  const is = <K extends Overlay["kind"]>(kind: K): OverlayOf<K> | undefined =>
    props.overlay.kind === kind ? (props.overlay as OverlayOf<K>) : undefined;
  /// Focus the prompt if no other overlay covers it, after the dialog has returned the focus.
  const mentioned = () => {
    room.close();
    if (!room.overlay()) queueMicrotask(focusComposer);
  };
  return (
    <ErrorBoundary
      fallback={(fault, again) => <Failed why={String(fault?.message ?? fault)} again={again} />}
    >
      <Suspense>
        <Switch>
          <Match when={is("file")}>
            {(overlay) => <FileOverlay overlay={overlay()} onMentioned={mentioned} />}
          </Match>
          <Match when={is("image")}>{(overlay) => <ImageOverlay overlay={overlay()} />}</Match>
          <Match when={is("palette")}>
            {(overlay) => <Palette reach={props.reach} ahead={overlay().ahead} />}
          </Match>
          <Match when={is("rename")}>{(overlay) => <RenameOverlay session={overlay().session} />}</Match>
          <Match when={is("settings")}>{(overlay) => <SettingsOverlay at={overlay().at} />}</Match>
          <Match when={is("enrol")}>{(overlay) => <EnrolOverlay code={overlay().code} />}</Match>
          <Match when={is("folders")}>
            <FolderOverlay onStarted={props.reach.onOpened} />
          </Match>
          <Match when={is("deleted")}>
            <DeletedOverlay />
          </Match>
          <Match when={is("help")}>
            <HelpOverlay />
          </Match>
        </Switch>
      </Suspense>
    </ErrorBoundary>
  );
}

function Failed(props: { why: string; again: () => void }) {
  const room = useRoom();
  const close = () => {
    room.close();
    props.again();
  };
  return (
    <Dialog title="Bascule" onClose={close}>
      <p role="alert">{t("overlayFailed", { why: props.why })}</p>
    </Dialog>
  );
}
