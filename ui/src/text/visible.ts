// Characters that lie: made visible in names and commands, where a person decides by what they read.

// Direction overrides, zero widths and controls; a line break and a tab are honest.
// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what it looks for
const HIDDEN = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u200b\u200e\u200f\u2028-\u202e\u2060-\u2069\ufeff]/g;

export function visible(text: string): string {
  return text.replace(
    HIDDEN,
    (char) => `⟨${char.charCodeAt(0).toString(16).toUpperCase().padStart(4, "0")}⟩`,
  );
}

/// One line for a label: the first `limit` characters, an ellipsis where there were more.
export function shorten(text: string, limit: number): string {
  const line = text
    .slice(0, limit * 4)
    .split(/\s+/)
    .filter(Boolean)
    .join(" ");
  const cut = line.length > limit || text.length > limit * 4;
  return cut ? `${line.slice(0, limit - 1).trimEnd()}…` : line;
}
