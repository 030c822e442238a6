// The column that holds the blocks in sight: those that stay are never moved, because a move drops a selection.
import { children, createRenderEffect, type JSX } from "solid-js";
import { style } from "solid-js/web";

type Styles = Record<string, string>;

export interface ColumnProps {
  ref?: (element: HTMLElement) => void;
  style?: Styles;
  children?: JSX.Element;
}

export function Column(props: ColumnProps): JSX.Element {
  const element = document.createElement("div");
  const blocks = children(() => props.children);
  createRenderEffect<Styles>((last) => {
    const now = { ...props.style };
    style(element, now, last);
    return last;
  }, {});
  createRenderEffect(() =>
    arrange(
      element,
      blocks.toArray().filter((node) => node instanceof Node),
    ),
  );
  props.ref?.(element);
  return element;
}

/// First out with what goes; what is left keeps its order, so the rest only has to be put between.
export function arrange(parent: Node, wanted: readonly Node[]): void {
  const stays = new Set(wanted);
  for (const node of [...parent.childNodes]) if (!stays.has(node)) parent.removeChild(node);
  let next = parent.firstChild;
  for (const node of wanted) {
    if (node === next) next = next.nextSibling;
    else parent.insertBefore(node, next);
  }
}
