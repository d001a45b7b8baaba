// Opens the run and shows it, or says why it cannot.
import { Theme } from "./control/theme.js";
import { Run } from "./data/run.js";
import { findSource } from "./data/source.js";
import { h } from "./page/dom.js";
import { Viewer } from "./viewer.js";

async function start() {
  const { dataset } = document.documentElement;
  const root = /** @type {HTMLElement} */ (document.getElementById("app"));
  const theme = new Theme();
  try {
    window.scree = new Viewer(root, await Run.open(findSource()), theme);
    await window.scree.begin();
    dataset.ready = "true";
  } catch (error) {
    const text = error instanceof Error ? error.message : String(error);
    const title = h("h1", {}, "This run cannot be shown");
    root.replaceChildren(h("div", { class: "failure" }, title, h("p", {}, text)));
    dataset.ready = "failed";
    throw error;
  }
}

start();
