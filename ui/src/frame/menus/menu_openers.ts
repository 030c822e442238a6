// How a context menu is called: a right click, Shift+F10 or the menu key, a long press on glass.
import type { Point } from "./menu";

const LONG_PRESS_MS = 500;
const MOVED = 10; // pixels; further is a scroll

export interface Openers {
  onContextMenu: (event: MouseEvent & { currentTarget: HTMLElement }) => void;
  onKeyDown: (event: KeyboardEvent & { currentTarget: HTMLElement }) => void;
  onPointerDown: (event: PointerEvent & { currentTarget: HTMLElement }) => void;
  onPointerMove: (event: PointerEvent) => void;
  onPointerUp: () => void;
  onPointerCancel: () => void;
}

/// Spread over an element: `<li {...menuOpeners(setAt)}>`.
export function menuOpeners(open: (at: Point) => void): Openers {
  let timer: ReturnType<typeof setTimeout> | undefined;
  let from: Point = { x: 0, y: 0 };
  const letGo = () => clearTimeout(timer);
  return {
    onContextMenu(event) {
      event.preventDefault();
      letGo();
      const byMouse = event.button === 2 || event.clientX + event.clientY > 0;
      open(byMouse ? { x: event.clientX, y: event.clientY } : below(event.currentTarget));
    },
    onKeyDown(event) {
      if (event.key !== "ContextMenu" && !(event.key === "F10" && event.shiftKey)) return;
      event.preventDefault();
      event.stopPropagation();
      open(below(event.currentTarget));
    },
    onPointerDown(event) {
      if (event.pointerType === "mouse") return;
      const element = event.currentTarget;
      from = { x: event.clientX, y: event.clientY };
      letGo();
      timer = setTimeout(() => {
        swallowClick(element);
        open(from);
      }, LONG_PRESS_MS);
    },
    onPointerMove(event) {
      if (Math.hypot(event.clientX - from.x, event.clientY - from.y) > MOVED) letGo();
    },
    onPointerUp: letGo,
    onPointerCancel: letGo,
  };
}

function below(element: HTMLElement): Point {
  const box = element.getBoundingClientRect();
  return { x: box.left, y: box.bottom };
}

/// The finger that goes up after a long press must not press the thing itself.
function swallowClick(element: HTMLElement): void {
  const swallow = (event: Event) => {
    event.preventDefault();
    event.stopPropagation();
  };
  element.addEventListener("click", swallow, { capture: true, once: true });
  const forget = () => setTimeout(() => element.removeEventListener("click", swallow, true), 0);
  window.addEventListener("pointerup", forget, { once: true });
}
