// What the daemon says as a code and fields, in the person's language; an unknown code stays as it was said.
import { sentence } from "./sentence";
import { fill } from "./texts";

export interface SaidCode {
  readonly code: string;
  readonly fields?: Readonly<Record<string, string | number>>;
}

export function say(said: SaidCode | null | undefined, english: string): string {
  if (!said) return english;
  const text = sentence(said.code, english);
  return text === english || lacks(text, said.fields) ? english : fill(text, said.fields);
}

/// What an older daemon stored has fewer fields: its own words are better than a sentence with gaps.
function lacks(text: string, fields: SaidCode["fields"]): boolean {
  return [...text.matchAll(/\{(\w+)\}/g)].some(([, name]) => !(name && fields && name in fields));
}

/// The setting that a refusal is about; undefined where there is none.
export function settingOf(said: SaidCode | null | undefined): string | undefined {
  const key = said?.fields?.setting;
  return typeof key === "string" && key !== "" ? key : undefined;
}

/// As JSON-RPC errors carry it in their data, which may be anything.
export function readSaid(data: unknown): SaidCode | undefined {
  const said = (data as { said?: unknown } | null | undefined)?.said as Partial<SaidCode> | null | undefined;
  if (typeof said?.code !== "string") return undefined;
  return { code: said.code, fields: typeof said.fields === "object" ? (said.fields ?? {}) : {} };
}
