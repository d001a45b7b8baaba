// What the page shows first and how: it plays, colours what differs, puts walls behind grains and not before them, throws
// shadows, has axes with a scale, and opens again as a link says.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import {
  at,
  distance,
  finish,
  look,
  open,
  pixels,
  runTests,
  serve,
  settle,
  simulate,
  state,
} from "./browser.mjs";

const RADIUS = 0.2;
const run = simulate(
  "looks",
  `dimension: 3
gravity: [0, 0, -10]
time: {step: 0.002, end: 0.2}
materials:
  stone: {density: 1}
  wood: {density: 1}
  steel: {density: 1}
walls:
  floor: {mesh: {vertices: [[-2, -2, 0], [2, -2, 0], [2, 2, 0], [-2, 2, 0]], faces: [[0, 1, 2], [0, 2, 3]]}}
  drum: {drum: {center: [0, 0, 1], radius: 3, length: 4, axis: [0, 1, 0]}, material: steel}
grains:
  - {radius: ${RADIUS}, position: [0, 0, 0.6], material: stone}
  - {radius: 0.1, position: [1.2, 0, 0.1], material: wood}
output: {every: 0.01}
`,
);
const address = await serve(run);

// disks of weight 2: two hang on a frozen one, and one on glue that bears half of it
const HANGING = `dimension: 2
gravity: [0, ${-2 / Math.PI}]
time: {step: 0.01, end: 0.04}
materials: {stone: {density: 100, friction: 0.5}}
grains:
  - {radius: 0.1, position: [0, 0], frozen: all}
  - {radius: 0.1, position: [0, -0.2]}
  - {radius: 0.1, position: [0, -0.4]}
  - {radius: 0.1, position: [1, 0], frozen: all}
  - {radius: 0.1, position: [1, -0.2]}
bonds:
  top: {pair: [0, 1], tension: 10, shear: 10}
  low: {pair: [1, 2], tension: 10, shear: 10}
  weak: {pair: [3, 4], tension: 1, shear: 1}
output: {every: 0.02}
`;

// a red ball in a funnel, and one behind another
const FUNNELS = `dimension: 3
time: {step: 0.001, end: 0.001}
materials: {ball: {density: 1, colour: red}}
walls:
  one: {cone: {from: [0, 0, 0], to: [0, 0, 1], radii: [0.3, 0.9]}}
  other: {cone: {from: [4, 0, 0], to: [4, 0, 1], radii: [0.3, 0.9]}}
grains: [{radius: 0.25, at: [[0, 0, 0.5], [4, 1.2, 0.5]]}]
`;

/** Where a point of the scene is in the picture. */
const placeOf = (page, point) =>
  page.evaluate((p) => {
    const { picture, run } = window.scree;
    return picture.stage.view.project(p.map((x, k) => x - run.manifest.origin[k]));
  }, point);

/** The colour of the picture at a point of the scene, where nothing else is drawn. */
async function colourAt(page, picture, point) {
  const [x, y] = await placeOf(page, point);
  return at(picture, x, y);
}

/** How bright it is around a point, whatever lines there are. */
async function brightest(page, picture, point) {
  const [x, y] = await placeOf(page, point);
  const near = [-3, -2, -1, 0, 1, 2, 3];
  return Math.max(...near.flatMap((dx) => near.map((dy) => bright(at(picture, x + dx, y + dy)))));
}

/** The number of pictures in a WebM file: blocks begin with 0xa3 or 0xa1, a size of one to four bytes, track 1. */
function countBlocks(bytes) {
  let count = 0;
  for (let k = 0; k + 8 < bytes.length; k++) {
    if (bytes[k] !== 0xa3 && bytes[k] !== 0xa1) continue;
    const length = Math.clz32(bytes[k + 1]) - 23; // bytes of the size
    if (length < 1 || length > 4) continue;
    let size = bytes[k + 1] & (0xff >> length);
    for (let i = 1; i < length; i++) size = size * 256 + bytes[k + 1 + i];
    const begin = k + 1 + length;
    if (bytes[begin] !== 0x81 || begin + size > bytes.length) continue;
    count++;
    k = begin + size - 1;
  }
  return count;
}

const bright = (colour) => colour[0] + colour[1] + colour[2];

await runTests({
  async "it plays from the start, coloured by what differs"() {
    const page = await open(`${address}#panel=0`);
    assert.equal(await state(page, "settings.colourBy"), "material");
    await page.waitForFunction(() => window.scree.timeline.frame > 2);
    assert.equal(await page.evaluate(() => window.scree.player.playing), true);
    // 21 frames take a few seconds
    assert.ok((await state(page, "settings.speed")) <= 10);
    const words = await page.locator("#legend").innerText();
    assert.match(words, /stone/);
    assert.match(words, /wood/);
    await finish(page);
  },

  async "planes that grains fall to belong to the picture, level or not"() {
    // the box of the ball reaches down to 0.8, and along x from -0.2 to 0.2, where the slope is lowest
    const planes = {
      level: ["[0, 0, 1]", 0.3],
      slope: ["[-0.5, 0, 0.8660254037844386]", 0.3 - 0.2 / Math.sqrt(3)],
    };
    for (const [name, [normal, lowest]] of Object.entries(planes)) {
      const scene = `dimension: 3
gravity: [0, 0, -10]
time: {step: 0.001, end: 0.001}
materials: {stone: {density: 1}}
walls: {floor: {plane: {point: [0, 0, 0.3], normal: ${normal}}}}
grains: [{radius: ${RADIUS}, position: [0, 0, 1]}]
`;
      const page = await open(`${await serve(simulate(name, scene))}#play=0&panel=0`);
      const low = await state(page, "picture.region.min.z + run.manifest.origin[2]");
      assert.ok(Math.abs(low - lowest) < 1e-3, `${name}: ${low}`);
      await finish(page);
    }
  },

  async "walls lie behind grains, and never before them"() {
    const page = await open(`${address}#play=0&shadows=0&panel=0`);
    const [side] = await state(page, "run.surfaces.filter(Boolean).map((s) => s.side)");
    assert.equal(side, 1); // the triangles run counterclockwise seen from above, where the grains are
    // from above the floor is solid, from below a veil: its colour is near that of the paper
    const from = async (elevation) => {
      await page.evaluate((angle) => {
        const { picture, run } = window.scree;
        const target = picture.region.min.clone();
        target.set(...[0, 0, 0].map((x, k) => x - run.manifest.origin[k]));
        picture.stage.view.place(target, -1.2, angle, 9);
      }, elevation);
      return look(page);
    };
    const above = await from(0.9);
    const below = await from(-0.5);
    const grain = await colourAt(page, below, [0, 0, 0.6]);
    const beside = await colourAt(page, below, [-1.2, -1.2, 0]);
    assert.ok(distance(grain, beside) > 40, `the grain is hidden from below: ${grain}, ${beside}`);
    assert.ok(above.width > 0);
    // the ends of the drum are round: corners of a square around them would be 3 sqrt(2) off its axis
    const ends = await page.evaluate(() => {
      const { walls } = window.scree.picture;
      const { array } = walls.faces.getAttribute("position");
      const owners = walls.faces.getAttribute("number").array;
      const names = window.scree.run.manifest.walls;
      const { origin } = window.scree.run.manifest;
      let most = 0;
      owners.forEach((wall, k) => {
        if (!names[wall].startsWith("drum")) return;
        const [x, , z] = [0, 1, 2].map((c) => array[3 * k + c] + origin[c]);
        most = Math.max(most, Math.hypot(x, z - 1));
      });
      return most;
    });
    assert.ok(Math.abs(ends - 3) < 1e-4, `${ends}`);
    await finish(page);
  },

  async "a funnel is a veil where grains are in it, and solid where they are beside it"() {
    const page = await open(
      `${await serve(simulate("funnels", FUNNELS))}#play=0&shadows=0&panel=0`,
    );
    assert.equal(await state(page, "settings.colourBy"), "material"); // one, to which the scene gives a colour
    const filled = await state(
      page,
      "run.manifest.wall_constants.map((wall) => wall.filled ?? null)",
    );
    assert.deepEqual(filled, [true, false]);
    await page.evaluate(() => {
      const { picture, run } = window.scree;
      const target = picture.region.min.clone();
      target.set(...[2, 0, 0.5].map((x, k) => x - run.manifest.origin[k]));
      picture.stage.view.place(target, -Math.PI / 2, 0, 9); // level, from outside
    });
    const seen = await look(page);
    const [within, behind] = [
      await colourAt(page, seen, [0, 0, 0.5]),
      await colourAt(page, seen, [4, 0, 0.5]),
    ];
    assert.ok(within[0] > within[1] + 40, `the ball in the funnel is hidden: ${within}`);
    assert.ok(behind[0] < behind[1] + 20, `the ball behind the other is seen: ${behind}`);
    await finish(page);
  },

  async "a grain throws a shadow on what is below it"() {
    const page = await open(`${address}#play=0&panel=0&shadows=1&frame=0`);
    const dark = async () => {
      await page.evaluate(() => {
        const { picture, run } = window.scree;
        const target = picture.region.min.clone();
        target.set(...[0, 0, 0.3].map((x, k) => x - run.manifest.origin[k]));
        picture.stage.view.place(target, -1.2, 0.8, 9);
        picture.stage.render(); // with the lamp for things that move
      });
      // along the lamp's ray through the grain's centre, down to the floor
      const [x, y] = await page.evaluate(() => {
        const { lamp, view } = window.scree.picture.stage;
        const ray = lamp.direction(view.camera);
        return [-(0.6 * ray.x) / ray.z, -(0.6 * ray.y) / ray.z];
      });
      const [shade, free] = [
        [x, y, 0],
        [-1.2, -1.2, 0],
      ];
      const seen = await pixels(
        Buffer.from(
          await page.evaluate(() => {
            const { stage } = window.scree.picture;
            stage.render();
            return stage.canvas.toDataURL().split(",")[1];
          }),
          "base64",
        ),
      );
      return (await brightest(page, seen, shade)) - (await brightest(page, seen, free));
    };
    const with_ = await dark();
    assert.ok(with_ < -25, `no darker: ${with_}`);
    await page.evaluate(() => {
      window.scree.picture.stage.lamp.on = false;
    });
    const without = await dark();
    assert.ok(Math.abs(without) < 6, `dark without a shadow: ${without}`);
    await finish(page);
  },

  async "a scale and axes, and a link that restores the view"() {
    const page = await open(`${address}#play=0&frame=7&colour=force&walls=0&grains=glass`);
    assert.equal(await state(page, "picture.content.frame"), 7);
    assert.equal(await state(page, "settings.colourBy"), "force");
    assert.equal(await state(page, "settings.walls"), false);
    assert.equal(await page.locator("#compass text").count(), 3);
    // the bar is as long as two points that far apart, across the line of sight at the point looked at
    const bar = await page.evaluate(() => {
      const { view } = window.scree.picture.stage;
      const length = Number(document.querySelector("#compass div:last-child").textContent);
      const across = view.camera.position.clone().setFromMatrixColumn(view.camera.matrixWorld, 0);
      const { target } = view.controls;
      const [a, b] = [-0.5, 0.5].map((k) =>
        view.project(
          target
            .clone()
            .addScaledVector(across, k * length)
            .toArray(),
        ),
      );
      const shown = document.querySelector("#compass .bar").getBoundingClientRect().width;
      return { shown, found: Math.hypot(a[0] - b[0], a[1] - b[1]) };
    });
    assert.ok(Math.abs(bar.shown - bar.found) < 1, JSON.stringify(bar));
    await page.evaluate(() => {
      const { view } = window.scree.picture.stage;
      view.place(view.controls.target.clone().addScalar(0.1), 0.4, 0.6, 7);
    });
    await settle(page);
    await page.keyboard.press("l");
    const hash = await page.evaluate(() => location.hash);
    const pose = () =>
      page.evaluate(() => window.scree.picture.stage.view.camera.matrixWorld.toArray());
    await settle(page);
    const before = await pose();
    await page.goto("about:blank");
    await page.goto(address + hash);
    await page.waitForFunction(() => document.documentElement.dataset.ready);
    await settle(page);
    const after = await pose();
    before.forEach((x, k) =>
      assert.ok(Math.abs(x - after[k]) < 1e-3 * 7, `${k}: ${x}, ${after[k]}`),
    );
    assert.equal(await state(page, "settings.grains"), "glass");
    assert.equal(await state(page, "picture.content.frame"), 7);
    await finish(page);
  },

  async "notes stand at their places and follow grains, and a link restores them with the filters"() {
    const words = "note=falls@0&note=a+corner%3F@2,2,0&note=@1&note=nowhere@7";
    const page = await open(
      `${address}#play=0&${words}&hide=wood&cut-z=0.25,1&range=frame&frame=0`,
    );
    const tags = () =>
      page.$$eval(".note-tag", (list) => {
        const { left, top } = document.querySelector(".notes").getBoundingClientRect();
        return list.map((tag) => {
          const box = tag.getBoundingClientRect();
          return { text: tag.textContent, x: box.left - left, y: box.top - top };
        });
      });
    const stand = async (k, text, point) => {
      const { [k]: tag } = await tags();
      const [x, y] = await placeOf(page, point);
      assert.equal(tag.text, text);
      assert.ok(Math.hypot(tag.x - x, tag.y - y) < 1.5, `${text}: ${tag.x}, ${tag.y}; ${x}, ${y}`);
    };
    for (const frame of [0, 15]) {
      await page.evaluate((k) => window.scree.timeline.show(k), frame);
      await settle(page);
      await stand(0, "falls", [0, 0, 0.6 - 5 * (0.01 * frame) ** 2]);
      await stand(1, "a corner?", [2, 2, 0]);
    }
    assert.equal((await tags()).length, 2); // one has no words, and one no grain
    await page.click(".note-tag >> nth=1 >> button");
    await page.keyboard.press("Control+A");
    await page.keyboard.press("Delete");
    await page.keyboard.press("Enter");
    await page.keyboard.press("n");
    const [x, y] = await placeOf(page, [0, 0, 0.6 - 5 * 0.15 ** 2]);
    await page.mouse.click(x, y);
    await page.keyboard.type("hit? n & s");
    await page.keyboard.press("Enter");
    assert.equal(await state(page, "settings.selection"), null);
    await page.keyboard.press("l");
    const hash = await page.evaluate(() => location.hash);
    await page.goto("about:blank");
    await page.goto(address + hash);
    await page.waitForFunction(() => document.documentElement.dataset.ready);
    await settle(page);
    assert.deepEqual(
      (await tags()).map(({ text }) => text),
      ["falls", "hit? n & s"],
    );
    await stand(1, "hit? n & s", [0, 0, 0.6 - 5 * 0.15 ** 2]);
    assert.equal(await state(page, "settings.rangeOf"), "frame");
    assert.deepEqual(await state(page, "settings.filter.slice[2]"), [0.25, 1]);
    assert.equal(await state(page, "picture.visible"), 1); // wood is hidden, the other one above the cut
    assert.equal(await page.isChecked("#material-1"), false);
    await finish(page);
  },

  async "filters list the materials of grains, and the keys of chains what is shown"() {
    const page = await open(`${address}#play=0&chains=1&chainColour=force`);
    const shown = (id) => page.locator(`#${id}`).count();
    assert.deepEqual([await shown("material-0"), await shown("material-1")], [1, 1]);
    assert.equal(await shown("material-2"), 0); // steel: walls alone are made of it
    assert.equal(await shown("bonds"), 0); // nothing is glued
    assert.equal(await page.locator(".sub .keys .slip").isHidden(), true);
    await page.click("#chain-colour >> text=State");
    assert.equal(await page.locator(".sub .keys .slip").isHidden(), false);
    await finish(page);
  },

  async "bonds are drawn in the colours of their loads while they hold"() {
    const page = await open(`${await serve(simulate("hanging", HANGING))}#play=0&frame=2`);
    await page.check("#bonds", { force: true });
    const count = "picture.contacts.bonds.geometry.instanceCount";
    await page.waitForFunction(
      (path) => path && window.scree.picture.contacts.bonds.arrays.width[3] > 0,
      count,
    );
    await settle(page);
    assert.equal(await state(page, count), 4); // two bars each of two bonds; the weak one broke
    const hues = await state(page, "[...picture.contacts.bonds.arrays.hue.slice(0, 4)]");
    [0.4, 0.4, 0.2, 0.2].forEach((load, k) =>
      assert.ok(Math.abs(hues[k] - load) < 2e-3, `${hues}`),
    );
    assert.match(await page.textContent("#legend"), /Bonds.*break at 1/);
    assert.equal(await state(page, "settings.grains"), "glass");
    // the more a bond is loaded, the redder it is; where none holds is paper or a pale grain
    const red = ([r, , b]) => r - b;
    const shown = await look(page);
    const [top, low] = [
      await colourAt(page, shown, [0, -0.1, 0]),
      await colourAt(page, shown, [0, -0.3, 0]),
    ];
    assert.ok(red(top) > red(low) + 20, `${top} ${low}`);
    await page.keyboard.press("j");
    const without = await look(page);
    assert.ok(distance(await colourAt(page, without, [0, -0.1, 0]), top) > 30);
    assert.equal(await state(page, "settings.grains"), "solid");
    await finish(page);
  },

  async "a film goes through the run, and can be stopped"() {
    const page = await open(address);
    for (const stopped of [false, true]) {
      await page.evaluate((speed) => (window.scree.settings.speed = speed), stopped ? 1 : 10);
      const coming = page.waitForEvent("download");
      await page.click("#film");
      if (stopped) {
        await page.waitForFunction(() =>
          document.querySelector(".message").innerText.match(/frame [3-9] of/),
        );
        await page.keyboard.press("v");
      }
      const file = await coming;
      assert.equal(file.suggestedFilename(), "looks.webm");
      const bytes = readFileSync(await file.path());
      assert.equal(bytes.readUInt32BE(0), 0x1a45dfa3); // EBML, of which WebM is a kind
      await page.waitForFunction(() => document.querySelector(".message").innerText.match(/saved/));
      const said = await page.locator(".message").innerText();
      const frames = Number(said.match(/of (\d+) frames/)[1]);
      if (stopped) assert.ok(frames >= 3 && frames < 15, said);
      else assert.equal(frames, await state(page, "run.frames"));
      // each picture is a block of its own; a recorder that is late leaves some out, of few perhaps most
      const [blocks, least] = [countBlocks(bytes), stopped ? 1 : 0.5 * frames];
      assert.ok(blocks >= least && blocks <= frames + 2, `${blocks} of ${frames}`);
    }
    await finish(page);
  },

  async "ten times the spheres need no more draw calls, and 36 bytes each"() {
    const found = [];
    for (const side of [8, 17]) {
      const name = `crowd${side}`;
      const scene = `time: {step: 1e-3, end: 1e-3}
materials: {stone: {density: 1}}
walls: {floor: {plane: {point: [0, 0, 0], normal: [0, 0, 1]}}}
grains: [{radius: 0.4, lattice: {min: [0, 0, 0.5], counts: [${side}, ${side}, ${side}], spacing: 1}}]
`;
      const page = await open(await serve(simulate(name, scene)));
      await settle(page);
      const [calls, bytes, count] = await page.evaluate(() => {
        const { picture, run } = window.scree;
        picture.stage.render();
        const { calls } = picture.stage.renderer.info.render;
        return [calls, run.cache.kept.get("bodies/0").bytes, run.count];
      });
      assert.equal(count, side ** 3);
      found.push({ calls, bytes, count });
      await finish(page);
    }
    const [few, many] = found;
    assert.equal(many.calls, few.calls);
    assert.ok(many.calls <= 8, `${many.calls}`);
    const each = (many.bytes - few.bytes) / (many.count - few.count);
    assert.ok(each <= 36, `${each} bytes`); // 100,000 spheres: 3.6 MB a frame
  },
});
