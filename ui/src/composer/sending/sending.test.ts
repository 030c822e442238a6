import { createRoot } from "solid-js";
import { expect, it } from "vitest";
import { makeMirror } from "../../text/test_room";
import { lost, makeComposerRoom } from "../test_room";
import type { Outgoing } from "./prompt";
import { giveBack, MAX_UNSENT, makeSending, parseUnsent } from "./sending";

const OUT: Outgoing = {
  key: "k1",
  session: "s1",
  text: "hello",
  files: [],
  context: {},
  how: "queue",
  where: {},
};
const settle = () => new Promise((done) => setTimeout(done));

it("reads back what it stored, and nothing that is not its own", () => {
  const good = { ...OUT, lost: false };
  expect(parseUnsent(JSON.stringify([good]))).toEqual([{ ...good, lost: true }]);
  for (const odd of [null, "", "{", "{}", "[1, null]", JSON.stringify([{ ...good, how: "now" }])])
    expect(parseUnsent(odd)).toEqual([]);
  expect(parseUnsent(JSON.stringify(Array(MAX_UNSENT + 5).fill(good))).length).toBe(MAX_UNSENT);
});

it("stores a prompt before it is answered, and a command only when its answer was lost", async () => {
  const testRoom = makeComposerRoom({
    "run.start": (params) => (params.key === "k3" ? lost() : { run_id: "r" }),
  });
  testRoom.setMirror(makeMirror([]));
  const stored = () =>
    (JSON.parse(testRoom.kept.get("composer.unsent") ?? "[]") as Outgoing[]).map((one) => one.key);
  await createRoot(async (dispose) => {
    const sending = makeSending(testRoom.room);
    const first = sending.send(OUT);
    const second = sending.send({ ...OUT, key: "k2", text: "/status" });
    expect(stored()).toEqual(["k1"]);
    expect(sending.latest()?.key).toBe("k2"); // a command too: the log follows
    await Promise.all([first, second]);
    expect(stored()).toEqual([]);
    await sending.send({ ...OUT, key: "k3", text: "/status" });
    expect(stored()).toEqual(["k3"]);
    expect(sending.take("k3")?.text).toBe("/status");
    expect(stored()).toEqual([]);
    dispose();
  });
  await settle();
});

it("leaves stored what another window has not got rid of yet", async () => {
  const kept = new Map<string, string>();
  const makeWindow = () => {
    const testRoom = makeComposerRoom({ "run.start": () => lost() }, kept);
    testRoom.setMirror(makeMirror([]));
    return makeSending(testRoom.room);
  };
  await createRoot(async (dispose) => {
    const [one, other] = [makeWindow(), makeWindow()];
    await one.send(OUT);
    await other.send({ ...OUT, key: "k2", text: "of the other" });
    expect(parseUnsent(kept.get("composer.unsent") ?? null).map((unsent) => unsent.key)).toEqual([
      "k1",
      "k2",
    ]);
    one.take("k1");
    expect(parseUnsent(kept.get("composer.unsent") ?? null).map((unsent) => unsent.key)).toEqual(["k2"]);
    dispose();
  });
});

it("gives a prompt back only into an empty input", () => {
  const { room } = makeComposerRoom();
  giveBack(room, OUT);
  giveBack(room, { ...OUT, text: "another" });
  expect(room.draft("s1").text).toBe("hello");
});
