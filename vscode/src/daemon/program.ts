// Where `bascule` is: named in the settings, on PATH, installed as a tool, or in the workspace's environment.
import { posix, win32 } from "node:path";

export interface Surroundings {
  setting: string; // `bascule.command`
  path: string; // the variable PATH
  home: string;
  folders: readonly string[]; // of the workspace
  platform: NodeJS.Platform;
  isFile(path: string): boolean;
  realOf(path: string): string; // without links; as it is where nothing is there
}

// Environments of projects: an agent that works in that project may write them.
const OF_PROJECTS = /[\\/](\.?venv|node_modules[\\/]\.bin)[\\/]/;

/// A program inside of a project can be changed by an agent that works there: a person says yes to it first.
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
  const isBelow = (folder: string, path: string) => {
    const way = relative(folder, path);
    return !way.startsWith("..") && !isAbsolute(way);
  };
  const real = around.realOf(place);
  if (OF_PROJECTS.test(place) || OF_PROJECTS.test(real)) return true;
  return around.folders.some((folder) => isBelow(folder, place) || isBelow(around.realOf(folder), real));
}

function pathOf(around: Surroundings) {
  return around.platform === "win32" ? win32 : posix;
}
