// Two runs side by side: one beside the other from the server, in one file and opened from a file; at the same time, seen
// from the same place, with one scale of colours or two.
import assert from "node:assert/strict";
import { execFileSync, spawn } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import {
  children,
  finish,
  folder,
  open,
  pixels,
  program,
  runTests,
  settle,
  simulate,
  spots,
} from "./browser.mjs";

// A disk that moves at 1 beside one that rests; in the other run it moves at 2, and frames are at other times.
const scene = (speed, every, gap = 4) => `dimension: 2
gravity: [0, 0]
time: {step: 0.01, end: 1}
materials: {stone: {density: 1}}
grains:
  - {at: [[0, 0]], radius: 0.5, velocity: [${speed}, 0]}
  - {at: [[${gap}, 2]], radius: 0.8}
output: {every: ${every}}
`;
const slow = simulate("slow", scene(1, 0.1));
const fast = simulate("fast", scene(2, 0.25));
const big = simulate("big", scene(2, 0.25, 40));

/** 'scree view' on two runs; its address. */
function serveBoth(...runs) {
  const child = spawn(program, ["view", ...runs, "--no-browser"], { cwd: folder });
  children.push(child);
  return new Promise((done, fail) => {
    child.stdout.once("data", (data) => done(String(data).trim()));
    child.once("exit", (status) => fail(new Error(`scree view ended with ${status}`)));
  });
}

function write(runs, name) {
  execFileSync(program, ["view", ...runs, "--html", name, "--force", "-q"], { cwd: folder });
  return String(pathToFileURL(join(folder, name)));
}

/** What is in the page: an expression of the viewer `v` and the run beside it, `b`. */
const ask = (page, expression) =>
  page.evaluate(
    `(() => { const v = window.scree, b = v.compare.beside; return ${expression}; })()`,
  );

async function both(page) {
  await page.waitForFunction(() => window.scree.compare.beside?.picture.coloured);
  await page.evaluate(() => window.scree.compare.settled());
  await settle(page);
}

async function seek(page, frame) {
  await page.evaluate((k) => window.scree.timeline.show(k), frame);
  await both(page);
}

/** Where a point of the scene is in each picture, in pixels of that picture. */
const places = (page, point) =>
  page.evaluate((p) => {
    const { compare, picture } = window.scree;
    return [picture, compare.beside.picture].map(({ stage, run }) =>
      stage.view.project(p.map((x, k) => x - run.manifest.origin[k])).slice(0, 2),
    );
  }, point);

const near = (a, b, tolerance) =>
  a.forEach((x, k) => assert.ok(Math.abs(x - b[k]) <= tolerance, `${a} and ${b}`));

/** The spots in a picture, without what lies over it. */
async function seen(page, selector) {
  const over = ":is(main.picture, .picture.beside) > :not(canvas)";
  const hide = (is) =>
    page.$$eval(
      over,
      (list, hidden) => list.forEach((one) => (one.style.visibility = hidden ? "hidden" : "")),
      is,
    );
  await hide(true);
  const clip = await page.locator(`${selector} canvas`).boundingBox();
  const found = spots(await pixels(await page.screenshot({ clip })));
  await hide(false);
  return found;
}

const tests = {
  async "two runs lie side by side, at one time and seen from one place"() {
    const size = { width: 800, height: 480 };
    const page = await open(`${await serveBoth(slow, fast)}#play=0&marks=0`, size);
    await both(page);
    assert.equal(await ask(page, "v.run.frames"), 11);
    assert.equal(await ask(page, "b.run.frames"), 5);
    for (const frame of [4, 10]) {
      await seek(page, frame);
      // of the frames at 0, 0.25, 0.5, 0.75 and 1, the nearest one
      const nearest = [0, 1, 2, 3, 4].reduce((best, k) =>
        Math.abs(0.25 * k - 0.1 * frame) < Math.abs(0.25 * best - 0.1 * frame) ? k : best,
      );
      assert.equal(await ask(page, "b.timeline.frame"), nearest);
      assert.match(await page.textContent(".beside .clock"), new RegExp(`^t = ${0.25 * nearest}$`));
      // each disk is where its speed has brought it, in its own picture
      const left = await places(page, [0.1 * frame, 0, 0]);
      const right = await places(page, [0.5 * nearest, 0, 0]);
      const small = (list) => list.sort((a, b) => a.area - b.area)[0];
      const [first, second] = [
        small(await seen(page, "main.picture")),
        small(await seen(page, ".picture.beside")),
      ];
      near([first.x, first.y], left[0], 0.6);
      near([second.x, second.y], right[1], 0.6);
    }
    // whichever is dragged or zoomed, the other goes along
    for (const selector of ["main.picture", ".picture.beside"]) {
      const box = await page.locator(`${selector} canvas`).boundingBox();
      const [x, y] = [box.x + 0.5 * box.width, box.y + 0.6 * box.height];
      const before = await places(page, [2, 1, 0]);
      await page.mouse.move(x, y);
      await page.mouse.down();
      await page.mouse.move(x + 40, y - 30, { steps: 3 });
      await page.mouse.up();
      await page.mouse.wheel(0, -120);
      await settle(page);
      const after = await places(page, [2, 1, 0]);
      near(after[0], after[1], 1);
      assert.ok(Math.hypot(after[0][0] - before[0][0], after[0][1] - before[0][1]) > 20);
    }
    await page.keyboard.press("f");
    await settle(page);
    // what is clicked beside is told by the pages of that run
    const [, [x, y]] = await places(page, [4, 2, 0]);
    const box = await page.locator(".picture.beside canvas").boundingBox();
    await page.mouse.click(box.x + x, box.y + y);
    await page.waitForFunction(() => window.scree.compare.beside.settings.selection);
    assert.deepEqual(await ask(page, "b.settings.selection"), { kind: "body", id: 1 });
    assert.equal(await ask(page, "v.settings.selection"), null);
    // a picture of both, as wide as both
    const coming = page.waitForEvent("download");
    await page.keyboard.press("s");
    const { width } = await pixels(readFileSync(await (await coming).path()));
    const widths = await ask(page, "[v, b].map((x) => x.picture.stage.canvas.width)");
    assert.ok(width >= widths[0] + widths[1] && width < widths[0] + widths[1] + 10);
    // alone again
    await page.click("#close-beside");
    await settle(page);
    assert.equal(await page.locator("canvas[aria-label='Picture of the run']").count(), 1);
    await page.waitForFunction(() => Math.abs(window.scree.picture.range[1] - 1) < 0.01);
    await finish(page);
  },

  async "colours are on one scale, or each run has its own"() {
    const page = await open(`${write([slow, fast], "both.html")}#play=0`, { width: 1300 });
    await both(page);
    const ranges = () => ask(page, "[v, b].map((x) => x.picture.range[1])");
    near(await ranges(), [2, 2], 0.01); // speeds up to 1, and up to 2
    const ticks = (selector) =>
      page.$$eval(`${selector} .ticks span`, (list) => list.map((one) => one.textContent));
    assert.deepEqual(await ticks("main.picture"), await ticks(".picture.beside"));
    await page.uncheck("#one-scale", { force: true });
    await both(page);
    near(await ranges(), [1, 2], 0.01);
    assert.notDeepEqual(await ticks("main.picture"), await ticks(".picture.beside"));
    await page.fill("#range-low", "0");
    await page.fill("#range-high", "8");
    await page.press("#range-high", "Enter");
    await both(page);
    near(await ranges(), [8, 8], 0);
    await finish(page);
  },

  async "a file is opened beside the run, from disk and without a network"() {
    write([big], "big.html");
    const page = await open(write([slow], "slow.html"), { offline: true });
    assert.equal(await ask(page, "b"), null);
    await page.setInputFiles("#beside-file", join(folder, "big.html"));
    await both(page);
    assert.equal(await page.textContent(".beside .which"), "big.h5");
    // regions of other sizes: their middles are at one place, and their diagonals equally long
    const [first, second] = await ask(
      page,
      `[v, b].map(({ picture: { region: { min, max }, stage } }) => {
        const at = (p) => stage.view.project(p.toArray());
        const [a, b] = [at(min), at(max)];
        return [...at(min.clone().lerp(max, 0.5)).slice(0, 2), Math.hypot(a[0] - b[0], a[1] - b[1])];
      })`,
    );
    near(first, second, 1);
    // a run file is not a page, nor is another page
    await page.setInputFiles("#beside-file", join(folder, fast));
    await page.waitForFunction(() => document.querySelector(".message").innerText);
    assert.match(await page.textContent(".message"), /scree view A\.h5 B\.h5/);
    await finish(page);
  },
};

await runTests(tests);
