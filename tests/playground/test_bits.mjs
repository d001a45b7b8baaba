// The same bits in WebAssembly as here: the engine that the page holds against the native program scree_bits, on scenes
// of the page. An engine of other sources than those of the program proves nothing: then the test is skipped, and
// 'make playground' is due.
//     node test_bits.mjs PATH_TO_SCREE_BITS
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { inflateSync } from "node:zlib";
import { sourcesHash } from "../../viewer/sources.mjs";
import { Engine } from "../../viewer/src/play/engine.js";

const root = join(dirname(fileURLToPath(import.meta.url)), "..", "..");
const page = readFileSync(join(root, "viewer", "dist", "playground.html"), "utf8");
const made = /<meta name="scree-sources" content="(\w+)">/.exec(page)?.[1];
if (made !== sourcesHash()) {
  console.log("skipped: the page is older than the sources ('make playground' makes it anew)");
  process.exit(77);
}

/** Steps, and scenes: disks, spheres, solids, outlines, cohesion, restitution, moving walls. */
const CASES = [
  [60, "heap"],
  [60, "castle"],
  [100, "cradle"],
  [40, "brazil_nuts"],
  [8, "marbles"],
  [20, "rocks"],
  [40, "pebbles"],
].map(([steps, name]) => [steps, join(root, "playground", "scenes", `${name}.yaml`)]);

const folder = mkdtempSync(join(tmpdir(), "scree-bits-"));
const list = join(folder, "list.txt");
writeFileSync(list, CASES.map(([n, path]) => `${n} ${relative(folder, path)}\n`).join(""));
const printed = execFileSync(process.argv[2], [list], { encoding: "utf8" });
const native = printed
  .trim()
  .split("\n")
  .map((line) => line.split(" ").slice(0, 2));
rmSync(folder, { recursive: true });

const packed = /data-scree="engine">([^<]*)</.exec(page)?.[1] ?? "";
const engine = await Engine.create(inflateSync(Buffer.from(packed, "base64")));
CASES.forEach(([steps, path], i) => {
  engine.load(readFileSync(path, "utf8"));
  const start = engine.hash;
  for (let k = 0; k < steps; k++) engine.step();
  assert.deepEqual([start, engine.hash], native[i], path);
  console.log(`ok     ${engine.hash} ${path.split("/").pop()}, ${steps} steps`);
});
