// What an approval rests on, with every character that hides or draws nothing spelled out. Shared with VS Code.

// All that draws nothing, as Python's core.plain has it.
const HIDING =
  /[\p{C}\p{Z}]|[\u115f\u1160\u17b4\u17b5\u2800\u2d7f\u3164\uffa0]|\u034f|[\u{1107f}\u{11a47}\u{11a99}\u{16fe4}\u{1d159}\u{1da7f}\u{1da80}]|[\u180b-\u180f]|[\ufe00-\ufe0f]|[\u{e0000}-\u{e0fff}]/gu;
// Hebrew, Arabic and their like, in a pattern: two of them turn around all that stands between them.
export const LEFTWARD =
  "\\u0590-\\u08FF\\uFB1D-\\uFDFF\\uFE70-\\uFEFC\\u{10800}-\\u{10FFF}\\u{1E800}-\\u{1EFFF}";
const HONEST = " \n\t\u3000"; // white space that shows what it is

/// What a yes rests on, as it is: nothing taken out, and every character that hides or draws nothing spelt.
export function spelt(text: string): string {
  return text
    .replaceAll("\r\n", "\n")
    .replace(HIDING, (char) => (HONEST.includes(char) ? char : spell(char)));
}

/// One line of it: for paths, hosts and addresses.
export function speltLine(text: string): string {
  return spelt(text).replace(/[\n\t]/g, spell);
}

export function spell(char: string): string {
  const code = char.codePointAt(0) ?? 0;
  return `<U+${code.toString(16).toUpperCase().padStart(4, "0")}>`;
}
