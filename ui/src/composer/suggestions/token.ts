// The word under the caret that has suggestions: a `/` command at the very start, or an `@` mention.

export interface Token {
  kind: "slash" | "mention";
  start: number;
  end: number; // exclusive
  text: string; // with its sign
}

export interface Edited {
  text: string;
  caret: number;
}

const SPACE = /\s/;
const BLANK = /[ \t]/; // white space that stays on the line
const MAX_WORD = 1_000; // characters; a longer one is no name, and is not walked through with each key

/// At the very start of the text there is none: from there the arrows walk the history.
export function findToken(text: string, caret: number): Token | undefined {
  if (caret <= 0) return undefined;
  return findSlash(text, caret) ?? findMention(text, caret);
}

function findSlash(text: string, caret: number): Token | undefined {
  if (!text.startsWith("/")) return undefined;
  const end = endOfWord(text, 0);
  const word = text.slice(0, end);
  if (caret > end || word.includes("/", 1)) return undefined; // a path is no command
  return { kind: "slash", start: 0, end, text: word };
}

/// A caret that touches a word's end is in it; on white space only the word to the right counts. The word to
/// the left would open the popup again as soon as a choice has added its space.
function findMention(text: string, caret: number): Token | undefined {
  const touches = !SPACE.test(text.charAt(caret - 1));
  const start = touches ? startOfWord(text, caret) : skipBlanks(text, caret);
  if (text.charAt(start) !== "@") return undefined;
  const end = endOfWord(text, start);
  return { kind: "mention", start, end, text: text.slice(start, end) };
}

function startOfWord(text: string, caret: number): number {
  let at = caret;
  const least = Math.max(0, caret - MAX_WORD);
  while (at > least && !SPACE.test(text.charAt(at - 1))) at -= 1;
  return at;
}

function skipBlanks(text: string, caret: number): number {
  let at = caret;
  while (at < text.length && BLANK.test(text.charAt(at))) at += 1;
  return at;
}

function endOfWord(text: string, start: number): number {
  let at = start;
  const most = Math.min(text.length, start + MAX_WORD);
  while (at < most && !SPACE.test(text.charAt(at))) at += 1;
  return at;
}

/// The choice replaces the whole word, followed by a space and the caret.
export function replaceToken(text: string, token: Token, chosen: string): Edited {
  const before = text.slice(0, token.start) + chosen;
  const after = text.slice(token.end);
  const spaced = BLANK.test(after.charAt(0)) ? after : ` ${after}`;
  return { text: before + spaced, caret: before.length + 1 };
}

/// What a mention asks the workspace's files for; `@file:` is an older spelling of `@`, and a name with a blank
/// is quoted.
export function mentionQuery(token: Token): string {
  return token.text
    .slice(1)
    .replace(/^file:/, "")
    .replace(/^"|"$/g, "");
}

const SELECTION = /(?<![^\s([{'"«“‘])@selection(?=[.,;:!?)\]}'"»”’]*(?!\S))/;
const FENCE = /^[ \t]*(`{3,}|~{3,})[^`]*$/;

/// `@selection` as a word of its own and outside of code, as the daemon finds it.
export function mentionsSelection(text: string): boolean {
  let fence = "";
  for (const line of text.split("\n")) {
    const opening = FENCE.exec(line)?.[1];
    if (fence && isClosing(line.trim(), fence)) fence = "";
    else if (!fence && opening) fence = opening;
    else if (!fence && SELECTION.test(line)) return true;
  }
  return false;
}

function isClosing(line: string, fence: string): boolean {
  return line.startsWith(fence) && line.replaceAll(fence.charAt(0), "") === "";
}
