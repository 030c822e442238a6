// What a yes rests on, as it is: nothing taken out, and every character that hides or draws nothing spelt.

const HIDING = /[\p{C}\p{Z}\u115f\u1160\u2800\u3164\uffa0]/gu;
const HONEST = " \n\t\u3000"; // white space that shows what it is

export function spelt(text: string): string {
  return text.replaceAll("\r\n", "\n").replace(HIDING, (char) => (HONEST.includes(char) ? char : name(char)));
}

/// One line: for paths, hosts and addresses.
export function speltLine(text: string): string {
  return spelt(text).replace(/[\n\t]/g, name);
}

function name(char: string): string {
  const code = char.codePointAt(0) ?? 0;
  return `<U+${code.toString(16).toUpperCase().padStart(4, "0")}>`;
}
