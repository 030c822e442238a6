import { describe, expect, it } from "vitest";
import { harmlessPaste } from "./bytes";

describe("a paste into a terminal", () => {
  it("cannot end itself and press Enter", () => {
    expect(harmlessPaste("echo harmless\u001b[201~\rtouch EVIL\r")).toBe("echo harmless[201~\rtouch EVIL\r");
    expect(harmlessPaste("a\u009b201~b\u0003")).toBe("a201~b");
  });

  it("keeps lines, tabs and letters of every language", () => {
    expect(harmlessPaste("if x:\r\n\t書く 🙂\n")).toBe("if x:\r\n\t書く 🙂\n");
  });
});
