import { createRoot, createSignal } from "solid-js";
import { describe, expect, it } from "vitest";
import { GrowingLines } from "./growing";

const LINE = `${"x".repeat(99)}\n`;

function show(first: string) {
  const [text, set] = createSignal(first);
  const root = createRoot(
    () =>
      GrowingLines({
        get text() {
          return text();
        },
      }) as HTMLElement,
  );
  /// As a person copies it: a line break between two blocks.
  const read = () => [...root.children].map((piece) => piece.textContent).join("\n");
  return { root, set, read };
}

describe("lines that grow", () => {
  it("shows a short text in one piece", () => {
    const { root, read } = show("one\ntwo\n");
    expect(read()).toBe("one\ntwo\n");
    expect(root.children.length).toBe(1);
  });

  it("shows every character of a long one, however it came", () => {
    const whole = `${LINE.repeat(90)}\n\n${LINE.repeat(90)}end`;
    const { root, set, read } = show("");
    for (let at = 0; at <= whole.length; at += 777) set(whole.slice(0, at));
    set(whole);
    expect(read()).toBe(whole);
    expect(root.innerHTML).toBe(show(whole).root.innerHTML);
  });

  it("touches only the last piece", () => {
    const { root, set } = show(LINE.repeat(100));
    const [first] = root.children;
    const node = first?.firstChild;
    set(LINE.repeat(200));
    expect(root.children[0]).toBe(first);
    expect(first?.firstChild).toBe(node);
    expect(root.children.length).toBeGreaterThan(3);
  });

  it("parts no text at the end of an empty line, which would not be seen", () => {
    const { root } = show(`${LINE.repeat(40).slice(0, -1)}\n\n\n${LINE.repeat(50)}`);
    for (const piece of [...root.children].slice(0, -1))
      expect(piece.textContent?.endsWith("\n")).toBe(false);
  });

  it("begins anew with another text", () => {
    const { set, read } = show(LINE.repeat(100));
    set("other");
    expect(read()).toBe("other");
  });
});
