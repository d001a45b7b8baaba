// The region of interest: a box around the grains in a few frames and the walls near them.
import * as THREE from "three";
import { WALL } from "../data/run.js";
import { coneRings, plateCorners } from "./shells.js";
import { surfacePoints } from "./wall_shapes.js";
import { unitBox, vectorAt } from "./vectors.js";

/**
 * @param {Run} run
 * @param {number[]} frames
 */
export async function measureRegion(run, frames) {
  const region = new THREE.Box3();
  for (const frame of frames) {
    const bodies = await run.bodies(frame);
    if (run.count > 0) region.union(grainsBox(run, bodies));
    includeWalls(region, run, bodies);
  }
  if (region.isEmpty()) region.copy(unitBox());
  if (run.flat) region.min.z = region.max.z = 0;
  const size = region.getSize(new THREE.Vector3());
  const least = 0.02 * Math.max(size.x, size.y, size.z, run.meanRadius);
  for (const axis of run.axes) {
    if (size[axis] >= least) continue;
    region.min[axis] -= least;
    region.max[axis] += least;
  }
  return region;
}

/**
 * A box around the grains that ignores a few that have flown off.
 * @param {Run} run
 * @param {Block} bodies
 */
function grainsBox(run, bodies) {
  const places = bodies.position.values(3);
  const radii = run.radii(bodies);
  const largest = radii.reduce((most, r) => (r > most ? r : most), 0);
  const { edges, periodic } = run.lattice(bodies);
  const box = [0, 1, 2].map((k) => {
    if (periodic[k]) {
      const reach = (/** @type {number} */ sign) =>
        edges.reduce((sum, edge) => sum + sign * Math.max(0, sign * edge[k]), run.corner[k]);
      return [reach(-1), reach(1)];
    }
    let min = Infinity;
    let max = -Infinity;
    const list = new Float32Array(run.count);
    let count = 0;
    for (let i = 0; i < run.count; i++) {
      const at = places[3 * i + k];
      if (Number.isNaN(at)) continue; // not there
      list[count++] = at;
      min = Math.min(min, at - radii[i]);
      max = Math.max(max, at + radii[i]);
    }
    if (count === 0) return [Infinity, -Infinity];
    const sorted = list.subarray(0, count).sort();
    const low = sorted[Math.floor(0.02 * (count - 1))];
    const high = sorted[Math.ceil(0.98 * (count - 1))];
    const margin = 3 * (high - low) + 8 * largest;
    return [Math.max(min, low - margin), Math.min(max, high + margin)];
  });
  const corner = (/** @type {number} */ side) =>
    new THREE.Vector3(box[0][side], box[1][side], box[2][side]);
  return new THREE.Box3(corner(0), corner(1));
}

/**
 * Includes finite walls, and planes that are not far.
 * @param {THREE.Box3} box
 * @param {Run} run
 * @param {Block} bodies
 */
function includeWalls(box, run, bodies) {
  const size = box.isEmpty() ? 1 : box.getSize(new THREE.Vector3()).length();
  const point = bodies["w.point"].values();
  const end = bodies["w.end"].values();
  run.manifest.wall_constants.forEach((wall, i) => {
    if (!bodies["w.present"].data[i]) return;
    const at = vectorAt(point, i);
    if (wall.shape === WALL.segment) {
      box.expandByPoint(at).expandByPoint(vectorAt(end, i));
    } else if (wall.shape === WALL.block) {
      const reach = Math.hypot(...wall.half.slice(0, run.axes.length)); // a flat one has any depth
      if (reach >= 4 * size) return;
      box.expandByPoint(at.clone().subScalar(reach * 0.8));
      box.expandByPoint(at.clone().addScalar(reach * 0.8));
    } else if (wall.shape === WALL.cylinder) {
      if (wall.radius < 4 * size) includeCylinder(box, wall, at, bodies["w.axis"].row(i));
    } else if (wall.shape === WALL.mesh) {
      const orientation = bodies["w.orientation"].values();
      for (const p of surfacePoints(run, { point, orientation }, i)) box.expandByPoint(p);
    } else if (wall.shape === WALL.cone) {
      const axis = bodies["w.axis"].values();
      for (const ring of coneRings(wall, { point, axis }, i))
        for (const p of ring) box.expandByPoint(p);
    } else if (wall.shape === WALL.plate) {
      const orientation = bodies["w.orientation"].values();
      for (const p of plateCorners(wall, { point, orientation }, i)) box.expandByPoint(p);
    } else if (!box.isEmpty()) {
      const normal = new THREE.Vector3(...bodies["w.normal"].row(i));
      const floor = normal.dot(fall(run)) < -0.5;
      const reach = floor || isClosed(run, bodies, i) ? FAR : NEAR;
      includePlane(box, at, normal, floor ? fall(run) : normal.clone().negate(), reach * size);
    }
  });
}

const AXES = /** @type {const} */ (["x", "y", "z"]);

/** How far off a plane may be, in diagonals of what is seen: what falls gets to a floor, and what flows to the other end of
 * its box. */
const NEAR = 0.6;
const FAR = 2;

/**
 * Whether the grains are between this plane and another one of the same box.
 * @param {Run} run
 * @param {Block} bodies
 * @param {number} i
 */
function isClosed(run, bodies, i) {
  const { walls, wall_constants } = run.manifest;
  const boxOf = (/** @type {number} */ wall) => walls[wall]?.split(".")[0];
  const normal = bodies["w.normal"].row(i);
  return wall_constants.some((other, k) => {
    if (k === i || other.shape !== WALL.plane || !bodies["w.present"].data[k]) return false;
    const cosine = bodies["w.normal"].row(k).reduce((sum, x, axis) => sum + x * normal[axis], 0);
    return boxOf(k) === boxOf(i) && cosine < -0.999;
  });
}

/**
 * @param {THREE.Box3} box
 * @param {WallConstants} wall
 * @param {THREE.Vector3} at
 * @param {number[]} axis
 */
function includeCylinder(box, wall, at, axis) {
  const length = Math.max(0, wall.length);
  AXES.forEach((name, k) => {
    const reach =
      wall.radius * Math.sqrt(Math.max(0, 1 - axis[k] ** 2)) + (length / 2) * Math.abs(axis[k]);
    box.min[name] = Math.min(box.min[name], at[name] - reach);
    box.max[name] = Math.max(box.max[name], at[name] + reach);
  });
}

/**
 * Makes room for a plane that the grains have not reached: the box then reaches to its points before its four nearest
 * corners.
 * @param {THREE.Box3} box
 * @param {THREE.Vector3} at
 * @param {THREE.Vector3} normal
 * @param {THREE.Vector3} along the way to it: of a floor that on which grains fall
 * @param {number} most how far off it may be
 */
function includePlane(box, at, normal, along, most) {
  const distance = (/** @type {THREE.Vector3} */ p) =>
    (normal.dot(at) - normal.dot(p)) / normal.dot(along);
  const corners = cornersOf(box).sort((a, b) => distance(a) - distance(b));
  const nearest = distance(corners[0]);
  if (!(nearest > 0 && nearest < most)) return;
  for (const p of corners.slice(0, 4)) box.expandByPoint(p.addScaledVector(along, distance(p)));
}

/** @param {Run} run */
const fall = (run) => new THREE.Vector3(...run.manifest.gravity).normalize();

/** @param {THREE.Box3} box */
function cornersOf({ min, max }) {
  const side = (/** @type {number} */ k) => [min, max].map((end) => end.getComponent(k));
  return side(0).flatMap((x) =>
    side(1).flatMap((y) => side(2).map((z) => new THREE.Vector3(x, y, z))),
  );
}
