// The engine of the playground in headless Chromium beside the native library: milliseconds a step on one core, in one
// state. Of each ten steps the quickest counts, since machines are shared. Needs Chromium and node's packages (make viewer-packages), and a build.
//   node bench/playground.mjs [PAGE.html]
import { execFileSync } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";

const root = join(dirname(fileURLToPath(import.meta.url)), "..");
const page = resolve(process.argv[2] ?? join(root, "viewer", "dist", "playground.html"));
const { chromium } = createRequire(join(root, "viewer", "package.json"))("playwright-core");

const STEP = 4e-3; // as in the playground's own scenes
const SETTLE = 120; // steps before the first block: the grains have fallen
const BLOCKS = 6;
const PER_BLOCK = 10;

const scene = (dimension, grains, walls) => `dimension: ${dimension}
gravity: [${dimension === 2 ? "0, -9.81" : "0, 0, -9.81"}]
time: {step: ${STEP}, end: 60}
materials: {gravel: {density: 2600, friction: 0.6}}
walls: {box: {box: {${walls}}, open: top}}
grains: [${grains}]
solver: {criterion: fixed, iterations: 30, on_failure: continue}
`;
const SCENES = {
  "2,000 disks": scene(
    2,
    "{count: 2000, radius: {uniform: [0.015, 0.023]}, fill: {min: [-1, 0], max: [1, 3.2]}}",
    "min: [-1, 0], max: [1, 4]",
  ),
  "1,000 spheres": scene(
    3,
    "{count: 1000, radius: {uniform: [0.04, 0.06]}, fill: {min: [0, 0, 0], max: [1, 1, 2.2]}}",
    "min: [0, 0, 0], max: [1, 1, 3]",
  ),
};

/** Milliseconds of the quickest step of each block, by the native library. */
function native(text, folder) {
  const file = join(folder, "scene.yaml");
  writeFileSync(file, text);
  const program = `
import json, sys, time
import scree
scene = scree.load_scene(sys.argv[1])
def step():
    begin = time.perf_counter()
    scene.step()
    return 1e3 * (time.perf_counter() - begin)
def block(steps):
    return min(step() for _ in range(steps))
block(${SETTLE})
print(json.dumps([block(${PER_BLOCK}) for _ in range(${BLOCKS})]))
`;
  const env = {
    SCREE_LIBRARY: join(root, "build", "release", "libscree.so"),
    ...process.env,
    PYTHONPATH: join(root, "python"),
  };
  return JSON.parse(execFileSync("/usr/bin/python3", ["-c", program, file], { env }));
}

/** The same by the engine of the page, in its browser. */
function inBrowser(tab, text) {
  const code = readFileSync(join(root, "viewer", "src", "play", "engine.js"), "utf8");
  return tab.evaluate(
    async ({ code, text, settle, blocks, perBlock }) => {
      const address = URL.createObjectURL(new Blob([code], { type: "text/javascript" }));
      const { Engine } = await import(address);
      const packed = document.querySelector("script[data-scree=engine]").textContent;
      const bytes = Uint8Array.from(atob(packed), (letter) => letter.charCodeAt(0));
      const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate"));
      const engine = await Engine.create(await new Response(stream).arrayBuffer());
      engine.load(text);
      const step = () => {
        const begin = performance.now();
        engine.step();
        return performance.now() - begin;
      };
      const block = (steps) => Math.min(...Array.from({ length: steps }, step));
      block(settle);
      return Array.from({ length: blocks }, () => block(perBlock));
    },
    { code, text, settle: SETTLE, blocks: BLOCKS, perBlock: PER_BLOCK },
  );
}

const mean = (list) => list.reduce((sum, x) => sum + x, 0) / list.length;

const executablePath = [
  process.env.SCREE_CHROMIUM,
  "/usr/bin/chromium-headless-shell",
  "/usr/bin/chromium",
  "/usr/bin/chromium-browser",
].find((path) => path && existsSync(path));
const folder = mkdtempSync(join(tmpdir(), "scree-bench-"));
const browser = await chromium.launch({
  executablePath,
  args: process.getuid?.() === 0 ? ["--no-sandbox"] : [],
});
try {
  for (const [name, text] of Object.entries(SCENES)) {
    const here = mean(native(text, folder));
    const tab = await (await browser.newContext()).newPage();
    tab.setDefaultTimeout(600000);
    // the page draws nothing, so that the engine has the core
    await tab.addInitScript(() => (window.requestAnimationFrame = () => 0));
    await tab.goto(pathToFileURL(page).href);
    const there = mean(await inBrowser(tab, text));
    await tab.context().close();
    const perFrame = 1 / 30 / STEP; // steps of a frame, if time is to run as it does
    const share = Math.min(1, 1000 / 30 / (perFrame * there));
    console.log(
      `${name}: native ${here.toFixed(2)} ms a step, browser ${there.toFixed(2)}, ` +
        `${(there / here).toFixed(2)} times; at 30 frames a second ${(100 * share).toFixed(0)} % of real time`,
    );
  }
} finally {
  await browser.close();
  rmSync(folder, { recursive: true, force: true });
}
