// The menu "Add context": the active file, the selection, the workspace's summary, any files.
import { Show } from "solid-js";
import { FilePicker } from "../../files/file_picker";
import { PanelButton } from "../../frame/menus/panel_button";
import { language } from "../../i18n/texts";
import { Icon } from "../../icons/icon";
import { useRoom } from "../../state/room";
import { t } from "../texts";
import { addContext, countFiles, type Preview, removeContext, type WantedContext } from "./context";
import { selectedLines, type Whereabouts } from "./whereabouts";

export interface ContextMenuProps {
  session: string;
  where: Whereabouts;
  preview: Preview;
}

export function ContextMenu(props: ContextMenuProps) {
  const room = useRoom();
  const context = () => room.draft(props.session).context;
  const isFull = () =>
    countFiles(context()) >= (props.preview.previewed()?.max_files ?? Number.POSITIVE_INFINITY);
  const add = (wanted: WantedContext) =>
    room.setDraft(props.session, { context: addContext(context(), wanted) });
  const remove = (wanted: WantedContext) =>
    room.setDraft(props.session, { context: removeContext(context(), wanted) });
  const toggle = (kind: Exclude<WantedContext["kind"], "file">, on: boolean) =>
    (on ? remove : add)({ kind, name: "" });
  const selected = () => {
    const selection = props.where.selection();
    return selection ? selectedLines(selection) : undefined;
  };
  const browse = (close: () => void) => {
    close();
    room.openFile(props.session, { path: "" });
  };
  return (
    <PanelButton
      opens="up"
      name={t("addContext")}
      onOpen={() => void props.preview.ask()}
      label={
        <>
          <Icon name="at" /> <span class="composer-word">{t("context")}</span>
        </>
      }
    >
      {(close) => (
        <>
          <button type="button" class="plain composer-row" onClick={() => browse(close)}>
            <span>{t("browse")}</span>
            <span class="composer-row-detail">{t("browseNote")}</span>
          </button>
          <Row
            label={t("activeFile")}
            detail={props.where.file() ?? t("noActiveFile")}
            there={props.where.file() !== undefined}
            on={context().include_active_file ?? false}
            onToggle={(on) => toggle("active_file", on)}
          />
          <Row
            label={t("selection")}
            detail={selected() ?? t("noSelectionYet")}
            there={selected() !== undefined}
            on={context().include_selection ?? false}
            onToggle={(on) => toggle("selection", on)}
          />
          <Row
            label={t("workspaceSummary")}
            detail={t("workspaceSummaryNote")}
            there
            on={context().include_workspace_summary ?? false}
            onToggle={(on) => toggle("workspace_summary", on)}
          />
          <p class="composer-panel-title">{t("files")}</p>
          <Show when={!isFull()}>
            <FilePicker session={props.session} onPick={(name) => add({ kind: "file", name })} />
          </Show>
          <Show when={props.preview.previewed()}>
            {(previewed) => (
              <p class="composer-popup-note" role="status">
                {t("contextLimits", {
                  n: countFiles(context()),
                  max: previewed().max_files,
                  bytes: previewed().max_file_bytes.toLocaleString(language()),
                })}
              </p>
            )}
          </Show>
        </>
      )}
    </PanelButton>
  );
}

function Row(props: {
  label: string;
  detail: string;
  there: boolean;
  on: boolean;
  onToggle: (on: boolean) => void;
}) {
  return (
    <button
      type="button"
      class="plain composer-row"
      aria-pressed={props.on}
      disabled={!props.there && !props.on}
      onClick={() => props.onToggle(props.on)}
    >
      <span>{props.label}</span>
      <span class="composer-row-detail">{props.detail}</span>
    </button>
  );
}
