import { createRoot } from "solid-js";
import { expect, it } from "vitest";
import { Tail } from "./tail";

it("goes to the end after something was sent, and follows what comes then, without taking the focus", () =>
  createRoot(async (dispose) => {
    const element = document.createElement("div");
    let whole = 2_000;
    Object.defineProperties(element, {
      clientHeight: { get: () => 500 },
      scrollHeight: { get: () => whole },
    });
    element.tabIndex = 0;
    document.body.append(element);
    const tail = new Tail(
      () => element,
      () => ["a"],
    );
    tail.leave();
    tail.grew();
    expect([element.scrollTop, tail.isAway()]).toEqual([0, true]);
    tail.follow();
    expect([element.scrollTop, tail.isAway()]).toEqual([1_500, false]);
    whole = 2_600;
    tail.grew();
    await new Promise(requestAnimationFrame);
    expect(element.scrollTop).toBe(2_100);
    expect(document.activeElement).toBe(document.body);
    element.remove();
    dispose();
  }));
