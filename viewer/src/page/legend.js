// What the colours of the picture mean.
import { listedValues } from "../data/quantities.js";
import { css, mapColour, colourOfValue } from "../draw/colours.js";
import { colourMark, h } from "./dom.js";
import { number, ticks, unit } from "./format.js";

export class Legend {
  #key = "";

  constructor() {
    this.element = h("div", { class: "colour-bar", id: "legend" });
  }

  /**
   * @param {Picture} picture
   * @param {(name: string) => string} ink
   */
  update(picture, ink) {
    const { quantity, settings } = picture;
    const grains = settings.grains !== "hidden";
    const parts = [
      grains && title(quantity.label, quantity.dimension),
      grains && (quantity.list ? listOf(picture) : scaleOf(picture.range, picture.map)),
      settings.chains && chainsOf(picture, ink),
      settings.bonds && bondsOf(),
    ];
    const made = h("div", {}, parts);
    if (made.innerHTML === this.#key) return;
    this.#key = made.innerHTML;
    this.element.hidden = !grains && !settings.chains && !settings.bonds;
    this.element.replaceChildren(...made.childNodes);
  }
}

/**
 * @param {string} label
 * @param {string} dimension
 */
const title = (label, dimension) =>
  h("div", { class: "title" }, label, h("small", {}, unit(dimension)));

/**
 * Force chains: by state, or by force along a scale of their own.
 * @param {Picture} picture
 * @param {(name: string) => string} ink
 */
function chainsOf({ settings, strong }, ink) {
  if (settings.chainColour === "force")
    return [title("Normal force", "force"), scaleOf([0, strong], "ember")];
  const key = (/** @type {string} */ name, /** @type {string} */ label) =>
    h("span", {}, colourMark(ink(name)), label);
  return [
    h("div", { class: "title" }, "Contacts", h("small", {}, "width: force")),
    h("p", { class: "keys" }, key("stick", "sticking"), key("slip", "sliding")),
  ];
}

const bondsOf = () => [
  h("div", { class: "title" }, "Bonds", h("small", {}, "load; they break at 1")),
  scaleOf([0, 1], "strain"),
];

/** @param {Picture} picture */
function listOf({ quantity, values }) {
  return h(
    "ul",
    {},
    listedValues(quantity, values, 12).map(({ value, name }) =>
      h("li", {}, colourMark(css(colourOfValue(quantity, value % 256))), name),
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
