import { describe, expect, it } from "vitest";
import { describeConnection } from "./connection";

const NOW = 1_000_000;
const OPEN = { wasOpen: true, why: "" };

describe("what is said of the connection", () => {
  it("says nothing while all is well", () => {
    expect(describeConnection({ state: "open" }, OPEN, NOW)).toBeUndefined();
  });

  it("says at once that it is lost, why, and when it tries again", () => {
    const lost = { state: "lost", why: "can't reach Bascule.", retryAtMs: NOW + 2_400 } as const;
    expect(describeConnection(lost, OPEN, NOW)).toEqual({
      tone: "bad",
      text: "Connection lost: can't reach Bascule.",
      count: "Retrying in 3 s.",
      canRetry: true,
    });
  });

  it("does not call lost what was never there", () => {
    const lost = { state: "lost", why: "can't reach Bascule.", retryAtMs: NOW } as const;
    const never = { wasOpen: false, why: lost.why };
    for (const now of [lost, { state: "connecting" } as const])
      expect(describeConnection(now, never, NOW)?.text).toBe("Can't reach Bascule.");
  });

  it("never counts below zero", () => {
    const lost = { state: "lost", why: "", retryAtMs: NOW - 5_000 } as const;
    expect(describeConnection(lost, OPEN, NOW)?.count).toBe("Retrying in 0 s.");
  });

  it("stays lost while it tries, and is only new the first time", () => {
    const connecting = { state: "connecting" } as const;
    const lost = { wasOpen: true, why: "can't reach Bascule." };
    expect(describeConnection(connecting, OPEN, NOW)?.text).toBe("Connection lost.");
    expect(describeConnection(connecting, lost, NOW)?.text).toBe("Connection lost: can't reach Bascule.");
    expect(describeConnection(connecting, { wasOpen: false, why: "" }, NOW)?.text).toBe(
      "Connecting to Bascule…",
    );
  });

  it("tells a silent line from a lost one", () => {
    expect(describeConnection({ state: "silent" }, OPEN, NOW)?.tone).toBe("warn");
  });
});
