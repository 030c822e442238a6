import assert from "node:assert/strict";
import { test } from "node:test";
import type { Start } from "../../../ui/src/host/vscode_messages";
import { makeHtml, policy } from "./html";

const INDEX = `<!doctype html><html lang="en"><head><meta charset="utf-8" />
<link rel="icon" href="./icon.svg" type="image/svg+xml" />
<script type="module" crossorigin src="./assets/index-a1.js"></script>
<link rel="stylesheet" crossorigin href="./assets/index-b2.css">
</head><body><div id="app"></div></body></html>`;

const START: Start = { workspace: "/p", languages: ["en"], stored: {}, fileBase: "https://f" };

function make(start: Start = START): string {
  const sources = {
    index: INDEX,
    assetUri: (path: string) => `https://w/${path}`,
    cspSource: "https://w",
    pagePath: "/e/page",
    nonce: "n0",
  };
  return makeHtml(sources, start);
}

test("every file of the page is addressed through the webview", () => {
  const html = make();
  assert.match(html, /<script type="module" nonce="n0" crossorigin src="https:\/\/w\/assets\/index-a1\.js">/);
  assert.match(html, /href="https:\/\/w\/assets\/index-b2\.css"/);
  assert.doesNotMatch(html, /"\.\//);
});

test("the policy comes before everything that it is about", () => {
  const html = make();
  assert.ok(html.indexOf("Content-Security-Policy") < html.indexOf("<script"));
});

test("the policy lets nobody be reached, and runs only what the page brings", () => {
  const rules = policy({ cspSource: "'self' https://*.w", nonce: "n0", pagePath: "/e; x/page" });
  assert.match(rules, /default-src 'none'/);
  assert.match(rules, /connect-src 'none'/);
  for (const kind of ["script", "style", "font"])
    assert.match(rules, new RegExp(`${kind}-src https://\\*\\.w/e%3B%20x/page/[; ]`)); // none of the workspace
  assert.match(rules, /img-src 'self' https:\/\/\*\.w data: blob:;/);
  assert.doesNotMatch(rules, /unsafe/);
});

test("what was stored is data, whatever it holds", () => {
  const evil = "</script><script>alert(1)</script><!--$&$'";
  const html = make({ ...START, stored: { draft: evil } });
  assert.equal(html.match(/<\/script>/g)?.length, 2);
  const json = /id="bascule-start">(.*?)<\/script>/s.exec(html)?.[1] ?? "";
  assert.equal((JSON.parse(json) as Start).stored.draft, evil);
});
