import { describe, expect, it } from "vitest";
import { arrange } from "./column";
import { nextFollowing } from "./follow";
import { findHeld, placesOf } from "./kept";
import { findSteps } from "./steps";

describe("findSteps", () => {
  const list = (text: string) => text.split("");
  it.each([
    ["", "abc", [["abc", false]]],
    ["abc", "abc", []],
    ["abc", "abcd", [["abcd", false]]],
    ["abc", "xyabc", [["xyabc", true]]],
    ["abc", "bc", [["bc", true]]],
    [
      "abc",
      "xabcd",
      [
        ["xabc", true],
        ["xabcd", false],
      ],
    ],
    [
      "abc",
      "bcd",
      [
        ["bc", true],
        ["bcd", false],
      ],
    ],
    ["abc", "ac", [["ac", false]]],
    ["abc", "xyz", [["xyz", false]]],
    ["abc", "", [["", false]]],
  ] as const)("from %j to %j, one end at a time", (before, after, steps) => {
    expect(findSteps(list(before), list(after)).map((step) => [step.ids.join(""), step.atFront])).toEqual(
      steps,
    );
  });
});

describe("nextFollowing", () => {
  const view = (top: number) => ({ top, height: 500, whole: 2_000 }); // the end is at 1,500
  it.each([
    ["at the end it follows", false, 900, 1_490, true, true],
    ["a wheel up ends it", true, 1_500, 1_400, true, false],
    ["what grew and was measured does not", true, 1_500, 1_400, false, true],
    ["a far way up ends it, whoever did it", true, 1_500, 100, false, false],
    ["going down without reaching the end does not begin it", false, 900, 1_200, true, false],
  ])("%s", (_name, following, lastTop, top, meant, after) => {
    expect(nextFollowing(following, lastTop, view(top), meant)).toBe(after);
  });
});

describe("what is held", () => {
  it("is the block with the focus and those of the selection, with all between", () => {
    document.body.innerHTML =
      '<div id="log"><p data-block="a"><button>x</button></p><p data-block="b">two</p><p data-block="c">three</p></div><p data-block="z">outside</p>';
    const root = document.getElementById("log") as HTMLElement;
    const button = root.querySelector("button");
    const [from, to] = [...root.querySelectorAll("p")].slice(1);
    expect(findHeld(root, null, button)).toEqual(["a"]);
    expect(findHeld(root, null, document.body)).toEqual([]);
    const selection = {
      isCollapsed: false,
      anchorNode: from?.firstChild,
      focusNode: to?.firstChild,
    } as Selection;
    expect(findHeld(root, selection, document.body)).toEqual(["b", "c"]);
    expect(placesOf(["a", "c"], ["a", "b", "c", "d"])).toEqual([0, 1, 2]);
    expect(placesOf(["gone"], ["a"])).toEqual([]);
  });
});

describe("arrange", () => {
  it("never moves what stays", () => {
    const parent = document.createElement("div");
    const node = (name: string) => Object.assign(document.createElement("p"), { id: name });
    const [a, b, c, d, e] = [node("a"), node("b"), node("c"), node("d"), node("e")];
    const moved: string[] = [];
    arrange(parent, [a, b, c]);
    const { removeChild, insertBefore } = parent;
    parent.removeChild = function <N extends Node>(child: N): N {
      moved.push(`-${(child as unknown as Element).id}`);
      return removeChild.call(this, child) as N;
    };
    parent.insertBefore = function <N extends Node>(child: N, next: Node | null): N {
      moved.push(`+${(child as unknown as Element).id}`);
      return insertBefore.call(this, child, next) as N;
    };
    arrange(parent, [d, b, e]);
    expect(parent.textContent + [...parent.children].map((child) => child.id).join("")).toBe("dbe");
    expect(moved).toEqual(["-a", "-c", "+d", "+e"]);
  });
});
