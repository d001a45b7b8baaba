// Vectors as plain triples, for building meshes.

/** @typedef {[number, number, number]} Triple */

/**
 * a + factor b
 * @param {Triple} a
 * @param {Triple} b
 * @param {number} factor
 * @returns {Triple}
 */
export const add = (a, b, factor) => [
  a[0] + factor * b[0],
  a[1] + factor * b[1],
  a[2] + factor * b[2],
];

/**
 * @param {Triple} a
 * @param {Triple} b
 */
export const subtract = (a, b) => add(a, b, -1);

/**
 * @param {Triple} a
 * @param {Triple} b
 */
export const dot = (a, b) => a[0] * b[0] + a[1] * b[1] + a[2] * b[2];

/**
 * @param {Triple} a
 * @param {Triple} b
 * @returns {Triple}
 */
export const cross = (a, b) => [
  a[1] * b[2] - a[2] * b[1],
  a[2] * b[0] - a[0] * b[2],
  a[0] * b[1] - a[1] * b[0],
];

/** @param {Triple} a */
export const length = (a) => Math.sqrt(dot(a, a));

/** @param {Triple} a */
export const unit = (a) => add([0, 0, 0], a, 1 / (length(a) || 1));

/**
 * Between unit vectors; accurate for small angles too.
 * @param {Triple} a
 * @param {Triple} b
 */
export const angleBetween = (a, b) => Math.atan2(length(cross(a, b)), dot(a, b));

/**
 * A unit vector across another.
 * @param {Triple} a
 */
export const perpendicular = (a) => unit(cross(a, Math.abs(a[0]) < 0.5 ? [1, 0, 0] : [0, 1, 0]));

/**
 * The unit vector `from` turned by an angle toward another.
 * @param {Triple} from
 * @param {Triple} to
 * @param {number} angle
 */
export function turnToward(from, to, angle) {
  const away = subtract(to, add([0, 0, 0], from, dot(from, to)));
  return unit(add(add([0, 0, 0], from, Math.cos(angle)), unit(away), Math.sin(angle)));
}

/**
 * The normal of a polygon, counterclockwise as seen from where it points: half the sum of the cross
 * products of its corners has the polygon's area as its length, wherever the origin is.
 * @param {Triple[]} corners
 */
export function faceNormal(corners) {
  /** @type {Triple} */
  let sum = [0, 0, 0];
  const first = corners[0];
  for (let i = 1; i + 1 < corners.length; i++) {
    sum = add(sum, cross(subtract(corners[i], first), subtract(corners[i + 1], first)), 1);
  }
  return unit(sum);
}
