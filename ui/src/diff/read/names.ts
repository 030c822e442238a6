// Names of files as Git writes them in a diff's header.

export const NOWHERE = "/dev/null";

const ESCAPES: Record<string, string> = { n: "\n", t: "\t", r: "\r", '"': '"', "\\": "\\" };

/// A name after `--- ` or `+++ `: without its timestamp, its quotes and its `a/` or `b/`.
export function plainName(written: string): string {
  const name = unquoted(written.split("\t", 1)[0]?.trimEnd() ?? "");
  return name === NOWHERE ? name : name.replace(/^[ab]\//, "");
}

/// A name after `rename from `: it has no prefix.
export function unquoted(name: string): string {
  return name.length > 1 && name.startsWith('"') && name.endsWith('"') ? unescaped(name.slice(1, -1)) : name;
}

/// Both names of `diff --git a/x b/x`; a name with spaces is recognised because it appears twice.
export function gitNames(rest: string): readonly [string, string] {
  const half = (rest.length - 1) / 2;
  if (rest[half] === " " && rest.slice(2, half) === rest.slice(half + 3)) {
    return [plainName(rest.slice(0, half)), plainName(rest.slice(half + 1))];
  }
  const quoted = /^("(?:[^"\\]|\\.)*"|\S+) (.+)$/.exec(rest);
  return quoted ? [plainName(quoted[1] ?? ""), plainName(quoted[2] ?? "")] : ["", ""];
}

/// Git writes bytes outside of ASCII in octal.
function unescaped(name: string): string {
  const bytes: number[] = [];
  const encoder = new TextEncoder();
  for (const [whole, octal, sign] of name.matchAll(/\\([0-7]{3})|\\(.)|[^\\]+|\\/gsu)) {
    if (octal) bytes.push(Number.parseInt(octal, 8) & 0xff);
    else bytes.push(...encoder.encode(sign ? (ESCAPES[sign] ?? whole) : whole));
  }
  return new TextDecoder().decode(new Uint8Array(bytes));
}
