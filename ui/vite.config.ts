/// The page's build: one small entry, big parts loaded when they are wanted, straight into the Python package.
import type { Plugin } from "vite";
import solid from "vite-plugin-solid";
import { defineConfig } from "vitest/config";

/// Solid makes its elements from templates that are constants of the build. Under Trusted Types even those
/// need a policy; this gives them one of their own, and nothing else can use it.
function trustedTemplates(): Plugin {
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

export default defineConfig({
  plugins: [trustedTemplates(), solid()],
  base: "./",
  build: {
    outDir: "../src/bascule/page",
    emptyOutDir: true,
    target: "es2022",
    cssTarget: ["chrome123", "firefox120", "safari17.5"], // light-dark() as it is
    assetsInlineLimit: 0, // the policy lets no data: scripts or styles in
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
    rolldownOptions: { checks: { pluginTimings: false } },
  },
  test: {
    environment: "happy-dom",
    include: ["src/**/*.test.{ts,tsx}"],
    setupFiles: ["src/text/happy_dom.ts"],
    css: { include: [/tokens\.css/] }, // read by the test of its contrasts
  },
});
