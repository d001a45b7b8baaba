// Vectors and boxes.
import * as THREE from "three";

/**
 * Two unit vectors perpendicular to a unit vector and to each other.
 * @param {THREE.Vector3} n
 */
export function across(n) {
  const axis = Math.abs(n.z) < 0.9 ? new THREE.Vector3(0, 0, 1) : new THREE.Vector3(1, 0, 0);
  const u = new THREE.Vector3().crossVectors(n, axis).normalize();
  return [u, new THREE.Vector3().crossVectors(n, u)];
}

/**
 * Vector i of a list of numbers.
 * @param {ArrayLike<number>} list
 * @param {number} i
 */
export const vectorAt = (list, i) =>
  new THREE.Vector3(list[3 * i], list[3 * i + 1], list[3 * i + 2]);

/**
 * The eight corners of a box: bit k of a corner's number says whether it is the high one along axis
 * k.
 * @param {THREE.Vector3} low
 * @param {THREE.Vector3} high
 */
export function boxCorners(low, high) {
  return Array.from(
    { length: 8 },
    (_, k) =>
      new THREE.Vector3(k & 1 ? high.x : low.x, k & 2 ? high.y : low.y, k & 4 ? high.z : low.z),
  );
}

/** The edges of a box as pairs of corners, and its faces in cyclic order. */
export const BOX_EDGES = [
  ...[0, 2, 4, 6].map((k) => [k, k | 1]),
  ...[0, 1, 4, 5].map((k) => [k, k | 2]),
  ...[0, 1, 2, 3].map((k) => [k, k | 4]),
];
export const BOX_FACES = [
  [0, 1, 3, 2],
  [4, 5, 7, 6],
  [0, 1, 5, 4],
  [2, 3, 7, 6],
  [0, 2, 6, 4],
  [1, 3, 7, 5],
];

export const unitBox = () =>
  new THREE.Box3(new THREE.Vector3(-1, -1, -1), new THREE.Vector3(1, 1, 1));

/** How many sides a drawn circle has. */
export const SIDES = 96;

/**
 * Points of a circle; u and v are unit vectors across its axis.
 * @param {THREE.Vector3} centre
 * @param {THREE.Vector3} u
 * @param {THREE.Vector3} v
 * @param {number} radius
 */
export function circle(centre, u, v, radius) {
  return Array.from({ length: SIDES }, (_, k) => {
    const angle = (2 * Math.PI * k) / SIDES;
    return centre
      .clone()
      .addScaledVector(u, radius * Math.cos(angle))
      .addScaledVector(v, radius * Math.sin(angle));
  });
}

/**
 * Quaternion number i of an array w, x, y, z.
 * @param {ArrayLike<number>} array
 * @param {number} i
 */
export function turnAt(array, i) {
  const [w, x, y, z] = Array.from(array).slice(4 * i, 4 * i + 4);
  return new THREE.Quaternion(x, y, z, w);
}
