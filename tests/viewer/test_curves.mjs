// Grains bounded by NURBS curves in the browser: filled, smooth and true at every size, in their colours, and picked
// where they are. What a pixel should show is computed from the curves, not from their nodes.
import assert from "node:assert/strict";
import {
  at,
  choose,
  distance,
  look,
  open,
  finish,
  runTests,
  serve,
  settle,
  simulate,
  spots,
  state,
} from "./browser.mjs";

const HALF = [2, 0.7],
  ANGLE = 0.5,
  POINTS = [
    [0, 0],
    [2, 0],
    [2.5, 1],
    [1, 0.6],
    [0, 2],
  ],
  BEAN = [-4, 2];

const scene = `dimension: 2
gravity: [0, 0]
time: {step: 0.01, end: 0.05}
materials:
  m: {density: 1}
grains:
  - {ellipse: {half: [${HALF}]}, position: [0, 0], angle: ${ANGLE}}
  - {nurbs: {points: [${POINTS.map((p) => `[${p}]`)}]}, position: [${BEAN}]}
  - {radius: 0.5, position: [4, -2]}
`;

/** The closed cubic B-spline through the ring of points, as a fine polygon about its centroid. */
function bean(steps = 60) {
  const count = POINTS.length,
    curve = [];
  for (let i = 0; i < count; i++) {
    for (let k = 0; k < steps; k++) {
      const t = k / steps,
        weights = [
          (1 - t) ** 3,
          3 * t ** 3 - 6 * t * t + 4,
          -3 * t ** 3 + 3 * t * t + 3 * t + 1,
          t ** 3,
        ];
      curve.push(
        [0, 1].map((c) =>
          weights.reduce((sum, w, j) => sum + (w / 6) * POINTS[(i + j) % count][c], 0),
        ),
      );
    }
  }
  let area = 0,
    x = 0,
    y = 0;
  curve.forEach(([ax, ay], i) => {
    const [bx, by] = curve[(i + 1) % curve.length],
      cross = (ax * by - bx * ay) / 2;
    area += cross;
    x += ((ax + bx) * cross) / 3;
    y += ((ay + by) * cross) / 3;
  });
  return curve.map(([px, py]) => [px - x / area, py - y / area]);
}

/** How far a point is from a polygon, negative within. */
function fromPolygon(polygon, x, y) {
  let near = Infinity,
    within = false;
  polygon.forEach(([bx, by], i) => {
    const [ax, ay] = polygon[(i + polygon.length - 1) % polygon.length],
      sx = bx - ax,
      sy = by - ay;
    const t = Math.min(Math.max(((x - ax) * sx + (y - ay) * sy) / (sx * sx + sy * sy), 0), 1);
    near = Math.min(near, Math.hypot(x - ax - t * sx, y - ay - t * sy));
    if (ay > y !== by > y && x < ax + ((y - ay) / sy) * sx) within = !within;
  });
  return within ? -near : near;
}

/** The same of the ellipse, to second order near its outline: f / |grad f|, f = (x / a)^2 + (y / b)^2 - 1. */
function fromEllipse(x, y) {
  const u = Math.cos(ANGLE) * x + Math.sin(ANGLE) * y,
    v = Math.cos(ANGLE) * y - Math.sin(ANGLE) * x;
  const f = (u / HALF[0]) ** 2 + (v / HALF[1]) ** 2 - 1;
  return f / (2 * Math.hypot(u / HALF[0] ** 2, v / HALF[1] ** 2) + 1e-300);
}

/**
 * Every pixel about a grain shows the paper where it is outside of the curve by more than `slack` pixels, and the grain where
 * it is within by as much. Returns how many were inside.
 */
function compare(picture, place, scale, reach, from, slack, step = 1) {
  const paper = [picture.data[0], picture.data[1], picture.data[2]];
  let inside = 0;
  for (
    let row = Math.max(0, Math.floor(place[1] - reach * scale));
    row < Math.min(picture.height, place[1] + reach * scale);
    row += step
  ) {
    for (
      let column = Math.max(0, Math.floor(place[0] - reach * scale));
      column < Math.min(picture.width, place[0] + reach * scale);
      column += step
    ) {
      const off = from((column + 0.5 - place[0]) / scale, (place[1] - row - 0.5) / scale) * scale;
      if (Math.abs(off) < slack) continue;
      const k = 4 * (row * picture.width + column);
      const differs =
        Math.hypot(
          picture.data[k] - paper[0],
          picture.data[k + 1] - paper[1],
          picture.data[k + 2] - paper[2],
        ) > 30;
      assert.equal(
        differs,
        off < 0,
        `pixel ${column}, ${row} is ${off.toFixed(2)} pixels outside of the curve`,
      );
      inside += off < 0 ? 1 : 0;
    }
  }
  return inside;
}

/** Where the grains are, and pixels for a unit of length. */
async function places(page) {
  const found = await page.evaluate(() => [0, 1, 2].map((i) => window.scree.place(i)));
  return { found, scale: (found[2][0] - found[1][0]) / (4 - BEAN[0]) };
}

async function prepared(width, height) {
  const page = await open(address, { width, height });
  await page.uncheck("#marks", { force: true });
  await choose(page, "colour-by", "id");
  return page;
}

const address = await serve(simulate("curves", scene)),
  outline = bean();

await runTests({
  async "curves are filled and true at every size"() {
    for (const [width, height] of [
      [1100, 800],
      [420, 760],
    ]) {
      const page = await open(address, { width, height });
      if (await page.locator("#marks").isVisible()) await page.uncheck("#marks", { force: true });
      const picture = await look(page),
        { found, scale } = await places(page);
      const ellipse = compare(picture, found[0], scale, 2.2, fromEllipse, 1.1);
      const pixels = Math.PI * HALF[0] * HALF[1] * scale * scale;
      assert.ok(
        Math.abs(ellipse / pixels - 1) < 8 / scale + 0.02,
        `${ellipse} pixels of ${pixels}`,
      );
      assert.ok(
        compare(picture, found[1], scale, 1.8, (x, y) => fromPolygon(outline, x, y), 1.1, 3) >
          0.05 * scale * scale,
      );
      await finish(page);
    }
  },

  async "curves stay smooth when they are large"() {
    const page = await prepared(1000, 700);
    await settle(page);
    const before = await places(page);
    await page.mouse.move(
      before.found[0][0] + 1.2 * before.scale,
      before.found[0][1] - 0.66 * before.scale,
    );
    await page.mouse.wheel(0, -1920);
    const picture = await look(page),
      { found, scale } = await places(page);
    assert.ok(scale > 3 * before.scale, `zoomed from ${before.scale} to ${scale}`);
    // nodes leave the curve by 4e-4 of the diameter at most
    assert.ok(
      compare(picture, found[0], scale, 2.2, fromEllipse, 1.1 + 4e-4 * 2 * HALF[0] * scale, 2) >
        1e4,
    );
    await finish(page);
  },

  async "curves have colours and are picked where they are"() {
    const page = await prepared(1000, 700);
    const picture = await look(page),
      { found, scale } = await places(page);
    const [first, second, third] = found.map(([x, y]) => at(picture, x, y));
    assert.ok(
      distance(first, second) > 25 && distance(second, third) > 25 && distance(first, third) > 25,
    );
    // near the end of the long axis; beside the short one, within the circle that holds the ellipse
    const along = [Math.cos(ANGLE), -Math.sin(ANGLE)].map((c) => 0.95 * HALF[0] * scale * c);
    const across = [Math.sin(ANGLE), Math.cos(ANGLE)].map((c) => 1.2 * HALF[1] * scale * c);
    await page.mouse.click(found[0][0] + across[0], found[0][1] + across[1]);
    assert.equal(await state(page, "settings.selection"), null);
    await page.mouse.click(found[0][0] + along[0], found[0][1] + along[1]);
    await page.waitForFunction(() => window.scree.settings.selection?.id === 0);
    await page.mouse.click(found[1][0], found[1][1]);
    await page.waitForFunction(() => window.scree.settings.selection?.id === 1);
    await finish(page);
  },

  async "curves are drawn small or not at all"() {
    const page = await prepared(1000, 700);
    const { found, scale } = await places(page);
    await page.click("#grain-style [data-key=small]");
    assert.ok(compare(await look(page), found[0], 0.45 * scale, 2.2, fromEllipse, 1.1) > 100);
    await page.click("#grain-style [data-key=hidden]");
    assert.equal(spots(await look(page)).length, 0);
    await finish(page);
  },
});
