// Keys, and the list of them.
import { h } from "./dom.js";

/** [keys, shown as, what it does, action(app)] */
const bindings = [
  [[" ", "k"], "Space", "play or pause", (app) => app.togglePlay()],
  [["ArrowRight", "."], "→", "next frame", (app) => app.step(1)],
  [["ArrowLeft", ","], "←", "frame before", (app) => app.step(-1)],
  [["Home"], "Home", "first frame", (app) => app.seek(0)],
  [["End"], "End", "last frame", (app) => app.seek(app.run.frames - 1)],
  [["]"], "]", "faster", (app) => app.faster(1)],
  [["["], "[", "slower", (app) => app.faster(-1)],
  [["f"], "F", "fit into view", (app) => app.picture.stage.fit(app.picture.region)],
  [["1"], "1", "look along x", (app) => app.picture.stage.look("x")],
  [["2"], "2", "look along y", (app) => app.picture.stage.look("y")],
  [["3"], "3", "look along z", (app) => app.picture.stage.look("z")],
  [["0"], "0", "look from a corner", (app) => app.picture.stage.look("free")],
  [["c"], "C", "next quantity to colour by", (app) => app.nextQuantity()],
  [["g"], "G", "force chains", (app) => app.setChains?.(!app.state.chains)],
  [["p"], "P", "panel", (app) => app.togglePanel()],
  [["s"], "S", "save the picture", (app) => app.screenshot()],
  [["d"], "D", "light or dark", (app) => app.toggleTheme()],
  [["?", "h"], "?", "this list", (app) => app.toggleHelp()],
  [["Escape"], "Esc", "close, deselect", (app) => app.escape()],
];

export function listenToKeys(app) {
  window.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const at = event.target,
      typing =
        at instanceof HTMLElement &&
        at.matches("select, textarea, input:not([type=checkbox]):not([type=range])");
    if (typing && event.key !== "Escape") return;
    if (
      at instanceof HTMLElement &&
      at.matches("button, input") &&
      [" ", "ArrowLeft", "ArrowRight", "Home", "End"].includes(event.key) &&
      at.id !== "time"
    )
      return;
    const key = event.key.length === 1 ? event.key.toLowerCase() : event.key;
    const found = bindings.find(([keys]) => keys.includes(key));
    if (!found) return;
    event.preventDefault();
    found[3](app);
  });
}

export function helpCard(app) {
  const rows = bindings.filter(([, shown]) => !app.run?.flat || !"1230".includes(shown));
  const mouse = app.run?.flat
    ? [
        ["Drag", "move"],
        ["Wheel, pinch", "zoom"],
      ]
    : [
        ["Drag", "turn"],
        ["Right drag, two fingers", "move"],
        ["Wheel, pinch", "zoom"],
      ];
  return h(
    "div",
    { class: "help-card", role: "dialog", "aria-label": "Keys" },
    h("h2", {}, "Mouse and touch"),
    h(
      "dl",
      {},
      [...mouse, ["Click", "select a grain, a force or a wall"]].map(([key, what]) =>
        h("div", {}, h("dt", {}, key), h("dd", {}, what)),
      ),
    ),
    h("h2", {}, "Keys"),
    h(
      "dl",
      {},
      rows.map(([, key, what]) => h("div", {}, h("dt", {}, h("kbd", {}, key)), h("dd", {}, what))),
    ),
  );
}
