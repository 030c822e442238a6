// Text that grows: one text node that is appended to, so that a selection in it stays.
import { createRenderEffect, type JSX } from "solid-js";

export function GrowingText(props: { text: string }): JSX.Element {
  const node = document.createTextNode("");
  createRenderEffect(() => grow(node, props.text));
  return node;
}

export function grow(node: Text, text: string): void {
  const shown = node.data;
  if (shown === text) return;
  if (text.startsWith(shown)) node.appendData(text.slice(shown.length));
  else node.data = text;
}
