// Smooth parts of solids as triangles: superellipsoids, cylinders and cones, in rows from pole to pole.
import { add, cross, length, perpendicular, subtract, unit } from "./triples.js";

/** @typedef {import("./triples.js").Triple} Triple */
/** @typedef {import("./meshes.js").Meshes} Meshes */

const HALF = 16; // lines to half a circle

/**
 * A row of points around an axis; `at` tells the place and the normal at an angle.
 * @param {Meshes} meshes
 * @param {(angle: number) => { place: Triple, normal: Triple }} at
 */
function row(meshes, at) {
  const points = [];
  for (let j = 0; j <= 2 * HALF; j++) {
    const { place, normal } = at(((j % (2 * HALF)) * Math.PI) / HALF);
    points.push(meshes.facing(place, normal));
  }
  return points;
}

/**
 * @param {Meshes} meshes
 * @param {ShapePart} part
 */
function addEllipsoid(meshes, { corners, form }) {
  const [centre, ...ends] = /** @type {Triple[]} */ (corners);
  const axes = ends.map((end) => subtract(end, centre));
  const [q, p] = /** @type {number[]} */ (form);
  /** @type {number[]} */
  let before = [];
  for (let i = 0; i <= HALF; i++) {
    const down = (i * Math.PI) / HALF;
    const points = row(meshes, (angle) => {
      const across = i % HALF === 0 ? 0 : Math.sin(down);
      const own = [across * Math.cos(angle), across * Math.sin(angle), Math.cos(down)];
      const [x, y, z] = own.map(Math.abs);
      const disc = Math.pow(Math.pow(x, p) + Math.pow(y, p), 1 / p);
      const norm = Math.pow(Math.pow(disc, q) + Math.pow(z, q), 1 / q);
      const share = disc > 0 ? Math.pow(disc, q - p) : 0;
      const slope = [share * Math.pow(x, p - 1), share * Math.pow(y, p - 1), Math.pow(z, q - 1)];
      /** @type {Triple} */
      let place = centre;
      /** @type {Triple} */
      let normal = [0, 0, 0];
      own.forEach((u, k) => {
        place = add(place, axes[k], u / norm);
        normal = add(normal, axes[k], (Math.sign(u) * slope[k]) / length(axes[k]) ** 2);
      });
      return { place, normal: unit(normal) };
    });
    if (i > 0) meshes.band(points, before);
    before = points;
  }
}

/**
 * The profile of a cone from the upper pole to the lower one: pieces of distances from the axis, heights,
 * and normals as (out, up).
 * @param {number[]} form
 * @param {number} height
 * @param {number} rounding
 */
function profile([lower, upper], height, rounding) {
  const side = Math.atan2(lower - upper, height);
  const arc = (/** @type {number} */ r, /** @type {number} */ z, /** @type {number[]} */ tilts) =>
    tilts.map((t) => [
      r + rounding * Math.cos(t),
      z + rounding * Math.sin(t),
      Math.cos(t),
      Math.sin(t),
    ]);
  const between = (/** @type {number} */ from, /** @type {number} */ to) =>
    Array.from({ length: HALF / 2 + 1 }, (_, i) => from + ((to - from) * i) / (HALF / 2));
  const top = arc(upper, height, rounding > 0 ? between(Math.PI / 2, side) : [side]);
  const bottom = arc(lower, 0, rounding > 0 ? between(side, -Math.PI / 2) : [side]);
  const pieces = [top.concat(bottom)];
  if (upper > 0) pieces.unshift([0, upper].map((r) => [r, height + rounding, 0, 1]));
  if (lower > 0) pieces.push([lower, 0].map((r) => [r, -rounding, 0, -1]));
  return pieces;
}

/**
 * @param {Meshes} meshes
 * @param {ShapePart} part
 */
function addCone(meshes, { corners, form, rounding }) {
  const [from, to] = /** @type {Triple[]} */ (corners);
  const height = length(subtract(to, from));
  const axis = unit(subtract(to, from));
  const first = perpendicular(axis);
  const second = cross(axis, first);
  for (const piece of profile(/** @type {number[]} */ (form), height, rounding)) {
    /** @type {number[]} */
    let before = [];
    for (const [r, z, out, up] of piece) {
      const points = row(meshes, (angle) => {
        const around = add(add([0, 0, 0], first, Math.cos(angle)), second, Math.sin(angle));
        return {
          place: add(add(from, axis, z), around, r),
          normal: add(add([0, 0, 0], axis, up), around, out),
        };
      });
      if (before.length > 0) meshes.band(points, before);
      before = points;
    }
  }
}

/**
 * @param {Meshes} meshes
 * @param {ShapePart} part
 */
export function addSmooth(meshes, part) {
  if (part.kind === 1) addEllipsoid(meshes, part);
  else addCone(meshes, part);
}
