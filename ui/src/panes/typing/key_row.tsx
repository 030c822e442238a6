// Keys that a phone's keyboard lacks; shown where a finger is the pointer.
import { For, type JSX } from "solid-js";
import { t } from "../texts";

const KEYS: readonly (readonly [string, string])[] = [
  ["Esc", "\x1b"],
  ["Tab", "\t"],
  ["Ctrl+C", "\x03"],
  ["Ctrl+D", "\x04"],
  ["↑", "\x1b[A"],
  ["↓", "\x1b[B"],
  ["←", "\x1b[D"],
  ["→", "\x1b[C"],
];

export function KeyRow(props: { onKeys: (keys: string) => void; onPaste: () => void }): JSX.Element {
  return (
    <div class="panes-keys" role="toolbar" aria-label={t("keys")}>
      <For each={KEYS}>
        {([label, keys]) => (
          <button type="button" onClick={() => props.onKeys(keys)}>
            {label}
          </button>
        )}
      </For>
      <button type="button" onClick={() => props.onPaste()}>
        {t("paste")}
      </button>
    </div>
  );
}
