import { expect, test } from "vitest";
import { shortAge, shortTime } from "./times";

test.each([
  [0, "0 s"],
  [59_999, "59 s"],
  [61_000, "1 min"],
  [3_660_000, "1 h 1 min"],
  [-5, "0 s"],
])("an age of %i ms", (ms, said) => {
  expect(shortAge(ms)).toBe(said);
});

test("a time of another day has its date, and what is no time stays", () => {
  const now = Date.parse("2026-11-17T12:00:00Z");
  expect(shortTime("2026-11-17T11:00:00Z", now)).not.toMatch(/Nov/);
  expect(shortTime("2026-11-10T11:00:00Z", now)).toMatch(/Nov/);
  expect(shortTime("soon", now)).toBe("soon");
});
