// What the tests of the page share: runs made by the program, a browser, what is seen in it.
import assert from "node:assert/strict";
import { execFileSync, spawn } from "node:child_process";
import { existsSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

export const here = dirname(fileURLToPath(import.meta.url)),
  viewer = join(here, "..", "..", "viewer");

function skip(why) {
  console.log(`skipped: ${why}`);
  process.exit(77);
}

export const program = process.env.SCREE;
const browserPath = [
  process.env.SCREE_CHROMIUM,
  "/usr/bin/chromium-headless-shell", // half the processor time of a browser with windows
  "/usr/bin/chromium",
  "/usr/bin/chromium-browser",
  "/usr/bin/google-chrome",
].find((path) => path && existsSync(path));
if (!browserPath) skip("there is no Chromium (tools/install-packages --viewer)");
if (!existsSync(join(viewer, "node_modules", "playwright-core")))
  skip("the packages of viewer/ are not there (make viewer-packages)");
const { chromium } = createRequire(join(viewer, "package.json"))("playwright-core");

export const folder = mkdtempSync(join(tmpdir(), "scree-viewer-"));
export const children = [];
const only = process.argv[2];

// ---------------------------------------------------------------- runs

/** Runs a scene to its end; the run file. */
export function simulate(name, scene) {
  writeFileSync(join(folder, `${name}.yaml`), scene);
  execFileSync(program, ["run", `${name}.yaml`, "-q", "--force"], { cwd: folder });
  return `${name}.h5`;
}

/** 'scree view' on a run; its address. */
export function serve(run) {
  const child = spawn(program, ["view", run, "--no-browser"], { cwd: folder });
  children.push(child);
  return new Promise((done, fail) => {
    child.stdout.once("data", (data) => done(String(data).trim()));
    child.once("exit", (status) => fail(new Error(`scree view ended with ${status}`)));
  });
}

// ---------------------------------------------------------------- the browser

// Without a graphics card SwiftShader draws the canvas; it need not compose the rest of the page as well.
const software = [
  "--disable-gpu-compositing",
  "--use-gl=angle",
  "--use-angle=swiftshader",
  "--enable-unsafe-swiftshader",
  "--ignore-gpu-blocklist",
  "--hide-scrollbars",
];
export const browser = await chromium.launch({
  executablePath: browserPath,
  args: process.getuid?.() === 0 ? ["--no-sandbox", ...software] : software,
});
const eyes = await browser.newPage(); // reads pictures

/** A page at an address, ready; every message of its console is kept. */
export async function open(
  address,
  { width = 1000, height = 700, colorScheme = "light", offline = false } = {},
) {
  const context = await browser.newContext({
    viewport: { width, height },
    colorScheme,
    offline,
    acceptDownloads: true,
  });
  const page = await context.newPage();
  page.said = [];
  page.asked = [];
  page.on("console", (message) => {
    // the driver, about how the browser itself fetches the canvas to compose the page
    if (!message.text().includes("GPU stall due to ReadPixels")) page.said.push(message.text());
  });
  page.on("pageerror", (error) => page.said.push(error.message));
  page.on("request", (request) => page.asked.push(request.url()));
  page.setDefaultTimeout(90000);
  await page.goto(address.includes("#") ? address : `${address}#play=0`);
  await page.waitForFunction(() => document.documentElement.dataset.ready);
  return page;
}

/** Waits until the picture has been drawn as it is. */
export const settle = (page) =>
  page.evaluate(
    () =>
      new Promise((done) => {
        const wait = () =>
          window.scree.picture.stage.dirty
            ? requestAnimationFrame(wait)
            : requestAnimationFrame(() => requestAnimationFrame(done));
        setTimeout(wait, 50);
      }),
  );

/** What is seen of the canvas: {width, height, data} with four bytes a pixel, without what lies over it. */
export async function look(page) {
  await settle(page);
  await page.addStyleTag({ content: "" }).catch(() => {});
  const box = await page.locator("main.picture canvas").boundingBox();
  await page.evaluate(() =>
    document.querySelectorAll("main.picture > :not(canvas)").forEach((element) => {
      element.style.visibility = "hidden";
    }),
  );
  const png = await page.screenshot({ clip: box });
  await page.evaluate(() =>
    document.querySelectorAll("main.picture > :not(canvas)").forEach((element) => {
      element.style.visibility = "";
    }),
  );
  return pixels(png);
}

export async function pixels(png) {
  const { width, height, data } = await eyes.evaluate(async (text) => {
    const bytes = Uint8Array.from(atob(text), (c) => c.charCodeAt(0)),
      bitmap = await createImageBitmap(new Blob([bytes]));
    const canvas = new OffscreenCanvas(bitmap.width, bitmap.height),
      pen = canvas.getContext("2d");
    pen.drawImage(bitmap, 0, 0);
    const { data } = pen.getImageData(0, 0, bitmap.width, bitmap.height);
    let out = "";
    for (let i = 0; i < data.length; i += 8192)
      out += String.fromCharCode(...data.subarray(i, i + 8192));
    return { width: bitmap.width, height: bitmap.height, data: btoa(out) };
  }, png.toString("base64"));
  return { width, height, data: Buffer.from(data, "base64") };
}

/** Connected spots that differ from the paper (the colour of the upper left corner): centre, area, mean colour. */
export function spots({ width, height, data }) {
  const paper = [data[0], data[1], data[2]],
    seen = new Uint8Array(width * height),
    found = [];
  const differs = (k) =>
    Math.abs(data[4 * k] - paper[0]) +
      Math.abs(data[4 * k + 1] - paper[1]) +
      Math.abs(data[4 * k + 2] - paper[2]) >
    60;
  for (let start = 0; start < width * height; start++) {
    if (seen[start] || !differs(start)) continue;
    const stack = [start],
      sum = [0, 0, 0, 0, 0];
    seen[start] = 1;
    let area = 0;
    while (stack.length > 0) {
      const k = stack.pop(),
        x = k % width,
        y = (k - x) / width;
      area++;
      sum[0] += x + 0.5;
      sum[1] += y + 0.5;
      for (let c = 0; c < 3; c++) sum[2 + c] += data[4 * k + c];
      for (const next of [x > 0 ? k - 1 : -1, x < width - 1 ? k + 1 : -1, k - width, k + width]) {
        if (next >= 0 && next < width * height && !seen[next] && differs(next)) {
          seen[next] = 1;
          stack.push(next);
        }
      }
    }
    if (area > 12)
      found.push({
        x: sum[0] / area,
        y: sum[1] / area,
        area,
        colour: sum.slice(2).map((s) => s / area),
      });
  }
  return found;
}

export const distance = (a, b) => Math.hypot(...a.map((x, k) => x - b[k]));
export const at = ({ width, data }, x, y) => [
  ...data.subarray(4 * (Math.floor(y) * width + Math.floor(x))).subarray(0, 3),
];
export const choose = (page, id, value) => page.selectOption(`#${id}`, value);
export const state = (page, expression) =>
  page.evaluate(
    `(() => { const { run, settings, picture } = window.scree; return ${expression}; })()`,
  );

/** Closes a page, whose console must have stayed empty. */
export async function finish(page) {
  assert.deepEqual(page.said, []);
  await page.context().close();
}

/** Runs the tests by name (all, or those whose names hold the word given), tells how they went, and ends the program. */
export async function runTests(tests) {
  let failed = 0;
  for (const [name, run] of Object.entries(tests)) {
    if (only && !name.includes(only)) continue;
    const start = performance.now();
    try {
      await run();
      console.log(`ok     ${name} (${((performance.now() - start) / 1000).toFixed(1)} s)`);
    } catch (error) {
      failed++;
      console.log(`FAILED ${name}: ${error.stack}`);
    }
  }
  await browser.close();
  for (const child of children) child.kill("SIGTERM");
  rmSync(folder, { recursive: true, force: true });
  process.exit(failed > 0 ? 1 : 0);
}
