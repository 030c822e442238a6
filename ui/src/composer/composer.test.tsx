import { afterEach, describe, expect, it, vi } from "vitest";
import { makeMirror } from "../text/test_room";
import { button, closeAll, open, press, settle, starts, type } from "./opened";
import { lost, refused } from "./test_room";

afterEach(closeAll);

describe("sending", () => {
  it("sends with Enter in one message, empties the input at once and remembers", () => {
    const { testRoom, input } = open();
    type(input, "hello");
    expect(press(input, "Enter")).toBe(true);
    expect([input.value, input.selectionStart]).toEqual(["", 0]);
    expect(starts(testRoom).map((one) => [one.session_id, one.input, one.how])).toEqual([
      ["s1", { type: "text", text: "hello" }, "queue"],
    ]);
    expect(starts(testRoom)[0]?.key).toMatch(/^[0-9a-f-]{36}$/);
    expect(testRoom.room.sent("s1")).toEqual(["hello"]);
  });

  it("leaves Shift+Enter and the input method's Enter alone", () => {
    const { testRoom, input } = open();
    type(input, "かな");
    expect(press(input, "Enter", { shiftKey: true })).toBe(false);
    expect(press(input, "Enter", { isComposing: true })).toBe(false);
    expect(press(input, "Enter", { keyCode: 229 })).toBe(false);
    expect([starts(testRoom), input.value]).toEqual([[], "かな"]);
  });

  it("sends with the button, and nothing where there is nothing", () => {
    const { testRoom, root, input } = open();
    expect(button(root, "Send")?.disabled).toBe(true);
    type(input, "  \n");
    press(input, "Enter");
    type(input, "go");
    button(root, "Send")?.click();
    expect(starts(testRoom).map((one) => one.input.text)).toEqual(["go"]);
  });

  it("queues, steers and stops while a run goes on", () => {
    const { testRoom, mirror, root, input } = open();
    mirror.setHead({ status: "working" });
    type(input, "later");
    press(input, "Enter");
    type(input, "now");
    press(input, "Enter", { ctrlKey: true });
    expect(starts(testRoom).map((one) => one.how)).toEqual(["queue", "steer"]);
    expect(["Stop", "Steer", "Queue"].every((name) => button(root, name))).toBe(true);
    press(input, "Escape");
    button(root, "Stop")?.click();
    expect(testRoom.calls("session.interrupt")).toEqual([{ session_id: "s1" }, { session_id: "s1" }]);
  });

  it("interrupts with Escape while the focus is nowhere, and not from inside a dialog", () => {
    const { testRoom, mirror } = open();
    press(document.body, "Escape"); // nothing goes on
    mirror.setHead({ status: "working" });
    const dialog = document.body.appendChild(document.createElement("dialog"));
    dialog.open = true;
    press(document.body, "Escape");
    expect(testRoom.calls("session.interrupt")).toEqual([]);
    dialog.remove();
    press(document.body, "Escape");
    expect(testRoom.calls("session.interrupt")).toEqual([{ session_id: "s1" }]);
  });

  it("keeps a draft per session", () => {
    const { setShown, mirror, input } = open();
    type(input, "of the first");
    setShown({ ...makeMirror([]), id: "s2" });
    expect(input.value).toBe("");
    type(input, "of the second");
    setShown(mirror);
    expect(input.value).toBe("of the first");
  });

  it("takes over from another surface, and says who drives only while a run goes on", () => {
    const { testRoom, mirror, root, input } = open();
    mirror.setHead({ driver: "terminal (9999)" });
    expect(root.textContent).not.toContain("terminal");
    mirror.setHead({ status: "working" });
    expect(root.textContent).toContain("Another terminal is driving this session");
    button(root, "Take over")?.click();
    expect(testRoom.calls("session.drive")).toEqual([{ session_id: "s1" }]);
    type(input, "mine");
    press(input, "Enter");
    expect(starts(testRoom)[0]?.take_over).toBe(true);
  });
});

describe("an agent that does not answer", () => {
  it("is said with its age, restarted once, and no longer said when it answers", async () => {
    vi.useFakeTimers({ now: 1_000_000 });
    const { testRoom, root } = open();
    expect(root.textContent).not.toContain("isn't responding");
    testRoom.setAgent({ workspace: "/w", silent_since_ms: 996_000 });
    expect(root.textContent).toContain("The agent isn't responding.4 s");
    vi.advanceTimersByTime(3_000);
    expect(root.textContent).toContain("7 s");
    button(root, "Restart agent")?.click();
    button(root, "Restart agent")?.click();
    expect(testRoom.calls("agent.restart")).toEqual([{ session_id: "s1" }]);
    testRoom.setAgent({ workspace: "/w" });
    expect(root.textContent).not.toContain("isn't responding");
    vi.useRealTimers();
  });
});

describe("an agent that can do less", () => {
  it("is shown without the controls for it, and Ctrl+Enter queues", () => {
    const { testRoom, root, mirror, input } = open();
    mirror.setHead({ status: "working" });
    expect(["Stop", "Steer", "Attach"].map((name) => button(root, name) !== undefined)).toEqual([
      true,
      true,
      true,
    ]);
    mirror.setHead({ status: "working", capabilities: { steer: false, images: false } });
    expect(["Stop", "Steer", "Attach"].map((name) => button(root, name) !== undefined)).toEqual([
      true,
      false,
      false,
    ]);
    type(input, "more");
    press(input, "Enter", { ctrlKey: true });
    expect(starts(testRoom).map((one) => one.how)).toEqual(["queue"]);
  });
});

describe("what does not arrive", () => {
  it("is kept with its key and sent again when the connection is back", async () => {
    let there = false;
    const { testRoom, root, input } = open({ "run.start": () => (there ? { run_id: "r1" } : lost()) });
    type(input, "precious");
    press(input, "Enter");
    await settle();
    expect(root.textContent).toContain("precious");
    testRoom.setConnection({ state: "lost", why: "gone", retryAtMs: 0 });
    there = true;
    testRoom.setConnection({ state: "open" });
    await settle();
    const [first, second] = starts(testRoom);
    expect(second).toEqual(first);
    expect(root.textContent).not.toContain("precious");
  });

  it("outlives a reload", async () => {
    const { testRoom, input } = open({ "run.start": () => lost() });
    type(input, "precious");
    press(input, "Enter");
    await settle();
    closeAll();
    const after = open({}, testRoom.kept);
    expect(starts(after.testRoom)).toEqual(starts(testRoom));
  });

  it("waits for a person where it is a command, which has no key to know it by", async () => {
    let there = false;
    const { testRoom, root, input } = open({ "run.start": () => (there ? { run_id: "" } : lost()) });
    type(input, "/compact now");
    press(input, "Enter");
    await settle();
    testRoom.setConnection({ state: "lost", why: "gone", retryAtMs: 0 });
    there = true;
    testRoom.setConnection({ state: "open" });
    await settle();
    expect(starts(testRoom).length).toBe(1);
    button(root, "Send again")?.click();
    await settle();
    expect(starts(testRoom).length).toBe(2);
    expect(root.textContent).not.toContain("/compact");
  });

  it("comes back into the input when the daemon refuses a prompt", async () => {
    const { testRoom, input } = open({ "run.start": () => refused("@gone: there is no such file.") });
    type(input, "fix @gone");
    press(input, "Enter");
    expect(input.value).toBe("");
    await settle();
    expect(input.value).toBe("fix @gone");
    expect(testRoom.asked.find((one) => one.what === "toast")?.with.slice(0, 2)).toEqual([
      "error",
      "@gone: there is no such file.",
    ]);
  });
});

describe("commands", () => {
  it("consumes an unknown one with an error, and keeps it in the history", async () => {
    const { testRoom, input } = open({ "run.start": () => refused("/nonsense is not a command.") });
    type(input, "/nonsense");
    press(input, "Enter");
    await settle();
    expect(input.value).toBe("");
    expect(testRoom.asked.find((one) => one.what === "toast")?.with.slice(0, 2)).toEqual([
      "error",
      "/nonsense is not a command.",
    ]);
    press(input, "ArrowUp");
    expect(input.value).toBe("/nonsense");
  });

  it("shows the latest diff, or says that there is none", () => {
    const { testRoom, mirror, input } = open();
    type(input, "/diff ");
    press(input, "Enter");
    expect(testRoom.asked.map((one) => one.what)).toContain("toast");
    mirror.setHead({ diff: { unified: "--- a\n", files: [] } });
    type(input, "/diff ");
    press(input, "Enter");
    expect(testRoom.calls("show")).toEqual([
      { kind: "diff", title: "Latest diff", unified: "--- a\n", session: "s1" },
    ]);
    expect([starts(testRoom), input.value]).toEqual([[], ""]);
  });

  it("asks for a title, leads to older sessions, and goes to a session that was made", async () => {
    const { testRoom, input, resumed } = open({ "run.start": () => ({ run_id: "", session_id: "s9" }) });
    type(input, "/rename ");
    press(input, "Enter");
    expect(testRoom.calls("show")).toEqual([{ kind: "rename", session: "s1" }]);
    type(input, "/resume ");
    press(input, "Enter");
    expect(resumed()).toBe(1);
    type(input, "/new ");
    press(input, "Enter");
    await settle();
    expect(testRoom.calls("activate")).toEqual(["s9"]);
  });
});
