// The folder picker: the answer to the latest request is shown, whatever comes after it.
import { render } from "solid-js/web";
import { expect, it } from "vitest";
import type { ListedFolders } from "../model.gen";
import { Refused, type Room, RoomProvider } from "../state/room";
import { FolderOverlay } from "./folder_overlay";

function open() {
  const answers: { resolve: (found: ListedFolders) => void; reject: (fault: Error) => void }[] = [];
  const room = {
    workspace: () => "/home/me/project",
    call: () => new Promise((resolve, reject) => answers.push({ resolve, reject })),
  } as unknown as Room;
  const end = render(
    () => (
      <RoomProvider value={room}>
        <FolderOverlay onStarted={() => undefined} />
      </RoomProvider>
    ),
    document.body,
  );
  const input = document.querySelector<HTMLInputElement>("input[type=text]") as HTMLInputElement;
  input.value = "/nowhere";
  input.dispatchEvent(new InputEvent("input", { bubbles: true }));
  return { answers, input, end };
}

it("keeps what was typed when the first listing comes later", async () => {
  const { answers, input, end } = open();
  answers[0]?.resolve({ folder: "/home/me", parent: "/home", folders: [] });
  await new Promise((done) => setTimeout(done));
  expect(input.value).toBe("/nowhere");
  end();
});

it("keeps the answer to what was typed when the first listing comes later", async () => {
  const { answers, input, end } = open();
  input.form?.dispatchEvent(new SubmitEvent("submit", { bubbles: true, cancelable: true }));
  expect(answers.length).toBe(2);
  answers[1]?.reject(new Refused(-32_000, "There is no folder /nowhere."));
  await Promise.resolve();
  answers[0]?.resolve({ folder: "/home/me", parent: "/home", folders: [] });
  await new Promise((done) => setTimeout(done));
  expect(document.querySelector("[role=status]")?.textContent).toContain("There is no folder");
  expect(input.value).toBe("/nowhere");
  end();
});
