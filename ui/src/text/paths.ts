// Paths as a person reads them: their own folder is ~, and nothing in them hides.
import { createSignal } from "solid-js";
import { visible } from "./visible";

const [home, setHome] = createSignal("");

/// As the daemon reports it; "" until then.
export { setHome };

export function fromHome(path: string): string {
  return shortenHome(path, home());
}

export function shownPath(path: string): string {
  return visible(fromHome(path));
}

/// A home that is a root shortens nothing.
export function shortenHome(path: string, ofPerson: string): string {
  if (ofPerson.length < 2 || !path.startsWith(ofPerson)) return path;
  const rest = path.slice(ofPerson.length);
  return rest === "" || /^[\\/]/.test(rest) ? `~${rest}` : path;
}
