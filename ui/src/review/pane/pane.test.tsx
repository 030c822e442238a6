// The pane beside the log: Escape closes it only when no dialog is over it.
import { createSignal, Show } from "solid-js";
import { render } from "solid-js/web";
import { expect, it, vi } from "vitest";
import { Dialog } from "../../frame/dialogs/dialog";
import { type Room, RoomProvider } from "../../state/room";
import { Pane } from "./pane";

it("leaves Escape to a dialog over it when nothing has the focus", () => {
  const closeBeside = vi.fn();
  const [isOver, setOver] = createSignal(true);
  const end = render(
    () => (
      <RoomProvider value={{ closeBeside, wish: () => undefined } as unknown as Room}>
        <Pane title="Review" isWhole={false}>
          <p />
        </Pane>
        <Show when={isOver()}>
          <Dialog title="wordkit.py" onClose={() => setOver(false)}>
            <p />
          </Dialog>
        </Show>
      </RoomProvider>
    ),
    document.body,
  );
  (document.activeElement as HTMLElement).blur(); // as when the focused button has left the dialog
  const press = () => {
    const key = new KeyboardEvent("keydown", { key: "Escape", bubbles: true, cancelable: true });
    document.body.dispatchEvent(key);
    return key.defaultPrevented;
  };
  expect(press()).toBe(false); // so the browser closes the dialog
  expect(closeBeside).not.toHaveBeenCalled();
  setOver(false);
  (document.activeElement as HTMLElement).blur();
  expect(press()).toBe(true);
  expect(closeBeside).toHaveBeenCalledOnce();
  end();
});
