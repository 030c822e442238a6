import { expect, it } from "vitest";
import type { Choice, Question, QuestionsSubject } from "../../model.gen";
import { spelt, speltLine } from "../../text/spelt";
import {
  beginningOf,
  collect,
  findNo,
  findProblem,
  findYes,
  isWebAddress,
  NOTHING,
  pick,
  valuesOf,
  write,
} from "./answers";

const choice = (id: string, grants: boolean, rule?: string): Choice => ({ id, label: id, grants, rule });
const subject = (question: Question, server = ""): QuestionsSubject => ({
  about: "questions",
  questions: [question],
  server,
});
const TEXT: Question = { id: "q", text: "?" };
const ONE: Question = { id: "q", text: "?", options: [{ label: "a" }, { label: "b" }], free_text: true };

it("means only this by a plain yes, and the mildest no by a no", () => {
  const all = [
    choice("always", true, "allow git"),
    choice("accept", true),
    choice("cancel", false),
    choice("decline", false),
  ];
  expect([findYes(all)?.id, findNo(all)?.id]).toEqual(["accept", "decline"]);
  expect(findYes([choice("always", true, "allow git")])).toBeUndefined();
  expect(findNo([choice("deny", false, "deny host")])).toBeUndefined();
});

it("begins with the default of a field, which can be replaced or emptied", () => {
  const field: Question = { ...TEXT, default: "Ann" };
  expect(valuesOf(field, beginningOf(field))).toEqual(["Ann"]);
  expect(valuesOf(field, write(field, beginningOf(field), ""))).toEqual([]);
  expect(beginningOf(TEXT)).toEqual(NOTHING);
});

it("takes one of several options, or own words instead", () => {
  const picked = pick(ONE, NOTHING, "a");
  expect(valuesOf(ONE, pick(ONE, picked, "b"))).toEqual(["b"]);
  expect(valuesOf(ONE, write(ONE, picked, "mine"))).toEqual(["mine"]);
  expect(valuesOf(ONE, pick(ONE, write(ONE, NOTHING, "mine"), "a"))).toEqual(["a"]);
});

it("takes as many as one likes where several are allowed, and own words beside them", () => {
  const several = { ...ONE, several: true };
  const both = pick(several, pick(several, NOTHING, "a"), "b");
  expect(valuesOf(several, write(several, both, "mine"))).toEqual(["a", "b", "mine"]);
  expect(valuesOf(several, pick(several, both, "a"))).toEqual(["b"]);
});

it.each([
  [TEXT, "", "", "required"], // an agent waits for it
  [TEXT, "", "server", undefined], // a form's field may stay empty
  [{ ...TEXT, required: true }, " ", "server", "required"],
  [{ ...TEXT, type: "integer" }, "1.5", "", "integer"],
  [{ ...TEXT, type: "integer" }, "-12", "", undefined],
  [{ ...TEXT, type: "number" }, "1e3", "", undefined],
  [{ ...TEXT, type: "number" }, "a lot", "", "number"],
] as const)("%o with %o of %o: %s", (question, own, server, problem) => {
  expect(findProblem(subject(question, server), question, { picked: [], own })).toBe(problem);
});

it("keeps a secret as it is, and other words without their edges", () => {
  expect(valuesOf({ ...TEXT, secret: true }, { picked: [], own: " pass " })).toEqual([" pass "]);
  expect(valuesOf(TEXT, { picked: [], own: " word " })).toEqual(["word"]);
});

it("collects what was answered", () => {
  const two: QuestionsSubject = { about: "questions", questions: [TEXT, { ...TEXT, id: "r" }] };
  expect(collect(two, (id) => (id === "q" ? { picked: [], own: "x" } : NOTHING))).toEqual({ q: ["x"] });
});

it("opens web addresses only", () => {
  expect(["https://a.example", "HTTP://a"].every(isWebAddress)).toBe(true);
  expect(["javascript:alert(1)", "file:///etc", "data:x", " https://a"].some(isWebAddress)).toBe(false);
});

it("spells what hides, so that a yes rests on what is there", () => {
  expect(spelt("rm \u202e-rf\u200b\u00a0\u3164 日本\u3000語\n\tx")).toBe(
    "rm <U+202E>-rf<U+200B><U+00A0><U+3164> 日本\u3000語\n\tx",
  );
  expect(spelt("a\r\nb\rc")).toBe("a\nb<U+000D>c");
  expect(speltLine("a\nb")).toBe("a<U+000A>b");
  expect(spelt("\u{e0041}")).toBe("<U+E0041>");
  expect(spelt("a\u{16fe4}\u2065")).toBe("a<U+16FE4><U+2065>");
});
