// The list of keys.
import { bindings } from "../control/keyboard.js";
import { h, valueRow } from "./dom.js";

export class Help {
  /** @param {boolean} flat */
  constructor(flat) {
    this.element = h("div", { class: "overlay", hidden: true }, card(flat));
    this.element.addEventListener("click", (event) => {
      if (event.target === this.element) this.toggle();
    });
  }

  get isOpen() {
    return !this.element.hidden;
  }

  toggle() {
    this.element.hidden = !this.element.hidden;
  }
}

/** @param {boolean} flat */
function card(flat) {
  const mouse = [
    ...(flat
      ? [["Drag", "move"]]
      : [
          ["Drag", "turn"],
          ["Right drag, two fingers", "move"],
        ]),
    ["Wheel, pinch", "zoom"],
    ["Click", "select a grain, a force or a wall"],
  ];
  const keys = bindings.filter(({ action }) => !flat || !action.startsWith("look"));
  return h(
    "div",
    { class: "help-card", role: "dialog", "aria-label": "Keys" },
    h("h2", {}, "Mouse and touch"),
    h(
      "dl",
      {},
      mouse.map(([gesture, does]) => valueRow(gesture, does)),
    ),
    h("h2", {}, "Keys"),
    h(
      "dl",
      {},
      keys.map(({ shown, does }) => valueRow(h("kbd", {}, shown), does)),
    ),
  );
}
