// Where the engine runs, so that the page never waits for it: it makes steps when it is asked for a frame.
import { Engine, LAWS } from "./engine.js";

const MOST = 24; // milliseconds for the steps of one frame: beyond it time goes slower
const SIZES = 4; // of shapes that are poured; round grains have any size

/** @type {Engine} */
let engine;
let debt = 0; // simulated time that is owed
let grown = false; // there are grains or walls that the page does not know
let poured = 0;

/**
 * @param {any} answer
 * @param {ArrayBuffer[]} given
 */
const reply = (answer, given = []) => postMessage(answer, { transfer: given });

/** What the page must know of a new or a grown world. */
function structure() {
  grown = false;
  const laws = Object.fromEntries(LAWS.map((name, i) => [name, engine.call("get_law", i)]));
  return { manifest: engine.text("manifest"), constants: engine.bytes("constants"), laws };
}

/** @param {{ contacts: boolean, steps: boolean }} wanted */
function picture({ contacts, steps }) {
  const world = grown ? structure() : null;
  const bodies = engine.bytes("bodies");
  return {
    world,
    bodies,
    contacts: contacts ? engine.bytes("contacts") : null,
    steps: steps ? engine.bytes("steps") : null,
    report: JSON.parse(engine.text("report")),
    time: engine.call("time"),
    box: [0, 1, 2].map((k) => engine.call("box", k)),
  };
}

/**
 * Steps for so much simulated time, or one.
 * @param {{ time: number, single?: boolean }} how
 */
function advance({ time, single }) {
  const step = engine.call("time_step");
  const begin = performance.now();
  let count = 0;
  let failed = 0; // steps that did not converge
  debt = single ? step : debt + time;
  while (debt >= step * (1 - 1e-9) && performance.now() - begin < MOST) {
    engine.step();
    debt -= step;
    count++;
    if (!JSON.parse(engine.text("report")).converged) failed++;
  }
  const late = debt >= step;
  if (late) debt = 0;
  return { count, failed, late, took: performance.now() - begin };
}

/**
 * Grains around a point, as many as find room.
 * @param {{ form: number, at: number[], radius: number, spread: number, count: number, reach: number }} what
 */
function pour({ form, at, radius, spread, count, reach }) {
  for (let i = 0; i < count; i++) {
    const share = form === 0 ? Math.random() : Math.floor(SIZES * Math.random()) / (SIZES - 1);
    const size = radius * (1 + spread * (2 * share - 1));
    const place = at.map((x) => x + reach * (2 * Math.random() - 1));
    if (engine.call("pour", form, place[0], place[1], place[2], size, poured++) === 0) grown = true;
  }
}

/** @type {Record<string, (message: any) => void | Promise<void>>} */
const actions = {
  async start({ bytes }) {
    engine = await Engine.create(bytes);
    reply({ type: "ready" });
  },
  load({ text, number }) {
    engine.load(text);
    debt = 0;
    grown = true;
    reply({ type: "loaded", number, ...picture({ contacts: true, steps: true }) });
  },
  frame(wanted) {
    const made = advance(wanted);
    const shown = picture(wanted);
    const given = [shown.bodies, shown.contacts, shown.steps, shown.world?.constants];
    reply(
      { type: "frame", ...made, ...shown },
      given.filter((buffer) => buffer instanceof ArrayBuffer),
    );
  },
  call({ name, numbers }) {
    if (engine.call(name, ...numbers) === 1 && name !== "undo_wall")
      throw new Error(engine.message);
    if (name === "wall" || name === "undo_wall") grown = true;
  },
  pour,
  scene() {
    reply({ type: "scene", text: engine.text("scene") });
  },
};

/** @param {any} data */
async function handle(data) {
  try {
    await actions[data.type](data);
  } catch (error) {
    const text = error instanceof Error ? error.message : String(error);
    reply({ type: "failed", during: data.type, number: data.number, text });
  }
}

// one after the other: nothing comes before the engine is there
let done = Promise.resolve();
onmessage = ({ data }) => {
  done = done.then(() => handle(data));
};
