// Lines out of chunks of bytes: complete, in order, and no longer than they may be.

export const MAX_LINE = 64 * 1024 * 1024; // bytes; the daemon's own ceiling for a frame is lower

const NEWLINE = 10;

export class Overlong extends Error {
  constructor() {
    super(`A line has more than ${MAX_LINE} bytes.`);
  }
}

export class Lines {
  private parts: Buffer[] = [];
  private size = 0;

  constructor(private readonly max = MAX_LINE) {}

  /// The lines that this chunk completes. A piece of a line waits for the rest, uncopied.
  feed(chunk: Buffer): string[] {
    const lines: string[] = [];
    let start = 0;
    for (let at = chunk.indexOf(NEWLINE); at !== -1; at = chunk.indexOf(NEWLINE, start)) {
      lines.push(this.take(chunk.subarray(start, at)));
      start = at + 1;
    }
    this.keep(chunk.subarray(start));
    return lines;
  }

  private take(last: Buffer): string {
    this.keep(last);
    const line = Buffer.concat(this.parts).toString("utf8");
    this.parts = [];
    this.size = 0;
    return line;
  }

  private keep(part: Buffer): void {
    this.size += part.length;
    if (this.size > this.max) throw new Overlong();
    if (part.length > 0) this.parts.push(part);
  }
}
