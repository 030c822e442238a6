// Before lines go to a program that takes each newline for Enter: what they are, and whether to paste them.
import { type JSX, onMount } from "solid-js";
import { visible } from "../../text/visible";
import { t } from "../texts";

export function PasteQuestion(props: {
  text: string;
  onPaste: () => void;
  onCancel: () => void;
}): JSX.Element {
  let cancel!: HTMLButtonElement;
  onMount(() => cancel.focus()); // Enter, pressed by habit after a paste, runs nothing
  const enters = () => props.text.split("\n").length - 1;
  return (
    <div
      class="panes-note panes-paste"
      role="alertdialog"
      aria-label={t("pasteAsk", { n: enters() })}
      onKeyDown={(event) => event.key === "Escape" && props.onCancel()}
    >
      <p>{t("pasteAsk", { n: enters() })}</p>
      <pre tabindex="0">{visible(props.text)}</pre>
      <button ref={cancel} type="button" onClick={() => props.onCancel()}>
        {t("cancel")}
      </button>{" "}
      <button type="button" onClick={() => props.onPaste()}>
        {t("paste")}
      </button>
    </div>
  );
}
