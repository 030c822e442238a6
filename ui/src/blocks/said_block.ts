// A block's own title and text in the person's language; times are spelt as everywhere else.
import { type SaidCode, say } from "../i18n/said";
import { sayDuration } from "./duration";

export function sayTitle(said: SaidCode | null | undefined, english: string): string {
  return english && say(timed(said), english);
}

export function sayText(said: SaidCode | null | undefined, english: string): string {
  return english && said ? say({ ...said, code: `${said.code}.text` }, english) : english;
}

function timed(said: SaidCode | null | undefined): SaidCode | null | undefined {
  const ms = said?.fields?.ms;
  if (!said || typeof ms !== "number") return said;
  return { ...said, fields: { ...said.fields, time: sayDuration(ms) } };
}
