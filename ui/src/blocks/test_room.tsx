// For the tests of this folder: one block of each kind, shown in a room of its own.
import type { Block } from "../model.gen";
import { makeMirror, makeTestRoom, mount, type TestRoom } from "../text/test_room";
import { BlockView } from "./block";

const LINK = { file_id: "f1", path: "/p/a.png", name: "a.png", size: 1, media_type: "image/png" };

export let end = () => {};

export function show(block: Block, testRoom: TestRoom = makeTestRoom({ "files.link": LINK })) {
  const mirror = makeMirror([block]);
  const mounted = mount(testRoom, () => <BlockView mirror={mirror} id={block.id} />);
  end = mounted.end;
  const find = <E extends HTMLElement = HTMLElement>(selector: string) =>
    mounted.root.querySelector<E>(selector);
  const all = (selector: string) => [...mounted.root.querySelectorAll<HTMLElement>(selector)];
  const button = (name: string) =>
    all("button").find((each) => (each.getAttribute("aria-label") ?? each.textContent ?? "").includes(name));
  return { mirror, testRoom, root: mounted.root, find, all, button };
}

export function open(details: HTMLElement | null) {
  (details as HTMLDetailsElement).open = true;
  details?.dispatchEvent(new Event("toggle"));
}

export const EVIL = "<img src=x onerror=alert(1)>";

export const ONE_OF_EACH: Record<Block["kind"], Block> = {
  user: { kind: "user", id: "b", text: `**hi** ${EVIL}`, run: "r1" },
  remote: { kind: "remote", id: "b", text: "@dev hi", author: `Ann ${EVIL}` },
  assistant: { kind: "assistant", id: "b", text: "# Done", status: "completed", final: true },
  reasoning: { kind: "reasoning", id: "b", summary: ["**Looking**"], raw: ["**raw**"], status: "completed" },
  command: {
    kind: "command",
    id: "b",
    command: "ls -la",
    original: "/bin/zsh -lc 'cd /p && ls -la'",
    summary: "ls -la",
    cwd: "/p",
    output: "\u001b[31mred\u001b[0m",
    stdin: "y\n",
    status: "failed",
    exit_code: 2,
    duration_ms: 1_500,
  },
  fileChange: {
    kind: "fileChange",
    id: "b",
    files: [
      { path: "src/a.py", change: "update", diff: "@@ -1 +1 @@\n-a\n+b\n", additions: 1, deletions: 1 },
      { path: `${EVIL}.txt`, change: "add", additions: 3 },
    ],
    detail: "applied",
    status: "completed",
  },
  mcp: {
    kind: "mcp",
    id: "b",
    server: "docs",
    tool: "search",
    arguments: '{"q":1}',
    progress: "half",
    result: EVIL,
    status: "inProgress",
  },
  webSearch: { kind: "webSearch", id: "b", query: "solid js", status: "completed" },
  plan: {
    kind: "plan",
    id: "b",
    text: "*why*",
    steps: [
      { text: "one", status: "completed" },
      { text: "two", status: "inProgress" },
      { text: "three", status: "pending" },
    ],
  },
  image: { kind: "image", id: "b", path: "a.png", caption: "A cat" },
  divider: { kind: "divider", id: "b", title: "Worked for 21s", text: "Context compacted" },
  info: { kind: "info", id: "b", title: "Session", facts: [{ name: "cwd", value: "/p" }] },
  system: { kind: "system", id: "b", title: "Help", text: "- **/new**" },
  error: { kind: "error", id: "b", title: "It broke", text: "`code`" },
};
