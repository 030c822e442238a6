// Context sent with a prompt: what was requested, and what the daemon says would be sent.
import { type Accessor, createEffect, createSignal } from "solid-js";
import type { ContextPart, ContextRequest, PreviewedContext, UiContext } from "../../model.gen";
import { Refused, type Room } from "../../state/room";
import { isEmpty } from "../sending/prompt";

export interface WantedContext {
  kind: ContextPart["kind"];
  name: string; // of a file; else empty
}

/// One entry per chip, in the order in which the agent gets them.
export function listWanted(context: ContextRequest): readonly WantedContext[] {
  return [
    ...(context.include_workspace_summary ? [{ kind: "workspace_summary", name: "" } as const] : []),
    ...(context.include_active_file ? [{ kind: "active_file", name: "" } as const] : []),
    ...(context.include_selection ? [{ kind: "selection", name: "" } as const] : []),
    ...(context.files ?? []).map((name) => ({ kind: "file", name }) as const),
  ];
}

const FIELDS = {
  active_file: "include_active_file",
  selection: "include_selection",
  workspace_summary: "include_workspace_summary",
} as const;

export function addContext(context: ContextRequest, wanted: WantedContext): ContextRequest {
  if (wanted.kind !== "file") return { ...context, [FIELDS[wanted.kind]]: true };
  const files = context.files ?? [];
  return files.includes(wanted.name) ? context : { ...context, files: [...files, wanted.name] };
}

export function removeContext(context: ContextRequest, wanted: WantedContext): ContextRequest {
  if (wanted.kind !== "file") return { ...context, [FIELDS[wanted.kind]]: false };
  return { ...context, files: (context.files ?? []).filter((name) => name !== wanted.name) };
}

/// A file that is both named and active is sent once, as the active one.
export function findPart(parts: readonly ContextPart[], wanted: WantedContext): ContextPart | undefined {
  if (wanted.kind !== "file") return parts.find((part) => part.kind === wanted.kind);
  return parts.find(
    (part) => part.name === wanted.name && (part.kind === "file" || part.kind === "active_file"),
  );
}

/// Named files and the active one count; the daemon leaves out what is above its limit.
export function countFiles(context: ContextRequest): number {
  return (context.files?.length ?? 0) + (context.include_active_file ? 1 : 0);
}

export interface Preview {
  previewed: Accessor<PreviewedContext | undefined>;
  /// Why it would be refused, in the daemon's words.
  why: Accessor<string>;
  /// Asks even with nothing wanted: for the limits.
  ask(): Promise<void>;
}

/// Kept in step with what is wanted; only the latest answer counts.
export function makePreview(
  room: Room,
  session: Accessor<string>,
  context: Accessor<ContextRequest>,
  where: Accessor<UiContext>,
): Preview {
  const [previewed, setPreviewed] = createSignal<PreviewedContext>();
  const [why, setWhy] = createSignal("");
  let latest = 0;

  async function ask(): Promise<void> {
    latest += 1;
    const mine = latest;
    const params = { context: context(), session_id: session() };
    try {
      await room.call("ui.context.update", where());
      const answer = await room.call("context.preview", params);
      if (mine !== latest) return;
      setPreviewed(answer);
      setWhy("");
    } catch (fault) {
      if (mine === latest) setWhy(fault instanceof Refused ? fault.message : "");
    }
  }

  createEffect(() => {
    session();
    where();
    setWhy("");
    if (isEmpty(context())) latest += 1;
    else if (room.connection().state === "open") void ask();
  });

  return { previewed, why, ask };
}
