// Names made from what is known: a folder's, a file's for an export.

export const PANEL = "session-panel"; // the id of what a tab shows

/// The last part of a path of any system.
export function baseName(path: string): string {
  return path.split(/[\\/]/).filter(Boolean).at(-1) ?? "";
}

const MAX_NAME = 80;

/// A file's name that every system takes.
export function fileName(title: string, extension: string): string {
  const plain = title
    .normalize("NFC")
    .replace(/[^\p{L}\p{N}._-]+/gu, "-")
    .replace(/^[-.]+|[-.]+$/g, "");
  return `${plain.slice(0, MAX_NAME) || "session"}.${extension}`;
}
