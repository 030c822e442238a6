import { createRoot, createSignal } from "solid-js";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import type { FoundSessions } from "../../model.gen";
import type { Room } from "../../state/room";
import { makeSearching, PAUSE_MS } from "./searching";

interface Asked {
  query: string;
  answer: (found: FoundSessions) => void;
  refuse: () => void;
}

let dispose = () => {};

function start() {
  const asked: Asked[] = [];
  const call = (_: string, { query }: { query: string }) =>
    new Promise<FoundSessions>((answer, refuse) =>
      asked.push({ query, answer, refuse: () => refuse(Error("no")) }),
    );
  const [typed, type] = createSignal("");
  const searched = createRoot((end) => {
    dispose = end;
    return makeSearching({ call } as unknown as Pick<Room, "call">, typed);
  });
  return { asked, type, searched };
}

function found(title: string): FoundSessions {
  return { sessions: [{ session_id: "s", title, workspace: "/", status: "completed" }] };
}

const pause = () => vi.advanceTimersByTimeAsync(PAUSE_MS);

beforeEach(() => void vi.useFakeTimers());
afterEach(() => {
  dispose();
  vi.useRealTimers();
});

it("asks once after a pause in typing, and for nothing too short", async () => {
  const { asked, type, searched } = start();
  for (const text of ["p", "pa", "par", "pars"]) type(text);
  expect([asked.length, searched().state]).toEqual([0, "busy"]);
  await pause();
  expect(asked.map((one) => one.query)).toEqual(["pars"]);
  type("x");
  await pause();
  expect([asked.length, searched().state]).toEqual([1, "idle"]);
  type("字"); // a word by itself
  await pause();
  expect(asked.at(-1)?.query).toBe("字");
});

it("never lets a slow answer replace a newer one", async () => {
  const { asked, type, searched } = start();
  type("first");
  await pause();
  type("second");
  await pause();
  asked[1]?.answer(found("newer"));
  await pause();
  asked[0]?.answer(found("older"));
  await pause();
  expect([searched().query, searched().sessions[0]?.title]).toEqual(["second", "newer"]);
  type("third");
  await pause();
  expect(searched().sessions).toEqual([]); // what was found for another word is gone at once
});

it("keeps what was found while more is typed, and says when it failed", async () => {
  const { asked, type, searched } = start();
  type("pars");
  await pause();
  asked[0]?.answer(found("The parser"));
  await pause();
  type("parser");
  expect([searched().state, searched().sessions[0]?.title]).toEqual(["busy", "The parser"]);
  await pause();
  asked[1]?.refuse();
  await pause();
  expect([searched().state, searched().sessions]).toEqual(["failed", []]);
});

it("takes no answer once it is closed", async () => {
  const { asked, type, searched } = start();
  type("pars");
  await pause();
  dispose();
  asked[0]?.answer(found("late"));
  await pause();
  expect(searched().sessions).toEqual([]);
});
