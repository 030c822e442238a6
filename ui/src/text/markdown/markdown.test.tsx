import { createSignal } from "solid-js";
import { afterEach, describe, expect, it } from "vitest";
import { makeTestRoom, mount, nextFrames } from "../test_room";
import { MAX_MARKDOWN, Markdown } from "./markdown";
import { findCuts } from "./render";

let end = () => {};
afterEach(() => end());

function show(text: string | (() => string)) {
  const testRoom = makeTestRoom();
  const read = typeof text === "string" ? () => text : text;
  const mounted = mount(testRoom, () => <Markdown text={read()} session="s1" />);
  end = mounted.end;
  return {
    testRoom,
    root: mounted.root.querySelector<HTMLElement>(".text-markdown, .text-long") as HTMLElement,
  };
}

const ALLOWED = new Set(
  "DIV P BR HR H1 H2 H3 H4 H5 H6 BLOCKQUOTE UL OL LI TABLE THEAD TBODY TR TH TD STRONG EM S CODE PRE A SPAN BUTTON".split(
    " ",
  ),
);

describe("Markdown", () => {
  it("has HTML off, links bare addresses and keeps line breaks", () => {
    const { root } = show("<b>no</b> https://example.org\nsecond **line** README.md");
    expect(root.querySelector("b")).toBeNull();
    expect(root.textContent).toContain("<b>no</b>");
    expect(root.querySelectorAll("a")).toHaveLength(1);
    expect(root.querySelector("a")?.getAttribute("href")).toBe("https://example.org");
    expect(root.querySelectorAll("br")).toHaveLength(1);
    expect(root.querySelector("strong")?.textContent).toBe("line");
  });

  it("marks every link, and the host or the room opens it", () => {
    const { root, testRoom } = show(
      "[out](https://example.org/x) [file](./docs/spec.md#L10C5) [root](/README.md) [abs](/home/me/project/a.py)",
    );
    const anchors = [...root.querySelectorAll("a")];
    for (const anchor of anchors) {
      expect([anchor.getAttribute("target"), anchor.getAttribute("rel")]).toEqual([
        "_blank",
        "noreferrer noopener",
      ]);
      const event = new MouseEvent("click", { bubbles: true, cancelable: true });
      anchor.dispatchEvent(event);
      expect(event.defaultPrevented).toBe(true);
    }
    expect(testRoom.asked).toEqual([
      { what: "openExternal", with: ["https://example.org/x"] },
      { what: "openFile", with: ["s1", { path: "docs/spec.md", line: 10, column: 5 }] },
      { what: "openFile", with: ["s1", { path: "README.md" }] },
      { what: "openFile", with: ["s1", { path: "a.py" }] },
    ]);
  });

  it("never loads an image", () => {
    const { root } = show(
      "![pic](https://evil.example/p.png) ![local](a.png) ![d](data:image/png;base64,AA)",
    );
    expect(root.querySelector("img")).toBeNull();
    expect([...root.querySelectorAll("a")].map((a) => a.getAttribute("href"))).toEqual([
      "https://evil.example/p.png",
      "a.png",
    ]);
  });

  it.each([
    "<script>alert(1)</script>",
    "<img src=x onerror=alert(1)>",
    "<svg/onload=alert(1)>",
    "<iframe srcdoc='<script>alert(1)</script>'>",
    "<a href='javascript:alert(1)'>x</a>",
    "<style>*{display:none}</style>",
    "<form action=//evil.example><input name=x>",
    "[x](javascript:alert(1))",
    "[x](JaVaScRiPt:alert(1))",
    "[x](java&#10;script:alert(1))",
    "[x](javascript&colon;alert(1))",
    "[x](data:text/html;base64,PHNjcmlwdD4=)",
    "[x](vbscript:x)",
    "[x](file:///etc/passwd)",
    "<javascript:alert(1)>",
    "![x](javascript:alert(1))",
    '[x](https://a.example "\\" onmouseover=\\"alert(1)")',
    "[x]: javascript:alert(1)\n\n[x]",
    "```html\n<script>alert(1)</script>\n```",
    '``` "><img src=x onerror=alert(1)>\nx\n```',
    "    <script>alert(1)</script>",
    "`<img src=x onerror=alert(1)>`",
    "| <img src=x onerror=alert(1)> |\n|---|\n| [x](javascript:alert(1)) |",
    '<math><mtext><table><mglyph><style><!--</style><img title="--&gt;&lt;img src=1 onerror=alert(1)&gt;">',
    "<div data-code=0 class=text-image style=color:red>",
    "<noscript><p title='</noscript><img src=x onerror=alert(1)>'>",
    "&lt;script&gt;alert(1)&lt;/script&gt;",
    `${">".repeat(500)} deep`,
    "[".repeat(2_000),
    "*a _b ".repeat(500),
  ])("is not taken in by %j", (text) => {
    const { root } = show(text);
    for (const element of root.querySelectorAll("*")) {
      expect(ALLOWED).toContain(element.nodeName);
      for (const name of element.getAttributeNames()) {
        expect(name).not.toMatch(/^(on|style|src)/);
        if (name === "href") expect(element.getAttribute(name)).toMatch(/^https:\/\/a\.example/);
      }
    }
  });

  it("gives code its language and a copy button, also inside of a list", async () => {
    const { root, testRoom } = show("- item\n\n  ```py\n  a < b\n  ```\n\n```\nplain\n```\n");
    const codes = [...root.querySelectorAll("pre code")].map((code) => code.textContent);
    expect(codes).toEqual(["a < b", "plain"]);
    expect(root.querySelector("li .text-code-language")?.textContent).toBe("py");
    root.querySelector<HTMLButtonElement>("li button")?.click();
    await nextFrames(1);
    expect(testRoom.asked).toEqual([{ what: "copy", with: ["a < b"] }]);
    expect(root.querySelector("li button")?.textContent).toBe("Copied");
  });

  it("colours code with elements", async () => {
    const { root } = show("```python\ndef f(): return 1\n```");
    await expect.poll(() => root.querySelector(".hljs-keyword")?.textContent).toBe("def");
    expect(root.querySelector("pre code")?.textContent).toBe("def f(): return 1");
  });

  it("keeps its elements and their text nodes while it grows", async () => {
    const [text, setText] = createSignal("# One\n\nfirst para");
    const { root } = show(text);
    const [heading, words] = [root.querySelector("h1"), root.querySelector("p")?.firstChild];
    setText("# One\n\nfirst paragraph\n\n```js\nlet a");
    await expect.poll(() => root.querySelector("pre")).not.toBeNull();
    const code = root.querySelector("pre");
    setText("# One\n\nfirst paragraph\n\n```js\nlet a = 1\n```\n\nend");
    await expect.poll(() => root.textContent).toContain("end");
    expect(root.querySelector("h1")).toBe(heading);
    expect(root.querySelector("p")?.firstChild).toBe(words);
    expect(words?.textContent).toBe("first paragraph");
    expect(root.querySelector("pre")).toBe(code);
    await expect.poll(() => root.querySelector("pre code")?.textContent).toBe("let a = 1"); // a frame later
  });

  it("ends equal to the whole text however it came", { timeout: 30_000 }, async () => {
    const source =
      "para\n#\n\n# H #\n\n- a\n- b\n\n  c\n\n1. x\n\n> q\nlazy\n\na | b\n--|--\n1 | 2\n\ntext [ref] and\nmore\n===\n\n```\nx\n\ny\n```\n\n    code\n\n[ref]: https://example.org\n\nlast";
    const whole = show(source).root.innerHTML;
    end();
    const [text, setText] = createSignal("");
    const { root } = show(text);
    for (let size = 1; size <= source.length; size += 3) {
      setText(source.slice(0, size));
      await nextFrames(2);
    }
    setText(source);
    const flat = (html: string) =>
      html.replace(/<\/?div( class="(text-laid-out)?")?>/g, "").replaceAll("\n", "");
    await expect.poll(() => flat(root.innerHTML), { timeout: 20_000 }).toBe(flat(whole));
    expect(root.querySelector("a")?.getAttribute("href")).toBe("https://example.org");
  });

  it("follows the address of a link that is defined below it and still grows", async () => {
    const [text, setText] = createSignal("see [the guide]\n\n[the guide]: https://example.co");
    const { root } = show(text);
    const address = () => root.querySelector("a")?.getAttribute("href");
    expect(address()).toBe("https://example.co");
    setText("see [the guide]\n\n[the guide]: https://example.com/guide");
    await expect.poll(address).toBe("https://example.com/guide");
    setText("see [the guide]\n\n[the guide]: https://example.com/guide.html\n\nand [the guide]: no other");
    await expect.poll(address).toBe("https://example.com/guide.html");
    expect(root.querySelectorAll("a")).toHaveLength(2);
    setText("see [the guide]\n\nno more");
    await expect.poll(address).toBe(undefined);
  });

  it("shows another text when it was replaced", async () => {
    const [text, setText] = createSignal("one\n\ntwo\n\nthree");
    const { root } = show(text);
    setText("*four*");
    await expect.poll(() => root.textContent?.trim()).toBe("four");
  });

  it("shows what is too long as plain text, in pieces, after the part that it can lay out", () => {
    const head = "**a** ".padEnd(MAX_MARKDOWN, "x");
    const { root } = show(`${head}**b**${"y".repeat(2 * MAX_MARKDOWN)}`);
    expect([...root.querySelectorAll("strong")].map((bold) => bold.textContent)).toEqual(["a"]);
    const rest = () => root.parentElement?.querySelector(".text-long pre")?.textContent ?? "";
    const before = rest().length;
    expect(rest().startsWith("**b**yyy")).toBe(true);
    root.parentElement?.querySelector<HTMLButtonElement>(".text-more")?.click();
    expect(rest().length).toBe(2 * before);
  });
});

describe("findCuts", () => {
  it.each([
    ["para", []],
    ["para\n#", []], // may yet be "#tag"
    ["para\n\nnext", []],
    ["para\n\nnext\n", [6]],
    ["- a\n\n- b\n", []],
    ["```\na\n\nb\n", []],
  ])("%j is cut at %j", (text, cuts) => {
    expect(findCuts(text)).toEqual(cuts);
  });

  it("cuts a very long list between its items, and code never", () => {
    const item = `- ${"x".repeat(997)}\n`; // 1,000 characters
    expect(findCuts(item.repeat(20))).toEqual([8_000, 16_000]);
    expect(findCuts(`\`\`\`\n${"x\n".repeat(20_000)}`)).toEqual([]);
    expect(findCuts(`- a\n\n  \`\`\`\n${"  x\n".repeat(20_000)}`)).toEqual([]);
  });
});
