import { describe, expect, it } from "vitest";
import type { Block } from "../../model.gen";
import type { Head } from "../../state/room";
import { findDoing, findTheirDoing, sayDoing } from "./doing";

const head = (rest: Partial<Head> = {}): Head => ({ id: "s1", workspace: "/w", status: "working", ...rest });
const command: Block = { kind: "command", id: "c", summary: "pytest -q", status: "inProgress" };
const thought: Block = { kind: "reasoning", id: "r", status: "inProgress" };

describe("what the agent is doing", () => {
  it.each<[Block, unknown]>([
    [command, { kind: "command", what: "pytest -q" }],
    [
      { ...command, summary: "", command: "rg x\nls" },
      { kind: "command", what: "rg x" },
    ],
    [thought, { kind: "thinking" }],
    [{ kind: "assistant", id: "a", status: "inProgress" }, { kind: "writing" }],
    [{ kind: "assistant", id: "a", text: "as the wire says it" }, { kind: "writing" }],
    [{ kind: "user", id: "u", text: "hi" }, { kind: "working" }],
    [
      { kind: "mcp", id: "m", server: "git", tool: "log", status: "inProgress" },
      { kind: "tool", what: "git / log" },
    ],
    [
      { kind: "webSearch", id: "w", query: "solid", status: "inProgress" },
      { kind: "searching", what: "solid" },
    ],
    [
      { kind: "fileChange", id: "f", files: [{ path: "src/a.py", change: "update" }], status: "inProgress" },
      { kind: "changing", what: "a.py" },
    ],
  ])("case %#", (block, doing) => {
    expect(findDoing(head(), [block])).toEqual(doing);
  });

  it("takes the latest that goes on, not what is over", () => {
    const over: Block = { kind: "assistant", id: "a", status: "completed" };
    expect(findDoing(head(), [over, thought, command])).toEqual({ kind: "thinking" });
    expect(findDoing(head(), [over])).toEqual({ kind: "working" });
  });

  it("waits for the person before anything else", () => {
    const ask = {
      id: "k",
      title: "Run?",
      subject: { about: "permissions", wants: [] },
      choices: [],
    } as const;
    expect(
      findDoing(head({ asks: [{ ...ask, subject: { about: "permissions", wants: [] }, choices: [] }] }), [
        command,
      ]),
    ).toEqual({
      kind: "waiting",
    });
  });

  it.each([
    ["completed", "completed"],
    ["stopped", "failed"],
    ["unknown", "idle"],
    ["waiting_user", "waiting"],
  ] as const)("%s is %s, whatever hangs in the log", (status, kind) => {
    expect(findDoing(head({ status }), [command])).toEqual({ kind });
  });

  it.each([
    ["stopped", "Ended"],
    ["unknown", "Status not known"],
    ["completed", "Done"],
    ["waiting_user", "Waiting for you"],
  ] as const)("of another program, %s is neither a failure nor a rest: %s", (status, said) => {
    expect(sayDoing(findTheirDoing(head({ status }), []))).toBe(said);
  });

  it.each([
    ["completed", "completed"],
    ["interrupted", "interrupted"],
    ["failed", "failed"],
  ] as const)("a run that is %s leaves it %s", (outcome, kind) => {
    const runs = [
      { id: "r0", outcome: "failed" as const },
      { id: "r1", outcome },
    ];
    expect(findDoing(head({ status: "completed", runs }), [])).toEqual({ kind });
  });

  it("says that the tests failed while they are the last that happened", () => {
    const tests: Block = { ...command, does: "test", status: "failed", exit_code: 1 };
    const say = (...latest: Block[]) => sayDoing(findDoing(head({ status: "stopped" }), latest));
    expect(say(tests)).toBe("Tests failed");
    expect(say({ ...tests, does: "run" })).toBe("Failed");
    expect(say({ kind: "error", id: "e", title: "The agent stopped" }, tests)).toBe("Failed");
  });

  it("says that a person's no ended it", () => {
    const runs = [{ id: "r1", outcome: "interrupted" as const, declined: true }];
    expect(findDoing(head({ status: "completed", runs }), [])).toEqual({ kind: "declined" });
  });

  it("shortens what would fill the line", () => {
    const long = findDoing(head(), [{ ...command, summary: "x".repeat(500) }]);
    expect("what" in long && long.what.length).toBe(120);
  });
});
