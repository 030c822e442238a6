// The connection to a relay in the status line: nothing without one, and the truth about it.
import { createSignal } from "solid-js";
import { render } from "solid-js/web";
import { afterEach, expect, it } from "vitest";
import { setLanguage } from "../../i18n/texts";
import type { BridgeState } from "../../model.gen";
import { type Room, RoomProvider } from "../../state/room";
import { BridgePart } from "./bridge_part";

afterEach(() => setLanguage("en"));

it("says whether the relay is connected, what went wrong, and when it is tried again", () => {
  const [bridge, setBridge] = createSignal<BridgeState>();
  const root = document.createElement("div");
  const end = render(
    () => (
      <RoomProvider value={{ bridge } as unknown as Room}>
        <BridgePart />
      </RoomProvider>
    ),
    root,
  );
  expect(root.textContent).toBe("");
  const known = { relay: "https://relay.example", machine: "desk", since_ms: 1_000 };
  setBridge({
    ...known,
    status: "waiting",
    last_error: "refused\u202e",
    last_error_ms: 1_000,
    retry_ms: 9_000,
  });
  expect(root.textContent).toBe("Relay not connected");
  const said = root.querySelector("[data-bridge=waiting]")?.getAttribute("title") ?? "";
  expect(said).toContain("https://relay.example, as desk");
  expect(said).toContain("Last problem: refused");
  expect(said).toContain("Trying again at");
  expect(said).not.toContain("\u202e");
  setLanguage("zh");
  expect(root.textContent).toBe("中继未连接");
  setBridge({ ...known, status: "connected" });
  expect(root.textContent).toBe("中继已连接");
  setBridge(undefined);
  expect(root.textContent).toBe("");
  end();
});
