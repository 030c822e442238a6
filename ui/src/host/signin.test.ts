import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { signIn, signOut, storedKey, storedWorkspace, takeToken, tokenOf } from "./signin";

beforeEach(() => {
  localStorage.clear();
  sessionStorage.clear();
});
afterEach(() => vi.unstubAllGlobals());

describe("the link", () => {
  it.each([
    ["http://127.0.0.1:4711/#token=a-B_9", "a-B_9"],
    ["  #token=abc ", "abc"],
    ["http://127.0.0.1:4711/?token=abc", ""],
    ["http://127.0.0.1:4711/", ""],
    ["#token=", ""],
  ])("%s", (link, token) => expect(tokenOf(link)).toBe(token));

  it("leaves the address at once", () => {
    history.replaceState(null, "", "/#token=abc");
    expect(takeToken()).toBe("abc");
    expect(location.hash).toBe("");
    expect(takeToken()).toBe("");
  });
});

describe("signing in", () => {
  const answer = (status: number, body: unknown) =>
    vi.stubGlobal("fetch", () => Promise.resolve(new Response(JSON.stringify(body), { status })));

  it("keeps the key for every tab and the folder for this one", async () => {
    answer(200, { key: "k", workspace: "/home/me" });
    expect(await signIn("abc")).toBe("in");
    expect([storedKey(), storedWorkspace()]).toEqual(["k", "/home/me"]);
    expect(sessionStorage.getItem("bascule:key")).toBeNull();
  });

  it("keeps the key it has when a link is no longer good", async () => {
    localStorage.setItem("bascule:key", "before");
    answer(401, "used");
    expect(await signIn("abc")).toBe("used");
    expect(storedKey()).toBe("before");
  });

  it("holds the key itself where storage is forbidden", async () => {
    const forbidden = () => {
      throw new DOMException("no", "SecurityError");
    };
    vi.stubGlobal("localStorage", { getItem: forbidden, setItem: forbidden });
    answer(200, { key: "held", workspace: "/home/me" });
    expect(await signIn("abc")).toBe("in");
    expect(storedKey()).toBe("held");
  });

  it("says when nobody answers", async () => {
    vi.stubGlobal("fetch", () => Promise.reject(new TypeError("refused")));
    expect(await signIn("abc")).toBe("silent");
  });
});

describe("signing out", () => {
  it.each([
    [200, true, ""],
    [401, true, ""], // the daemon no longer knew it
    [500, false, "k"],
  ])("answered %i", async (status, isOut, left) => {
    localStorage.setItem("bascule:key", "k");
    const asked = vi.fn(() => Promise.resolve(new Response("", { status })));
    vi.stubGlobal("fetch", asked);
    expect([await signOut(), storedKey()]).toEqual([isOut, left]);
    expect(asked).toHaveBeenCalledWith(
      "./signout",
      expect.objectContaining({
        method: "POST",
        headers: { "Content-Type": "application/json", "X-Bascule-Key": "k" },
      }),
    );
  });

  it("keeps the key when nobody answers", async () => {
    localStorage.setItem("bascule:key", "k");
    vi.stubGlobal("fetch", () => Promise.reject(new TypeError("refused")));
    expect([await signOut(), storedKey()]).toEqual([false, "k"]);
  });
});
