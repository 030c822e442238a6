import { expect, it } from "vitest";
import type { DraftFile } from "../../state/room";
import { makeInput, makeStart } from "./prompt";

const IMAGE: DraftFile = { name: "a.png", path: "/data/a.png", mediaType: "image/png" };
const TEXT: DraftFile = { name: "b.txt", path: "/data/b.txt", mediaType: "text/plain" };

it("sends plain words as text", () => {
  expect(makeInput("hello", [])).toEqual({ type: "text", text: "hello" });
});

it("sends images as parts and names other files by their path", () => {
  expect(makeInput("look", [IMAGE, TEXT])).toEqual({
    type: "parts",
    parts: [
      { type: "text", text: "look\nAttached file: /data/b.txt" },
      { type: "image_url", image_url: { url: "/data/a.png" } },
    ],
  });
});

it("sends an image without words", () => {
  expect(makeInput("", [IMAGE])).toEqual({
    type: "parts",
    parts: [{ type: "image_url", image_url: { url: "/data/a.png" } }],
  });
});

it("tells the daemon only what was wanted", () => {
  const out = {
    key: "k",
    session: "s1",
    text: "hello",
    files: [],
    context: { files: [] },
    how: "queue",
    where: {},
  } as const;
  const plain = {
    session_id: "s1",
    key: "k",
    how: "queue",
    input: { type: "text", text: "hello" },
    ui_context: {},
  };
  expect(makeStart({ ...out, context: {} }, false)).toEqual(plain);
  expect(makeStart({ ...out, context: { files: ["a"] } }, true)).toEqual({
    ...plain,
    context: { files: ["a"] },
    take_over: true,
  });
});
