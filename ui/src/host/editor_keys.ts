// In an editor's webview every key that reaches the window is the editor's too: what the page has taken must not.

/// A release of Alt after such a key is no press of Alt alone, which would open the editor's menu.
export function keepTakenKeys(until: { signal?: AbortSignal } = {}): void {
  let isAltOurs = false;
  const keep = (event: KeyboardEvent) => {
    if (!event.defaultPrevented) return;
    event.stopPropagation();
    isAltOurs = event.altKey;
  };
  const goLast = () => {
    document.removeEventListener("keydown", keep); // the page's own listeners are on the document as well
    document.addEventListener("keydown", keep, until);
  };
  const release = (event: KeyboardEvent) => {
    if (event.key !== "Alt") return;
    if (isAltOurs) event.stopPropagation();
    isAltOurs = false;
  };
  addEventListener("keydown", goLast, { ...until, capture: true });
  document.addEventListener("keyup", release, until);
}
