// The few keys that a terminal does not get: copy, paste, find, and the way out.

export type PaneKey = "copy" | "paste" | "find" | "leave";

type PaneKeyPress = Pick<KeyboardEvent, "code" | "ctrlKey" | "shiftKey" | "metaKey" | "altKey">;

/// With Ctrl and Shift, because Ctrl alone is the program's; on a Mac with Cmd. Copying needs something chosen.
export function findPaneKey(press: PaneKeyPress, hasSelection: boolean): PaneKey | undefined {
  if (press.altKey) return undefined;
  if (press.code === "F6" && press.ctrlKey) return "leave";
  const isOurs = press.metaKey ? !press.ctrlKey : press.ctrlKey && press.shiftKey;
  if (!isOurs) return undefined;
  switch (press.code) {
    case "KeyC":
      return press.ctrlKey || hasSelection ? "copy" : undefined;
    case "KeyV":
      return "paste";
    case "KeyF":
      return "find";
    default:
      return undefined;
  }
}
