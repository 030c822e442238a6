import { afterEach, expect, it } from "vitest";
import { makeMirror, makeTestRoom, mount } from "../text/test_room";
import { Ended } from "./ended";

const ends: (() => void)[] = [];
afterEach(() => {
  for (const end of ends.splice(0)) end();
});

it("says why a run failed and what it took, and tries it again", () => {
  const testRoom = makeTestRoom();
  const mirror = makeMirror([{ kind: "user", id: "u", run: "r", text: "Rename the parser" }]);
  mirror.setHead({ runs: [{ id: "r", outcome: "failed" }] });
  Object.assign(testRoom.room, { follow: () => undefined, mirror: () => mirror });
  const card = {
    session_id: "s1",
    title: "Rename the parser",
    workspace: "/w",
    status: "stopped",
    outcome: "failed",
    why: "The model is overloaded.",
    run_at_ms: 1_000,
    run_ended_at_ms: 13_000,
    files: 5,
    additions: 61,
    deletions: 58,
  } as const;
  const { root, end } = mount(testRoom, () => <Ended card={card} />);
  ends.push(end);
  const text = root.textContent ?? "";
  for (const part of ["Failed: The model is overloaded.", "5 files", "12.0 s", "Review"])
    expect(text).toContain(part);
  [...root.querySelectorAll("button")].find((one) => one.textContent?.includes("Retry"))?.click();
  const started = testRoom.asked.find((one) => one.what === "run.start");
  expect(started?.with[0]).toMatchObject({ session_id: "s1", input: { text: "Rename the parser" } });
});
