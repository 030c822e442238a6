import { describe, expect, it } from "vitest";
import { sayDuration } from "./duration";

describe("sayDuration", () => {
  it.each([
    [0, "<1 ms"],
    [999, "999 ms"],
    [1_500, "1.5 s"],
    [59_940, "59.9 s"],
    [59_960, "1 min 0 s"],
    [119_700, "2 min 0 s"],
    [3_661_000, "61 min 1 s"],
  ])("%d ms", (ms, said) => {
    expect(sayDuration(ms)).toBe(said);
  });
});
