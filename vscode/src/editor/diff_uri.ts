// The address of one side of a diff: `bascule:/diff/<id>/before/<path>`; whole in itself, so that it outlives a reload.

export const SCHEME = "bascule";

export type Side = "before" | "after";

export interface DiffSide {
  diffId: string;
  side: Side;
  path: string;
  isReverse: boolean; // the diff reverts what is shown: its after is our before
  folder: string; // as the editor names it beside the file, by the manifest's label formatter
}

interface Query {
  folder?: unknown;
  reverse?: unknown;
  side?: unknown;
}

const PATH = /^\/diff\/([^/]+)\/(before|after)\/(.+)$/;

/// In a list of several diffs the editor calls a file renamed whose two paths differ: there both are spelt
/// alike (`spelt`), and the query says which side it is.
export function toParts(
  of: DiffSide,
  spelt: Side = of.side,
): { scheme: string; path: string; query: string } {
  const { diffId, side, path, isReverse, folder } = of;
  const query = { folder, ...(isReverse ? { reverse: true } : {}), ...(spelt === side ? {} : { side }) };
  return { scheme: SCHEME, path: `/diff/${diffId}/${spelt}/${path}`, query: JSON.stringify(query) };
}

export function parseDiffUri(uri: { path: string; query: string }): DiffSide | undefined {
  const found = PATH.exec(uri.path);
  if (!found) return undefined;
  const [, diffId = "", spelt, path = ""] = found;
  const { folder, reverse, side } = parseQuery(uri.query);
  return {
    diffId,
    side: side === "before" || side === "after" ? side : (spelt as Side),
    path,
    isReverse: reverse === true,
    folder: typeof folder === "string" ? folder : "",
  };
}

function parseQuery(text: string): Query {
  try {
    return (JSON.parse(text || "{}") ?? {}) as Query;
  } catch {
    return {};
  }
}
