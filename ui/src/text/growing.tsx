// Text that grows: nodes that are appended to, so that a selection in them stays.
import { createRenderEffect, type JSX } from "solid-js";

const PIECE = 4_000; // characters after which a line's end begins another piece

export function GrowingText(props: { text: string }): JSX.Element {
  const node = document.createTextNode("");
  createRenderEffect(() => grow(node, props.text));
  return node;
}

/// Very much text: in pieces of whole lines, of which only the last is laid out again when it grows.
export function GrowingLines(props: { text: string }): JSX.Element {
  const root = document.createElement("span");
  root.className = "text-lines";
  const lines = new ShownLines(root);
  createRenderEffect(() => lines.show(props.text));
  return root;
}

export function grow(node: Text, text: string): void {
  const shown = node.data;
  if (shown === text) return;
  if (text.startsWith(shown)) node.appendData(text.slice(shown.length));
  else node.data = text;
}

class ShownLines {
  private whole = ""; // everything before the last piece, including the line break between them
  private last: Text;

  constructor(private readonly root: HTMLElement) {
    this.last = this.begin();
  }

  show(text: string): void {
    if (!text.startsWith(this.whole)) this.forget();
    let from = this.whole.length;
    for (let end = findEnd(text, from); end >= 0; end = findEnd(text, from)) {
      grow(this.last, text.slice(from, end));
      this.last = this.begin();
      from = end + 1;
    }
    this.whole = text.slice(0, from);
    grow(this.last, text.slice(from));
  }

  private forget(): void {
    this.root.replaceChildren();
    this.whole = "";
    this.last = this.begin();
  }

  private begin(): Text {
    const piece = document.createElement("span");
    const node = document.createTextNode("");
    piece.append(node);
    this.root.append(piece);
    return node;
  }
}

/// The first line break after a full piece. Not one that ends an empty line: no block shows that at its end.
function findEnd(text: string, from: number): number {
  let end = text.indexOf("\n", from + PIECE);
  while (end >= 0 && text[end - 1] === "\n") end = text.indexOf("\n", end + 1);
  return end;
}
