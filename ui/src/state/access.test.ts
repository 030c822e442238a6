import { expect, it, vi } from "vitest";
import type { DeviceKey, DeviceKeys } from "../host/device_keys";
import { Refused } from "../link/connection";
import type { Access, Ask, Choice } from "../model.gen";
import { DeviceAccess, mayAct, mayAnswer, mayChoose, mayManage } from "./access";

const ONCE: Choice = { id: "accept", label: "Yes", grants: true };
const ALWAYS: Choice = { id: "always", label: "Always", grants: true, rule: "ls" };
const NO: Choice = { id: "decline", label: "No", grants: false };
const ASK: Ask = {
  id: "a",
  title: "?",
  subject: { about: "command", command: "ls", original: "ls" },
  choices: [ONCE, ALWAYS, NO],
};
const HERE: Access = { door: "page", may: ["answer", "look"], yes_to: ["command"] };
const OUTSIDE: Access = { door: "outside", may: ["ask", "look"] };
const DEVICE: Access = { door: "outside", may: ["answer", "ask", "look"], device: "d1" };

it("opens folders at this machine only", () => {
  expect([HERE, OUTSIDE, DEVICE].map(mayManage)).toEqual([false, false, false]);
  expect(mayManage({ ...HERE, may: ["look", "manage"] })).toBe(true);
});

const chosen = (access: Access | undefined) =>
  ASK.choices.filter((choice) => mayChoose(access, ASK, choice)).map((choice) => choice.id);

it("offers the answers that count", () => {
  expect(chosen(undefined)).toEqual(["accept", "always", "decline"]);
  expect(chosen(HERE)).toEqual(["accept", "always", "decline"]);
  expect(chosen(OUTSIDE)).toEqual([]);
  expect(chosen(DEVICE)).toEqual(["decline"]);
  expect(chosen({ ...DEVICE, yes_to: ["questions"] })).toEqual(["decline"]);
  expect(chosen({ ...DEVICE, yes_to: ["command"] })).toEqual(["accept", "decline"]);
  expect([undefined, HERE, OUTSIDE, DEVICE].map(mayAnswer)).toEqual([true, true, false, true]);
});

it("acts where it may ask, and only looks elsewhere", () => {
  const look: Access = { door: "page", scope: "look", may: ["look"] };
  const full: Access = { door: "page", may: ["answer", "ask", "look"] };
  expect([undefined, full, OUTSIDE, DEVICE, look].map(mayAct)).toEqual([true, true, true, true, false]);
});

const key: DeviceKey = {
  publicKey: "public",
  fingerprint: "abcd ef01",
  signOffer: async (code) => `offer ${code}`,
  signProof: async (device, nonce) => `proof ${device} ${nonce}`,
};

function stage(
  known: boolean,
  offered: () => unknown = () => ({ device_id: "d1", name: "Phone" }),
  proved: () => unknown = () => DEVICE,
) {
  const kept: string[] = [];
  const forgotten: string[] = [];
  const said: [string, unknown][] = [];
  const keys: DeviceKeys = {
    canKeep: () => true,
    find: async () => (known ? { device: "d1", key } : undefined),
    make: async () => ({ key, keep: async (device) => void kept.push(device) }),
    forget: async (device) => void forgotten.push(device),
  };
  const answers: Record<string, () => unknown> = {
    "device.challenge": () => ({ nonce: "n" }),
    "device.prove": proved,
    "device.offer": offered,
  };
  const call = async (method: string, params: unknown) => {
    said.push([method, params]);
    return answers[method]?.();
  };
  const refused = vi.fn();
  return { devices: new DeviceAccess(keys, call as never, refused), kept, forgotten, said, refused };
}

const PROVED = ["device.prove", { device_id: "d1", signature: "proof d1 n" }];

it("proves a device that it has, from outside only", async () => {
  const { devices, said } = stage(true);
  await devices.begin(HERE);
  expect(said).toEqual([]);
  await devices.begin(OUTSIDE);
  expect(said).toEqual([["device.challenge", {}], PROVED]);
  expect(devices.access()).toEqual(DEVICE);
});

it("forgets a device that was revoked, without a word", async () => {
  const no = () => {
    throw new Refused(-32000, "This does not prove a device that is enrolled here.");
  };
  const { devices, forgotten, refused } = stage(true, undefined, no);
  await devices.begin(OUTSIDE);
  expect([forgotten, refused.mock.calls, devices.access()]).toEqual([["d1"], [], OUTSIDE]);
});

it("looks only where there is no key", async () => {
  const { devices, said } = stage(false);
  await devices.begin(OUTSIDE);
  expect([devices.access(), said]).toEqual([OUTSIDE, []]);
});

it("offers a key, keeps it after a yes, and proves itself", async () => {
  const shown: unknown[] = [];
  const { devices, kept, said } = stage(false, () => {
    shown.push(devices.enrolment());
    return { device_id: "d1", name: "Phone" };
  });
  await devices.begin(OUTSIDE);
  await devices.enrol("CODE");
  expect(shown).toEqual([{ state: "waiting", fingerprint: "abcd ef01" }]);
  expect(said[0]).toEqual(["device.offer", { code: "CODE", key: "public", signature: "offer CODE" }]);
  expect(said.at(-1)).toEqual(PROVED);
  expect([kept, devices.enrolment(), devices.access()]).toEqual([
    ["d1"],
    { state: "enrolled", name: "Phone" },
    DEVICE,
  ]);
});

it("keeps nothing after a no, and can try again", async () => {
  const { devices, kept } = stage(false, () => {
    throw new Refused(-32000, "The person at the machine said no.");
  });
  await devices.enrol("CODE");
  expect([kept, devices.enrolment()]).toEqual([
    [],
    { state: "refused", why: "The person at the machine said no." },
  ]);
});
