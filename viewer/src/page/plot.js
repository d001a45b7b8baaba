// Curves over time on a canvas, with a cursor at the current time.
import { colourMark, h } from "./dom.js";
import { number, ticks, unit } from "./format.js";

const LEFT = 46; // margins in pixels
const RIGHT = 8;
const TOP = 8;
const BOTTOM = 6;
const AXIS = 18;

/**
 * The drawing context, theme colours by name, and the coordinate transforms.
 * @typedef {object} Sheet
 * @property {CanvasRenderingContext2D} pen
 * @property {(name: string) => string} ink
 * @property {(time: number) => number} x
 * @property {(value: number) => number} y
 * @property {number} right
 * @property {number} bottom
 */

export class Plot {
  /**
   * @param {{ key?: string, title: string, dimension: string, log?: boolean, height?: number, axis?: boolean,
   *   onseek: (time: number) => void }} options axis: whether times are written below
   */
  constructor({ key, title, dimension, log = false, height = 92, axis = false, onseek }) {
    this.log = log;
    this.height = height;
    this.axis = axis;
    this.canvas = h("canvas", { class: "curve" });
    this.legend = h("span", { class: "legend" });
    const unitText = dimension === title.toLowerCase() ? "" : unit(dimension);
    const caption = h("figcaption", {}, h("b", {}, title), h("small", {}, unitText), this.legend);
    this.element = h("figure", { class: "plot", "data-plot": key ?? title }, caption, this.canvas);
    /** @type {Curve[]} */
    this.curves = [];
    /** The end of each interval of time. @type {ArrayLike<number>} */
    this.ends = [];
    /** The range of time; nothing is drawn until it is set. @type {[number, number] | null} */
    this.range = null;
    this.low = 0;
    this.high = 1;
    this.usesLog = false;
    /** @type {number | null} */
    this.cursor = null;
    /** @type {number | null} */
    this.hover = null;
    /** @type {HTMLOutputElement[]} */
    this.outputs = [];
    this.listen(onseek);
    new ResizeObserver(() => this.draw()).observe(this.canvas);
  }

  /** @param {(time: number) => void} onseek */
  listen(onseek) {
    const { canvas } = this;
    canvas.addEventListener("pointerdown", (event) => {
      canvas.setPointerCapture(event.pointerId);
      onseek(this.timeAt(event));
    });
    canvas.addEventListener("pointermove", (event) => {
      this.hover = this.timeAt(event);
      if (event.buttons & 1) onseek(this.hover);
      this.draw();
    });
    canvas.addEventListener("pointerleave", () => {
      this.hover = null;
      this.draw();
    });
  }

  /** @param {PointerEvent} event */
  timeAt(event) {
    const box = this.canvas.getBoundingClientRect();
    const share = (event.clientX - box.left - LEFT) / (box.width - LEFT - RIGHT);
    const [first, last] = this.range ?? [0, 0];
    return first + Math.min(1, Math.max(0, share)) * (last - first);
  }

  /**
   * @param {ArrayLike<number>} ends end of each interval of time
   * @param {Curve[]} curves
   * @param {[number, number]} range of time
   */
  set(ends, curves, range) {
    this.ends = ends;
    this.curves = curves;
    this.range = range[1] > range[0] ? range : [range[0] - 0.5, range[0] + 0.5];
    this.outputs = curves.map(() => h("output"));
    this.legend.replaceChildren(
      ...curves.map(({ colour, label }, i) => {
        const mark = curves.length > 1 && [colourMark(`var(--${colour})`), label];
        return h("span", {}, mark, this.outputs[i]);
      }),
    );
    this.measure();
    this.draw();
  }

  /** @param {number} time */
  setCursor(time) {
    this.cursor = time;
    this.draw();
  }

  /** Finds the range of the values. */
  measure() {
    let low = Infinity;
    let high = -Infinity;
    const positive = [];
    for (const curve of this.curves) {
      for (let i = 0; i < curve.high.length; i++) {
        if (Number.isFinite(curve.high[i])) high = Math.max(high, curve.high[i]);
        if (Number.isFinite(curve.low[i])) low = Math.min(low, curve.low[i]);
        if (curve.low[i] > 0) positive.push(curve.low[i]);
      }
    }
    this.usesLog = this.log && positive.length > 0;
    if (this.usesLog) {
      // ignore a few tiny values, such as those of the first steps
      positive.sort((a, b) => a - b);
      low = Math.max(positive[Math.floor(0.02 * (positive.length - 1))], high * 1e-6);
      this.low = 10 ** Math.floor(Math.log10(low));
      this.high = 10 ** Math.ceil(Math.log10(high) + 1e-9);
      return;
    }
    if (!(high >= low)) [low, high] = [0, 1];
    low = Math.min(low, 0);
    if (!(high > low)) high = low + 1;
    const margin = 0.06 * (high - low);
    this.low = low < 0 ? low - margin : low;
    this.high = high + margin;
  }

  /**
   * The position of a value between the lowest and the highest, from 0 to 1.
   * @param {number} value
   */
  share(value) {
    const { low, high } = this;
    const share = this.usesLog
      ? Math.log10(Math.max(value, low) / low) / Math.log10(high / low)
      : (value - low) / (high - low);
    return Math.min(1, Math.max(0, share));
  }

  draw() {
    const { canvas, range } = this;
    const width = canvas.clientWidth;
    const pen = canvas.getContext("2d");
    if (!range || width < 10 || !pen) return;
    const height = this.height + (this.axis ? AXIS : 0);
    const scale = window.devicePixelRatio || 1;
    canvas.width = Math.round(width * scale);
    canvas.height = Math.round(height * scale);
    canvas.style.height = `${height}px`;
    pen.scale(scale, scale);
    pen.font = "10.5px system-ui, sans-serif";
    const style = getComputedStyle(canvas);
    const right = width - RIGHT;
    const bottom = this.height - BOTTOM;
    /** @type {Sheet} */
    const sheet = {
      pen,
      right,
      bottom,
      ink: (name) => style.getPropertyValue(`--${name}`).trim(),
      x: (time) => LEFT + ((time - range[0]) / (range[1] - range[0])) * (right - LEFT),
      y: (value) => bottom - this.share(value) * (bottom - TOP),
    };
    this.drawValues(sheet);
    if (this.axis) drawTimes(sheet, range, height);
    pen.save();
    pen.beginPath();
    pen.rect(LEFT, 0, right - LEFT, bottom + 1);
    pen.clip();
    for (const curve of this.curves) this.drawCurve(sheet, curve);
    pen.restore();
    this.drawCursors(sheet);
  }

  /** Horizontal grid lines with their values. @param {Sheet} sheet */
  drawValues({ pen, ink, y, right }) {
    const { low, high } = this;
    const marks = this.usesLog ? logTicks(low, high) : ticks(low, high, 3);
    pen.strokeStyle = ink("line");
    pen.fillStyle = ink("muted");
    pen.textAlign = "right";
    pen.textBaseline = "middle";
    for (const mark of marks) {
      const at = Math.round(y(mark)) + 0.5;
      drawLine(pen, LEFT, at, right, at);
      pen.fillText(number(mark, 2).replace(/^1·/, ""), LEFT - 6, at);
    }
  }

  /**
   * Joins the intervals; each is drawn from its lowest to its highest value.
   * @param {Sheet} sheet
   * @param {Curve} curve
   */
  drawCurve({ pen, ink, x, y }, { colour, low, high, dots }) {
    pen.strokeStyle = pen.fillStyle = ink(colour);
    pen.lineWidth = 1.4;
    pen.lineJoin = "round";
    pen.beginPath();
    let pending = false;
    for (let i = 0; i < high.length; i++) {
      const at = x(this.ends[i]);
      if (!Number.isFinite(high[i]) || (this.usesLog && !(high[i] > 0))) {
        pending = false;
        continue;
      }
      if (pending) pen.lineTo(at, y(high[i]));
      else pen.moveTo(at, y(high[i]));
      if (low[i] !== high[i]) {
        pen.lineTo(at, y(low[i]));
        pen.lineTo(at, y(high[i]));
      }
      pending = true;
    }
    pen.stroke();
    if (!dots && high.length > 1) return;
    for (let i = 0; i < high.length; i++) {
      if (!Number.isFinite(high[i])) continue;
      pen.beginPath();
      pen.arc(x(this.ends[i]), y(high[i]), 1.8, 0, 7);
      pen.fill();
    }
  }

  /**
   * The current time and the time under the pointer; the legend shows the values.
   * @param {Sheet} sheet
   */
  drawCursors({ pen, ink, x, bottom }) {
    const { cursor, hover } = this;
    pen.lineWidth = 1;
    if (cursor !== null) {
      pen.strokeStyle = ink("accent");
      drawLine(pen, x(cursor), TOP - 4, x(cursor), bottom);
    }
    if (hover !== null) {
      pen.strokeStyle = ink("muted");
      pen.setLineDash([2, 3]);
      drawLine(pen, x(hover), TOP - 4, x(hover), bottom);
      pen.setLineDash([]);
    }
    const time = hover ?? cursor;
    const i = time === null ? -1 : this.pieceAt(time);
    this.curves.forEach((curve, k) => {
      this.outputs[k].textContent = i < 0 ? "" : number(curve.high[i], 3);
    });
  }

  /**
   * The interval that contains a time: the first to end at or after it; -1 if there are none.
   * @param {number} time
   */
  pieceAt(time) {
    const { ends } = this;
    const [first, last] = this.range ?? [0, 0];
    const slack = 1e-6 * (last - first);
    let low = 0;
    let high = ends.length - 1;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (ends[middle] < time - slack) low = middle + 1;
      else high = middle;
    }
    return Math.min(low, high);
  }
}

/**
 * @param {CanvasRenderingContext2D} pen
 * @param {number} x0
 * @param {number} y0
 * @param {number} x1
 * @param {number} y1
 */
function drawLine(pen, x0, y0, x1, y1) {
  pen.beginPath();
  pen.moveTo(x0, y0);
  pen.lineTo(x1, y1);
  pen.stroke();
}

/**
 * The time axis below the curves.
 * @param {Sheet} sheet
 * @param {[number, number]} range
 * @param {number} height
 */
function drawTimes({ pen, x, right, bottom }, range, height) {
  pen.textAlign = "center";
  pen.textBaseline = "alphabetic";
  for (const mark of ticks(range[0], range[1], 4)) {
    const at = x(mark);
    if (at > LEFT + 8 && at < right - 6) pen.fillText(number(mark, 3), at, height - 3);
  }
  pen.textAlign = "left";
  pen.fillText("time", 0, height - 3);
  drawLine(pen, LEFT, bottom + 0.5, right, bottom + 0.5);
}

/**
 * Powers of ten, at most four of them.
 * @param {number} low
 * @param {number} high
 */
function logTicks(low, high) {
  const first = Math.round(Math.log10(low));
  const last = Math.round(Math.log10(high));
  const step = Math.max(1, Math.ceil((last - first) / 3));
  const list = [];
  for (let k = first; k <= last; k += step) list.push(10 ** k);
  return list;
}
