// The certificate of the last step in one line.
import { h } from "../page/dom.js";
import { counted, number } from "../page/format.js";

const SMOOTH = 0.1;
const FEW = 0.02; // of the last steps may have failed to converge without a word
const DEEP = 0.05; // of a radius: an overlap that is seen, as where a wall was drawn through grains

export class Verdict {
  #took = 0; // milliseconds for a step
  #share = 1; // of the pace that is kept
  #failed = 0;

  constructor() {
    this.mark = h("b", {});
    this.facts = h("span", {});
    this.element = h("p", { class: "verdict", id: "verdict-line" }, this.mark, this.facts);
  }

  /**
   * @param {{ count: number, failed: number, took: number, late: boolean, report: Record<string, number> }} frame
   * @param {Run} run
   */
  update({ count, failed, took, late, report }, run) {
    if (count > 0) this.#took += (this.#took > 0 ? SMOOTH : 1) * (took / count - this.#took);
    this.#share += SMOOTH * ((late ? 0 : 1) - this.#share);
    if (count > 0) this.#failed += SMOOTH * (failed / count - this.#failed);
    const deep = report.overlap_max > DEEP * run.meanRadius;
    const good = this.#failed < FEW && !deep;
    this.element.classList.toggle("bad", !good);
    this.mark.textContent = good
      ? "✓ laws obeyed"
      : this.#failed >= 0.5
        ? "✗ not converged"
        : deep
          ? "✗ grains overlap"
          : "✗ some steps not converged";
    const facts = [
      `residual ${number(report.residual, 1)}`,
      counted(report.iterations, "sweep"),
      `overlap ${number((100 * report.overlap_max) / run.meanRadius, 2)}\u00a0% of a radius`,
      counted(run.count, "grain"),
      `${number(this.#took, 2)} ms a step`,
      this.#share < 0.5 && "slower than real time",
    ];
    this.facts.textContent = facts.filter(Boolean).join(" · ");
  }
}
