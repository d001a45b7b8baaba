// Starts the playground: unpacks the engine that this page holds, and opens the first scene or that of the address.
import { Theme } from "../control/theme.js";
import { EmbeddedSource, embedded } from "../data/source.js";
import { h } from "../page/dom.js";
import { Motor } from "./motor.js";
import { Playground } from "./playground.js";
import { scenes } from "./scenes.js";

async function start() {
  const root = /** @type {HTMLElement} */ (document.getElementById("app"));
  const theme = new Theme();
  try {
    const source = new EmbeddedSource(embedded());
    const engine = await source.bytes("engine");
    const worker = new TextDecoder().decode(await source.bytes("worker"));
    window.playground = new Playground(root, new Motor(worker, engine), theme);
    const wanted = location.hash.slice(1);
    window.playground.open(scenes.find(({ id }) => id === wanted) ?? scenes[0]);
  } catch (error) {
    const text = error instanceof Error ? error.message : String(error);
    const title = h("h1", {}, "The playground cannot start");
    root.replaceChildren(h("div", { class: "failure" }, title, h("p", {}, text)));
    document.documentElement.dataset.ready = "failed";
    throw error;
  }
}

start();
