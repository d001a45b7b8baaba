// Squares that shaders draw on: a single one, or many instances with a column for each attribute.
import * as THREE from "three";

/**
 * @template {THREE.BufferGeometry} G
 * @param {G} geometry
 */
export function makeSquare(geometry) {
  const corners = new Float32Array([-1, -1, 1, -1, 1, 1, -1, 1]);
  geometry.setAttribute("corner", new THREE.BufferAttribute(corners, 2));
  geometry.setIndex([0, 1, 2, 0, 2, 3]);
  return geometry;
}

/** Instanced squares; the shader reads `arrays` as attributes of the same names. */
export class Squares {
  /**
   * @param {Record<string, number>} widths numbers of each column for a square
   * @param {number} capacity
   */
  constructor(widths, capacity) {
    this.widths = widths;
    this.geometry = makeSquare(new THREE.InstancedBufferGeometry());
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
   * Makes room for `count` squares and some more; the contents are lost.
   * @param {number} count
   */
  reserve(count) {
    if (count > this.capacity) this.allocate(Math.ceil(count * 1.3));
  }

  /**
   * Uploads the arrays and draws the first `count` squares.
   * @param {number} count
   */
  upload(count, names = Object.keys(this.widths)) {
    this.geometry.instanceCount = count;
    for (const name of names) this.geometry.getAttribute(name).needsUpdate = true;
  }
}
