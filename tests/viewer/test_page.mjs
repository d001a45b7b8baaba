// The page in a browser, on runs made by the program: it loads, draws the grains where they are and in the colours they
// should have, plays, picks, colours, filters, follows a run, and saves a picture; alone from disk without any network.
import assert from "node:assert/strict";
import { execFileSync, spawn } from "node:child_process";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import {
  at,
  children,
  choose,
  distance,
  folder,
  here,
  look,
  open,
  pixels,
  program,
  finish,
  runTests,
  serve,
  settle,
  simulate,
  spots,
  state,
} from "./browser.mjs";
import { DISKS, deepScene, flatScene, heapScene, match } from "./disks.mjs";

// ---------------------------------------------------------------- tests

const tests = {
  async "disks lie where they are, in their colours"() {
    const page = await open(await serve(simulate("flat", flatScene)));
    await choose(page, "colour-by", "material");
    await page.uncheck("#marks", { force: true });
    const spot = match(spots(await look(page)), DISKS, 0.5);
    // six materials, six colours, all apart; the legend has the same
    for (let i = 0; i < 6; i++)
      for (let k = 0; k < i; k++)
        assert.ok(
          distance(spot[i].colour, spot[k].colour) > 25,
          `materials ${i} and ${k} look alike`,
        );
    assert.equal(await page.locator("#legend li").count(), 6);
    const marks = await page.$$eval("#legend li i", (list) =>
      list.map((mark) => getComputedStyle(mark).backgroundColor.match(/\d+/g).map(Number)),
    );
    assert.deepEqual(marks[2], [0xc0, 0x40, 0x20]); // as the scene asks
    const picture = await look(page);
    spot.forEach((s, i) =>
      assert.ok(
        distance(at(picture, s.x, s.y), marks[i]) < 12,
        `the legend does not show material ${i}`,
      ),
    );

    // by radius: the map gets lighter from its beginning to its end, so larger disks are lighter
    await choose(page, "colour-by", "radius");
    const lightness = ([r, g, b]) => 0.3 * r + 0.6 * g + 0.1 * b;
    const lights = match(spots(await look(page)), DISKS, 0.5).map((s) => lightness(s.colour));
    const bySize = DISKS.map((d, i) => [d[2], lights[i]])
      .sort((a, b) => a[0] - b[0])
      .map((pair) => pair[1]);
    for (let i = 1; i < bySize.length; i++)
      assert.ok(bySize[i] > bySize[i - 1] + 3, `colours do not follow the radii: ${bySize}`);
    assert.ok(bySize.at(-1) - bySize[0] > 80);

    // a range of one's own: below it everything has the first colour
    await page.fill("#range-low", "0.85");
    await page.fill("#range-high", "2");
    await page.press("#range-high", "Enter");
    await settle(page);
    assert.equal(await page.inputValue("#range-of"), "fixed");
    const dark = match(spots(await look(page)), DISKS, 0.5).map((s) => lightness(s.colour));
    assert.ok(
      Math.max(...DISKS.map((d, i) => (d[2] < 0.85 ? dark[i] : 0))) < Math.min(...lights) + 12,
    );

    // filters: by value, then by material; what is left is in its place
    await page.check("#filter-value", { force: true });
    await page.fill("#filter-low", "0.55");
    await page.fill("#filter-high", "0.85");
    await settle(page);
    match(
      spots(await look(page)),
      DISKS.filter((d) => d[2] > 0.55 && d[2] < 0.85),
      0.6,
    );
    assert.match(await page.textContent("#visible"), /^3 of 6 grains/);
    await page.uncheck("#filter-value", { force: true });
    await page.uncheck("#material-3", { force: true });
    await settle(page);
    match(
      spots(await look(page)),
      DISKS.filter((_, i) => i !== 3),
      0.6,
    );
    await page.check("#material-3", { force: true });
    // a cut that leaves the left half
    await page.locator("#cut-x-high").fill("0.5");
    const low = Math.min(...DISKS.map((d) => d[0] - d[2])),
      high = Math.max(...DISKS.map((d) => d[0] + d[2]));
    match(
      spots(await look(page)),
      DISKS.filter((d) => d[0] <= low + 0.5 * (high - low)),
      0.6,
    );
    await page.locator("#cut-x-high").fill("1");

    // picking each disk by its place in the picture, and the paper between
    for (const [i, s] of spot.entries()) {
      await page.mouse.click(s.x, s.y);
      await page.waitForFunction(
        (name) => document.querySelector("#selection h2")?.textContent.startsWith(name),
        `Grain ${i}`,
      );
      const text = await page.textContent("#selection .values");
      assert.ok(text.includes(`m${i}`), `the values of grain ${i}: ${text}`);
    }
    await page.mouse.click(3, 350);
    assert.equal(await state(page, "settings.selection"), null);

    // zoom at the cursor keeps what is under it; moving by a drag moves all alike
    await page.mouse.move(spot[0].x, spot[0].y);
    await page.mouse.wheel(0, -240);
    await settle(page);
    const [zx, zy] = await page.evaluate(() => window.scree.place(0));
    assert.ok(
      Math.hypot(zx - spot[0].x, zy - spot[0].y) < 2,
      "zoom moved what is under the cursor",
    );
    await page.keyboard.press("f");
    match(spots(await look(page)), DISKS, 0.5);
    await page.mouse.move(400, 560);
    await page.mouse.down();
    await page.mouse.move(460, 520, { steps: 4 });
    await page.mouse.up();
    await settle(page);
    const [mx, my] = await page.evaluate(() => window.scree.place(0));
    assert.ok(
      Math.hypot(mx - spot[0].x - 60, my - spot[0].y + 40) < 2,
      "the drag did not move the picture along",
    );
    await finish(page);
  },

  async "spheres lie where they are"() {
    const page = await open(await serve(simulate("deep", deepScene)));
    await choose(page, "colour-by", "material");
    await page.click("#look-z");
    // seen from a distance: outlines are off by a few tenths of a percent
    const spot = match(spots(await look(page)), DISKS, 2.5, 1.5);
    for (const [i, s] of spot.entries()) {
      await page.mouse.click(s.x, s.y);
      await page.waitForFunction(
        (name) => document.querySelector("#selection h2")?.textContent.startsWith(name),
        `Grain ${i}`,
      );
    }
    // along x the grains lie one behind another in a line: fewer spots, all on one height
    await page.keyboard.press("Escape");
    await page.click("#look-x");
    const side = spots(await look(page));
    assert.ok(side.length >= 1 && side.length < DISKS.length);
    // turning by a drag changes the picture, fitting brings it back
    await page.click("#look-z");
    await page.mouse.move(300, 600);
    await page.mouse.down();
    await page.mouse.move(380, 560, { steps: 4 });
    await page.mouse.up();
    assert.throws(() => match(side, DISKS, 2.5, 1.5));
    await page.keyboard.press("3");
    match(spots(await look(page)), DISKS, 2.5, 1.5);
    await page.click("[data-tab=look]");
    // small ones: 0.45 of the radius
    await page.click("#grain-style [data-key=small]");
    match(
      spots(await look(page)),
      DISKS.map(([x, y, r]) => [x, y, 0.45 * r]),
      2.5,
      1.5,
    );
    await page.click("#grain-style [data-key=hidden]");
    assert.equal(spots(await look(page)).length, 0);
    await finish(page);
  },

  async "polygons are drawn true, and so are periodic copies"() {
    // an L, one with rounded corners, a triangle that is turned, and a disk for the scale; areas in closed form
    const shapes = [
      {
        grain:
          "polygon: {vertices: [[0, 0], [2, 0], [2, 1], [1, 1], [1, 2], [0, 2]]}, position: [3, 3]",
        at: [3, 3],
        area: 3,
      },
      // a square with all points within 0.3 of it: its sides grow by 0.3, its corners by a quarter of a circle each
      {
        grain:
          "polygon: {vertices: [[0, 0], [1, 0], [1, 1], [0, 1]], rounding: 0.3}, position: [7, 3], angle: 0.6",
        at: [7, 3],
        area: 1 + 4 * 0.3 + Math.PI * 0.09,
      },
      {
        grain: "polygon: {vertices: [[0, 0], [3, 0], [0, 1]]}, position: [3, 7], angle: 2",
        at: [3, 7],
        area: 1.5,
      },
      { grain: "radius: 0.8, position: [7, 7]", at: [7, 7], area: Math.PI * 0.64 },
    ];
    const page = await open(
      await serve(
        simulate(
          "shapes",
          `dimension: 2
gravity: [0, 0]
time: {step: 0.01, end: 0.05}
periodic: {x: [0, 10], y: [0, 10]}
materials:
  m: {density: 1}
grains:
${shapes.map((shape) => `  - {${shape.grain}}`).join("\n")}
`,
        ),
      ),
    );
    await page.uncheck("#marks", { force: true });
    await page.uncheck("#cell", { force: true });
    await choose(page, "colour-by", "id");
    const one = spots(await look(page));
    assert.equal(one.length, shapes.length);
    // centroids at their places, which are two from the middle along x and y (y turned over)
    const mid = (get) => one.reduce((sum, item) => sum + get(item), 0) / one.length;
    const cx = mid((s) => s.x),
      cy = mid((s) => s.y),
      scale = mid((s) => Math.abs(s.x - cx) + Math.abs(s.y - cy)) / 4;
    for (const shape of shapes) {
      const x = cx + scale * (shape.at[0] - 5),
        y = cy - scale * (shape.at[1] - 5);
      const spot = one.reduce((best, s) =>
        Math.hypot(s.x - x, s.y - y) < Math.hypot(best.x - x, best.y - y) ? s : best,
      );
      assert.ok(
        Math.hypot(spot.x - x, spot.y - y) < 0.7,
        `${shape.grain}: ${Math.hypot(spot.x - x, spot.y - y)} pixels off`,
      );
      assert.ok(
        Math.abs(spot.area / scale ** 2 / shape.area - 1) < 0.05,
        `${shape.grain}: area ${spot.area / scale ** 2}, not ${shape.area}`,
      );
    }
    // the L has a notch: its centroid is (5/6, 5/6), so the inner corner is at 1/6, and what is beyond it is paper
    const { width, data } = await look(page),
      place = await page.evaluate(() => window.scree.place(0));
    const there = (dx, dy) => [
      ...data
        .subarray(
          4 * (Math.floor(place[1] - scale * dy) * width + Math.floor(place[0] + scale * dx)),
        )
        .subarray(0, 3),
    ];
    const paper = [data[0], data[1], data[2]];
    assert.ok(
      distance(there(0.4, 0.4), paper) < 8 &&
        distance(there(0, 0.9), paper) > 60 &&
        distance(there(0.9, 0), paper) > 60,
    );
    await page.mouse.click(place[0] + scale * 0.4, place[1] - scale * 0.4);
    assert.equal(await state(page, "settings.selection"), null);
    await page.mouse.click(place[0] + scale * 0.9, place[1]);
    await page.waitForFunction(() => window.scree.settings.selection?.id === 0);
    await page.keyboard.press("Escape");
    // copies to every side: nine of each, ten apart
    await page.click("[data-tab=look]");
    await page.click("#copies [data-key='1']");
    const nine = spots(await look(page));
    assert.equal(nine.length, 9 * shapes.length);
    await finish(page);
  },

  async "it plays, shows forces and the certificate, and saves a picture"() {
    const page = await open(await serve(simulate("heap", heapScene)));
    const frames = await state(page, "run.frames");
    assert.equal(frames, 31);
    assert.equal(await page.textContent("#clock"), "t = 0");
    const before = await look(page);
    await page.keyboard.press("End");
    await page.waitForFunction(() => document.querySelector("#clock").textContent === "t = 0.6");
    const after = await look(page);
    let changed = 0;
    for (let k = 0; k < before.data.length; k += 4)
      changed += Math.abs(before.data[k] - after.data[k]) > 24 ? 1 : 0;
    assert.ok(changed > 2000, "the last frame looks like the first");
    // playing goes through the frames in order, and ends without the loop
    await page.click("#loop");
    await page.selectOption("#speed", "60");
    await page.evaluate(() => {
      window.seen = [];
      new MutationObserver(() => window.seen.push(window.scree.timeline.frame)).observe(
        document.querySelector("#clock"),
        { childList: true, characterData: true, subtree: true },
      );
    });
    await page.click("#play");
    await page.waitForFunction(() => window.seen.length > 3 && !window.scree.player.playing);
    const seen = await page.evaluate(() => window.seen.filter((x, i) => x !== window.seen[i - 1]));
    assert.deepEqual(
      seen.slice(seen.indexOf(0)),
      Array.from({ length: frames }, (_, i) => i),
    );
    // forces: a picture with them is another one; sticking and sliding have their colours
    await page.check("#chains", { force: true });
    await page.waitForFunction(
      () => window.scree.picture.contacts.bars.geometry.instanceCount > 50,
    );
    const shown = await state(page, "picture.contacts.bars.geometry.instanceCount");
    await page.click("#filter-contacts [data-key=slip]");
    await settle(page);
    const sliding = await state(page, "picture.contacts.bars.geometry.instanceCount");
    await page.click("#filter-contacts [data-key=stick]");
    await settle(page);
    assert.equal(
      sliding + (await state(page, "picture.contacts.bars.geometry.instanceCount")),
      shown,
    );
    await page.click("#filter-contacts [data-key=all]");
    // by force: colours from 0 to 1, wider bars further along the map
    await page.click("#chain-colour [data-key=force]");
    await settle(page);
    const pairs = await state(
      page,
      "[...picture.contacts.bars.arrays.hue.slice(0, 50)].map((hue, i) => [hue, picture.contacts.bars.arrays.width[i]])",
    );
    for (const [hue, width] of pairs)
      assert.ok(hue >= 0 && hue <= 1 && (Math.abs(hue - width) < 1e-6 || width < 0.021));
    await page.click("#chain-colour [data-key=state]");
    // a force can be picked where no grain is drawn
    await page.click("#grain-style [data-key=hidden]");
    await page.click("#look-y");
    await settle(page);
    const middle = await page.evaluate(() => {
      const { picture } = window.scree,
        { from, to, width } = picture.contacts.bars.arrays;
      let best = 0;
      for (let i = 0; i < picture.contacts.bars.geometry.instanceCount; i++)
        if (width[i] > width[best]) best = i;
      return picture.stage.view.project(
        [0, 1, 2].map((k) => 0.5 * (from[3 * best + k] + to[3 * best + k])),
      );
    });
    await page.mouse.click(middle[0], middle[1]);
    await page.waitForFunction(() =>
      document.querySelector("#selection h2")?.textContent.startsWith("Contact"),
    );
    assert.match(await page.textContent("#selection .values"), /force normal/);
    // the certificate: curves, and a click on them goes to that time
    await page.click("[data-tab=certificate]");
    for (const name of ["residual", "overlap", "iterations", "energy"]) {
      const curve = page.locator(`[data-plot=${name}] canvas`),
        box = await curve.boundingBox();
      assert.ok(box.width > 200 && box.height > 60);
      const drawn = await curve.evaluate((canvas) => {
        const { data } = canvas.getContext("2d").getImageData(0, 0, canvas.width, canvas.height);
        return data.reduce((sum, value, i) => sum + (i % 4 === 3 && value > 0 ? 1 : 0), 0);
      });
      assert.ok(drawn > 300, `the curve of ${name} is empty`);
    }
    const box = await page.locator("[data-plot=residual] canvas").boundingBox();
    const inside = [box.x + 46, box.x + box.width - 8]; // the axes
    await page.mouse.click(inside[0] + 0.5 * (inside[1] - inside[0]), box.y + 40);
    await page.waitForFunction(() => document.querySelector("#clock").textContent === "t = 0.3");
    // the picture as a file
    const [download] = await Promise.all([
      page.waitForEvent("download"),
      page.click("#screenshot"),
    ]);
    assert.match(download.suggestedFilename(), /^heap-frame-15\.png$/);
    const saved = await pixels(readFileSync(await download.path()));
    const canvas = await page.locator("main.picture canvas").boundingBox();
    assert.deepEqual(
      [saved.width, saved.height],
      [Math.round(canvas.width), Math.round(canvas.height)],
    );
    assert.ok(spots(saved).length > 2, "the saved picture is empty");
    // light and dark
    const paper = at(await look(page), 2, 2);
    await page.keyboard.press("d");
    const night = at(await look(page), 2, 2);
    assert.ok(paper[0] > 200 && night[0] < 60);
    // help
    await page.keyboard.press("?");
    assert.ok(await page.isVisible(".help-card"));
    await page.keyboard.press("Escape");
    assert.ok(!(await page.isVisible(".help-card")));
    await finish(page);
  },

  async "one file from disk, without network, on a small screen"() {
    const run = simulate("heap", heapScene);
    execFileSync(program, ["view", run, "--html", "heap.html"], { cwd: folder, stdio: "pipe" });
    const address = pathToFileURL(join(folder, "heap.html")).href;
    const page = await open(address, {
      width: 390,
      height: 844,
      colorScheme: "dark",
      offline: true,
    });
    assert.equal(await state(page, "run.frames"), 31);
    await page.keyboard.press("End");
    await page.waitForFunction(() => document.querySelector("#clock").textContent === "t = 0.6");
    const picture = await look(page);
    assert.ok(
      spots(picture).reduce((sum, spot) => sum + spot.area, 0) > 5000,
      "no grains in the picture",
    );
    // nothing sticks out, and what must be there can be touched
    const wide = await page.evaluate(() => [
      document.documentElement.scrollWidth,
      ...[...document.querySelectorAll("button, input, select")]
        .filter((element) => element.checkVisibility())
        .map((element) => element.getBoundingClientRect().right),
    ]);
    assert.ok(Math.max(...wide) <= 390, `something ends at ${Math.max(...wide)}`);
    assert.ok(!(await page.isVisible(".panel")));
    await page.click("#panel-toggle");
    assert.ok(await page.isVisible("#colour-by"));
    await choose(page, "colour-by", "coordination");
    await page.waitForFunction(() =>
      document.querySelector("#legend").textContent.includes("Coordination"),
    );
    // values of a grain, as far as the file has them
    await page.evaluate(() => window.scree.selector.select({ kind: "body", id: 3 }));
    await page.waitForFunction(() =>
      /velocity/.test(document.querySelector("#selection .values")?.textContent ?? ""),
    );
    assert.deepEqual(
      page.asked.filter(
        (url) => url !== address && !url.startsWith("data:") && !url.startsWith("blob:"),
      ),
      [],
    );
    await finish(page);
  },

  async "a run that goes on"() {
    writeFileSync(join(folder, "long.yaml"), heapScene.replace("end: 0.6", "end: 1000"));
    const child = spawn(program, ["run", "long.yaml", "-q", "--force"], {
      cwd: folder,
      stdio: "ignore",
    });
    children.push(child);
    while (!existsSync(join(folder, "long.h5"))) await new Promise((done) => setTimeout(done, 100));
    const page = await open(await serve("long.h5"));
    await page.waitForFunction(() => window.scree.run.frames > 0);
    const first = await state(page, "run.frames");
    await page.waitForFunction(
      (n) => window.scree.run.frames > n + 2 && window.scree.timeline.frame > n,
      first,
    );
    child.kill("SIGTERM");
    await page.waitForFunction(() => !window.scree.run.manifest.going);
    await page.click("[data-tab=about]");
    await page.waitForFunction(() =>
      document.querySelector("aside").textContent.includes("interrupted by a signal"),
    );
    await finish(page);
  },

  async "one frame, none, no grains"() {
    const run = simulate("odd", heapScene.replace("end: 0.6", "end: 0.1"));
    for (const kind of ["one-frame", "no-frame", "no-grain"]) {
      execFileSync("/usr/bin/python3", [join(here, "odd_runs.py"), run, `${kind}.h5`, kind], {
        cwd: folder,
      });
      const page = await open(await serve(`${kind}.h5`));
      assert.equal(await page.evaluate(() => document.documentElement.dataset.ready), "true");
      const frames = await state(page, "run.frames");
      if (kind === "no-grain") assert.ok(frames > 1);
      else assert.equal(frames, kind === "one-frame" ? 1 : 0);
      if (kind !== "one-frame")
        assert.match(
          await page.textContent(".message"),
          kind === "no-frame" ? /no frame/ : /no grains/,
        );
      else assert.ok(spots(await look(page)).length > 0, `${kind}: nothing is drawn`);
      for (const key of ["Space", "End", "g", "c", "f", "s", "0"]) await page.keyboard.press(key);
      for (const tab of ["certificate", "selection", "about", "look"])
        await page.click(`[data-tab=${tab}]`);
      await page.mouse.click(300, 300);
      await finish(page);
    }
  },
};

await runTests(tests);
