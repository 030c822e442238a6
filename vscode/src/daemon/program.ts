// Where `bascule` is: named in the settings, on PATH, installed as a tool, or in the workspace's environment.
import { posix, win32 } from "node:path";

export interface Surroundings {
  setting: string; // `bascule.command`
  path: string; // the variable PATH
  home: string;
  folders: readonly string[]; // of the workspace
  platform: NodeJS.Platform;
  isFile(path: string): boolean;
}

/// A program inside of the workspace can be changed by an agent that works there: a person says yes to it first.
export interface Program {
  command: string;
  isInWorkspace: boolean;
}

/// Undefined where there is none. A setting that names a missing file is not made up for by another place.
export function findProgram(around: Surroundings): Program | undefined {
  const { join, isAbsolute } = pathOf(around);
  if (around.setting) {
    const named = isAbsolute(around.setting) ? [around.setting] : onPath(around, around.setting);
    const found = named.find(around.isFile);
    return found === undefined ? undefined : { command: found, isInWorkspace: false };
  }
  const bin = around.platform === "win32" ? "Scripts" : "bin";
  const places = [
    ...onPath(around, "bascule"),
    ...named(around, join(around.home, ".local", "bin"), "bascule"),
  ];
  const outside = places.find((place) => around.isFile(place) && !isWithin(around, place));
  if (outside !== undefined) return { command: outside, isInWorkspace: false };
  const inside = [
    ...places,
    ...around.folders.flatMap((folder) => named(around, join(folder, ".venv", bin), "bascule")),
  ].find(around.isFile);
  return inside === undefined ? undefined : { command: inside, isInWorkspace: true };
}

function onPath(around: Surroundings, name: string): string[] {
  const { delimiter, isAbsolute } = pathOf(around);
  const folders = around.path.split(delimiter).filter((folder) => isAbsolute(folder)); // none is relative to a workspace
  return folders.flatMap((folder) => named(around, folder, name));
}

function named(around: Surroundings, folder: string, name: string): string[] {
  const place = pathOf(around).join(folder, name);
  return around.platform === "win32" ? [`${place}.exe`, place] : [place];
}

function isWithin(around: Surroundings, place: string): boolean {
  const { relative, isAbsolute } = pathOf(around);
  return around.folders.some((folder) => {
    const way = relative(folder, place);
    return !way.startsWith("..") && !isAbsolute(way);
  });
}

function pathOf(around: Surroundings) {
  return around.platform === "win32" ? win32 : posix;
}
