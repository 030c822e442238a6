// Words of others, as the editor may show them: what hides is spelled out, and nothing in them is a link or an icon.
import { spelt } from "../../ui/src/text/spelt";

const MAX_LENGTH = 2_000; // characters of a message

export function unlinked(text: string): string {
  return spelt(text).slice(0, MAX_LENGTH).replaceAll("](", "] (");
}
