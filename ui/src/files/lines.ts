// A file's lines, as its pieces arrive.

export interface FileLine {
  readonly text: string; // without its line ending
}

export class FileLines {
  readonly list: FileLine[] = [];
  endings = { lf: false, crlf: false };
  private isOpen = false; // the last line goes on in the next piece

  feed(piece: string): void {
    const parts = piece.split("\n");
    const endsLine = parts.at(-1) === "";
    if (endsLine) parts.pop();
    for (const [i, part] of parts.entries()) {
      const isEnded = i < parts.length - 1 || endsLine;
      const before = i === 0 && this.isOpen ? this.list.pop()?.text : "";
      this.list.push({ text: isEnded ? this.ended(`${before}${part}`) : `${before}${part}` });
    }
    if (parts.length > 0) this.isOpen = !endsLine;
  }

  private ended(text: string): string {
    const isCrlf = text.endsWith("\r");
    this.endings[isCrlf ? "crlf" : "lf"] = true;
    return isCrlf ? text.slice(0, -1) : text;
  }
}
