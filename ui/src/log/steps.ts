// From one list of blocks to the next, in steps that change one end only: so the view keeps its place.

export interface LogStep {
  ids: readonly string[];
  atFront: boolean; // blocks came or went at the front: keep the distance to the end
}

export function findSteps(before: readonly string[], after: readonly string[]): LogStep[] {
  if (before.length === 0 || after.length === 0) return [{ ids: after, atFront: false }];
  const front = findFront(before, after);
  if (!front) return isSame(before, after) ? [] : [{ ids: after, atFront: false }];
  return isSame(front, after)
    ? [{ ids: front, atFront: true }]
    : [
        { ids: front, atFront: true },
        { ids: after, atFront: false },
      ];
}

/// The list before, with only its front as it will be; undefined where the front stays.
function findFront(before: readonly string[], after: readonly string[]): readonly string[] | undefined {
  const [oldest, first] = [after[0], before[0]];
  if (oldest === undefined || first === undefined || oldest === first) return undefined;
  const came = after.indexOf(first);
  if (came > 0) return [...after.slice(0, came), ...before];
  const gone = before.indexOf(oldest);
  return gone > 0 ? before.slice(gone) : undefined;
}

function isSame(one: readonly string[], other: readonly string[]): boolean {
  return one.length === other.length && one.every((id, at) => id === other[at]);
}
