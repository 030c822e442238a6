// What the page in an editor's webview and the extension that shows it say to each other.
import type { UiContext } from "../model.gen";
import type { Place } from "./host";

/// What the page begins with: in the webview's HTML, as JSON in the element of this id.
export const START_ID = "bascule-start";

export interface Start {
  workspace: string; // the first folder of the window; "" without one
  languages: readonly string[];
  session?: string; // the one that this tab was opened for
  stored: Readonly<Record<string, string>>; // what pages of this window have saved
  fileBase: string; // the webview's own address of the file system's root
  context?: EditorContext;
}

/// What the person looks at in the editor.
export interface EditorContext extends UiContext {
  open_files: readonly string[]; // of the folder, the latest first
}

export interface WantedDiff {
  session: string;
  diffId?: string | undefined; // without one, the changes of the session's latest run
  title: string;
}

/// `wire` numbers the connections of one page, so that a late word of an old one is not heard.
export type ToEditor =
  | { type: "connect"; wire: number }
  | { type: "send"; wire: number; frame: string }
  | { type: "disconnect"; wire: number }
  | { type: "save"; key: string; value: string }
  | { type: "shown"; session: string }
  | { type: "used" } // somebody clicked or typed in it
  | { type: "step" } // what `closed` offered is wanted
  | { type: "title"; title: string }
  | { type: "openFile"; workspace: string; place: Place }
  | { type: "openDiff"; diff: WantedDiff }
  | { type: "openExternal"; url: string }
  | { type: "saveFile"; name: string; text: string };

export type ToPage =
  | { type: "opened"; wire: number }
  | { type: "frame"; wire: number; frame: string }
  | { type: "closed"; wire: number; why: string; step?: string } // the words of a button that helps
  | { type: "stored"; key: string; value: string }
  | { type: "context"; context: EditorContext }
  | { type: "insert"; text: string }
  | { type: "show"; session: string };
