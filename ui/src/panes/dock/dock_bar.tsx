// The dock's bar: a tab for each group of terminals, and what can be done with the one that has the keys.
import { createEffect, createSignal, Index, type JSX, Show } from "solid-js";
import { Dialog } from "../../frame/dialogs/dialog";
import { Icon, type IconName } from "../../icons/icon";
import { shownPath } from "../../text/paths";
import { sayName } from "../pane_name";
import type { PaneStore } from "../store";
import { t } from "../texts";
import { listPanes, type PaneLayout, type SplitDirection, type Tree, tabOf } from "./layout";

export interface DockBarProps {
  store: PaneStore;
  layout: PaneLayout;
  isMaximized: boolean;
  onActive: (id: string) => void;
  onOpen: (way?: SplitDirection) => void;
  onFind: () => void;
  onClose: (id: string) => void;
  onMaximize: () => void;
  onHide: () => void;
}

export function DockBar(props: DockBarProps): JSX.Element {
  const [asked, setAsked] = createSignal(""); // the pane whose program would end
  const active = () => props.store.find(props.layout.active);
  const close = () => {
    const pane = active();
    if (!pane) return;
    if (pane.state === "running" && pane.command) setAsked(pane.pane_id);
    else props.onClose(pane.pane_id);
  };
  return (
    <div class="panes-bar">
      <div class="panes-tabs" role="tablist" aria-label={t("terminals")}>
        <Index each={props.layout.tabs}>{(tab) => <DockTab tab={tab()} {...props} />}</Index>
      </div>
      <BarButton icon="plus" label={t("newTab")} onClick={() => props.onOpen()} />
      <span class="panes-gap" />
      <Show when={active()}>
        <BarButton icon="columns" label={t("splitRight")} isWide onClick={() => props.onOpen("row")} />
        <BarButton icon="rows" label={t("splitDown")} isWide onClick={() => props.onOpen("column")} />
        <BarButton icon="search" label={t("find")} onClick={() => props.onFind()} />
        <BarButton icon="close" label={t("closePane")} onClick={close} />
      </Show>
      <span class="panes-bar-line" />
      <BarButton
        isWide
        icon={props.isMaximized ? "minimize" : "maximize"}
        label={t(props.isMaximized ? "restore" : "maximize")}
        onClick={() => props.onMaximize()}
      />
      <BarButton icon="down" label={t("hide")} onClick={() => props.onHide()} />
      <Show when={props.store.find(asked())}>
        {(pane) => (
          <Dialog
            title={t("closePane")}
            onClose={() => setAsked("")}
            footer={
              <>
                <button type="button" onClick={() => setAsked("")}>
                  {t("cancel")}
                </button>
                <button
                  type="button"
                  class="danger"
                  onClick={() => {
                    props.onClose(pane().pane_id);
                    setAsked("");
                  }}
                >
                  {t("close")}
                </button>
              </>
            }
          >
            <p>{t("closeRunning", { what: sayName(pane()) || t("running") })}</p>
          </Dialog>
        )}
      </Show>
    </div>
  );
}

function DockTab(props: DockBarProps & { tab: Tree }): JSX.Element {
  const ids = () => listPanes(props.tab);
  const isChosen = () => tabOf(props.layout, props.layout.active) === props.tab;
  const first = () => {
    const id = isChosen() ? props.layout.active : ids()[0];
    return props.store.find(id ?? "");
  };
  const sayFirst = () => {
    const pane = first();
    return pane ? sayName(pane) : "";
  };
  const walk = (event: KeyboardEvent) => {
    const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    if (step === undefined) return;
    const at = props.layout.tabs.indexOf(props.tab) + step;
    const next = props.layout.tabs[at];
    if (!next) return;
    event.preventDefault();
    props.onActive(listPanes(next)[0] ?? "");
  };
  let tab!: HTMLButtonElement;
  createEffect(() => {
    if (!isChosen() || !sayFirst()) return;
    requestAnimationFrame(() => tab.scrollIntoView({ block: "nearest", inline: "nearest" })); // others fill the bar
  });
  return (
    <button
      ref={tab}
      type="button"
      role="tab"
      class="panes-tab"
      aria-selected={isChosen()}
      tabindex={isChosen() ? 0 : -1}
      title={shownPath(first()?.cwd ?? "")}
      onClick={() => props.onActive((isChosen() ? props.layout.active : ids()[0]) ?? "")}
      onKeyDown={walk}
    >
      <Icon name="terminal" />
      <span class="panes-tab-name">{sayFirst()}</span>
      <Show when={ids().length > 1}>
        <span class="panes-tab-count">{ids().length}</span>
      </Show>
    </button>
  );
}

/// `isWide`: of no use on a phone.
function BarButton(props: {
  icon: IconName;
  label: string;
  isWide?: boolean;
  onClick: () => void;
}): JSX.Element {
  return (
    <button
      type="button"
      class="plain icon"
      classList={{ "panes-wide": props.isWide }}
      aria-label={props.label}
      title={props.label}
      onClick={() => props.onClick()}
    >
      <Icon name={props.icon} />
    </button>
  );
}
