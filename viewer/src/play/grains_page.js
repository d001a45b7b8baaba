// The panel's first page: what is poured, and the laws of contact.
import { field, h, section, segments, slider } from "../page/dom.js";
import { LAWS } from "./engine.js";

/** Of each law: its label, the largest value of its slider, and what it means. @type {Record<string, [string, number, string]>} */
const LABELS = {
  friction: ["Friction", 1.5, "Coulomb's coefficient, between grains and with walls"],
  rolling: ["Rolling friction", 0.5, "torque against rolling, over force and radius"],
  cohesion: ["Cohesion", 60, "pull that a contact bears, in weights of a grain"],
  restitution: ["Bounce", 1, "velocity after an impact over that before"],
};

/** Sweeps of the slider; 0: to the tolerance of the scene. */
const COUNTS = [0, 1, 2, 3, 5, 7, 10, 15, 20, 30, 40, 60, 80, 100, 150, 200, 300, 500];

const FORMS = { flat: ["●", "▲", "■", "▬", "⬟"], deep: ["●", "▲", "■", "▬", "⬟"] };
const NAMES = {
  flat: ["Disks", "Triangles", "Squares", "Rods", "Pebbles"],
  deep: ["Spheres", "Tetrahedra", "Cubes", "Rods", "Rocks"],
};

/**
 * A slider with its value beside it.
 * @param {{ id: string, min: number, max: number, step: number, value: number }} range
 * @param {(value: number) => string} text
 * @param {(value: number) => void} oninput
 */
export function valued(range, text, oninput) {
  const output = h("output", {}, text(range.value));
  const input = slider(range, (value) => {
    output.textContent = text(value);
    oninput(value);
  });
  const set = (/** @type {number} */ value) => {
    input.value = String(value);
    output.textContent = text(value);
  };
  return { element: h("div", { class: "with-value" }, input, output), set };
}

export class GrainsPage {
  /**
   * @param {import("./motor.js").Motor} motor
   * @param {import("./hands.js").Hands} hands
   * @param {Record<string, number>} laws
   * @param {{ sweeps: number, onsweeps: (sweeps: number) => void, onpour: () => void }} more
   */
  constructor(motor, hands, laws, { sweeps, onsweeps, onpour }) {
    const kind = hands.run.flat ? "flat" : "deep";
    /** @type {Record<string, string>} */
    const forms = Object.fromEntries(FORMS[kind].map((mark, i) => [String(i), mark]));
    const form = segments(
      forms,
      "0",
      (key) => {
        hands.grain.form = Number(key);
        onpour();
      },
      "form",
    );
    [...form.element.children].forEach((button, i) => button.setAttribute("title", NAMES[kind][i]));
    const size = valued(
      { id: "size", min: 0.5, max: 3, step: 0.05, value: 1 },
      (value) => `× ${value.toFixed(2)}`,
      (value) => (hands.grain.size = value),
    );
    const spread = valued(
      { id: "spread", min: 0, max: 0.6, step: 0.05, value: hands.grain.spread },
      (value) => `± ${Math.round(100 * value)} %`,
      (value) => (hands.grain.spread = value),
    );
    this.laws = LAWS.map((name, i) => {
      const [label, max, meaning] = LABELS[name];
      const row = valued(
        { id: name, min: 0, max, step: max / 100, value: Math.min(max, laws[name] ?? 0) },
        (value) => String(Number(value.toFixed(2))),
        (value) => motor.call("set_law", i, value),
      );
      const element = field(label, row.element);
      element.title = meaning;
      return element;
    });
    this.element = h(
      "div",
      { class: "panel-page" },
      section(
        "Grains to pour",
        field("Shape", form.element),
        field("Size", size.element),
        field("Spread", spread.element),
      ),
      section("Laws of contact", this.laws),
      section("Solver", this.solver(sweeps, onsweeps)),
    );
  }

  /**
   * @param {number} sweeps
   * @param {(sweeps: number) => void} onsweeps
   */
  solver(sweeps, onsweeps) {
    const place = Math.max(0, COUNTS.indexOf(sweeps));
    const row = valued(
      { id: "sweeps", min: 0, max: COUNTS.length - 1, step: 1, value: place },
      (k) => (k === 0 ? "as needed" : `≤ ${COUNTS[k]}`),
      (k) => onsweeps(COUNTS[k]),
    );
    const note =
      "Contacts are solved one after the other, again and again: so many times at most whenever a step is solved. One that does not converge is made in shorter strides, each with sweeps of its own. With too few sweeps hard grains behave as if they were soft.";
    return [field("Sweeps a stride", row.element), h("p", { class: "note" }, note)];
  }
}
