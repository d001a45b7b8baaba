// The outline of the periodic cell.
import * as THREE from "three";
import { BOX_EDGES } from "./vectors.js";

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
   * @param {Lattice} lattice
   */
  draw(region, lattice) {
    const { run } = this;
    const size = region.getSize(new THREE.Vector3());
    const low = new THREE.Vector3(...run.corner);
    const edges = lattice.edges.map((edge) => new THREE.Vector3(...edge));
    run.axes.forEach((axis, k) => {
      if (lattice.periodic[k]) return;
      low[axis] = region.min[axis];
      edges[k][axis] = size[axis];
    });
    if (run.flat) low.z = 0;
    const corners = Array.from({ length: 8 }, (_, k) =>
      edges.reduce((at, edge, i) => (k & (1 << i) ? at.add(edge) : at), low.clone()),
    );
    const lines = BOX_EDGES.filter(([a, b]) => !run.flat || (a < 4 && b < 4));
    const points = lines.flat().flatMap((k) => corners[k].toArray());
    this.geometry.dispose();
    this.geometry.setAttribute("position", new THREE.Float32BufferAttribute(points, 3));
  }
}
