// What is typed while a field is still on its way, so that the first letters after its key are not lost.

const MAX_MS = 5_000; // a field that has not come by then comes to nobody who types

/// Begins at once; what it gives ends it and tells what was typed until then.
export function catchTyped(): () => string {
  let typed = "";
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.ctrlKey || event.metaKey || event.altKey || event.isComposing) return;
    if (event.key === "Backspace") typed = typed.slice(0, -1);
    else if (event.key.length === 1) typed += event.key;
    else return;
    event.preventDefault();
    event.stopPropagation();
  };
  const end = () => document.removeEventListener("keydown", onKeyDown, true);
  document.addEventListener("keydown", onKeyDown, true);
  const timer = setTimeout(end, MAX_MS);
  return () => {
    clearTimeout(timer);
    end();
    const taken = typed;
    typed = "";
    return taken;
  };
}
