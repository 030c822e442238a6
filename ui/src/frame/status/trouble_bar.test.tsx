// What is wrong with the daemon: said in the person's language, and gone when it is well.
import { createSignal } from "solid-js";
import { render } from "solid-js/web";
import { afterEach, expect, it } from "vitest";
import { setLanguage } from "../../i18n/texts";
import type { DaemonNotice } from "../../model.gen";
import { type Room, RoomProvider } from "../../state/room";
import { TroubleBar } from "./trouble_bar";

afterEach(() => setLanguage("en"));

it("shows each trouble until it is withdrawn", () => {
  const [troubles, setTroubles] = createSignal<readonly DaemonNotice[]>([]);
  const root = document.createElement("div");
  const room = { troubles } as unknown as Room;
  const end = render(
    () => (
      <RoomProvider value={room}>
        <TroubleBar />
      </RoomProvider>
    ),
    root,
  );
  expect(root.textContent).toBe("");
  setTroubles([{ id: "store", kind: "store_full", text: "…", detail: "/d/bascule.db\u202e" }]);
  expect(root.querySelector("[role=alert]")?.textContent).toContain("The disk is full");
  expect(root.textContent).not.toContain("\u202e");
  setLanguage("zh");
  expect(root.textContent).toContain("磁盘已满");
  setTroubles([]);
  expect(root.textContent).toBe("");
  end();
});
