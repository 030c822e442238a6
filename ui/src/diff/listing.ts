// The files of a diff for the list beside it: under their folders, filtered.
import type { DiffFile } from "./read/parse";

export interface FolderEntry {
  readonly kind: "folder";
  readonly name: string;
}
export interface FileEntry {
  readonly kind: "file";
  readonly file: DiffFile;
  readonly name: string;
}
export type ListedEntry = FolderEntry | FileEntry;

/// In the order of the diff; a folder is named before the files of it that follow each other.
export function listFiles(files: readonly DiffFile[], filter: string): ListedEntry[] {
  const words = filter.toLowerCase().split(/\s+/).filter(Boolean);
  const entries: ListedEntry[] = [];
  let folder = "";
  for (const file of files) {
    if (!words.every((word) => file.path.toLowerCase().includes(word))) continue;
    const cut = file.path.lastIndexOf("/") + 1;
    if (file.path.slice(0, cut) !== folder) {
      folder = file.path.slice(0, cut);
      entries.push({ kind: "folder", name: folder });
    }
    entries.push({ kind: "file", file, name: file.path.slice(cut) });
  }
  return entries;
}
