import { afterEach, describe, expect, it, vi } from "vitest";
import { button, closeAll, open, press, settle, starts, type } from "./opened";

afterEach(closeAll);

describe("files and context", () => {
  const KEPT = { file_id: "f1", path: "/data/a.png", name: "a.png", size: 3, media_type: "image/png" };

  function paste(input: HTMLElement, file: File): void {
    const event = new Event("paste", { bubbles: true, cancelable: true });
    const clipboardData = { files: [file], types: ["Files"] };
    input.dispatchEvent(Object.assign(event, { clipboardData }));
  }

  it("attaches what is pasted, shows it as a chip, and sends it as a part", async () => {
    const { testRoom, root, input } = open({ "files.attach": () => KEPT, "files.link": () => KEPT });
    paste(input, new File(["abc"], "a.png", { type: "image/png" }));
    await vi.waitFor(() => expect(root.querySelector(".composer-chip img")).not.toBeNull());
    expect(testRoom.calls("files.attach")).toEqual([{ session_id: "s1", name: "a.png", data: "YWJj" }]);
    expect(root.querySelector(".composer-chip img")?.getAttribute("src")).toBe("/files/f1");
    type(input, "look");
    press(input, "Enter");
    expect(starts(testRoom)[0]?.input.parts?.[1]).toEqual({
      type: "image_url",
      image_url: { url: "/data/a.png" },
    });
    expect(root.querySelector(".composer-chip")).toBeNull();
  });

  it("leaves attached files where they are when a command is sent", async () => {
    const { testRoom, root, input } = open({ "files.attach": () => KEPT, "files.link": () => KEPT });
    paste(input, new File(["abc"], "a.png", { type: "image/png" }));
    await vi.waitFor(() => expect(root.querySelector(".composer-chip img")).not.toBeNull());
    type(input, "/status now");
    press(input, "Enter");
    expect(starts(testRoom)[0]?.input).toEqual({ type: "text", text: "/status now" });
    (root.querySelector('[aria-label="Remove a.png"]') as HTMLElement).click();
    expect(root.querySelector(".composer-chip")).toBeNull();
  });

  it("takes no file above the ceiling", () => {
    const { testRoom, input } = open();
    const large = new File(["abc"], "big.bin");
    Object.defineProperty(large, "size", { value: 20 * 1024 * 1024 + 1 });
    paste(input, large);
    expect(testRoom.calls("files.attach")).toEqual([]);
    expect(testRoom.asked.find((one) => one.what === "toast")?.with[1]).toContain("the limit is 20 MiB");
  });

  it("shows what would go along with its size and notes, and sends it", async () => {
    const parts = [{ kind: "file", name: "a.py", size: 12_000, whole: 20_000, note: "truncated" }] as const;
    const { testRoom, root, input } = open({
      "context.preview": () => ({ parts: [...parts], max_files: 10, max_file_bytes: 12_000 }),
    });
    testRoom.room.setDraft("s1", { context: { files: ["a.py"] } });
    await settle();
    expect(root.querySelector(".composer-chip")?.textContent).toBe("Filea.py12,000 bytes · truncated");
    type(input, "use it");
    press(input, "Enter");
    expect(starts(testRoom)[0]?.context).toEqual({ files: ["a.py"] });
    expect(root.querySelector(".composer-chip")).toBeNull();
    expect(testRoom.calls("context.preview").length).toBe(1); // not with every letter
  });
});

describe("queue", () => {
  it("is listed, moved, changed, sent now, taken out and released", () => {
    const { testRoom, mirror, root } = open();
    const queue = [
      { key: "k1", text: "one" },
      { key: "k2", text: "two" },
    ];
    mirror.setHead({ queue, queue_held: true });
    const items = [...root.querySelectorAll<HTMLElement>(".composer-queued")];
    const [first] = items as [HTMLElement];
    press(first.querySelector("button") as HTMLElement, "ArrowDown", { altKey: true });
    button(first, "Send now")?.click();
    (first.querySelector('[aria-label="Remove from queue"]') as HTMLElement).click();
    button(root, "Resume")?.click();
    button(first, "Edit")?.click();
    const field = first.querySelector("textarea") as HTMLTextAreaElement;
    field.value = "changed";
    press(field, "Enter");
    expect(testRoom.asked.filter((one) => one.what.startsWith("queue."))).toEqual([
      { what: "queue.move", with: [{ session_id: "s1", key: "k1", to: 1 }] },
      { what: "queue.steer", with: [{ session_id: "s1", key: "k1" }] },
      { what: "queue.remove", with: [{ session_id: "s1", key: "k1" }] },
      { what: "queue.release", with: [{ session_id: "s1" }] },
      { what: "queue.edit", with: [{ session_id: "s1", key: "k1", text: "changed" }] },
    ]);
  });
});
