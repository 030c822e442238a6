// The tab's history: what is shown stays shown when what was open over it closes.
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { parseAddress } from "./address";

/// Like a browser: moving through the entries takes a moment, and an event follows.
class FakeHistory {
  entries: { state: unknown; hash: string }[] = [{ state: null, hash: "#/" }];
  at = 0;
  get state(): unknown {
    return this.entries[this.at]?.state;
  }
  get hash(): string {
    return this.entries[this.at]?.hash ?? "";
  }
  pushState(state: unknown, _: string, url: string): void {
    this.entries = [...this.entries.slice(0, ++this.at), { state, hash: hashOf(url) }];
  }
  replaceState(state: unknown, _: string, url: string): void {
    this.entries[this.at] = { state, hash: hashOf(url) };
  }
  go(delta: number): void {
    setTimeout(() => {
      this.at += delta;
      window.dispatchEvent(new Event("popstate"));
    });
  }
}

function hashOf(url: string): string {
  return url.slice(url.indexOf("#"));
}

let entries: FakeHistory;

beforeEach(() => {
  vi.resetModules();
  vi.useFakeTimers();
  entries = new FakeHistory();
  vi.stubGlobal("history", entries);
  vi.stubGlobal("location", {
    get hash() {
      return entries.hash;
    },
    get href() {
      return `http://localhost/${entries.hash}`;
    },
  });
});

afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

it.each([1, 2])("keeps the session that was begun in the last of %i dialogs", async (open) => {
  const { keepOpen, keepShown, onAddress } = await import("./history");
  const told: (string | undefined)[] = [];
  onAddress(({ session }) => told.push(session));
  for (let count = 1; count <= open; count++) keepOpen(count);
  keepShown("s_new"); // as the dialog begins it
  for (let count = open - 1; count >= 0; count--) {
    keepOpen(count);
    vi.runAllTimers();
  }
  expect(parseAddress(entries.hash)?.session).toBe("s_new");
  expect(entries.state).toBe(null);
  expect(new Set(told)).toEqual(new Set(["s_new"]));
});

it("gives the entry of a dialog that closes first to what is shown next", async () => {
  const { keepOpen, keepShown } = await import("./history");
  keepOpen(1);
  keepOpen(0);
  keepShown("s_found");
  vi.runAllTimers();
  expect(entries.entries.map(({ hash }) => hash)).toEqual(["#/", "#/s/s_found"]);
  expect(entries.state).toBe(null);
});
