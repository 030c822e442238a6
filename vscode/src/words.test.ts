import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { test } from "node:test";
import { plainTitle, unlinked } from "./words";

test("a sender's name is no link, and hides nothing", () => {
  const name = "[Show it](command:workbench.action.tasks.build)";
  assert.equal(
    unlinked(`Orders of ${name}: \u202eRun?`),
    "Orders of [Show it] (command:workbench.action.tasks.build): <U+202E>Run?",
  );
});

test("words that are written from right to left move nothing beside them", () => {
  assert.equal(unlinked("cp \u05d0\u05d1 > \u05d2"), "cp \u200e\u05d0\u05d1\u200e > \u200e\u05d2\u200e");
});

test("a title is one line, which draws no icon and turns nothing around", () => {
  assert.equal(plainTitle("$(check) a\u202egnp.exe\nb"), "$ (check) a<U+202E>gnp.exe<U+000A>b");
  assert.equal(plainTitle("x".repeat(1_000)).length, 200);
});

test("messages are shown in one place, which unlinks them", () => {
  const sources = readdirSync("src", { recursive: true, encoding: "utf8" }).filter(
    (name) => name.endsWith(".ts") && !name.endsWith(".test.ts"),
  );
  const telling = sources.filter((name) =>
    /show(Information|Warning|Error)Message/.test(readFileSync(`src/${name}`, "utf8")),
  );
  assert.deepEqual(telling, ["messages.ts"]);
});
