// The outline of the periodic cell.
import * as THREE from "three";
import { BOX_EDGES, boxCorners } from "./vectors.js";

export class Cell {
  /**
   * @param {Stage} stage
   * @param {Run} run
   */
  constructor(stage, run) {
    this.run = run;
    this.geometry = new THREE.BufferGeometry();
    this.material = new THREE.LineBasicMaterial({ transparent: true, opacity: 0.7 });
    this.layer = stage.addOne(new THREE.LineSegments(this.geometry, this.material), 12);
  }

  /**
   * @param {boolean} shown
   * @param {string} ink
   */
  setLook(shown, ink) {
    this.layer.shown = shown;
    this.material.color.set(ink);
  }

  /**
   * Along directions that are not periodic it spans the region.
   * @param {THREE.Box3} region
   */
  draw(region) {
    const { run } = this;
    const box = region.clone();
    const [low, high] = run.cell();
    run.axes.forEach((axis, k) => {
      if (run.periods[k] > 0) [box.min[axis], box.max[axis]] = [low[k], high[k]];
    });
    if (run.flat) box.min.z = box.max.z = 0;
    const corners = boxCorners(box.min, box.max);
    const edges = BOX_EDGES.filter(([a, b]) => !run.flat || (a < 4 && b < 4));
    const points = edges.flat().flatMap((k) => corners[k].toArray());
    this.geometry.dispose();
    this.geometry.setAttribute("position", new THREE.Float32BufferAttribute(points, 3));
  }
}
