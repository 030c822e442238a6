import { describe, expect, it } from "vitest";
import {
  addTab,
  EMPTY,
  listPanes,
  type PaneLayout,
  parseLayout,
  removePane,
  settle,
  shareSplit,
  splitPane,
  unsplit,
} from "./layout";

const shape = (layout: PaneLayout) => layout.tabs.map((tab) => listPanes(tab).join("|")).join(" ");
const three = () => splitPane(splitPane(addTab(EMPTY, "a"), "a", "row", "b"), "b", "column", "c");

describe("the layout of panes", () => {
  it("splits a pane beside the one that is active", () => {
    expect(shape(three())).toBe("a|b|c");
    expect(three().active).toBe("c");
    expect(three().tabs[0]).toMatchObject({ way: "row", second: { way: "column", share: 0.5 } });
  });

  it("gives each pane a tab where there is no room for splits", () => {
    const two = addTab(three(), "d");
    expect(unsplit(two)).toEqual({
      tabs: ["a", "b", "c", "d"].map((id) => ({ kind: "pane", id })),
      active: "d",
    });
    expect(unsplit(EMPTY)).toEqual(EMPTY);
  });

  it("moves a pane that came before its place was known", () => {
    const early = settle(addTab(EMPTY, "a"), ["a", "b"]);
    expect(shape(early)).toBe("a b");
    expect(shape(splitPane(early, "a", "row", "b"))).toBe("a|b");
    expect(shape(addTab(early, "b"))).toBe("a b");
  });

  it("opens a tab where there is nothing to split", () => {
    expect(shape(splitPane(EMPTY, "", "row", "a"))).toBe("a");
  });

  it("gives the keys to the neighbour of a pane that goes, then to the next tab", () => {
    expect(removePane(three(), "c").active).toBe("b");
    const tabs = addTab(addTab(EMPTY, "a"), "b");
    expect(removePane(tabs, "b")).toEqual({ tabs: [{ kind: "pane", id: "a" }], active: "a" });
    expect(removePane(removePane(tabs, "b"), "a")).toEqual(EMPTY);
  });

  it("closes a split with its last but one pane", () => {
    expect(removePane(removePane(three(), "a"), "b").tabs).toEqual([{ kind: "pane", id: "c" }]);
  });

  it("moves a divider, within bounds", () => {
    const [tab] = three().tabs;
    if (tab === undefined) throw new Error("no tab");
    expect(shareSplit(three(), tab, 0.7).tabs[0]).toMatchObject({ share: 0.7, second: { share: 0.5 } });
    expect(shareSplit(three(), tab, 3).tabs[0]).toMatchObject({ share: 0.9 });
  });

  it("drops panes that are gone and takes in those that others opened", () => {
    const settled = settle(three(), ["b", "x"]);
    expect(shape(settled)).toBe("b x");
    expect(settled.active).toBe("b");
    const same = three();
    expect(settle(same, ["a", "b", "c"])).toBe(same);
  });

  it("comes back from what a browser kept, and never from nonsense", () => {
    expect(parseLayout(JSON.stringify(three()))).toEqual(three());
    for (const odd of [undefined, "", "{", "null", "[]", '{"tabs":[{"kind":"x"}],"active":""}', '{"tabs":3}'])
      expect(parseLayout(odd)).toEqual(EMPTY);
    const twice = { tabs: [addTab(EMPTY, "a").tabs[0], addTab(EMPTY, "a").tabs[0]], active: "a" };
    expect(parseLayout(JSON.stringify(twice))).toEqual(EMPTY);
  });
});
