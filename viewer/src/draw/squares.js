// Squares that shaders draw on: a single one, or many instances.
import * as THREE from "three";
import { Instances } from "./instances.js";

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

export class Squares extends Instances {
  /**
   * @param {Record<string, number>} widths numbers of each column for a square
   * @param {number} capacity
   */
  constructor(widths, capacity) {
    super(makeSquare(new THREE.InstancedBufferGeometry()), widths, capacity);
  }
}
