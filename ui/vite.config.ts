/// The page's build: one small entry, big parts loaded when they are wanted, straight into the Python package.
import type { BuildEnvironmentOptions, Plugin } from "vite";
import solid from "vite-plugin-solid";
import { defineConfig } from "vitest/config";

/// Solid makes its elements from templates that are constants of the build. Under Trusted Types even those
/// need a policy; this gives them one of their own, and nothing else can use it.
export function trustedTemplates(): Plugin {
  const assignment = ".innerHTML = html;";
  return {
    name: "trusted-templates",
    enforce: "pre",
    transform(code, id) {
      if (!id.includes("/solid-js/web/dist/") || !code.includes(assignment)) return null;
      const policy =
        'const templates = globalThis.trustedTypes?.createPolicy("solid-template", { createHTML: (html) => html });\n';
      return {
        code:
          policy + code.replaceAll(assignment, ".innerHTML = templates ? templates.createHTML(html) : html;"),
        map: null,
      };
    },
  };
}

/// xterm writes its styles into <style> elements and style attributes, which the policy forbids. Here they go
/// into constructed style sheets and through the CSSOM, which it allows.
function adoptedTerminalStyles(): Plugin {
  const attribute = /(\w)\.setAttribute\("style",`\$\{\1\.getAttribute\("style"\)\|\|""\}\$\{(\w)\};`\)/g;
  const adopt = `function adoptStyle(doc) {
  const sheet = new CSSStyleSheet();
  const place = doc.createElement("span");
  place.hidden = true;
  doc.adoptedStyleSheets.push(sheet);
  Object.defineProperty(place, "textContent", { set: (css) => sheet.replaceSync(css) });
  place.remove = () => {
    doc.adoptedStyleSheets = doc.adoptedStyleSheets.filter((one) => one !== sheet);
    Element.prototype.remove.call(place);
  };
  return place;
}
`;
  return {
    name: "adopted-terminal-styles",
    enforce: "pre",
    transform(code, id) {
      if (!id.includes("/@xterm/xterm/lib/")) return null;
      const styles = code.match(/[\w.]+\.createElement\("style"\)/g)?.length;
      const attributes = code.match(attribute)?.length;
      if (styles !== 3 || attributes !== 1) throw new Error("xterm sets its styles in another way now");
      return {
        code:
          adopt +
          code
            .replace(/([\w.]+)\.createElement\("style"\)/g, "adoptStyle($1)")
            .replace(attribute, '$1.style.cssText+=$2+";"'),
        map: null,
      };
    },
  };
}

/// Of both pages.
export const target = {
  target: "es2022",
  cssTarget: ["chrome123", "firefox120", "safari17.5"], // light-dark() as it is
  assetsInlineLimit: 0, // the policy lets no data: scripts or styles in
  modulePreload: { polyfill: false },
  reportCompressedSize: false,
  chunkSizeWarningLimit: 600, // kB: a terminal, loaded with the first pane
  rolldownOptions: { checks: { pluginTimings: false } },
} as const satisfies BuildEnvironmentOptions;

const TESTS = ["src/**/*.test.{ts,tsx}"];
/// They show what is there until a part of the page is loaded, so no other test may have loaded it.
const LOADING = ["src/blocks/block.test.tsx", "src/blocks/tools/tools.test.tsx", "src/i18n/said.test.ts"];

export default defineConfig({
  plugins: [trustedTemplates(), adoptedTerminalStyles(), solid({ hot: false })], // there is no dev server
  base: "./",
  build: {
    outDir: "../src/bascule/page",
    emptyOutDir: true,
    ...target,
  },
  test: {
    environment: "happy-dom",
    // Limits for what hangs, never what a test shows: a busy machine is not a fault.
    testTimeout: 60_000,
    expect: { poll: { timeout: 30_000 } },
    pool: "threads",
    setupFiles: ["src/text/happy_dom.ts"],
    css: { include: [/tokens\.css/] }, // read by the test of its contrasts
    // One DOM for all test files of a worker: making one for each took most of the time.
    projects: [
      { extends: true, test: { name: "shared", isolate: false, include: TESTS, exclude: LOADING } },
      { extends: true, test: { name: "alone", include: LOADING } },
    ],
  },
});
