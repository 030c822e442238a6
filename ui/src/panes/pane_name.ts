// What a pane is called: by the command that runs in it, else its title, else its shell.
import type { Pane } from "../model.gen";
import { visible } from "../text/visible";

/// A program by its own name: there is little room in a tab, and its folder comes first.
export function sayName(pane: Pick<Pane, "command" | "title" | "shell">): string {
  if (!pane.command) return visible(pane.title || pane.shell);
  return visible(pane.command.replace(/^[^\s='"]*\/(?=[^\s/])/, ""));
}
