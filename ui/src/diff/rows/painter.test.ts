import { createRoot } from "solid-js";
import { describe, expect, it, vi } from "vitest";
import { commandOf } from "../keys";
import { Painter, splitRuns } from "./painter";

describe("colours", () => {
  it("are cut where lines end", () => {
    const runs = [
      { text: "a\n\nb", look: "x" },
      { text: "c\n", look: "" },
    ];
    expect(splitRuns(runs)).toEqual([
      [{ text: "a", look: "x" }],
      [],
      [
        { text: "b", look: "x" },
        { text: "c", look: "" },
      ],
      [],
    ]);
  });

  it("come for the lines that are asked for, and never for one that is too long", async () => {
    const lines = [{ text: "def f():" }, { text: `x = "${"a".repeat(3_000)}"` }, { text: "    return 1" }];
    const { painter, dispose } = createRoot((end) => ({ painter: new Painter(), dispose: end }));
    const owner = {};
    const find = (i: number) => painter.find(lines[i] ?? { text: "" }, owner, 0, "python", () => [lines]);
    expect(find(0)).toBeUndefined();
    await vi.waitFor(() => expect(find(0)).toBeDefined(), 5_000);
    expect(
      find(0)
        ?.map((run) => run.text)
        .join(""),
    ).toBe("def f():");
    expect(find(2)?.some((run) => run.look.includes("hljs-keyword"))).toBe(true);
    expect(find(1)).toBeUndefined();
    dispose();
  });
});

describe("keys", () => {
  const press = (key: string, on: HTMLElement, more: KeyboardEventInit = {}) => {
    let command: ReturnType<typeof commandOf>;
    on.addEventListener(
      "keydown",
      (event) => {
        command = commandOf(event);
      },
      { once: true },
    );
    on.dispatchEvent(new KeyboardEvent("keydown", { key, ...more }));
    return command;
  };

  it("act on the list and beside its buttons, not while somebody writes", () => {
    const made = (name: string) => document.createElement(name);
    expect(press("n", made("section"))).toBe("nextChange");
    expect(press("x", made("button"))).toBe("choose");
    expect(press("Enter", made("button"))).toBeUndefined();
    expect(press("n", made("textarea"))).toBeUndefined();
    expect(press("c", made("section"), { ctrlKey: true })).toBeUndefined();
  });
});
