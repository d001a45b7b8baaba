// The page that is committed is the one that the sources make.
import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const viewer = join(dirname(fileURLToPath(import.meta.url)), "..", "..", "viewer");
if (!existsSync(join(viewer, "node_modules", "esbuild"))) {
  console.log("skipped: the packages of viewer/ are not there (run 'npm ci' in viewer/)");
  process.exit(77);
}
process.exit(
  spawnSync(process.execPath, [join(viewer, "build.mjs"), "--check"], { stdio: "inherit" }).status,
);
