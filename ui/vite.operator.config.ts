/// The build of the relay's pages, the operator's and the demo's chat: apart from the page of the daemon, so that none makes another larger.

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
    rolldownOptions: { ...target.rolldownOptions, input: ["operator/index.html", "operator/chat.html"] },
  },
});
