// The page's HTML for a webview: the built page's own files, under a policy that lets nothing else in.
import { START_ID, type Start } from "../../../ui/src/host/vscode_messages";

export interface Sources {
  index: string; // the built page's index.html
  assetUri(path: string): string;
  cspSource: string; // the whole of the editor's own files
  pagePath: string; // of the page's folder, in an address
  nonce: string;
}

const REFERENCE = /\b(src|href)="\.\/([^"]+)"/g;

export function makeHtml(sources: Sources, start: Start): string {
  const head = [
    `<meta http-equiv="Content-Security-Policy" content="${policy(sources)}">`,
    `<script type="application/json" nonce="${sources.nonce}" id="${START_ID}">${embed(start)}</script>`,
  ].join("");
  return sources.index
    .replace(/<link rel="icon"[^>]*>/, "")
    .replace(REFERENCE, (_all, name: string, path: string) => `${name}="${sources.assetUri(path)}"`)
    .replace(/<script type="module"/g, `<script type="module" nonce="${sources.nonce}"`)
    .replace("<head>", () => `<head>${head}`);
}

/// No network, no frames, no inline code. Pictures come from this machine or are part of the page; a file of the
/// workspace is no script or style of ours.
export function policy(sources: Pick<Sources, "cspSource" | "nonce" | "pagePath">): string {
  const { cspSource, nonce } = sources;
  const own = ownSource(sources);
  return [
    "default-src 'none'",
    `script-src ${own} 'nonce-${nonce}'`,
    `style-src ${own}`,
    `img-src ${cspSource} data: blob:`,
    `font-src ${own}`,
    "connect-src 'none'",
    "base-uri 'none'",
    "form-action 'none'",
    "require-trusted-types-for 'script'",
    "trusted-types solid-template dompurify",
  ].join("; ");
}

/// The page's folder alone, on each host that the editor serves files from.
function ownSource({ cspSource, pagePath }: Pick<Sources, "cspSource" | "pagePath">): string {
  const folder = `${pagePath.replace(/[;,\s]/g, encodeURIComponent)}/`;
  const hosts = cspSource.split(" ").filter((one) => /^https:\/\/[^/]+$/.test(one));
  return hosts.map((host) => host + folder).join(" ") || "'none'";
}

/// JSON that ends no element, whatever it holds.
function embed(start: Start): string {
  return JSON.stringify(start).replace(
    /[<\u2028\u2029]/g,
    (sign) => `\\u${sign.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
}
