/// The build of the operator's page: apart from the page of the daemon, so that neither makes the other larger.

import { defineConfig } from "vite";
import solid from "vite-plugin-solid";
import { target, trustedTemplates } from "./vite.config.ts";

export default defineConfig({
  root: "operator",
  plugins: [trustedTemplates(), solid({ hot: false })],
  base: "./",
  build: {
    ...target,
    outDir: "../../src/bascule/page/operator",
    emptyOutDir: true,
  },
});
