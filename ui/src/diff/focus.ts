// The focus goes to what can be walked by keys, whether it is there from the start or comes later.
import { onMount } from "solid-js";

const TYPED_INTO = "input, textarea, select";

/// For a `ref`: a dialog that opens with it finds it; if the dialog was open before, it takes the focus.
export function takesFocus(element: HTMLElement): void {
  element.setAttribute("autofocus", "");
  onMount(() => {
    const now = document.activeElement;
    if (element.isConnected && !now?.matches(TYPED_INTO)) element.focus({ preventScroll: true });
  });
}
