// How well a name fits what was typed: a few plain tiers, so that the same letters always lead to the same place.

const MAX_NAME = 300; // characters of a name that are looked at
const MAX_FUZZY = 100; // of a name that is abbreviated

export interface Sought {
  query: string; // folded, its words one space apart
  words: readonly string[];
}

/// A name as it is compared, made once for each.
export interface Name {
  label: string;
  also: string; // found by these words too
}

export function fold(text: string): string {
  return text.slice(0, MAX_NAME).normalize("NFKC").toLowerCase();
}

export function parseSought(typed: string): Sought {
  const words = fold(typed).split(/\s+/).filter(Boolean);
  return { query: words.join(" "), words };
}

/// 0 is the best; undefined does not fit. Equal, begins so, all words begin a word of it, all words are in it,
/// they are in what else it is found by, and last an abbreviation: "ns" or "newse" for "New session".
export function findTier(name: Name, { query, words }: Sought): number | undefined {
  const { label, also } = name;
  if (label === query) return 0;
  if (label.startsWith(query)) return 1;
  const inLabel = words.map((word) => label.includes(word));
  if (inLabel.every(Boolean)) return words.every((word) => beginsWord(label, word)) ? 2 : 3;
  if (words.every((word, at) => inLabel[at] || also.includes(word))) return 4;
  return words.length === 1 && query.length > 1 && isAbbreviation(label, query) ? 5 : undefined;
}

function beginsWord(text: string, word: string): boolean {
  for (let at = text.indexOf(word); at >= 0; at = text.indexOf(word, at + 1))
    if (isWordStart(text, at)) return true;
  return false;
}

function isWordStart(text: string, at: number): boolean {
  return at === 0 || !/[\p{L}\p{N}]/u.test(text[at - 1] ?? "");
}

/// Each letter begins a word, or follows the letter before it.
function isAbbreviation(text: string, letters: string): boolean {
  if (!hasInOrder(text, letters)) return false;
  let ends: readonly number[] = [-1]; // where the letters so far may end
  for (const [place, letter] of [...letters].entries()) {
    const next: number[] = [];
    for (let at = 0; at < Math.min(text.length, MAX_FUZZY); at++) {
      if (text[at] !== letter) continue;
      const follows = place > 0 && ends.includes(at - 1);
      if (follows || (isWordStart(text, at) && ends.some((end) => end < at))) next.push(at);
    }
    if (next.length === 0) return false;
    ends = next;
  }
  return true;
}

/// Cheap, and false for nearly all.
function hasInOrder(text: string, letters: string): boolean {
  let at = 0;
  for (const letter of letters) {
    at = text.indexOf(letter, at) + 1;
    if (at === 0) return false;
  }
  return true;
}
