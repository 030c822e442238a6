// What the filters offer: the agents and projects of the sessions, in an order that does not change as they work.
import { baseName } from "../frame/names";
import { shownPath } from "../text/paths";
import { visible } from "../text/visible";
import type { HomeEntry } from "./entries";

const MAX_FOLDERS = 100; // in the menu: those of the latest sessions

export function listAgents(entries: readonly HomeEntry[]): readonly string[] {
  return [...new Set(entries.map((entry) => entry.agent))].sort();
}

/// Each folder with its name; the whole path where two have the same name. None is "".
export function nameFolders(entries: readonly HomeEntry[]): ReadonlyMap<string, string> {
  const folders = [...new Set(entries.map((entry) => entry.folder))].slice(0, MAX_FOLDERS);
  const count = new Map<string, number>();
  for (const folder of folders) count.set(baseName(folder), (count.get(baseName(folder)) ?? 0) + 1);
  const named = folders.map((folder) => {
    const name = baseName(folder);
    return [folder, count.get(name) === 1 ? visible(name) : shownPath(folder)] as const;
  });
  return new Map(named.sort(([a, one], [b, other]) => one.localeCompare(other) || (a < b ? -1 : 1)));
}
