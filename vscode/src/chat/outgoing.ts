// What a page asks the daemon for, as far as the editor has a say in it: writing files, and running tests.
import { parseSlash } from "../../../ui/src/composer/suggestions/slash";

/// Without an id it is done as well; nobody hears what became of it.
export type Wish = { id?: number | string | undefined } & (
  | { does: "write"; diff: string } // apply a diff, or undo an edit
  | { does: "run"; session: string } // a test, a typed command
  | { does: "answer"; session: string; ask: string; choice: string }
);

/// Of one message; the daemon takes no longer one.
export const MAX_FRAME = 32 * 1024 * 1024; // characters

export interface PageFrame {
  id?: number | string;
  method?: string;
  params?: {
    diff_id?: string;
    undo_id?: string;
    session_id?: string;
    ask_id?: string;
    choice?: string;
    input?: { text?: string };
  };
}

/// One message, as the daemon is to read it; undefined for what is none, too long, or more than one.
export function parseFrame(text: unknown): PageFrame | undefined {
  if (typeof text !== "string" || text.length > MAX_FRAME) return undefined;
  try {
    const frame: unknown = JSON.parse(text);
    return typeof frame === "object" && frame !== null && !Array.isArray(frame) ? frame : undefined;
  } catch {
    return undefined;
  }
}

/// Undefined for everything else.
export function parseWish({ id, method, params }: PageFrame): Wish | undefined {
  if (!params) return undefined;
  switch (method) {
    case "edits.apply":
    case "edits.undo":
      return { id, does: "write", diff: params.diff_id ?? params.undo_id ?? "" };
    case "test.run":
    case "shell.exec":
      return { id, does: "run", session: params.session_id ?? "" };
    case "run.start":
      return parseSlash(params.input?.text ?? "")?.name === "/test"
        ? { id, does: "run", session: params.session_id ?? "" }
        : undefined;
    case "ask.answer":
      return {
        id,
        does: "answer",
        session: params.session_id ?? "",
        ask: params.ask_id ?? "",
        choice: params.choice ?? "",
      };
    default:
      return undefined;
  }
}
