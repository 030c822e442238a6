// The elements of one Markdown text: settled pieces that are not touched again, and a tail that is rebuilt.
import { batch } from "solid-js";
import { morphChildren, release } from "./morph";
import { type Env, findCuts, renderMarkdown } from "./render";
import type { CodeSlots } from "./slots";

const LAID_OUT = "text-laid-out";

export class Page {
  spent = 0; // ms of the last rendering
  private env: Env = {}; // of the settled pieces
  private references = ""; // as all pieces were last rendered with them
  private settled = ""; // source of all pieces but the tail
  private cuts: number[] = []; // where each of them ends
  private tail: HTMLElement;

  constructor(
    private readonly root: HTMLElement,
    private readonly slots: CodeSlots,
  ) {
    this.tail = this.addPiece();
  }

  show(text: string): void {
    const from = performance.now();
    if (!text.startsWith(this.settled)) this.forget();
    this.markLaidOut();
    this.settle(text);
    const env: Env = { references: { ...this.env.references } }; // the address in a tail may still grow
    this.fill(this.tail, text.slice(this.settled.length), env);
    const references = JSON.stringify(env.references);
    if (references !== this.references && this.settled) this.again(text, env);
    this.references = references;
    this.spent = performance.now() - from;
  }

  /// What a text had settled before it grew has a size that the browser knows: out of sight it need not be
  /// walked through in every frame. A text that does not grow is left as it is, for a size must not be guessed.
  private markLaidOut(): void {
    let piece = this.tail.previousElementSibling;
    for (; piece && !piece.classList.contains(LAID_OUT); piece = piece.previousElementSibling)
      piece.classList.add(LAID_OUT);
  }

  private settle(text: string): void {
    const start = this.settled.length;
    for (const cut of findCuts(text.slice(start))) {
      this.fill(this.tail, text.slice(this.settled.length, start + cut), this.env);
      this.tail = this.addPiece();
      this.settled = text.slice(0, start + cut);
      this.cuts.push(start + cut);
    }
  }

  /// A reference that was defined after its use: render every piece again with what is known now.
  private again(text: string, env: Env): void {
    const pieces = [...this.root.children] as HTMLElement[];
    for (const [at, piece] of pieces.entries())
      this.fill(piece, text.slice(this.cuts[at - 1] ?? 0, this.cuts[at]), env);
  }

  private forget(): void {
    while (this.root.childNodes.length > 1) {
      const extra = this.root.lastChild as Node;
      release(extra, this.slots);
      this.root.removeChild(extra);
    }
    this.tail = this.root.firstChild as HTMLElement;
    this.tail.classList.remove(LAID_OUT);
    this.settled = "";
    this.cuts = [];
    this.env = {};
    this.references = "";
  }

  private addPiece(): HTMLElement {
    const piece = document.createElement("div");
    this.root.appendChild(piece);
    return piece;
  }

  private fill(piece: HTMLElement, source: string, env: Env): void {
    const { fragment, codes } = renderMarkdown(source, env);
    this.slots.codes = codes;
    batch(() => morphChildren(piece, fragment, this.slots));
  }
}
