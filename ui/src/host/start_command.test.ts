import { beforeEach, expect, it } from "vitest";
import { keepStartCommand, startCommand } from "./start_command";

beforeEach(() => localStorage.clear());

it("is the usual one until a daemon has said another, which is kept", () => {
  expect(startCommand()).toBe("bascule up");
  keepStartCommand("bascule up --demo");
  expect(startCommand()).toBe("bascule up --demo");
  keepStartCommand(undefined); // an older daemon
  expect(startCommand()).toBe("bascule up --demo");
});
