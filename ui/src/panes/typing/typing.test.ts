import { describe, expect, it } from "vitest";
import { fromBase64, ofBinary, toBase64 } from "../bytes";
import { MAX_WAITING, PaneInput } from "./typing";

const bytes = (text: string) => new TextEncoder().encode(text);
const text = (data: string) => new TextDecoder().decode(fromBase64(data));

describe("what is typed", () => {
  it("goes in order, and what is typed meanwhile goes together", async () => {
    const sent: string[] = [];
    let release = () => {};
    const typing = new PaneInput(
      (data) => {
        sent.push(text(data));
        return new Promise<void>((resolve) => {
          release = resolve;
        });
      },
      () => {},
    );
    for (const key of "abc") typing.put(bytes(key));
    expect(sent).toEqual(["a"]);
    release();
    await Promise.resolve();
    await Promise.resolve();
    expect(sent).toEqual(["a", "bc"]);
  });

  it("comes in pieces when it is long", async () => {
    const sizes: number[] = [];
    const typing = new PaneInput(
      (data) => {
        sizes.push(fromBase64(data).length);
        return Promise.resolve();
      },
      () => {},
    );
    typing.put(new Uint8Array(70_000));
    for (let turn = 0; turn < 20; turn++) await Promise.resolve();
    expect(sizes).toEqual([32768, 32768, 4464]);
  });

  it("is dropped after a refusal, and says so once", async () => {
    const why: unknown[] = [];
    const typing = new PaneInput(
      () => Promise.reject(new Error("no")),
      (reason) => why.push(reason),
    );
    typing.put(bytes("a"));
    typing.put(bytes("b"));
    for (let turn = 0; turn < 10; turn++) await Promise.resolve();
    expect(why).toHaveLength(1);
  });

  it("has a ceiling", () => {
    const typing = new PaneInput(
      () => new Promise(() => {}),
      () => {},
    );
    expect(typing.put(new Uint8Array(MAX_WAITING + 1))).toBe(false);
  });
});

describe("bytes", () => {
  it("come back as they were", () => {
    const all = Uint8Array.from({ length: 3_000 }, (_, at) => at % 256);
    expect(fromBase64(toBase64(all))).toEqual(all);
    expect(fromBase64(toBase64(new Uint8Array(70_000)))).toHaveLength(70_000);
    expect(ofBinary("\u0000\u00ff")).toEqual(Uint8Array.of(0, 255));
  });
});
