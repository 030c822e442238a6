// Where the terminals are on the page: a button, a key (Ctrl+`), and below the session their dock, loaded when wanted.
import { ErrorBoundary, type JSX, lazy, onCleanup, Show, Suspense } from "solid-js";
import { Icon } from "../../icons/icon";
import { useRoom } from "../../state/room";
import { hideDock, isDockShown, toggleDock } from "./dock_state";
import { t } from "./dock_texts";

const PanesView = lazy(() => import("./panes_view"));

/// Who may type at a terminal of this machine.
function mayType(room: ReturnType<typeof useRoom>): boolean {
  return room.access()?.may?.includes("type") ?? false;
}

export function PanesButton(): JSX.Element {
  const room = useRoom();
  return (
    <Show when={mayType(room)}>
      <button
        type="button"
        class="plain icon frame-top-far"
        aria-expanded={isDockShown()}
        aria-label={t("terminals")}
        title={t(isDockShown() ? "hide" : "show")}
        onClick={toggleDock}
      >
        <Icon name="terminal" />
      </button>
    </Show>
  );
}

export function PanesDock(): JSX.Element {
  const room = useRoom();
  const press = (event: KeyboardEvent) => {
    const isKey = event.code === "Backquote" && event.ctrlKey && !event.altKey && !event.metaKey;
    if (!isKey || event.shiftKey || !mayType(room)) return;
    event.preventDefault();
    event.stopPropagation();
    toggleDock();
  };
  // Before the terminal itself gets it: from there it leads out again.
  document.addEventListener("keydown", press, true);
  onCleanup(() => document.removeEventListener("keydown", press, true));
  return (
    <Show when={isDockShown() && mayType(room)}>
      <ErrorBoundary fallback={(fault) => <Failed why={String(fault?.message ?? fault)} />}>
        <Suspense fallback={<p class="app-loading">{t("loading")}</p>}>
          <PanesView onHide={hideDock} />
        </Suspense>
      </ErrorBoundary>
    </Show>
  );
}

function Failed(props: { why: string }): JSX.Element {
  return (
    <p role="alert" class="app-loading">
      {props.why}{" "}
      <button type="button" onClick={hideDock}>
        {t("close")}
      </button>
    </p>
  );
}
