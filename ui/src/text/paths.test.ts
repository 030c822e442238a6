import { afterEach, describe, expect, it } from "vitest";
import { setHome, shortenHome, shownPath } from "./paths";

describe("a path", () => {
  afterEach(() => setHome(""));

  it.each([
    ["/home/ann/app", "/home/ann", "~/app"],
    ["/home/ann", "/home/ann", "~"],
    ["/home/anna/app", "/home/ann", "/home/anna/app"],
    ["/srv/app", "/home/ann", "/srv/app"],
    ["C:\\Users\\ann\\app", "C:\\Users\\ann", "~\\app"],
    ["/app", "/", "/app"],
    ["/app", "", "/app"],
  ])("%s of %s is %s", (path, home, shown) => {
    expect(shortenHome(path, home)).toBe(shown);
  });

  it("hides nothing", () => {
    setHome("/home/ann");
    expect(shownPath("/home/ann/\u202eppa")).toBe("~/<U+202E>ppa");
  });
});
