// Many instances of a geometry, with a column of numbers for each attribute.
import * as THREE from "three";

/** The shader reads `arrays` as attributes of the same names. */
export class Instances {
  /**
   * @param {THREE.InstancedBufferGeometry} geometry
   * @param {Record<string, number>} widths numbers of each column for an instance
   * @param {number} capacity
   */
  constructor(geometry, widths, capacity) {
    this.widths = widths;
    this.geometry = geometry;
    /** @type {Record<string, Float32Array>} */
    this.arrays = {};
    this.capacity = 0;
    this.allocate(Math.max(1, capacity));
    this.geometry.instanceCount = 0;
  }

  /** @param {number} capacity */
  allocate(capacity) {
    this.capacity = capacity;
    this.geometry.dispose(); // the buffers change length
    for (const [name, width] of Object.entries(this.widths)) {
      this.arrays[name] = new Float32Array(capacity * width);
      const attribute = new THREE.InstancedBufferAttribute(this.arrays[name], width);
      this.geometry.setAttribute(name, attribute.setUsage(THREE.DynamicDrawUsage));
    }
  }

  /**
   * Makes room for `count` instances and some more; the contents are lost.
   * @param {number} count
   */
  reserve(count) {
    if (count > this.capacity) this.allocate(Math.ceil(count * 1.3));
  }

  /**
   * Uploads the arrays and draws the first `count` instances.
   * @param {number} count
   */
  upload(count, names = Object.keys(this.widths)) {
    this.geometry.instanceCount = count;
    for (const name of names) this.geometry.getAttribute(name).needsUpdate = true;
  }

  /**
   * Takes place, colour and rotation from chosen instances of another list.
   * @param {Instances} others
   * @param {number[]} rows
   */
  copy(others, rows) {
    for (const name of ["place", "value", "turn"]) {
      const width = this.widths[name];
      const own = this.arrays[name];
      const all = others.arrays[name];
      rows.forEach((i, k) => {
        for (let c = 0; c < width; c++) own[width * k + c] = all[width * i + c];
      });
    }
    this.upload(rows.length);
  }
}
