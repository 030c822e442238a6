import { expect, it } from "vitest";
import { parseAddress, sayAddress } from "./address";

it.each([
  ["#/", { session: "" }],
  ["#/s/s_1", { session: "s_1" }],
  ["#/s/s_1/error%3Ar%2F1", { session: "s_1", block: "error:r/1" }],
] as const)("%s is an address, both ways", (hash, address) => {
  expect(parseAddress(hash)).toEqual(address);
  expect(sayAddress(address)).toBe(hash);
});

it.each(["", "#", "#token=abc", "#/s/", "#/x/s_1", "#/s/%E0%A4%A"])("%s says nothing", (hash) => {
  expect(parseAddress(hash)).toBeUndefined();
});
