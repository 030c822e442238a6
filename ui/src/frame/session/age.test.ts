import { expect, it } from "vitest";
import type { WaitingAsk } from "../../model.gen";
import { sinceMs } from "./age";

it("counts from the question where a session waits, else from its last change", () => {
  const inbox = () =>
    [
      { session_id: "a", ask: { id: "q", opened_at_ms: 5 } },
      { session_id: "a", ask: { id: "r", opened_at_ms: 3 } },
      { session_id: "b", ask: { id: "s" } },
    ] as unknown as WaitingAsk[];
  const ages = ["a", "b", "c"].map((session_id) =>
    sinceMs({ inbox }, { session_id, asks: 1, updated_at_ms: 9 }),
  );
  expect(ages).toEqual([3, 9, 9]);
  expect(sinceMs({ inbox }, { session_id: "a", updated_at_ms: 9 })).toBe(9);
});
