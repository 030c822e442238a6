// Words of others, as the editor may show them: what hides is spelled out, and nothing in them is a link or an icon.
import { LEFTWARD, spelt, speltLine } from "../../ui/src/text/spelt";

const MAX_LENGTH = 2_000; // characters of a message
const MAX_TITLE = 200;
const EACH_LEFTWARD = new RegExp(`[${LEFTWARD}][${LEFTWARD}\\p{M}]*`, "gu");
const MARK = "\u200e"; // keeps a word that is written from right to left from moving what is beside it

export function unlinked(text: string): string {
  const cut = spelt(text).slice(0, MAX_LENGTH).replaceAll("](", "] (");
  return cut.replace(EACH_LEFTWARD, (word) => MARK + word + MARK);
}

/// One line: for lists, tabs and tooltips, of which some draw `$(name)` as an icon.
export function plainTitle(text: string): string {
  return speltLine(text).slice(0, MAX_TITLE).replaceAll("$(", "$ (");
}
