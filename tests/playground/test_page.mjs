// The playground in a browser, from a file and without a network: it runs, and hands do what they should.
//     node test_page.mjs [WORD]
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { finish, open, runTests } from "../viewer/browser.mjs";

const root = join(dirname(fileURLToPath(import.meta.url)), "..", "..");
const address = pathToFileURL(join(root, "viewer", "dist", "playground.html")).href;

const start = (scene, size = {}) =>
  open(`${address}#${scene}`, { width: 820, height: 460, offline: true, ...size });

/** What the page holds: an expression in the game. */
const ask = (page, expression) =>
  page.evaluate(`(() => { const game = window.playground.game; return ${expression}; })()`);

/** Waits until an expression in the game holds. */
async function until(page, expression) {
  const end = performance.now() + 60000;
  while (!(await ask(page, expression))) {
    assert.ok(performance.now() < end, `never: ${expression}`);
    await new Promise((done) => setTimeout(done, 50));
  }
}

const place = (page, body) =>
  ask(
    page,
    `game.picture.stage.view.project([...game.picture.grains.places.subarray(3 * ${body}, 3 * ${body} + 3)])`,
  );

const corner = async (page) => {
  const box = await page.locator("main.picture canvas").boundingBox();
  return [box.x, box.y];
};

/** Drags from one place of the picture to another, and holds. */
async function drag(page, from, to) {
  const [x, y] = await corner(page);
  await page.mouse.move(x + from[0], y + from[1]);
  await page.mouse.down();
  await page.mouse.move(x + to[0], y + to[1], { steps: 3 });
}

await runTests({
  async balls_go_through_the_cradle_and_a_pointer_pulls_one() {
    const page = await start("cradle");
    await until(page, "game.run.now > 0.3");
    assert.ok(page.asked.every((url) => /^(file|blob|data):/.test(url)));
    await page.keyboard.press(" "); // what moves is hard to catch
    assert.equal(await ask(page, "game.playing"), false);
    await until(page, "!window.playground.motor.busy && !game.picture.stage.dirty");
    const before = await place(page, 8);
    await drag(page, before, [before[0], before[1] + 40]);
    await until(page, "game.hands.held?.body === 8");
    await page.keyboard.press(" ");
    await until(page, "game.picture.grains.places[3 * 8 + 1] < -0.3");
    await page.mouse.up();
    await until(page, "game.hands.held === null");
    await finish(page);
  },

  async grains_are_poured_and_walls_are_drawn() {
    const page = await start("cards");
    const [grains, walls] = [
      await ask(page, "game.run.count"),
      await ask(page, "game.run.manifest.walls.length"),
    ];
    await page.keyboard.press("2");
    await drag(page, [60, 120], [62, 120]);
    await until(page, `game.run.count > ${grains} && game.picture.grains.count === game.run.count`);
    await page.mouse.up();
    await page.keyboard.press("3");
    await drag(page, [40, 150], [120, 150]);
    await page.mouse.up();
    await until(page, `game.run.manifest.walls.length === ${walls + 1}`);
    await page.locator("#friction").fill("0");
    await page.locator("#friction").blur();
    // without friction no house of cards stands
    const top = await ask(page, "game.picture.grains.places[3 * 19 + 1]");
    await until(page, `game.picture.grains.places[3 * 19 + 1] < ${top} - 0.3`);
    // a wall through a grain is told
    await page.keyboard.press(" ");
    await until(page, "!window.playground.motor.busy && !game.picture.stage.dirty");
    const card = await place(page, 4);
    await drag(page, [card[0] - 40, card[1]], [card[0] + 40, card[1]]);
    await page.mouse.up();
    await page.keyboard.press(" ");
    const verdict = `document.querySelector("#verdict-line").textContent`;
    await until(page, `/^✗ (grains overlap|not converged)/.test(${verdict})`);
    await finish(page);
  },

  async scenes_are_read_and_written() {
    const page = await start("cradle");
    await page.locator("[data-tab=scene]").click();
    const text = page.locator("#scene-text");
    const own = readFileSync(join(root, "playground", "scenes", "cradle.yaml"), "utf8");
    assert.equal(await text.inputValue(), own);
    await text.fill(own.replace("radius: 0.12", "raduis: 0.12"));
    await page.locator("#run-scene").click();
    await page.waitForSelector("#fault:not([hidden])");
    assert.match(await page.locator("#fault").textContent(), /did you mean 'radius'/);
    const [saved] = await Promise.all([
      page.waitForEvent("download"),
      page.locator("#save-state").click(),
    ]);
    const state = readFileSync(await saved.path(), "utf8");
    await text.fill(state);
    await page.locator("#run-scene").click();
    await until(
      page,
      `game.scene.title === "Your scene" && game.run.count === 12 && game.run.now > 0`,
    );
    await finish(page);
  },

  async spheres_run_in_space_on_a_telephone() {
    const page = await start("rocks", { width: 390, height: 700 });
    await until(page, "game.run.now > 0.05");
    assert.equal(await page.locator(".panel").isVisible(), false);
    const width = await page.evaluate(() => document.documentElement.scrollWidth);
    assert.ok(width <= 390);
    await finish(page);
  },
});
