// History of the selection over all frames, filled in as they arrive.
import { rowOf } from "../data/contacts.js";
import { h } from "./dom.js";
import { Plot } from "./plot.js";

const MOST_FRAMES = 160;
const COLOURS = ["curve1", "curve2", "curve3"];
const BETWEEN_DRAWINGS = 150; // milliseconds

/**
 * One plot: the labels of its curves, and how to read their values from a frame.
 * @typedef {object} Line
 * @property {string} title
 * @property {string} dimension
 * @property {string[]} labels
 * @property {(content: { bodies: Block, contacts: Block | null }) => number[]} of
 */

export class History {
  /** Identifies what is being plotted; loading stops when it changes. */
  #key = "";
  /** @type {Plot[]} */
  #plots = [];

  /**
   * @param {Run} run
   * @param {Timeline} timeline
   */
  constructor(run, timeline) {
    this.run = run;
    this.timeline = timeline;
    this.element = h("div");
  }

  redraw() {
    for (const plot of this.#plots) plot.draw();
  }

  setCursor() {
    for (const plot of this.#plots) plot.setCursor(this.run.time(this.timeline.frame));
  }

  /** @param {Selected} selection */
  async show(selection) {
    const { run, timeline } = this;
    const key = JSON.stringify([selection, run.frames]);
    const same = key === this.#key;
    this.#key = key;
    if (same) {
      this.setCursor();
      return;
    }
    const lines = linesOf(run, selection);
    this.#plots = lines.map(
      ({ title, dimension }, p) =>
        new Plot({
          title,
          dimension,
          height: 72,
          axis: p === lines.length - 1,
          onseek: (time) => timeline.seekTime(time),
        }),
    );
    this.element.replaceChildren(...this.#plots.map((plot) => plot.element));
    await this.#fill(lines, key, selection.kind === "contact");
  }

  /**
   * @param {Line[]} lines
   * @param {string} key
   * @param {boolean} needsContacts
   */
  async #fill(lines, key, needsContacts) {
    const { run } = this;
    const frames = run.someFrames(MOST_FRAMES);
    const times = frames.map((frame) => run.time(frame));
    const values = lines.map(({ labels }) =>
      labels.map(() => new Float32Array(frames.length).fill(NaN)),
    );
    const draw = () => {
      this.#plots.forEach((plot, p) => {
        const curves = lines[p].labels.map((label, k) => {
          const list = values[p][k];
          return { label, colour: COLOURS[k], low: list, high: list, dots: frames.length < 40 };
        });
        plot.set(times, curves, [run.time(0), run.time(run.frames - 1)]);
      });
    };
    draw();
    this.setCursor();
    let last = performance.now();
    for (let f = 0; f < frames.length && this.#key === key; f++) {
      const content = await this.#load(frames[f], needsContacts).catch(() => null);
      if (!content) continue;
      lines.forEach((line, p) => {
        line.of(content).forEach((value, k) => {
          values[p][k][f] = value;
        });
      });
      if (performance.now() - last > BETWEEN_DRAWINGS) {
        draw();
        last = performance.now();
      }
    }
    if (this.#key === key) draw();
  }

  /**
   * @param {number} frame
   * @param {boolean} needsContacts
   */
  async #load(frame, needsContacts) {
    const contacts = needsContacts ? this.run.contacts(frame) : null;
    const [bodies, loaded] = await Promise.all([this.run.bodies(frame), contacts]);
    return { bodies, contacts: loaded };
  }
}

/**
 * @param {Run} run
 * @param {Selected} selection
 * @returns {Line[]}
 */
function linesOf(run, selection) {
  const { axes } = run;
  if (selection.kind === "body") {
    const i = selection.id;
    return [
      {
        title: "Speed",
        dimension: "length/time",
        labels: ["speed"],
        of: ({ bodies }) => [Math.hypot(...bodies.velocity.row(i))],
      },
      {
        title: "Position",
        dimension: "length",
        labels: axes,
        of: ({ bodies }) => run.absolute(bodies.position.row(i)),
      },
      {
        title: "Force",
        dimension: "force",
        labels: ["force"],
        of: ({ bodies }) => [bodies.force.at(i)],
      },
      {
        title: "Coordination",
        dimension: "1",
        labels: ["contacts"],
        of: ({ bodies }) => [bodies.coordination.data[i]],
      },
    ];
  }
  if (selection.kind === "wall") {
    const vector = (/** @type {string} */ title, /** @type {string} */ dimension) => ({
      title,
      dimension,
      labels: axes,
      of: (/** @type {{ bodies: Block }} */ { bodies }) =>
        bodies[`w.${title.toLowerCase()}`].row(selection.id).slice(0, axes.length),
    });
    return [vector("Load", "force"), vector("Displacement", "length")];
  }
  /**
   * @param {string} title
   * @param {string} dimension
   * @param {string} label
   * @param {(contacts: Block, row: number) => number} read
   * @returns {Line}
   */
  const line = (title, dimension, label, read) => ({
    title,
    dimension,
    labels: [label],
    of: ({ contacts }) => {
      const row = rowOf(contacts, selection);
      return [contacts && row >= 0 ? read(contacts, row) : NaN];
    },
  });
  return [
    line("Normal force", "force", "force", (c, row) => c.force_normal.at(row)),
    line("Tangential force", "force", "force", (c, row) =>
      Math.hypot(...c.force_tangential.row(row)),
    ),
    line("Gap", "length", "gap", (c, row) => c.gap.at(row)),
  ];
}
