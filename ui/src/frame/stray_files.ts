// Files dropped where nothing accepts them: the browser would navigate away to open them.
import { onCleanup, onMount } from "solid-js";

export function refuseStrayFiles(): void {
  const refuse = (event: DragEvent) => {
    if (event.defaultPrevented || !event.dataTransfer?.types.includes("Files")) return;
    event.preventDefault();
    event.dataTransfer.dropEffect = "none";
  };
  onMount(() => {
    window.addEventListener("dragover", refuse);
    window.addEventListener("drop", refuse);
  });
  onCleanup(() => {
    window.removeEventListener("dragover", refuse);
    window.removeEventListener("drop", refuse);
  });
}
