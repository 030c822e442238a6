// What the daemon says of its own tables, in the page's other languages; what is missing stays as it was said.
import { type Language, language } from "./texts";

type Table = Readonly<Record<string, string>>;

/// `const doc = makeDocs({ ja: {...}, zh: {...} })`; `doc("/new", "start a new session")`.
export function makeDocs(
  tables: Readonly<Record<Exclude<Language, "en">, Table>>,
): (key: string, english: string) => string {
  return (key, english) => {
    const now = language();
    return now !== "en" && Object.hasOwn(tables[now], key) ? (tables[now][key] ?? english) : english;
  };
}
