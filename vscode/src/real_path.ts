// A path without links: two names of one file are alike.
import { realpathSync } from "node:fs";
import { basename, dirname, join, resolve } from "node:path";

/// Of what is not there (yet), as far as it is.
export function realOf(path: string): string {
  try {
    return realpathSync.native(path);
  } catch {
    const folder = dirname(path);
    return folder === path ? path : join(realOf(folder), basename(path));
  }
}

/// Those of a folder's `paths` that are among `files`, by whatever names.
export function findAmong(files: readonly string[], workspace: string, paths: readonly string[]): string[] {
  const real = new Set(files.map(realOf));
  return paths.filter((path) => real.has(realOf(resolve(workspace, path))));
}
