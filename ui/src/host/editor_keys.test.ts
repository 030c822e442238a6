import { afterEach, beforeEach, expect, test } from "vitest";
import { keepTakenKeys } from "./editor_keys";

let ending: AbortController;
let heard: string[]; // by the editor, which listens at the window

beforeEach(() => {
  ending = new AbortController();
  heard = [];
  const { signal } = ending;
  for (const type of ["keydown", "keyup"] as const)
    addEventListener(type, ({ key }) => heard.push(`${type} ${key}`), { signal });
  keepTakenKeys({ signal });
  // As the page takes its keys: on the document, and registered later.
  document.addEventListener("keydown", (event) => /[nk]/.test(event.key) && event.preventDefault(), {
    signal,
  });
});

afterEach(() => ending.abort());

function press(type: "keydown" | "keyup", key: string, altKey = false): void {
  document.body.dispatchEvent(new KeyboardEvent(type, { key, altKey, bubbles: true, cancelable: true }));
}

test("what the page takes, the editor never hears", () => {
  press("keydown", "k");
  press("keydown", "p");
  expect(heard).toEqual(["keydown p"]);
});

test("an Alt that belonged to it is released without a word, another one is not", () => {
  press("keydown", "Alt", true);
  press("keydown", "n", true);
  press("keyup", "n", true);
  press("keyup", "Alt");
  press("keydown", "Alt", true);
  press("keyup", "Alt");
  expect(heard).toEqual(["keydown Alt", "keyup n", "keydown Alt", "keyup Alt"]);
});
