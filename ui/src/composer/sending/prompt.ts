// A prompt on its way: what was typed, what is attached, and how it is sent to the daemon.
import type { ContextRequest, InputPart, RunInput, RunStartParams, UiContext } from "../../model.gen";
import type { DraftFile } from "../../state/room";
import { attachedLine } from "../../text/attached";

export type How = "queue" | "steer";

export interface Outgoing {
  key: string; // one key is one prompt, however often it is sent
  session: string;
  text: string;
  files: readonly DraftFile[];
  context: ContextRequest;
  how: How;
  where: UiContext; // as it was when it was sent
}

export function isImage(file: DraftFile): boolean {
  return file.mediaType.startsWith("image/");
}

/// Images are parts of their own; any other file is named by its path, for the agent to read.
export function makeInput(text: string, files: readonly DraftFile[]): RunInput {
  const others = files.filter((file) => !isImage(file)).map((file) => attachedLine(file.path));
  const words = [text, ...others].filter(Boolean).join("\n");
  const images = files.filter(isImage);
  if (images.length === 0) return { type: "text", text: words };
  const shown = images.map((file): InputPart => ({ type: "image_url", image_url: { url: file.path } }));
  return { type: "parts", parts: words ? [{ type: "text", text: words }, ...shown] : shown };
}

export function makeStart(out: Outgoing, takeOver: boolean): RunStartParams {
  return {
    session_id: out.session,
    key: out.key,
    how: out.how,
    input: makeInput(out.text, out.files),
    ui_context: out.where,
    ...(isEmpty(out.context) ? {} : { context: out.context }),
    ...(takeOver ? { take_over: true } : {}),
  };
}

export function isEmpty(context: ContextRequest): boolean {
  return (
    !context.include_active_file &&
    !context.include_selection &&
    !context.include_workspace_summary &&
    !context.files?.length
  );
}
