import { describe, expect, it } from "vitest";
import type { Card } from "../../model.gen";
import { baseName, fileName } from "../names";
import { countWaiting, makeTitle } from "./attention";

const card = (status: Card["status"], asks = 0, session_id = "s1"): Card => ({
  session_id,
  title: "Fix the parser",
  workspace: "/home/me/project",
  status,
  asks,
});

describe("the tab", () => {
  it("is named after the session, or the project", () => {
    expect(makeTitle("/home/me/project")).toBe("Bascule – project");
    expect(makeTitle("C:\\work\\project\\")).toBe("Bascule – project");
    expect(makeTitle("")).toBe("Bascule");
    expect(makeTitle("/home/me/project", "Fix the\nparser")).toBe("Fix the parser – project – Bascule");
    expect(makeTitle("", "x".repeat(200))).toBe(`${"x".repeat(59)}… – Bascule`);
  });

  it("counts sessions that wait, not their questions", () => {
    expect(countWaiting([card("working"), card("working", 3), card("waiting_user"), card("completed")])).toBe(
      2,
    );
  });
});

describe("names", () => {
  it("takes the last part of a path", () => {
    expect(baseName("/a/b/")).toBe("b");
    expect(baseName("/")).toBe("");
  });

  it("makes a file's name of any title", () => {
    expect(fileName("Fix ../../etc: 日本語?", "md")).toBe("Fix-..-..-etc-日本語.md");
    expect(fileName("///", "json")).toBe("session.json");
  });
});
