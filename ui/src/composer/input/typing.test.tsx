import { afterEach, describe, expect, it } from "vitest";
import { nextFrames } from "../../text/test_room";
import { closeAll, open, options, press, settle, starts, type } from "../opened";

afterEach(closeAll);

describe("suggestions", () => {
  it("offers commands at the very start, asked for once, and takes one with Enter", async () => {
    const { testRoom, root, input } = open();
    type(input, "/");
    await settle();
    expect(options(root)).toEqual(["/new", "/diff", "/rename", "/help"]);
    press(input, "ArrowDown");
    press(input, "Enter");
    expect([input.value, input.selectionStart, options(root)]).toEqual(["/diff ", 6, []]);
    type(input, "/re");
    expect(options(root)).toEqual(["/rename"]);
    press(input, "Escape");
    expect(options(root)).toEqual([]);
    expect([testRoom.calls("commands.list").length, starts(testRoom)]).toEqual([1, []]);
  });

  it("lets Enter send a command that is typed to its end", async () => {
    const { testRoom, root, input } = open();
    type(input, "/hel");
    await settle();
    type(input, "/help");
    expect(options(root)).toEqual([]);
    press(input, "Enter");
    expect(starts(testRoom)[0]?.input.text).toBe("/help");
  });

  it("offers the selection and files, and does not open again after a choice", async () => {
    const { testRoom, root, input } = open({
      "files.find": () => ({ files: ["src/a.py", "with blank.py"] }),
    });
    type(input, "see @");
    await nextFrames();
    expect(options(root)).toEqual(["@selection", "@src/a.py", '@"with blank.py"']);
    (root.querySelectorAll('[role="option"]')[1] as HTMLElement).click();
    expect([input.value, options(root)]).toEqual(["see @src/a.py ", []]);
    input.setSelectionRange(8, 8);
    input.dispatchEvent(new Event("keyup", { bubbles: true }));
    await nextFrames();
    expect(options(root)).toEqual([]);
    expect(testRoom.calls("files.find")).toEqual([{ query: "", session_id: "s1", limit: 20 }]);
  });

  it("drops an answer to what is no longer asked", async () => {
    const waiting: ((files: string[]) => void)[] = [];
    const { root, input, testRoom } = open();
    const find = () => new Promise((done) => waiting.push((files) => done({ files })));
    testRoom.room.call = find as unknown as typeof testRoom.room.call;
    type(input, "@a");
    await nextFrames();
    type(input, "@ab");
    await nextFrames();
    waiting[1]?.(["ab.py"]);
    await settle();
    waiting[0]?.(["a.py"]);
    await settle();
    expect(options(root)).toEqual(["@ab.py"]);
  });

  it("refuses @selection with nothing selected, and sends what is selected along", () => {
    const { testRoom, input } = open();
    type(input, "fix @selection now");
    press(input, "Enter");
    expect([starts(testRoom), input.value]).toEqual([[], "fix @selection now"]);
    const selection = { path: "a.py", range: { start: { line: 0, column: 0 }, end: { line: 2, column: 0 } } };
    testRoom.setOverlay({ kind: "file", session: "s1", place: { path: "a.py" } });
    testRoom.room.select(selection);
    press(input, "Enter");
    expect(starts(testRoom)[0]?.ui_context).toEqual({
      workspace_root: "/home/me/project",
      active_file: { path: "a.py" },
      selection,
    });
  });
});

describe("history", () => {
  it("walks from the very start only, and brings the draft back", () => {
    const { input } = open();
    for (const text of ["one", "two", "two"]) {
      type(input, text);
      press(input, "Enter");
    }
    type(input, "draft");
    expect(press(input, "ArrowUp")).toBe(false);
    input.setSelectionRange(0, 0);
    const seen = ["ArrowUp", "ArrowUp", "ArrowDown", "ArrowDown"].map((key) => {
      press(input, key);
      return [input.value, input.selectionStart];
    });
    expect(seen).toEqual([
      ["two", 0],
      ["one", 0],
      ["two", 0],
      ["draft", 0],
    ]);
  });
});
