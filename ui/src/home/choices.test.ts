import { expect, it } from "vitest";
import { listAgents, nameFolders } from "./choices";
import { makeTheirs } from "./entries";

function entry(cwd: string, agent = "codex") {
  const key = `${agent}:${cwd}`;
  return makeTheirs({ key, agent, their_id: cwd, status: "working", source: "socket", cwd });
}

it("offers each project once, by name, and with its path where two have the same name", () => {
  const entries = ["/b/shop", "/z", "/a/shop", "/a/notes", "/z", "", "/\u202ex"].map((cwd) => entry(cwd));
  const expected = [
    ["", ""],
    ["/a/shop", "/a/shop"],
    ["/b/shop", "/b/shop"],
    ["/\u202ex", "<U+202E>x"],
    ["/a/notes", "notes"],
    ["/z", "z"],
  ];
  const byFolder = (a: string[], b: string[]) => (String(a[0]) < String(b[0]) ? -1 : 1);
  expect([...nameFolders(entries)].sort(byFolder)).toEqual(expected.sort(byFolder));
});

it("keeps its order while sessions overtake each other", () => {
  const entries = ["/c", "/a", "/b"].map((cwd) => entry(cwd, cwd.slice(1)));
  const turned = [...entries].reverse();
  expect([...nameFolders(turned).keys()]).toEqual([...nameFolders(entries).keys()]);
  expect(listAgents(turned)).toEqual(["a", "b", "c"]);
});
