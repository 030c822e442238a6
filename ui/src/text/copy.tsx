// A button that copies a text and says so.
import { createSignal, type JSX, onCleanup } from "solid-js";
import { useRoom } from "../state/room";
import { t } from "./texts";
import { sayFault } from "./visible";
import "./text.css";

const SAID_MS = 2_000;

export function CopyButton(props: { text: string; label?: string }): JSX.Element {
  const room = useRoom();
  const [copied, setCopied] = createSignal(false);
  let timer: ReturnType<typeof setTimeout> | undefined;
  onCleanup(() => clearTimeout(timer));

  const copy = async () => {
    try {
      await room.host.copy(props.text);
    } catch (error) {
      room.toast("error", t("copyFailed", { why: sayFault(error) }));
      return;
    }
    setCopied(true);
    clearTimeout(timer);
    timer = setTimeout(() => setCopied(false), SAID_MS);
  };

  return (
    <button
      type="button"
      class="plain text-copy"
      title={props.label ?? t("copy")}
      onClick={() => void copy()}
    >
      <span aria-live="polite">{copied() ? t("copied") : (props.label ?? t("copy"))}</span>
    </button>
  );
}
