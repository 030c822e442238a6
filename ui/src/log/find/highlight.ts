// The words that were found, marked where they are drawn; nothing in the document changes for it.

const NAME = "log-found";
const NOW = "log-found-now"; // the one that the reader is at
const MAX_MARKS = 500;

/// Marks all that are drawn; no words take the marks away.
export function markAll(root: Element | undefined, words: readonly string[]): void {
  paint(NAME, root ? findAll(root, words) : []);
}

/// Marks the one wanted, or the last where fewer are drawn, and gives it; no words take the mark away.
export function highlight(root: Element | null, words: readonly string[], nth = 0): Range | undefined {
  const ranges = root ? findAll(root, words) : [];
  const now = ranges[Math.min(nth, ranges.length - 1)];
  paint(NOW, now ? [now] : []);
  return now;
}

function findAll(root: Element, words: readonly string[]): Range[] {
  return words.flatMap((word) => findRanges(root, word.toLowerCase()));
}

function paint(name: string, ranges: readonly Range[]): void {
  if (typeof Highlight === "undefined" || !CSS.highlights) return;
  if (ranges.length === 0) CSS.highlights.delete(name);
  else {
    const marks = new Highlight(...ranges);
    marks.priority = name === NOW ? 1 : 0; // over the others
    CSS.highlights.set(name, marks);
  }
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
