// The address of what is shown: `#/s/SESSION` or `#/s/SESSION/BLOCK`, and `#/` for the home page.

export interface Address {
  session: string; // "" is the home page
  block?: string;
  words?: readonly string[]; // that were searched for, to be marked in the block; no part of a link
}

const SESSION = /^#\/s\/([^/]+)(?:\/(.+))?$/;

/// Undefined where the address says nothing: a bookmark of the page itself, a link to sign in.
export function parseAddress(hash: string): Address | undefined {
  if (hash === "#/") return { session: "" };
  const found = SESSION.exec(hash);
  if (!found) return undefined;
  try {
    const [session = "", block] = found.slice(1).map((part) => part && decodeURIComponent(part));
    return block ? { session, block } : { session };
  } catch {
    return undefined; // a broken escape
  }
}

export function sayAddress(address: Address): string {
  if (!address.session) return "#/";
  const block = address.block ? `/${encodeURIComponent(address.block)}` : "";
  return `#/s/${encodeURIComponent(address.session)}${block}`;
}
