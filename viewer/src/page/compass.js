// The axes as they are seen, and how long a length is in the picture, in its lower right corner.
import * as THREE from "three";
import { number } from "./format.js";

const SIZE = 64; // pixels of the axes
const ARM = 20;
const COLOURS = { x: "#c4472f", y: "#3d8a3a", z: "#2f6fb5" };
const NS = "http://www.w3.org/2000/svg";

/**
 * @param {string} name
 * @param {Record<string, string | number>} attributes
 * @param {string} text
 */
function svg(name, attributes, text = "") {
  const made = document.createElementNS(NS, name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, String(value));
  made.textContent = text;
  return made;
}

/**
 * The largest of 1, 2 and 5 times a power of ten that is not above a number.
 * @param {number} most
 */
export function roundLength(most) {
  const power = 10 ** Math.floor(Math.log10(most));
  return [5, 2, 1].map((k) => k * power).find((x) => x <= most * (1 + 1e-9)) ?? power;
}

export class Compass {
  /**
   * @param {Run} run
   * @param {View} view
   */
  constructor(run, view) {
    this.run = run;
    this.view = view;
    this.axes = svg("svg", { width: SIZE, height: SIZE, viewBox: `0 0 ${SIZE} ${SIZE}` });
    this.bar = document.createElement("div");
    this.bar.className = "bar";
    this.label = document.createElement("div");
    this.element = document.createElement("div");
    this.element.className = "compass";
    this.element.id = "compass";
    this.element.setAttribute("aria-hidden", "true");
    this.element.append(this.axes, this.bar, this.label);
    this.key = "";
  }

  /** Call when the camera has moved. */
  update() {
    const { camera } = this.view;
    const pixel = this.view.pixelSize();
    const key = [...camera.quaternion.toArray(), pixel].join();
    if (key === this.key || !(pixel > 0)) return;
    this.key = key;
    const length = roundLength(90 * pixel);
    this.bar.style.width = `${length / pixel}px`;
    this.label.textContent = number(length, 3);
    this.drawAxes(camera.quaternion.clone().invert());
  }

  /** @param {THREE.Quaternion} toView */
  drawAxes(toView) {
    const arms = this.run.axes.map((name, k) => {
      const at = new THREE.Vector3().setComponent(k, 1).applyQuaternion(toView);
      return { name, at };
    });
    arms.sort((a, b) => a.at.z - b.at.z); // those that point away first
    const middle = SIZE / 2;
    this.axes.replaceChildren(
      ...arms.flatMap(({ name, at }) => {
        const [x, y] = [middle + ARM * at.x, middle - ARM * at.y];
        const stroke = COLOURS[name];
        const faint = at.z < -0.3 ? 0.5 : 1;
        if (Math.hypot(at.x, at.y) < 0.12)
          return [svg("circle", { cx: x, cy: y, r: 2.5, fill: stroke, opacity: faint })];
        const line = {
          x1: middle,
          y1: middle,
          x2: x,
          y2: y,
          stroke,
          "stroke-width": 2,
          "stroke-linecap": "round",
          opacity: faint,
        };
        const words = {
          x: middle + 1.35 * ARM * at.x,
          y: middle - 1.35 * ARM * at.y,
          fill: stroke,
          opacity: faint,
        };
        return [svg("line", line), svg("text", words, name)];
      }),
    );
  }
}
