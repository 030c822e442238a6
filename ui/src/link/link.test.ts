// The link over a socket that a test holds in its hand.
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { type Connection, Lost, Refused } from "./connection";
import { Link } from "./link";

class Wire {
  sent: { id: number; method: string; params: unknown }[] = [];
  onopen: (() => void) | null = null;
  onmessage: ((event: { data: string }) => void) | null = null;
  onclose: (() => void) | null = null;
  closed = false;

  send(text: string) {
    this.sent.push(JSON.parse(text));
  }
  close() {
    this.closed = true;
    this.onclose?.();
  }
  say(frame: object) {
    this.onmessage?.({ data: JSON.stringify({ jsonrpc: "2.0", ...frame }) });
  }
  /// Answers the last request of that name.
  answer(method: string, reply: object) {
    const asked = this.sent.findLast((one) => one.method === method);
    this.say({ id: asked?.id, ...reply });
  }
}

const HELLO = { protocol_version: "0", client: { name: "test" } };

function open() {
  const wires: Wire[] = [];
  const states: Connection["state"][] = [];
  const heard: [string, unknown][] = [];
  let ready = 0;
  const link = new Link(
    {
      connect: () => {
        const wire = new Wire();
        wires.push(wire);
        return wire as unknown as WebSocket;
      },
      whyClosed: async () => "",
    },
    {
      onConnection: (connection) => states.push(connection.state),
      onReady: () => {
        ready++;
      },
      onNotify: (method, params) => heard.push([method, params]),
    },
    HELLO,
  );
  link.start();
  const wire = () => wires.at(-1) as Wire;
  const greet = async () => {
    wire().onopen?.();
    wire().answer("initialize", { result: { protocol_version: "0" } });
    await vi.advanceTimersByTimeAsync(0);
  };
  return { link, wire, wires, states, heard, greet, ready: () => ready };
}

beforeEach(() => {
  vi.useFakeTimers({
    toFake: ["setTimeout", "clearTimeout", "setInterval", "clearInterval", "Date", "performance"],
  });
});
afterEach(() => {
  vi.useRealTimers();
});

describe("the link", () => {
  it("introduces itself before anything else", async () => {
    const { link, wire, states, greet, ready } = open();
    await expect(link.call("ask.list", {})).rejects.toBeInstanceOf(Lost);
    await greet();
    expect(wire().sent.map((one) => one.method)).toEqual(["initialize"]);
    expect([states, ready()]).toEqual([["connecting", "open"], 1]);
  });

  it("matches answers to questions, in any order, and knows a no", async () => {
    const { link, wire, greet } = open();
    await greet();
    const first = link.call("ask.list", {});
    const second = link.call("commands.list", {});
    wire().answer("commands.list", { result: { commands: [] } });
    wire().answer("ask.list", { error: { code: -32001, message: "busy" } });
    expect(await second).toEqual({ commands: [] });
    await expect(first).rejects.toEqual(new Refused(-32001, "busy"));
  });

  it("hands on what the daemon tells by itself", async () => {
    const { wire, heard, greet } = open();
    await greet();
    wire().say({ method: "ui.toast", params: { level: "info", message: "hello" } });
    expect(heard).toEqual([["ui.toast", { level: "info", message: "hello" }]]);
  });

  it("refuses what it is asked and does not do", async () => {
    const { wire, heard, greet } = open();
    await greet();
    wire().say({ id: "ui_1", method: "ui.confirm.request", params: { title: "Run?" } });
    expect(wire().sent.at(-1)).toEqual({
      jsonrpc: "2.0",
      id: "ui_1",
      error: { code: -32601, message: "The page does not answer ui.confirm.request." },
    });
    expect(heard).toEqual([]);
  });

  it("comes back by itself, and what was asked is lost, not doubled", async () => {
    const { link, wire, wires, states, greet, ready } = open();
    await greet();
    const asked = link.call("ask.list", {});
    wire().close();
    await expect(asked).rejects.toBeInstanceOf(Lost);
    await vi.advanceTimersByTimeAsync(100);
    await greet();
    expect([wires.length, ready()]).toEqual([2, 2]);
    expect(states).toEqual(["connecting", "open", "lost", "connecting", "open"]);
    expect(wire().sent.map((one) => one.method)).toEqual(["initialize"]);
  });

  it("gives up a line that says nothing, and dials another", async () => {
    const { link, wires, states, greet } = open();
    await greet();
    const asked = expect(link.call("ask.list", {})).rejects.toEqual(new Lost(true));
    await vi.advanceTimersByTimeAsync(11_500);
    await asked;
    expect(wires.map((wire) => wire.closed)).toEqual([true, false]);
    await greet();
    expect(states).toEqual(["connecting", "open", "silent", "lost", "connecting", "open"]);
  });

  it("does not wait for ever for a line that does not come about", async () => {
    const { wires, states, greet } = open();
    await vi.advanceTimersByTimeAsync(10_200);
    expect(wires.map((wire) => wire.closed)).toEqual([true, false]);
    await greet();
    await vi.advanceTimersByTimeAsync(20_000);
    expect([states.filter((state) => state === "lost").length, wires.length]).toEqual([2, 3]); // that one fell silent
  });

  it("waits longer each time, and not when a person says so", async () => {
    const { link, wire, wires } = open();
    for (const wait of [100, 300, 700]) {
      wire().close();
      await vi.advanceTimersByTimeAsync(wait - 1);
      const before = wires.length;
      await vi.advanceTimersByTimeAsync(1);
      expect(wires.length).toBe(before + 1);
    }
    wire().close();
    link.retryNow();
    expect(wires.length).toBe(5);
  });

  it.each([1, 300, 599, 601, 900, 1_199])(
    "tells within two seconds that nobody is behind an open line: last heard after %i ms",
    async (heardAtMs) => {
      const { wire, states, greet } = open();
      await greet();
      await vi.advanceTimersByTimeAsync(heardAtMs);
      wire().say({ method: "ui.toast", params: { level: "info", message: "the last word" } });
      expect(states.at(-1)).toBe("open");
      await vi.advanceTimersByTimeAsync(1_900);
      expect(states.at(-1)).toBe("silent");
    },
  );

  it("hears that somebody is there again", async () => {
    const { wire, states, greet } = open();
    await greet();
    await vi.advanceTimersByTimeAsync(1_900);
    expect(states.at(-1)).toBe("silent");
    wire().answer("daemon.ping", { result: { ok: true } });
    expect(states.at(-1)).toBe("open");
  });
});
