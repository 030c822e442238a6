import { afterEach, describe, expect, it } from "vitest";
import type { Block } from "../model.gen";
import { makeTestRoom, nextFrames } from "../text/test_room";
import { EVIL, end, ONE_OF_EACH, open, show } from "./test_room";

afterEach(() => end());

describe("every kind", () => {
  it.each(Object.values(ONE_OF_EACH))("$kind has its frame and no element from its text", (block) => {
    const { find, all, root } = show(block);
    expect(find("article")?.className).toBe(`blocks-block blocks-${block.kind}`);
    for (const details of all("details")) open(details);
    for (const details of all("details")) open(details);
    expect(root.querySelector("img[src='x'], script, [onerror]")).toBeNull();
    expect(root.innerHTML).not.toContain("style=");
  });

  it("says how much of a long text is gone", () => {
    const { root } = show({ kind: "assistant", id: "b", text: "x", dropped: 1_234 });
    expect(root.textContent).toContain("1,234 earlier characters are no longer kept.");
  });
});

describe("Details", () => {
  it("stays open, as the same element, while text streams into it", async () => {
    const block: Block = { kind: "command", id: "b", command: "make", output: "one\n", status: "inProgress" };
    const { mirror, find } = show(block);
    const details = find<HTMLDetailsElement>("details");
    expect(details?.open).toBe(false);
    open(details);
    const pre = find(".text-ansi");
    const words = pre?.querySelector("span")?.firstChild;
    mirror.put({ ...block, output: "one\ntwo\n" });
    await nextFrames();
    mirror.put({ ...block, output: "one\ntwo\nthree\n", status: "completed", exit_code: 0 });
    await expect.poll(() => find(".text-ansi")?.textContent).toBe("one\ntwo\nthree\n");
    expect(find("details")).toBe(details);
    expect(details?.open).toBe(true);
    expect(find(".text-ansi")).toBe(pre);
    expect(pre?.querySelector("span")?.firstChild).toBe(words);
  });

  it.each([
    ["inProgress", "In progress", 0],
    ["completed", "Completed", 1],
    ["failed", "Failed", 1],
    ["declined", "Declined", 1],
    ["cancelled", "Cancelled", 1],
  ] as const)("%s is a sign at the right of the summary", (status, name, drawn) => {
    for (const kind of ["reasoning", "command", "fileChange", "mcp"] as const) {
      const { find } = show({ ...ONE_OF_EACH[kind], status } as Block);
      const icon = find("summary > :last-child");
      expect([icon?.getAttribute("aria-label"), icon?.querySelectorAll("svg").length]).toEqual([name, drawn]);
      expect(icon?.className).toBe(`blocks-status blocks-status-${status}`);
      end();
    }
  });
});

describe("what the agent said", () => {
  it.each(["failed", "declined", "cancelled"] as const)(
    "has no sign of its own: its run says %s",
    (status) => {
      const { all } = show({ kind: "assistant", id: "b", text: "half a sent", status });
      expect(all(".blocks-status")).toEqual([]);
    },
  );

  it("thought has the first line of its latest part beside it", () => {
    const { find } = show({
      kind: "reasoning",
      id: "b",
      summary: ["**Reading**\n\nAll of it.", "**Choosing an answer**\n\nA short one will do."],
      status: "completed",
    });
    expect(find(".blocks-row .blocks-dim")?.textContent).toBe("Choosing an answer");
  });
});

describe("user", () => {
  it("shows what went along and marks what is on its way", () => {
    const { root, all } = show({
      kind: "user",
      id: "b",
      text: "hi",
      steered: true,
      sent: false,
      context: [
        { kind: "file", name: "a.py", size: 3 },
        { kind: "file", name: "b.bin", left_out: true, note: "binary" },
      ],
    });
    expect(all(".blocks-chip").map((chip) => chip.textContent)).toEqual(["a.py", "b.bin left out: binary"]);
    expect(root.textContent).toContain("Added to the current run");
    expect(root.textContent).toContain("Not sent yet");
  });

  it("is copied, forked from and reviewed", async () => {
    const testRoom = makeTestRoom({ "session.fork": { session_id: "s2" } });
    const { button } = show({ kind: "user", id: "b", text: "hi", run: "r1" }, testRoom);
    button("Copy")?.click();
    button("Fork from here")?.click();
    button("Review changes")?.click();
    await nextFrames(1);
    expect(testRoom.asked).toEqual([
      { what: "copy", with: ["hi"] },
      { what: "session.fork", with: [{ session_id: "s1", run_id: "r1" }] },
      { what: "show", with: [{ kind: "review", session: "s1", run: "r1" }] },
      { what: "activate", with: ["s2"] },
    ]);
  });

  it("shows its images, never one from elsewhere, and enlarges them", async () => {
    const { all, find, testRoom } = show({
      kind: "user",
      id: "b",
      text: "",
      images: ["shots/a.png", "data:image/png;base64,AA==", "https://evil.example/p.png", "data:text/html,x"],
    });
    await expect
      .poll(() => all("img").map((image) => image.getAttribute("src")))
      .toEqual(["/files/f1", "data:image/png;base64,AA=="]);
    find("button[aria-label='Enlarge a.png']")?.click();
    expect(testRoom.asked.at(-1)).toEqual({
      what: "show",
      with: [{ kind: "image", url: "/files/f1", caption: "a.png" }],
    });
  });
});

describe("the others", () => {
  it("reasoning: its summary is Markdown, its raw thought is not", () => {
    const { find, all } = show(ONE_OF_EACH.reasoning);
    expect(find(".blocks-summary")?.textContent).toBe("Reasoning Looking");
    open(find("details"));
    expect(find(".blocks-inside strong")?.textContent).toBe("Looking");
    open(all("details")[1] ?? null);
    expect(find("pre")?.textContent).toBe("**raw**");
  });

  it("mcp: only server and tool in its line", () => {
    const { find, root } = show(ONE_OF_EACH.mcp);
    expect(find(".blocks-summary")?.textContent).toBe("Calling docs/search");
    open(find("details"));
    expect(find("pre code")?.textContent).toBe('{\n  "q": 1\n}');
    expect(root.textContent).toContain(EVIL);
  });

  it("webSearch: one line", () => {
    const { root, find } = show(ONE_OF_EACH.webSearch);
    expect(root.textContent).toBe("Searched the web solid js");
    expect(find("details")).toBeNull();
  });

  it("plan: a sign for each step", () => {
    const { all, find } = show(ONE_OF_EACH.plan);
    expect(find<HTMLDetailsElement>("details")?.open).toBe(true);
    expect(all(".blocks-step").map((step) => step.textContent?.trim())).toEqual(["one", "two", "three"]);
    const signs = all(".blocks-step > [role='img']");
    expect(signs.map((sign) => sign.getAttribute("aria-label"))).toEqual([
      "Completed",
      "In progress",
      "To do",
    ]);
    expect(new Set(signs.map((sign) => sign.innerHTML)).size).toBe(3);
    expect(find("em")?.textContent).toBe("why");
  });

  it("system: Markdown; other events stay folded", () => {
    expect(show(ONE_OF_EACH.system).find("li strong")?.textContent).toBe("/new");
    end();
    const { find, root } = show({
      kind: "system",
      id: "b",
      title: "Other events (debug)",
      text: "x/y {}",
      debug: true,
    });
    expect(find<HTMLDetailsElement>("details")?.open).toBe(false);
    expect(root.textContent).not.toContain("x/y");
    open(find("details"));
    expect(find("pre")?.textContent).toBe("x/y {}");
  });

  it("error: shown once as Markdown, its code under details, with the way to its setting", () => {
    const { find } = show(ONE_OF_EACH.error);
    expect(find(".blocks-title")?.textContent).toBe("It broke");
    expect(find("p code")?.textContent).toBe("code");
    expect(find("details")).toBeNull();
    end();
    const again = show({
      kind: "error",
      id: "e",
      title: "Not applied",
      text: "It may not be.",
      said: { code: "edit.failed.apply", fields: { setting: "bascule.allowApplyPatch" } },
      attachments: [{ type: "error", code: "apply_not_allowed", message: "It may not be." }],
    });
    expect(again.root.textContent?.match(/It may not be/g)?.length).toBe(1);
    const details = again.find<HTMLDetailsElement>("details");
    expect(details?.open).toBe(false);
    open(details);
    expect(details?.querySelector("code")?.textContent).toBe("apply_not_allowed");
    again.find<HTMLButtonElement>("button.small")?.click();
    expect(again.testRoom.asked.at(-1)).toEqual({
      what: "show",
      with: [{ kind: "settings", at: "bascule.allowApplyPatch" }],
    });
  });
});
