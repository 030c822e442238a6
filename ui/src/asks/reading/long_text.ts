// A text that a yes rests on, cut into what is drawn: its lines, and runs of blank lines as their number.

/// A text line by line, or so many blank lines in a row.
export type TextPart = { text: string } | { blank: number };

const FEW_BLANK = 2; // blank lines in a row that are shown as they are

export function splitLines(text: string): string[] {
  return text.replace(/\n$/, "").split("\n");
}

/// Nothing is left out but white space, and that is counted.
export function foldBlank(text: string): TextPart[] {
  const parts: TextPart[] = [];
  let lines: string[] = [];
  let blank: string[] = [];
  const endText = () => {
    if (lines.length > 0) parts.push({ text: lines.join("\n") });
    lines = [];
  };
  const endBlank = () => {
    if (blank.length > FEW_BLANK) {
      endText();
      parts.push({ blank: blank.length });
    } else lines.push(...blank);
    blank = [];
  };
  for (const line of splitLines(text)) {
    if (line.trim() === "") {
      blank.push(line);
      continue;
    }
    endBlank();
    lines.push(line);
  }
  endBlank();
  endText();
  return parts;
}

/// The beginning of a text, or undefined where that would be all of it.
export function findBeginning(text: string, maxLines: number, maxLength: number): string | undefined {
  const beginning = text.split("\n").slice(0, maxLines).join("\n").slice(0, maxLength);
  return beginning.length < text.length ? beginning : undefined;
}
