// Pasted text: only text. A control character in it would be a key that nobody pressed.

// But tab and newline; a lone carriage return is a newline.
// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what it looks for
const KEYS = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/g;

export interface CleanPaste {
  text: string;
  removed: number; // characters
}

export function cleanPaste(text: string): CleanPaste {
  const lines = text.replace(/\r\n?/g, "\n");
  const clean = lines.replace(KEYS, "");
  return { text: clean, removed: lines.length - clean.length };
}

/// A program without bracketed paste takes each newline for Enter.
export function pressesEnter(text: string): boolean {
  return text.includes("\n");
}
