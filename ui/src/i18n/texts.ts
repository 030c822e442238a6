// Texts in three languages: each area keeps its own table beside its components, typed by the English one.
import { createSignal } from "solid-js";

export const LANGUAGES = { en: "English", ja: "日本語", zh: "中文" } as const;
export type Language = keyof typeof LANGUAGES;

type Values = Record<string, string | number>;
type TextTable<K extends string> = Record<K, string>;

const [language, setLanguage] = createSignal<Language>("en");

export { language, setLanguage };

/// The first language that a person reads and that we have.
export function pickLanguage(wanted: readonly string[]): Language {
  const known = wanted.map((tag) => tag.toLowerCase().split("-")[0]);
  return (
    (known.find((tag) => tag !== undefined && Object.hasOwn(LANGUAGES, tag)) as Language | undefined) ?? "en"
  );
}

/// `const t = makeTexts({ en: {...}, ja: {...}, zh: {...} })`; `{name}` in a text is replaced by a value.
export function makeTexts<K extends string>(
  tables: Record<Language, TextTable<K>>,
): (key: K, values?: Values) => string {
  return (key, values) => fill(tables[language()][key], values);
}

export function fill(text: string, values: Values = {}): string {
  return text.replace(/\{(\w+)\}/g, (whole, name: string) => (name in values ? String(values[name]) : whole));
}
