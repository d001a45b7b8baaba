// Solids in the browser: where their corners say, flat shaded with edges, round where they are rounded, and picked where
// they are. What a pixel should show is computed here from sizes, positions and rotations.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import {
  at,
  choose,
  distance,
  finish,
  folder,
  look,
  open,
  program,
  runTests,
  serve,
  simulate,
  spots,
  state,
} from "./browser.mjs";

// none hides another, neither from the corner nor along an axis
const SIZE = [2, 1.2, 0.8],
  AXIS = [0.36, 0.48, 0.8],
  ANGLE = 0.7,
  DIE = { side: 1.5, rounding: 0.3, place: [3.2, 3.2, -3.2] },
  BALL = { radius: 0.8, place: [-3, -3, -3] },
  CROSS = { place: [-3.2, 3.2, 3.2], sizes: [SIZE, [0.5, 0.5, 2.4]] };

const scene = `dimension: 3
gravity: [0, 0, 0]
time: {step: 0.01, end: 0.02}
materials:
  m: {density: 1}
grains:
  - {box: {size: [${SIZE}]}, position: [0, 0, 0], orientation: {axis: [${AXIS}], angle: ${ANGLE}}}
  - {box: {size: [${[1, 1, 1].map((x) => x * DIE.side)}], rounding: ${DIE.rounding}}, position: [${DIE.place}]}
  - {radius: ${BALL.radius}, position: [${BALL.place}]}
  - compound: [{box: {size: [${CROSS.sizes[0]}]}}, {box: {size: [${CROSS.sizes[1]}]}}]
    position: [${CROSS.place}]
`;

// ---------------------------------------------------------------- geometry

const sum = (a, b) => a.map((x, k) => x + b[k]);
const cross = ([a, b, c], [x, y, z]) => [b * z - c * y, c * x - a * z, a * y - b * x];

/** Rodrigues' formula. */
function turned(v, axis = AXIS, angle = ANGLE) {
  const along = axis.reduce((total, x, k) => total + x * v[k], 0);
  const side = cross(axis, v);
  return v.map(
    (x, k) =>
      x * Math.cos(angle) + side[k] * Math.sin(angle) + axis[k] * along * (1 - Math.cos(angle)),
  );
}

const corners = (size) =>
  Array.from({ length: 8 }, (_, k) => size.map((s, axis) => (k & (1 << axis) ? s / 2 : -s / 2)));

/** The distance of a point from a convex hull, negative within: from the lines through all pairs that bound it. */
function fromHull(points) {
  const sides = [];
  for (const p of points) {
    for (const q of points) {
      const [x, y] = [q[0] - p[0], q[1] - p[1]];
      const long = Math.hypot(x, y);
      if (long < 1e-9) continue;
      const normal = [y / long, -x / long];
      const off = (r) => (r[0] - p[0]) * normal[0] + (r[1] - p[1]) * normal[1];
      if (points.every((r) => off(r) < 1e-6)) sides.push({ p, q, off, long });
    }
  }
  return (r) => {
    const within = Math.max(...sides.map(({ off }) => off(r)));
    if (within <= 0) return within;
    return Math.min(
      ...sides.map(({ p, q, long }) => {
        const t = ((r[0] - p[0]) * (q[0] - p[0]) + (r[1] - p[1]) * (q[1] - p[1])) / long ** 2;
        const u = Math.min(1, Math.max(0, t));
        return Math.hypot(r[0] - p[0] - u * (q[0] - p[0]), r[1] - p[1] - u * (q[1] - p[1]));
      }),
    );
  };
}

/** Where points of the scene are in the picture, with pixels for a unit of length there. */
const seen = (page, points) =>
  page.evaluate((list) => {
    const { run, picture } = window.scree;
    const { view } = picture.stage;
    return list.map((point) => {
      const own = point.map((x, k) => x - run.manifest.origin[k]);
      const up = view.camera.matrixWorld.elements.slice(4, 7);
      const here = view.project(own);
      const there = view.project(own.map((x, k) => x + 1e-3 * up[k]));
      return [...here.slice(0, 2), 1e3 * Math.hypot(there[0] - here[0], there[1] - here[1])];
    });
  }, points);

/** Every pixel about a grain shows the paper where it is outside by more than `slack` pixels, and the grain within. */
function compare(picture, from, centre, reach, slack) {
  const paper = [...picture.data.subarray(0, 3)];
  let inside = 0;
  for (let row = Math.floor(centre[1] - reach); row < centre[1] + reach; row++) {
    for (let column = Math.floor(centre[0] - reach); column < centre[0] + reach; column++) {
      const off = from([column + 0.5, row + 0.5]);
      if (Math.abs(off) < slack) continue;
      const differs = distance(at(picture, column, row), paper) > 24;
      assert.equal(differs, off < 0, `pixel ${column}, ${row} is ${off.toFixed(2)} pixels outside`);
      inside += off < 0 ? 1 : 0;
    }
  }
  return inside;
}

async function prepared(where, options = {}) {
  const page = await open(where, { width: 1100, height: 760, ...options });
  await choose(page, "colour-by", "id");
  return page;
}

/** The sharp box is where its corners say, to a pixel. */
async function compareBox(page, shrink = 1) {
  const picture = await look(page);
  const places = await seen(
    page,
    corners(SIZE).map((corner) => turned(corner.map((x) => shrink * x))),
  );
  const [middle] = await seen(page, [[0, 0, 0]]);
  const reach = 0.55 * Math.hypot(...SIZE) * shrink * middle[2];
  return compare(picture, fromHull(places), middle, reach, 1.2);
}

const run = simulate("solids", scene),
  address = await serve(run);

await runTests({
  async "a turned box is seen where its corners are, from every side"() {
    const page = await prepared(address);
    for (const key of ["0", "1", "3"]) {
      await page.keyboard.press(key);
      assert.ok((await compareBox(page)) > 1000, key);
    }
    await finish(page);
  },

  async "a rounded box is the hull of the balls at its corners"() {
    const page = await prepared(address);
    const inner = DIE.side - 2 * DIE.rounding;
    const places = await seen(
      page,
      corners([inner, inner, inner]).map((corner) => sum(corner, DIE.place)),
    );
    // far from the eye a ball is seen as a disk; its edge as a polygon with many sides
    const rim = places.flatMap(([x, y, scale]) =>
      Array.from({ length: 48 }, (_, k) => [
        x + DIE.rounding * scale * Math.cos((k * Math.PI) / 24),
        y + DIE.rounding * scale * Math.sin((k * Math.PI) / 24),
      ]),
    );
    const [middle] = await seen(page, [DIE.place]);
    const inside = compare(await look(page), fromHull(rim), middle, 1.1 * middle[2], 2);
    assert.ok(inside > 1000);
    await finish(page);
  },

  async "faces are flat, differ, and have lines between them"() {
    const page = await prepared(address);
    const picture = await look(page);
    const eye = await page.evaluate(() =>
      window.scree.picture.stage.view.camera.position.toArray(),
    );
    const colours = [];
    for (let axis = 0; axis < 3; axis++) {
      for (const side of [-1, 1]) {
        const normal = turned([0, 1, 2].map((k) => (k === axis ? side : 0)));
        const centre = normal.map((x) => (x * SIZE[axis]) / 2);
        const origin = await state(page, "run.manifest.origin");
        const toEye = eye.map((x, k) => x + origin[k] - centre[k]);
        const facing = normal.reduce((total, x, k) => total + x * toEye[k], 0);
        if (facing < 0.3 * Math.hypot(...toEye)) continue;
        // the middle of the face and two places on it: the same colour
        const [u, v] = [1, 2].map((k) => (axis + k) % 3);
        const on = [
          [0, 0],
          [0.15, 0.1],
          [-0.12, 0.15],
        ].map(([s, t]) => {
          const own = [0, 0, 0];
          own[axis] = (side * SIZE[axis]) / 2;
          own[u] = s * SIZE[u];
          own[v] = t * SIZE[v];
          return turned(own);
        });
        const [first, ...others] = (await seen(page, on)).map(([x, y]) => at(picture, x, y));
        for (const other of others) assert.ok(distance(first, other) < 12, `${first} and ${other}`);
        colours.push({ axis, side, colour: first });
      }
    }
    assert.ok(colours.length >= 2);
    for (const [i, one] of colours.entries()) {
      for (const other of colours.slice(i + 1)) {
        assert.ok(distance(one.colour, other.colour) > 8, "two faces look alike");
        // halfway along the edge between them
        const own = [0, 0, 0];
        own[one.axis] = (one.side * SIZE[one.axis]) / 2;
        own[other.axis] = (other.side * SIZE[other.axis]) / 2;
        const [[x, y]] = await seen(page, [turned(own)]);
        const bright = (c) => c[0] + c[1] + c[2];
        const edge = Math.min(
          ...[-1, 0, 1].flatMap((dx) =>
            [-1, 0, 1].map((dy) => bright(at(picture, x + dx, y + dy))),
          ),
        );
        assert.ok(edge < 0.85 * Math.min(bright(one.colour), bright(other.colour)), "no line");
      }
    }
    await finish(page);
  },

  async "solids are picked where they are"() {
    const page = await prepared(address);
    const [corner, beside, die, ball, arm] = await seen(page, [
      turned(SIZE.map((s) => 0.42 * s)),
      turned([0, 0, 1.9 * SIZE[2]]),
      DIE.place,
      BALL.place,
      sum(CROSS.place, [0, 0, 1.1]),
    ]);
    await page.mouse.click(beside[0], beside[1]);
    assert.equal(await state(page, "settings.selection"), null);
    for (const [place, id] of [
      [corner, 0],
      [die, 1],
      [ball, 2],
      [arm, 3],
    ]) {
      await page.mouse.click(place[0], place[1]);
      await page.waitForFunction((k) => window.scree.settings.selection?.id === k, id);
    }
    await finish(page);
  },

  async "shapes are shared, and have the triangles of their faces"() {
    const page = await prepared(address);
    const counts = await state(page, "picture.shaped.meshes.map(({ count }) => count)");
    assert.equal(counts.length, 3);
    assert.equal(counts[0], 12);
    assert.ok(counts[1] > 12);
    assert.equal(counts[2], 24); // two boxes
    await finish(page);
  },

  async "solids are drawn small, as glass, or not at all"() {
    const page = await prepared(address);
    const before = await look(page);
    await page.click("#grain-style [data-key=small]");
    assert.ok((await compareBox(page, 0.45)) > 200);
    await page.click("#grain-style [data-key=glass]");
    const [[x, y]] = await seen(page, [[0, 0, 0]]);
    const paper = [...before.data.subarray(0, 3)];
    const glass = at(await look(page), x, y);
    assert.ok(distance(glass, paper) > 3, "nothing is seen");
    assert.ok(distance(glass, paper) < 0.6 * distance(at(before, x, y), paper), "not see-through");
    await page.click("#grain-style [data-key=hidden]");
    assert.equal(spots(await look(page)).length, 0);
    await finish(page);
  },

  async "a file shows them without a server"() {
    execFileSync(program, ["view", run, "--html", "solids.html", "--force"], { cwd: folder });
    const page = await prepared(pathToFileURL(join(folder, "solids.html")).href, { offline: true });
    assert.ok((await compareBox(page)) > 1000);
    await finish(page);
  },
});
