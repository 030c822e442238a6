import { expect, it } from "vitest";
import { attachedLine, parseAttached } from "./attached";

const HERE = "/home/me/.local/share/bascule/attachments/s_1/0a1b2c3d-__init__.py";
const THERE = "C:\\data\\attachments\\s_1\\0a1b2c3d-my notes.txt";

it("tells the words from the files", () => {
  const text = ["read these", "please", attachedLine(HERE), attachedLine(THERE)].join("\n");
  expect(parseAttached(text)).toEqual({
    words: "read these\nplease",
    files: [
      { name: "__init__.py", path: HERE },
      { name: "my notes.txt", path: THERE },
    ],
  });
  expect(parseAttached(attachedLine(HERE))).toMatchObject({ words: "", files: [{ name: "__init__.py" }] });
});

it.each([["plain"], [""], ["Attached file: notes.txt"], [`${attachedLine(HERE)}\nand more words`]])(
  "leaves %j as it is",
  (text) => {
    expect(parseAttached(text)).toEqual({ words: text, files: [] });
  },
);
