// The certificate: curves over all steps, linked to the timeline.
import { h, section } from "./dom.js";
import { Plot } from "./plot.js";

const NOTE =
  "Residual: how far the forces are from satisfying the contact laws exactly. Overlap: the largest and the mean. " +
  "Energy: work and losses in contacts are accumulated from the start. Click a curve to go to that time.";

/**
 * The plots and their curves: column of the block, theme colour, label.
 * @type {{ key: string, title: string, dimension: string, log?: boolean, axis?: boolean, height?: number,
 *   curves: [string, string, string][] }[]}
 */
const PLOTS = [
  {
    key: "residual",
    title: "Residual",
    dimension: "1",
    log: true,
    curves: [["residual", "curve1", "residual"]],
  },
  {
    key: "overlap",
    title: "Overlap",
    dimension: "length",
    log: true,
    curves: [
      ["overlap_max", "curve1", "largest"],
      ["overlap_mean", "curve2", "mean"],
    ],
  },
  {
    key: "iterations",
    title: "Iterations",
    dimension: "1",
    curves: [["iterations", "curve1", "iterations"]],
  },
  {
    key: "energy",
    title: "Energy",
    dimension: "energy",
    height: 124,
    curves: [
      ["kinetic", "curve1", "kinetic"],
      ["work", "curve2", "work"],
      ["dissipation", "curve3", "lost"],
    ],
  },
  {
    key: "contacts",
    title: "Contacts",
    dimension: "1",
    axis: true,
    curves: [
      ["active", "curve1", "active"],
      ["sliding", "curve3", "sliding"],
    ],
  },
];

export class CertificatePage {
  /**
   * @param {Run} run
   * @param {Timeline} timeline
   */
  constructor(run, timeline) {
    this.run = run;
    const onseek = (/** @type {number} */ time) => timeline.seekTime(time);
    this.plots = PLOTS.map((plot) => new Plot({ ...plot, onseek }));
    this.verdict = h("p", { class: "note", id: "verdict" });
    const elements = this.plots.map((plot) => plot.element);
    const note = h("p", { class: "note" }, NOTE);
    this.element = h(
      "div",
      { class: "panel-page" },
      section("Certificate of the steps", this.verdict, elements, note),
    );
  }

  /** @param {Block} steps */
  setSteps(steps) {
    const { run } = this;
    const end = steps["time.end"].data;
    const last = Math.max(run.time(run.frames - 1) ?? 1, end[end.length - 1] ?? 0);
    PLOTS.forEach(({ curves }, i) => {
      const drawn = curves.map(([name, colour, label]) => ({
        label,
        colour,
        low: valuesOf(steps, name, "l"),
        high: valuesOf(steps, name, "h"),
      }));
      this.plots[i].set(end, drawn, [run.time(0) ?? 0, last]);
    });
    const failed = steps["failed.h"].data.some((count) => count > 0);
    this.verdict.textContent = verdictOf(end.length, failed);
    this.verdict.classList.toggle("warn", failed);
  }

  /** @param {number} time */
  setCursor(time) {
    for (const plot of this.plots) plot.setCursor(time);
  }

  redraw() {
    for (const plot of this.plots) plot.draw();
  }
}

/**
 * The lowest or highest value in each interval. Work is the sum over gravity, applied forces and
 * walls.
 * @param {Block} steps
 * @param {string} name
 * @param {"l" | "h"} side
 * @returns {ArrayLike<number>}
 */
function valuesOf(steps, name, side) {
  if (name !== "work") return steps[`${name}.${side}`].data;
  const walls = steps[`work_walls.${side}`].data;
  return steps[`work_external.${side}`].data.map((x, i) => x + walls[i]);
}

/**
 * @param {number} steps
 * @param {boolean} failed
 */
function verdictOf(steps, failed) {
  if (steps === 0) return "No steps yet.";
  return failed
    ? "Some steps did not converge within the limits of the scene."
    : "Every step converged within the limits of the scene.";
}
