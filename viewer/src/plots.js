// Curves over time on a canvas, with a cursor at the time that is shown.
import { h } from "./dom.js";
import { number, ticks, unit } from "./format.js";

const LEFT = 46,
  RIGHT = 8,
  TOP = 8,
  BOTTOM = 6,
  AXIS = 18;

/** A curve: {label, colour, low, high} with arrays as long as the times. */
export class Plot {
  /** {title, dimension, log, height, axis: whether times are written below, onseek(time)} */
  constructor(options) {
    this.options = { height: 92, ...options };
    this.canvas = h("canvas", { class: "curve" });
    this.legend = h("span", { class: "legend" });
    this.element = h(
      "figure",
      { class: "plot", "data-plot": options.key ?? options.title },
      h(
        "figcaption",
        {},
        h("b", {}, options.title),
        h(
          "small",
          {},
          options.dimension === options.title.toLowerCase() ? "" : unit(options.dimension),
        ),
        this.legend,
      ),
      this.canvas,
    );
    this.curves = [];
    this.times = [];
    this.hover = null;
    const at = (event) => {
      const box = this.canvas.getBoundingClientRect(),
        share = (event.clientX - box.left - LEFT) / (box.width - LEFT - RIGHT);
      return this.range[0] + Math.min(1, Math.max(0, share)) * (this.range[1] - this.range[0]);
    };
    this.canvas.addEventListener("pointerdown", (event) => {
      this.canvas.setPointerCapture(event.pointerId);
      options.onseek?.(at(event));
    });
    this.canvas.addEventListener("pointermove", (event) => {
      this.hover = at(event);
      if (event.buttons & 1) options.onseek?.(this.hover);
      this.draw();
    });
    this.canvas.addEventListener("pointerleave", () => {
      this.hover = null;
      this.draw();
    });
    new ResizeObserver(() => this.draw()).observe(this.canvas);
  }

  /** Times of begin and end of each piece, the curves, and the range of time. */
  set(begin, end, curves, range) {
    this.begin = begin;
    this.end = end;
    this.curves = curves;
    this.range = range[1] > range[0] ? range : [range[0] - 0.5, range[0] + 0.5];
    this.outputs = curves.map(() => h("output", {}));
    this.legend.replaceChildren(
      ...curves.map((curve, i) => {
        const mark = h("i", {});
        mark.style.background = `var(--${curve.colour})`;
        return h("span", {}, curves.length > 1 && [mark, curve.label], this.outputs[i]);
      }),
    );
    this.measure();
    this.draw();
  }

  setCursor(time) {
    this.cursor = time;
    this.draw();
  }

  measure() {
    let low = Infinity,
      high = -Infinity;
    const positive = [];
    for (const curve of this.curves) {
      for (let i = 0; i < curve.high.length; i++) {
        if (Number.isFinite(curve.high[i])) high = Math.max(high, curve.high[i]);
        if (Number.isFinite(curve.low[i])) low = Math.min(low, curve.low[i]);
        if (curve.low[i] > 0) positive.push(curve.low[i]);
      }
    }
    this.usesLog = Boolean(this.options.log) && positive.length > 0;
    if (this.usesLog) {
      // a few very small values, as at the start, do not set the scale
      positive.sort((a, b) => a - b);
      low = Math.max(positive[Math.floor(0.02 * (positive.length - 1))], high * 1e-6);
      [this.low, this.high] = [
        10 ** Math.floor(Math.log10(low)),
        10 ** Math.ceil(Math.log10(high) + 1e-9),
      ];
      return;
    }
    if (!(high >= low)) [low, high] = [0, 1];
    low = Math.min(low, 0);
    if (!(high > low)) high = low + 1;
    [this.low, this.high] = [low < 0 ? low - 0.06 * (high - low) : low, high + 0.06 * (high - low)];
  }

  draw() {
    const { canvas, options } = this,
      width = canvas.clientWidth,
      height = options.height + (options.axis ? AXIS : 0);
    if (!this.range || width < 10) return;
    const scale = window.devicePixelRatio || 1;
    canvas.width = Math.round(width * scale);
    canvas.height = Math.round(height * scale);
    canvas.style.height = `${height}px`;
    const pen = canvas.getContext("2d"),
      style = getComputedStyle(canvas);
    const ink = (name) => style.getPropertyValue(`--${name}`).trim() || "#888";
    pen.scale(scale, scale);
    pen.font = "10.5px system-ui, sans-serif";
    const bottom = options.height - BOTTOM,
      right = width - RIGHT;
    const x = (t) =>
      LEFT + ((t - this.range[0]) / (this.range[1] - this.range[0])) * (right - LEFT);
    const clamp = (v) => Math.min(1, Math.max(0, v));
    const y = this.usesLog
      ? (v) =>
          bottom -
          clamp(Math.log10(Math.max(v, this.low) / this.low) / Math.log10(this.high / this.low)) *
            (bottom - TOP)
      : (v) => bottom - clamp((v - this.low) / (this.high - this.low)) * (bottom - TOP);
    this.drawAxes(pen, ink, x, y, { bottom, right, height });
    pen.save();
    pen.beginPath();
    pen.rect(LEFT, 0, right - LEFT, bottom + 1);
    pen.clip();
    for (const curve of this.curves) this.drawCurve(pen, ink(curve.colour), curve, x, y);
    pen.restore();
    this.drawCursor(pen, ink, x, bottom);
  }

  drawAxes(pen, ink, x, y, { bottom, right, height }) {
    const marks = this.usesLog ? logTicks(this.low, this.high) : ticks(this.low, this.high, 3);
    pen.strokeStyle = ink("line");
    pen.fillStyle = ink("muted");
    pen.textAlign = "right";
    pen.textBaseline = "middle";
    pen.lineWidth = 1;
    for (const mark of marks) {
      const at = Math.round(y(mark)) + 0.5;
      pen.beginPath();
      pen.moveTo(LEFT, at);
      pen.lineTo(right, at);
      pen.stroke();
      pen.fillText(number(mark, 2).replace(/^1·/, ""), LEFT - 6, at);
    }
    if (!this.options.axis) return;
    pen.textAlign = "center";
    pen.textBaseline = "alphabetic";
    for (const mark of ticks(this.range[0], this.range[1], 4)) {
      const at = x(mark);
      if (at > LEFT + 8 && at < right - 6) pen.fillText(number(mark, 3), at, height - 3);
    }
    pen.textAlign = "left";
    pen.fillText("time", 0, height - 3);
    pen.beginPath();
    pen.moveTo(LEFT, bottom + 0.5);
    pen.lineTo(right, bottom + 0.5);
    pen.stroke();
  }

  /** From the least to the largest value of each piece. */
  drawCurve(pen, colour, curve, x, y) {
    pen.strokeStyle = colour;
    pen.lineWidth = 1.4;
    pen.lineJoin = "round";
    pen.beginPath();
    let pending = false;
    for (let i = 0; i < curve.high.length; i++) {
      const at = x(this.end[i]),
        top = curve.high[i],
        low = curve.low[i];
      if (!Number.isFinite(top) || (this.usesLog && !(top > 0))) {
        pending = false;
        continue;
      }
      if (pending) pen.lineTo(at, y(top));
      else pen.moveTo(at, y(top));
      if (low !== top) {
        pen.lineTo(at, y(low));
        pen.lineTo(at, y(top));
      }
      pending = true;
    }
    pen.stroke();
    if (curve.high.length === 1 || curve.dots) {
      pen.fillStyle = colour;
      for (let i = 0; i < curve.high.length; i++) {
        if (!Number.isFinite(curve.high[i])) continue;
        pen.beginPath();
        pen.arc(x(this.end[i]), y(curve.high[i]), 1.8, 0, 7);
        pen.fill();
      }
    }
  }

  drawCursor(pen, ink, x, bottom) {
    const draw = (time, colour, dash) => {
      pen.strokeStyle = ink(colour);
      pen.setLineDash(dash);
      pen.lineWidth = 1;
      pen.beginPath();
      pen.moveTo(x(time), TOP - 4);
      pen.lineTo(x(time), bottom);
      pen.stroke();
      pen.setLineDash([]);
    };
    if (this.cursor !== undefined) draw(this.cursor, "accent", []);
    if (this.hover !== null) draw(this.hover, "muted", [2, 3]);
    const time = this.hover ?? this.cursor;
    const i = time === undefined ? -1 : this.pieceAt(time);
    this.curves.forEach((curve, k) => {
      this.outputs[k].textContent = i < 0 ? "" : number(curve.high[i], 3);
    });
  }

  /** The piece that holds a time: the first that ends at it or after. */
  pieceAt(time) {
    const ends = this.end;
    let low = 0,
      high = ends.length - 1;
    if (high < 0) return -1;
    const slack = 1e-6 * Math.abs(this.range[1] - this.range[0]);
    while (low < high) {
      const middle = (low + high) >> 1;
      if (ends[middle] < time - slack) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}

/** Powers of ten, at most four of them. */
function logTicks(low, high) {
  const a = Math.round(Math.log10(low)),
    b = Math.round(Math.log10(high)),
    step = Math.max(1, Math.ceil((b - a) / 3));
  const list = [];
  for (let k = a; k <= b; k += step) list.push(10 ** k);
  return list;
}
