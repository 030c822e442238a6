// What is typed and pasted, in order and in pieces: the next one goes when the program has taken the one before.
import { toBase64 } from "../bytes";

const MAX_PIECE = 32 * 1024; // bytes
export const MAX_WAITING = 8 * 1024 * 1024;

export type Send = (data: string) => Promise<unknown>;

export class PaneInput {
  private waiting: Uint8Array[] = [];
  private bytes = 0;
  private isSending = false;

  /// `refused` gets the reason; what was typed since then is dropped, because it would come out of order.
  constructor(
    private readonly send: Send,
    private readonly refused: (reason: unknown) => void,
  ) {}

  /// False when too much waits already; then nothing of it is taken.
  put(data: Uint8Array): boolean {
    if (this.bytes + data.length > MAX_WAITING) return false;
    for (let at = 0; at < data.length; at += MAX_PIECE) this.waiting.push(data.subarray(at, at + MAX_PIECE));
    this.bytes += data.length;
    if (!this.isSending) void this.drain();
    return true;
  }

  private async drain(): Promise<void> {
    this.isSending = true;
    while (this.waiting.length > 0) {
      const piece = this.takePiece();
      this.bytes -= piece.length;
      try {
        await this.send(toBase64(piece));
      } catch (reason) {
        this.waiting = [];
        this.bytes = 0;
        this.refused(reason);
      }
    }
    this.isSending = false;
  }

  /// Keys that were pressed while the last ones travelled go together.
  private takePiece(): Uint8Array {
    let size = 0;
    let count = 0;
    for (const one of this.waiting) {
      if (count > 0 && size + one.length > MAX_PIECE) break;
      size += one.length;
      count += 1;
    }
    const piece = new Uint8Array(size);
    let at = 0;
    for (const one of this.waiting.splice(0, count)) {
      piece.set(one, at);
      at += one.length;
    }
    return piece;
  }
}
