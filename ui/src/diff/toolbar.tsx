// The bar over a diff: how much changed, how it is shown, where to go next.
import { createMemo, Show } from "solid-js";
import { Icon } from "../icons/icon";
import type { DiffFile } from "./read/parse";
import { Counts } from "./rows/head_row";
import type { ChangeStep, DiffLayout } from "./rows/rows";
import { t } from "./texts";

interface ToolbarProps {
  files: readonly DiffFile[];
  layout: DiffLayout;
  mayLayout: boolean;
  showsFiles: boolean;
  keys: readonly (string | undefined | false)[];
  onLayout: (layout: DiffLayout) => void;
  onShowFiles: (shows: boolean) => void;
  onStep: (step: ChangeStep) => void;
  /// Every file is collapsed.
  isFolded: boolean;
  onFoldAll: (fold: boolean) => void;
}

export function Toolbar(props: ToolbarProps) {
  const sums = createMemo(() => ({
    additions: props.files.reduce((sum, file) => sum + file.additions, 0),
    deletions: props.files.reduce((sum, file) => sum + file.deletions, 0),
  }));
  return (
    <div class="diff-tools" title={props.keys.filter(Boolean).join(" · ")}>
      <Show when={props.mayLayout && props.files.length > 1}>
        <button
          type="button"
          aria-pressed={props.showsFiles}
          onClick={() => props.onShowFiles(!props.showsFiles)}
        >
          {t("files")}
        </button>
      </Show>
      <span>
        {props.files.length === 1 ? t("oneFile") : t("nFiles", { n: props.files.length.toLocaleString() })}
      </span>
      <Counts {...sums()} />
      <span class="diff-space" />
      <button
        type="button"
        class="plain icon"
        aria-label={t("previous")}
        title={t("previous")}
        onClick={() => props.onStep(-1)}
      >
        <Icon name="arrowUp" />
      </button>
      <button
        type="button"
        class="plain icon"
        aria-label={t("next")}
        title={t("next")}
        onClick={() => props.onStep(1)}
      >
        <Icon name="arrowDown" />
      </button>
      <Show when={props.files.length > 1}>
        <button type="button" class="plain" onClick={() => props.onFoldAll(!props.isFolded)}>
          {t(props.isFolded ? "openAll" : "closeAll")}
        </button>
      </Show>
      <Show when={props.mayLayout}>
        <LayoutSwitch layout={props.layout} onLayout={props.onLayout} />
      </Show>
    </div>
  );
}

function LayoutSwitch(props: { layout: DiffLayout; onLayout: (layout: DiffLayout) => void }) {
  return (
    <div class="diff-switch">
      <button type="button" aria-pressed={props.layout === "split"} onClick={() => props.onLayout("split")}>
        {t("split")}
      </button>
      <button
        type="button"
        aria-pressed={props.layout === "unified"}
        onClick={() => props.onLayout("unified")}
      >
        {t("unified")}
      </button>
    </div>
  );
}
