// Where a prompt of the queue goes when it is moved: its place after it has left its old one.

/// By one step, or undefined at the end.
export function stepTo(keys: readonly string[], key: string, by: -1 | 1): number | undefined {
  const to = keys.indexOf(key) + by;
  return keys.includes(key) && to >= 0 && to < keys.length ? to : undefined;
}

/// Dropped on another one, on its upper or its lower half; undefined where nothing would change.
export function dropTo(
  keys: readonly string[],
  dragged: string,
  over: string,
  below: boolean,
): number | undefined {
  const from = keys.indexOf(dragged);
  const rest = keys.filter((key) => key !== dragged);
  const at = rest.indexOf(over);
  if (from < 0 || at < 0) return undefined;
  const to = below ? at + 1 : at;
  return to === from ? undefined : to;
}
