import { expect, it } from "vitest";
import type { Head } from "../../state/room";
import { makeMirror, makeTestRoom, mount } from "../../text/test_room";
import type { Board } from "../board/board";
import { ElsewhereBar } from "./elsewhere_bar";

const NO_BOARD = { find: () => undefined } as unknown as Board;

function show(head: Partial<Head>): { words: string; buttons: string[] } {
  const mirror = { ...makeMirror([]), id: "watched:codex:c" };
  mirror.setHead(head);
  const { root, end } = mount(makeTestRoom(), () => <ElsewhereBar mirror={mirror} board={NO_BOARD} />);
  const found = {
    words: root.querySelector("p")?.textContent?.trim() ?? "",
    buttons: [...root.querySelectorAll("button")].map((one) => one.textContent?.trim() ?? ""),
  };
  end();
  return found;
}

const SHARED = { key: "codex:c", their_id: "c", home: "/home/me/.codex" };

it("offers to join and to fork what Codex shares, though a default agent is not sent", () => {
  expect(show({ elsewhere: SHARED }).buttons).toEqual(["Join", "Fork", "Details"]);
});

it("offers only to fork where no daemon is shared, and neither for another agent", () => {
  expect(show({ elsewhere: { ...SHARED, home: "" } }).buttons).toEqual(["Fork", "Details"]);
  expect(show({ elsewhere: { ...SHARED, home: "" }, agent: "claude" }).buttons).toEqual(["Details"]);
});

it("says where a waiting session can be answered", () => {
  const shared = show({ elsewhere: SHARED, status: "waiting_user" }).words;
  expect(shared).toContain("It is waiting for you: join it to answer here.");
  const other = show({ elsewhere: { ...SHARED, home: "" }, agent: "claude", status: "waiting_user" }).words;
  expect(other).toContain("It is waiting for you: answer it there.");
});

it.each([
  ["working", "Codex is running this session in another program."],
  ["stopped", "This Codex session of another program has ended."],
  ["unknown", "Nothing says whether it is running."],
  [undefined, "Nothing says whether it is running."],
] as const)("claims only what is known of one that is %s", (status, words) => {
  expect(show({ elsewhere: SHARED, status }).words).toContain(words);
});
