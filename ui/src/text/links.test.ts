import { describe, expect, it } from "vitest";
import { parseLink } from "./links";

const file = (path: string, line?: number, column?: number) => ({
  kind: "file",
  place: { path, ...(line && { line }), ...(column && { column }) },
});
const outside = (url: string) => ({ kind: "external", url });

describe("parseLink", () => {
  it.each([
    ["https://example.org/a?b=c#d", outside("https://example.org/a?b=c#d")],
    ["HTTP://example.org", outside("HTTP://example.org")],
    ["mailto:a@example.org", outside("mailto:a@example.org")],
    ["README.md", file("README.md")],
    ["./docs/spec.md", file("docs/spec.md")],
    ["/README.md", file("README.md")],
    ["../other/a.md", file("../other/a.md")], // the daemon refuses what lies outside
    ["README.md#L10", file("README.md", 10)],
    ["README.md#L10C5", file("README.md", 10, 5)],
    ["README.md#L10-L20", file("README.md", 10)],
    ["README.md#usage", file("README.md")],
    ["src/a.py:12", file("src/a.py", 12)],
    ["src/a.py:12:3", file("src/a.py", 12, 3)],
    ["docs/my%20file.md", file("docs/my file.md")],
    ["Makefile", file("Makefile")],
    ["/home/me/project/src/a.py#L3", file("src/a.py", 3)],
    ["/home/me/projects/b.py", file("home/me/projects/b.py")],
  ])("%s leads somewhere", (address, link) => {
    expect(parseLink(address, "/home/me/project")).toEqual(link);
  });

  it.each([
    ...["javascript:alert(1)", "JaVaScRiPt:alert(1)", "java\nscript:alert(1)", " javascript:alert(1)\u0000"],
    ...["data:text/html,x", "file:///etc/passwd", "vbscript:x", "blob:x", "about:blank"],
    ...[
      "vscode://file/etc",
      "command:x",
      "tel:123",
      "//evil.example/x",
      "\\\\evil\\x",
      "c:\\windows",
      "c:/windows",
    ],
    ...["http:", "https://", "#top", "", "%E0%A4%A", "a%00b", "javascript%3Aalert(1)", "x".repeat(5_000)],
  ])("%s is inert", (address) => {
    expect(parseLink(address)).toBeUndefined();
  });

  it("reads an address of many steps, and none that is longer than the ceiling", () => {
    const steps = "./".repeat(2_000);
    expect(parseLink(`${steps}a`)).toEqual({ kind: "file", place: { path: "a" } });
    expect(parseLink(`${steps}${"a".repeat(97)}`)).toBeUndefined();
  });
});
