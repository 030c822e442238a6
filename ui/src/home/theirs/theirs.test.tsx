import { expect, it } from "vitest";
import { StatusDot } from "../../frame/session/status_dot";
import type { WatchedSession } from "../../model.gen";
import { makeTestRoom, mount } from "../../text/test_room";
import { needsMark, sayDoing } from "./theirs";

const line = (more: Partial<WatchedSession>): WatchedSession => ({
  key: "codex:c",
  agent: "codex",
  their_id: "c",
  status: "working",
  source: "socket",
  ...more,
});

it("marks what stands still or needs input, in a pane only", () => {
  expect(needsMark(line({ pane: "p", is_still: true }))).toBe(true);
  expect(needsMark(line({ pane: "p", status: "waiting_user" }))).toBe(true);
  expect(needsMark(line({ pane: "p" }))).toBe(false);
  expect(needsMark(line({ is_still: true }))).toBe(false);
  expect(needsMark(line({ status: "waiting_user" }))).toBe(false);
});

it("says what a session waits for in words, and what it does as its source says it", () => {
  const waiting = (doing: string) => sayDoing(line({ status: "waiting_user", doing }));
  expect(waiting("an approval")).toBe("Waiting for an approval");
  expect(waiting("permission prompt")).toBe("Waiting for an approval");
  expect(waiting("an answer to a question")).toBe("Waiting for an answer to a question");
  expect(waiting("input needed")).toBe("Waiting for your input");
  expect(waiting("dialog open")).toBe("A dialog is open");
  expect(waiting("sandbox request")).toBe("Waiting for approval of network access");
  expect(waiting("worker request")).toBe("Waiting for an approval");
  expect(waiting("goal proposal")).toBe("A goal is proposed");
  expect(waiting("plan review")).toBe("plan review");
  expect(sayDoing(line({ doing: "an approval" }))).toBe("an approval");
  expect(sayDoing(line({ doing: "a background command" }))).toBe("A background command is running");
  expect(sayDoing(line({}))).toBe("");
});

it("lays the mark over a dot that is shown, and over no other", () => {
  const count = (status: WatchedSession["status"], mark: boolean) => {
    const { root, end } = mount(makeTestRoom(), () => <StatusDot status={status} mark={mark} />);
    const found = root.querySelectorAll(".frame-dot-mark").length;
    end();
    return found;
  };
  expect(count("working", true)).toBe(1);
  expect(count("working", false)).toBe(0);
  expect(count("stopped", true)).toBe(0);
  expect(count("unknown", true)).toBe(0);
});
