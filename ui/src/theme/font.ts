// The page's own font, so that it looks the same everywhere: asked for once the list is drawn, never before it.
import { createEffect } from "solid-js";

export function loadFont(isListed: () => boolean): void {
  createEffect(() => {
    if (isListed()) requestAnimationFrame(() => requestAnimationFrame(() => void loadFontNow()));
  });
}

/// Without it the system's font stays.
export function loadFontNow(): Promise<unknown> {
  return import("@fontsource-variable/inter/wght.css").catch(() => undefined);
}
