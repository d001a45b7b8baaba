// The colour bar over the picture.
import { listedValues } from "../data/quantities.js";
import { css, listColour, mapColour } from "../draw/colours.js";
import { colourMark, h } from "./dom.js";
import { number, ticks, unit } from "./format.js";

export class Legend {
  constructor() {
    this.element = h("div", { class: "colour-bar", id: "legend" });
  }

  /** @param {Picture} picture */
  update({ quantity, range, map, values }) {
    const title = h(
      "div",
      { class: "title" },
      quantity.label,
      h("small", {}, unit(quantity.dimension)),
    );
    this.element.replaceChildren(
      title,
      quantity.list ? listOf(quantity, values) : scaleOf(range, map),
    );
  }
}

/**
 * @param {Quantity} quantity
 * @param {Float32Array | null} values
 */
function listOf(quantity, values) {
  return h(
    "ul",
    {},
    listedValues(quantity, values, 12).map(({ value, name }) =>
      h("li", {}, colourMark(css(listColour(value % 256))), name),
    ),
  );
}

/**
 * @param {[number, number]} range
 * @param {string} map
 */
function scaleOf([low, high], map) {
  const strip = h("div", { class: "strip" });
  const stops = Array.from({ length: 17 }, (_, i) => css(mapColour(map, i / 16)));
  strip.style.background = `linear-gradient(to right, ${stops.join(", ")})`;
  const marks = ticks(low, high, 4).map((value) => {
    const mark = h("span", {}, number(value, 3));
    mark.style.left = `${(100 * (value - low)) / (high - low)}%`;
    return mark;
  });
  return h("div", { class: "scale" }, strip, h("div", { class: "ticks" }, marks));
}
