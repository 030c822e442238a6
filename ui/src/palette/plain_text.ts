// One line of Markdown as it would be read aloud: the words, without the marks that only a renderer needs.

const MARKS: readonly (readonly [RegExp, string])[] = [
  [/!?\[([^\][]*)\]\([^()\s]*\)/g, "$1"], // a link, or an image
  [/(^|\s)#{1,6}(?=\s)/g, "$1"],
  [/`{3,}[\w-]*/g, ""],
  [/`([^`]+)`/g, "$1"],
  [/\*\*(?=[^\s*])([^*]*[^\s*])\*\*/g, "$1"],
  [/(?<![\w*])\*(?=[^\s*])([^*]*[^\s*])\*(?![\w*])/g, "$1"],
];
const TABLE = /^\||(^|\s)\|?\s*:?-{3,}/; // as it begins, or under its head
const CELLS = /(^|\s)(?:\||:?-{2,}:?)(?=\s|$)/g;

export function plainText(line: string): string {
  const words = MARKS.reduce((text, [mark, kept]) => text.replace(mark, kept), line);
  const shown = TABLE.test(line) ? words.replace(CELLS, "$1") : words;
  return shown.replace(/\s+/g, " ").trim();
}
