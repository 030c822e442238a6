// Files that are pasted, dropped or picked: carried to the daemon, with their ceilings.
import { type Accessor, createSignal } from "solid-js";
import { MAX_ATTACHED_BYTES } from "../../limits.gen";
import { Lost, Refused, type Room } from "../../state/room";
import { sayFault, visible } from "../../text/visible";
import { t } from "../texts";

export const MAX_AT_ONCE = 20; // files of one paste, drop or pick

export interface Uploading {
  id: string;
  session: string;
  name: string;
}

export interface Attaching {
  uploading: Accessor<readonly Uploading[]>;
  attach(session: string, files: readonly File[]): Promise<void>;
}

export function makeAttaching(room: Room): Attaching {
  const [uploading, setUploading] = createSignal<readonly Uploading[]>([]);

  async function attachOne(session: string, file: File): Promise<void> {
    const name = visible(file.name) || t("unnamedFile");
    if (file.size > MAX_ATTACHED_BYTES) {
      room.toast("error", t("fileTooLarge", { name, max: MAX_ATTACHED_BYTES / (1024 * 1024) }));
      return;
    }
    const one = { id: crypto.randomUUID(), session, name };
    setUploading((all) => [...all, one]);
    try {
      const kept = await room.call("files.attach", {
        session_id: session,
        name,
        data: await readBase64(file),
      });
      // The person's own name for it; the daemon keeps it under one that is its own.
      const added = { name, path: kept.path, mediaType: kept.media_type };
      room.setDraft(session, { files: [...room.draft(session).files, added] });
    } catch (fault) {
      room.toast("error", whyNot(fault, name));
    } finally {
      setUploading((all) => all.filter((each) => each !== one));
    }
  }

  async function attach(session: string, files: readonly File[]): Promise<void> {
    if (files.length > MAX_AT_ONCE) room.toast("warn", t("tooManyFiles", { max: MAX_AT_ONCE }));
    for (const file of files.slice(0, MAX_AT_ONCE)) await attachOne(session, file);
  }

  return { uploading, attach };
}

function whyNot(fault: unknown, name: string): string {
  if (fault instanceof Refused) return sayFault(fault);
  return t(fault instanceof Lost ? "fileLost" : "fileUnreadable", { name });
}

/// Rejects for what cannot be read, such as a folder.
function readBase64(file: File): Promise<string> {
  return new Promise((resolve, reject) => {
    const reader = new FileReader();
    reader.onload = () => resolve(String(reader.result).split(",", 2)[1] ?? "");
    reader.onerror = () => reject(reader.error);
    reader.readAsDataURL(file);
  });
}

/// An office program adds a picture of the text to the text: then the text is pasted.
export function pastedFiles(data: DataTransfer | null): File[] {
  if (!data || data.files.length === 0) return [];
  const isRichText = data.types.includes("text/plain") && data.types.includes("text/html");
  return isRichText ? [] : [...data.files];
}

export interface DropHandlers {
  onFiles(files: File[]): void;
  /// Whether files hang over the page now.
  onOver(over: boolean): void;
}

/// Takes files that are dropped anywhere on the page; gives back how to stop.
export function installDrop(page: Document, handlers: DropHandlers): () => void {
  let depth = 0; // enter and leave come once per element on the way
  const hasFiles = (event: DragEvent) => event.dataTransfer?.types.includes("Files") ?? false;
  const become = (next: number) => {
    depth = Math.max(0, next);
    handlers.onOver(depth > 0);
  };
  const listeners: Record<string, (event: DragEvent) => void> = {
    dragenter: () => become(depth + 1),
    dragleave: () => become(depth - 1),
    dragover: (event) => event.preventDefault(),
    drop: (event) => {
      event.preventDefault(); // or the browser would leave the page for the file
      become(0);
      handlers.onFiles([...(event.dataTransfer?.files ?? [])]);
    },
  };
  const installed = Object.entries(listeners).map(([name, listen]) => {
    const heard = (event: Event) => {
      if (hasFiles(event as DragEvent)) listen(event as DragEvent);
    };
    page.addEventListener(name, heard);
    return () => page.removeEventListener(name, heard);
  });
  return () => {
    for (const remove of installed) remove();
  };
}
