// Unit tests of what needs no editor: each file bundled like the extension, and run by Node's own runner.
import { spawnSync } from "node:child_process";
import { readdirSync } from "node:fs";
import { build } from "esbuild";

const entryPoints = readdirSync("src", { recursive: true })
  .filter((name) => name.endsWith(".test.ts"))
  .map((name) => `src/${name}`);

await build({
  entryPoints,
  outdir: "dist/test",
  bundle: true,
  platform: "node",
  format: "cjs",
  target: "node20",
  logLevel: "warning",
});

const run = spawnSync(process.execPath, ["--test", "--test-reporter=dot", "dist/test/"], {
  stdio: "inherit",
});
process.exit(run.status ?? 1);
