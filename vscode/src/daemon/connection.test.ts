// Against small programs that stand in for `bascule`: real processes, real pipes.
import assert from "node:assert/strict";
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { Bridge, type BridgeEnd, runtimeWords } from "./bridge";
import { Connection, type State } from "./connection";

const folder = mkdtempSync(join(tmpdir(), "bascule-"));
after(() => rmSync(folder, { recursive: true }));

function program(name: string, body: string): string {
  const path = join(folder, name);
  writeFileSync(path, `#!${process.execPath}\n${body}`);
  chmodSync(path, 0o755);
  return path;
}

const ANSWERS = `
require("node:readline").createInterface({ input: process.stdin }).on("line", (line) => {
  const { id, method } = JSON.parse(line);
  const result = method === "initialize"
    ? { protocol_version: VERSION, server: { name: "bascule", version: "9" } } : { ok: true };
  console.log(JSON.stringify({ id, result }));
  if (method === "daemon.ping") setTimeout(() => process.exit(1));
});`;

function open(
  command: string,
  until: (state: State, all: State[]) => boolean,
  looksInVain = 0,
): Promise<State[]> {
  return new Promise((resolve) => {
    const states: State[] = [];
    let looks = 0;
    const connection: Connection = new Connection(
      () =>
        looks++ < looksInVain ? { what: "missing", command: "" } : { command, workspace: "", demo: false },
      {
        onState: (state) => {
          states.push(state);
          if (until(state, states)) queueMicrotask(() => end());
        },
        onReady: () => void connection.call("daemon.ping", {}).catch(() => undefined),
        onNotified: () => undefined,
        onSaid: () => undefined,
      },
      "0",
      { unreachable: "つながりません", closed: "閉じました", lost: "切れました", busy: "手一杯です" },
    );
    const end = () => {
      const seen = [...states];
      connection.stop();
      resolve(seen);
    };
    connection.start();
  });
}

const shown = (states: State[]) => states.map((one) => (one.is === "down" ? one.trouble : one.is));

test("it connects, and comes back when the other end has died", async () => {
  const command = program("fine", ANSWERS.replace("VERSION", '"0"'));
  const states = await open(
    command,
    (state, all) => state.is === "open" && all.filter((one) => one.is === "open").length === 2,
  );
  assert.deepEqual(shown(states), [
    "off",
    "connecting",
    "open",
    { what: "lost", why: "" },
    "connecting",
    "open",
  ]);
});

test("a program that is not there is not tried again and again", async () => {
  const command = join(folder, "none");
  const states = await open(command, (state) => state.is === "down");
  assert.deepEqual(shown(states), ["off", "connecting", { what: "missing", command }]);
});

test("settings that come a moment after the window cause no alarm", async () => {
  const command = program("late", ANSWERS.replace("VERSION", '"0"'));
  const states = await open(command, (state) => state.is === "open", 2);
  assert.deepEqual(shown(states), ["off", "connecting", "connecting", "open"]);
});

test("a program that is installed later is found, and its absence is reported once", async () => {
  const command = program("installed", ANSWERS.replace("VERSION", '"0"'));
  const states = await open(command, (state) => state.is === "open", 5);
  assert.deepEqual(shown(states), [
    "off",
    "connecting",
    { what: "missing", command: "" },
    "connecting",
    "open",
  ]);
});

test("what it says before it leaves is the reason", async () => {
  const command = program(
    "refuses",
    'console.error("bascule: No settings. Fix them."); process.exitCode = 2;',
  );
  const states = await open(command, (state) => state.is === "down");
  assert.deepEqual(shown(states).at(-1), { what: "refused", why: "No settings. Fix them." });
});

test("another version of the protocol is not spoken to", async () => {
  const command = program("newer", ANSWERS.replace("VERSION", '"7"'));
  const states = await open(command, (state) => state.is === "down");
  assert.deepEqual(shown(states).at(-1), { what: "mismatch", version: "9" });
});

test("the demo has a project of its own", () => {
  const place = { command: "bascule", workspace: "/p", demo: false };
  assert.deepEqual(runtimeWords(place), ["runtime", "--background", "--workspace", "/p"]);
  assert.deepEqual(runtimeWords({ ...place, demo: true }), ["runtime", "--background", "--demo"]);
  assert.deepEqual(runtimeWords({ ...place, workspace: "" }), ["runtime", "--background"]);
});

test("a program that reads nothing is ended before what is sent to it fills the memory", async () => {
  const command = program("deaf", "setInterval(() => {}, 1000);");
  const end = await new Promise<BridgeEnd>((onEnd) => {
    const place = { command, workspace: "", demo: false };
    const bridge = new Bridge(place, { onFrame: () => {}, onSaid: () => {}, onEnd }, 1_000_000);
    for (let sent = 0; sent < 20; sent++) bridge.send("x".repeat(100_000));
  });
  assert.deepEqual(end, { how: "unread" });
});
