// The address of one side of a diff: `bascule:/diff/<id>/before/<path>`; whole in itself, so that it outlives a reload.

export const SCHEME = "bascule";

export type Side = "before" | "after";

export interface DiffSide {
  diffId: string;
  side: Side;
  path: string;
  isReverse: boolean; // the diff reverts what is shown: its after is our before
}

const PATH = /^\/diff\/([^/]+)\/(before|after)\/(.+)$/;
const REVERSE = "reverse";

export function toParts({ diffId, side, path, isReverse }: DiffSide): {
  scheme: string;
  path: string;
  query: string;
} {
  return { scheme: SCHEME, path: `/diff/${diffId}/${side}/${path}`, query: isReverse ? REVERSE : "" };
}

export function parseDiffUri(uri: { path: string; query: string }): DiffSide | undefined {
  const found = PATH.exec(uri.path);
  if (!found) return undefined;
  const [, diffId = "", side, path = ""] = found;
  return { diffId, side: side as Side, path, isReverse: uri.query === REVERSE };
}
