import { beforeEach, describe, expect, it } from "vitest";
import { makeBrowserHost, withCount } from "./browser";
import { badgeText } from "./favicon";

describe("the title", () => {
  it("tells how many wait, and nothing of none", () => {
    expect(withCount("Bascule – project", 2)).toBe("(2) Bascule – project");
    expect(withCount("Bascule – project", 0)).toBe("Bascule – project");
  });

  it("is set on the document", () => {
    makeBrowserHost().setTitle("Bascule – project", 3);
    expect(document.title).toBe("(3) Bascule – project");
  });

  it("has room for one figure on the mark", () => {
    expect([1, 9, 10, 250].map(badgeText)).toEqual(["1", "9", "9+", "9+"]);
  });
});

describe("the storage", () => {
  beforeEach(() => localStorage.clear());

  it("keeps what it was given, under our own name", () => {
    const host = makeBrowserHost();
    host.save("wish", "dark");
    expect(host.load("wish")).toBe("dark");
    expect(localStorage.getItem("bascule:wish")).toBe("dark");
    expect(host.load("never said")).toBeNull();
  });

  it("leaves what is too large", () => {
    const host = makeBrowserHost();
    host.save("huge", "x".repeat(4_000_001));
    expect(host.load("huge")).toBeNull();
  });
});

describe("the theme", () => {
  it.each([
    ["light", "light", false],
    ["dark", "dark", false],
    ["contrast", undefined, true],
    ["system", undefined, false],
  ] as const)("%s", (theme, data, contrast) => {
    makeBrowserHost().setTheme(theme);
    expect(document.documentElement.dataset.theme).toBe(data);
    expect(document.documentElement.hasAttribute("data-contrast")).toBe(contrast);
  });
});
