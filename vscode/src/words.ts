// Words of others, as the editor may show them: what hides is spelled out, and nothing in them is a link or an icon.
import { spelt, speltLine } from "../../ui/src/text/spelt";

const MAX_LENGTH = 2_000; // characters of a message
const MAX_TITLE = 200;

export function unlinked(text: string): string {
  return spelt(text).slice(0, MAX_LENGTH).replaceAll("](", "] (");
}

/// One line: for lists, tabs and tooltips, of which some draw `$(name)` as an icon.
export function plainTitle(text: string): string {
  return speltLine(text).slice(0, MAX_TITLE).replaceAll("$(", "$ (");
}
