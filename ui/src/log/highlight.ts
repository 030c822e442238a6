// The words that were found, marked where they are drawn; nothing in the document changes for it.

const NAME = "log-found";
const MAX_MARKS = 500;

/// The element of the first one, where any is drawn; no words take the marks away.
export function highlight(root: Element | null, words: readonly string[]): Element | undefined {
  if (typeof Highlight === "undefined" || !CSS.highlights) return root ?? undefined;
  const ranges = root ? words.flatMap((word) => findRanges(root, word.toLowerCase())) : [];
  if (ranges.length === 0) CSS.highlights.delete(NAME);
  else CSS.highlights.set(NAME, new Highlight(...ranges));
  return ranges[0]?.startContainer.parentElement ?? undefined;
}

function findRanges(root: Element, wanted: string): Range[] {
  const ranges: Range[] = [];
  if (!wanted) return ranges;
  const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
  while (walker.nextNode() && ranges.length < MAX_MARKS) {
    const node = walker.currentNode as Text;
    const text = node.data.toLowerCase();
    for (let at = text.indexOf(wanted); at >= 0; at = text.indexOf(wanted, at + wanted.length)) {
      const range = new Range();
      range.setStart(node, at);
      range.setEnd(node, Math.min(at + wanted.length, node.data.length));
      ranges.push(range);
    }
  }
  return ranges;
}
