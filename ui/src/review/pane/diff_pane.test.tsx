import { createSignal, Show, Suspense } from "solid-js";
import { render } from "solid-js/web";
import { afterEach, describe, expect, it, vi } from "vitest";
import type { Ask, EditDone, Prepared, Requests } from "../../model.gen";
import { type Beside, type Room, RoomProvider } from "../../state/room";
import { DiffPane } from "./diff_pane";

const PREVIEW = `diff --git a/a.py b/a.py
--- a/a.py
+++ b/a.py
@@ -1 +1 @@
-one
+ONE
@@ -9 +9 @@
-nine
+NINE
`;
const HASH = "ab".repeat(32);
const SPAN = { old_count: 1, new_count: 1 };
const HUNKS = [
  { number: 1, old_start: 1, new_start: 1, ...SPAN, lines: ["-one", "+ONE"] },
  { number: 2, old_start: 9, new_start: 9, ...SPAN, lines: ["-nine", "+NINE"] },
];

/// A room with a daemon that keeps one diff and asks before it writes.
function makeStage(...edits: Partial<EditDone>[]) {
  const [asks, setAsks] = createSignal<Ask[]>([]);
  const said: [string, unknown][] = [];
  const claims: string[] = [];
  const toasts: [string, string][] = [];
  let answered: (choice: string) => void = () => undefined;
  const prepared = (diff_id: string): Prepared => ({
    diff_id,
    hash: HASH,
    files: [{ path: "a.py", kind: "update", additions: 2, deletions: 2, hunks: HUNKS }],
    preview: PREVIEW,
  });
  const apply = async () => {
    const choices = [
      { id: `apply:${HASH}`, label: "Yes, exactly this", grants: true },
      { id: "decline", label: "No", grants: false },
    ];
    const files = [{ path: "a.py", change: "update" as const, additions: 2, deletions: 2, diff: PREVIEW }];
    setAsks([
      {
        id: "k",
        title: "Write these files?",
        subject: { about: "files", files },
        choices,
        plan: HASH,
        edit: "d",
      },
    ]);
    const choice = await new Promise<string>((resolve) => {
      answered = resolve;
    });
    setAsks([]);
    return choice === "decline"
      ? { status: "rejected", summary: "not confirmed" }
      : { status: "ok", summary: "1 file", undo_id: "u" };
  };
  const answers: Partial<Record<keyof Requests, (params: never) => unknown>> = {
    "edits.prepared": () => prepared("d"),
    "edits.apply": apply,
    "ask.answer": ({ choice }: { choice: string }) => answered(choice),
  };
  const room = {
    call: async (method: keyof Requests, params: never) => {
      said.push([method, params]);
      const answer = answers[method];
      if (!answer) throw new Error(`nobody answers ${method}`);
      return answer(params);
    },
    mirror: () => ({
      head: () => ({ asks: asks() }),
      outline: () => edits.map((_, i) => ({ id: String(i), kind: "system" })),
      block: (id: string) => ({ kind: "system", edit: edits[Number(id)] }),
    }),
    access: () => undefined,
    wish: () => undefined,
    setWish: () => undefined,
    claimAsk: (id: string) => claims.push(id),
    toast: (level: string, text: string) => toasts.push([level, text]),
  } as unknown as Room;
  return { room, said, claims, toasts };
}

let dispose: () => void = () => undefined;
afterEach(() => {
  dispose();
  document.body.replaceChildren();
});

function show(room: Room, beside: Extract<Beside, { kind: "diff" }>) {
  dispose = render(
    () => (
      <RoomProvider value={room}>
        <Suspense fallback={<p>suspended</p>}>
          <Show when={beside}>{(now) => <DiffPane beside={now()} />}</Show>
        </Suspense>
      </RoomProvider>
    ),
    document.body,
  );
}

const button = (name: string) =>
  [...document.querySelectorAll("button")].find(
    (one) => one.textContent?.replace(/[yn]$/, "").trim() === name,
  );

describe("a diff with an id", () => {
  it("is asked for whole, and written only after a yes to the question that is shown", async () => {
    const { room, said, claims, toasts } = makeStage();
    show(room, { kind: "diff", title: "Patch", unified: PREVIEW, diffId: "d", session: "s" });
    expect(document.body.textContent).not.toContain("suspended");
    await vi.waitFor(() => expect(document.body.textContent).toContain("2 of 2 hunks selected"));
    button("Apply…")?.click();
    await vi.waitFor(() => expect(document.body.textContent).toContain("Write these files?"));
    expect(document.body.textContent).not.toContain("Written");
    await vi.waitFor(() => expect(button("Yes, exactly this")?.disabled).toBe(false)); // a double click is no yes
    button("Yes, exactly this")?.click();
    await vi.waitFor(() => expect(toasts).toEqual([["info", "Written: 1 file"]]));
    expect(button("Undo")).toBeDefined();
    expect(claims).toEqual(["", "k", ""]); // it isn't asked twice on one screen
    expect(said).toEqual([
      ["edits.prepared", { diff_id: "d" }],
      ["edits.apply", { diff_id: "d" }],
      ["ask.answer", { session_id: "s", ask_id: "k", choice: `apply:${HASH}` }],
    ]);
  });

  it("tells a no apart, and can be tried again", async () => {
    const { room } = makeStage();
    show(room, { kind: "diff", title: "Patch", unified: PREVIEW, diffId: "d", session: "s" });
    await vi.waitFor(() => expect(button("Apply…")).toBeDefined());
    button("Apply…")?.click();
    await vi.waitFor(() => expect(button("No")?.disabled).toBe(false));
    button("No")?.click();
    await vi.waitFor(() => expect(document.body.textContent).toContain("Not written: not confirmed"));
    expect(button("Apply…")?.disabled).toBe(false);
  });

  it("that was applied is shown with its undo, and isn't offered again", async () => {
    const { room } = makeStage({ work: "apply", undo_id: "u", diff_id: "d" });
    show(room, { kind: "diff", title: "Patch", unified: PREVIEW, diffId: "d", session: "s" });
    await vi.waitFor(() => expect(document.body.textContent).toContain("Applied"));
    expect(button("Undo")).toBeDefined();
    for (const name of ["Apply…", "All", "None"]) expect(button(name)).toBeUndefined();
    expect(document.querySelectorAll("input[type=checkbox]")).toHaveLength(0);
  });

  it("cannot be applied with nothing chosen", async () => {
    const { room } = makeStage();
    show(room, { kind: "diff", title: "Patch", unified: PREVIEW, diffId: "d", session: "s" });
    await vi.waitFor(() => expect(button("None")).toBeDefined());
    button("None")?.click();
    expect(button("Apply selected…")?.disabled).toBe(true);
  });
});
