// Lines over the picture: the spring between pointer and grain, the wall that is being drawn, where grains fall from.

const SPACE = "http://www.w3.org/2000/svg";

/**
 * @param {string} tag
 * @param {Element} parent
 */
function add(tag, parent) {
  const element = document.createElementNS(SPACE, tag);
  parent.append(element);
  return element;
}

export class Guides {
  constructor() {
    this.element = document.createElementNS(SPACE, "svg");
    this.element.setAttribute("class", "guides");
    this.element.setAttribute("aria-hidden", "true");
    this.line = add("line", this.element);
    this.dot = add("circle", this.element);
  }

  /**
   * @param {import("./hands.js").Hands} hands
   * @param {Picture} picture
   */
  update(hands, picture) {
    const { held } = hands;
    const { view } = picture.stage;
    const shown = held !== null && held.kind !== "box";
    this.element.toggleAttribute("hidden", !shown);
    if (!held || !shown) return;
    const to = view.project(held.at.toArray());
    const from =
      held.kind === "grain"
        ? view.project([...picture.grains.places.subarray(3 * held.body, 3 * held.body + 3)])
        : held.kind === "wall"
          ? view.project(held.from.toArray())
          : to;
    this.element.dataset.kind = held.kind;
    const ends = { x1: from[0], y1: from[1], x2: to[0], y2: to[1] };
    for (const [name, value] of Object.entries(ends)) this.line.setAttribute(name, String(value));
    this.dot.setAttribute("cx", String(to[0]));
    this.dot.setAttribute("cy", String(to[1]));
    const reach = (2.2 * hands.grain.size * hands.radius) / view.pixelSize();
    this.dot.setAttribute("r", String(held.kind === "pour" ? Math.max(6, reach) : 5));
  }
}
