// The bar that finds a text in a file.
import { onMount } from "solid-js";
import { MAX_MATCHES } from "./matches";
import { t } from "./texts";

interface FinderProps {
  query: string;
  count: number;
  at: number;
  onQuery: (query: string) => void;
  onAt: (at: number) => void;
  onClose: () => void;
}

export function Finder(props: FinderProps) {
  let input!: HTMLInputElement;
  onMount(() => input.focus());
  const step = (by: number) => {
    if (props.count > 0) props.onAt((props.at + by + props.count) % props.count);
  };
  const onKey = (event: KeyboardEvent) => {
    if (event.isComposing || (event.key !== "Enter" && event.key !== "Escape")) return;
    event.preventDefault();
    event.stopPropagation();
    if (event.key === "Escape") props.onClose();
    else step(event.shiftKey ? -1 : 1);
  };
  const status = () => {
    if (props.query === "") return "";
    if (props.count === 0) return t("foundNone");
    return t(props.count < MAX_MATCHES ? "found" : "foundMany", { at: props.at + 1, n: props.count });
  };
  return (
    <div class="files-finder">
      <input
        ref={input}
        type="search"
        aria-label={t("find")}
        placeholder={t("find")}
        value={props.query}
        onInput={(event) => props.onQuery(event.currentTarget.value)}
        onKeyDown={onKey}
      />
      <span class="files-dim" aria-live="polite">
        {status()}
      </span>
      <button type="button" class="plain" onClick={() => step(-1)}>
        {t("previous")}
      </button>
      <button type="button" class="plain" onClick={() => step(1)}>
        {t("next")}
      </button>
      <button type="button" class="plain" onClick={() => props.onClose()}>
        {t("closeFind")}
      </button>
    </div>
  );
}
