// The colour bar over the picture.
import { css, listColour, mapColour } from "./colours.js";
import { h } from "./dom.js";
import { number, ticks, unit } from "./format.js";

export class Legend {
  constructor() {
    this.element = h("div", { class: "colour-bar", id: "legend" });
  }

  update({ quantity, range, map, values }) {
    const title = h(
      "div",
      { class: "title" },
      quantity.label,
      h("small", {}, unit(quantity.dimension)),
    );
    this.element.replaceChildren(
      title,
      quantity.list ? this.list(quantity, values) : this.bar(quantity, range, map),
    );
  }

  list(quantity, values) {
    const used = [...new Set(values ?? [])].sort((a, b) => a - b).slice(0, 12);
    return h(
      "ul",
      {},
      used.map((value) => {
        const mark = h("i", {});
        mark.style.background = css(listColour(value % 256));
        return h("li", {}, mark, quantity.names?.[value] ?? String(value));
      }),
    );
  }

  bar(quantity, [low, high], map) {
    const name = quantity.signed && map === "lagoon" ? "tide" : map;
    const strip = h("div", { class: "strip" });
    const stops = Array.from({ length: 17 }, (_, i) => css(mapColour(name, i / 16)));
    strip.style.background = `linear-gradient(to right, ${stops.join(", ")})`;
    const marks = ticks(low, high, 4).map((value) => {
      const mark = h("span", {}, number(value, 3));
      mark.style.left = `${(100 * (value - low)) / (high - low)}%`;
      return mark;
    });
    return h("div", { class: "scale" }, strip, h("div", { class: "ticks" }, marks));
  }
}
