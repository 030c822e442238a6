// What the daemon says of its own tables, in the page's other languages; what is missing stays as it was said.
import { type Language, language } from "./texts";

type DocTable = Readonly<Record<string, string>>;
export type Tables = Readonly<Record<Exclude<Language, "en">, DocTable>>;

/// `const doc = makeDocs({ ja: {...}, zh: {...} })`; `doc("/new", "start a new session")`.
export function makeDocs(tables: Tables): (key: string, english: string) => string {
  return (key, english) => lookUp(tables, key, english);
}

export function lookUp(tables: Tables, key: string, english: string): string {
  const now = language();
  return now !== "en" && Object.hasOwn(tables[now], key) ? (tables[now][key] ?? english) : english;
}
