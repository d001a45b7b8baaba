// On which side of walls of triangles, and of cones, the grains are.
import * as THREE from "three";
import { WALL } from "../data/run.js";
import { windingAt } from "../data/surface.js";
import { turnAt } from "./vectors.js";
import { vectorAt } from "./vectors.js";

const GRAINS = 40; // at most, of a frame
const SURROUNDED = 0.15; // of the sphere around a grain: less of it, and the surface stands among the grains

/**
 * The mean over some grains of how much of what they see is the back of a surface.
 * @param {Surface} surface
 * @param {Block} bodies
 * @param {number} wall
 */
function meanWinding(surface, bodies, wall) {
  const places = bodies.position.values(3);
  const orientation = bodies["w.orientation"].values();
  const back = turnAt(orientation, wall).invert();
  const origin = vectorAt(bodies["w.point"].values(), wall);
  const count = places.length / 3;
  const stride = Math.max(1, Math.floor(count / GRAINS));
  let [sum, seen] = [0, 0];
  for (let i = 0; i < count; i += stride) {
    if (Number.isNaN(places[3 * i])) continue;
    seen++;
    const at = new THREE.Vector3(...places.subarray(3 * i, 3 * i + 3));
    sum += windingAt(surface, at.sub(origin).applyQuaternion(back).toArray());
  }
  return sum / Math.max(1, seen);
}

/**
 * By how many more grains are within a cone than beside it, between its ends and not far away.
 * @param {WallConstants} cone
 * @param {Block} bodies
 * @param {number} wall
 */
function filling(cone, bodies, wall) {
  const places = bodies.position.values(3);
  const axis = vectorAt(bodies["w.axis"].values(), wall).normalize();
  const point = vectorAt(bodies["w.point"].values(), wall);
  let more = 0;
  for (let i = 0; i < places.length; i += 3) {
    const from = new THREE.Vector3(...places.subarray(i, i + 3)).sub(point);
    const along = from.dot(axis);
    if (!(along >= 0 && along <= cone.length)) continue;
    const radius = cone.radius + (along / cone.length) * (cone.end_radius - cone.radius);
    const away = from.addScaledVector(axis, -along).length();
    if (away < 2 * Math.max(cone.radius, cone.end_radius)) more += away < radius ? 1 : -1;
  }
  return more;
}

/**
 * Tells which cones are filled, by all of the frames together.
 * @param {Run} run
 * @param {Block[]} frames
 */
function findFilled(run, frames) {
  run.manifest.wall_constants.forEach((cone, wall) => {
    if (run.flat || cone.shape !== WALL.cone || !(cone.length > 0)) return;
    cone.filled = frames.reduce((sum, bodies) => sum + filling(cone, bodies, wall), 0) > 0;
  });
}

/**
 * Sets the side of every surface, as it is in that of some frames in which it is clearest. Parts of one file go together.
 * @param {Run} run
 * @param {Block[]} frames
 */
export function chooseSides(run, frames) {
  findFilled(run, frames);
  /** Of each file, over the parts. @type {Map<number, number[]>} */
  const sums = new Map();
  run.surfaces.forEach((surface, wall) => {
    if (!surface) return;
    const before = sums.get(surface.mesh);
    const all = frames.map((bodies, k) => meanWinding(surface, bodies, wall) + (before?.[k] ?? 0));
    sums.set(surface.mesh, all);
  });
  for (const surface of run.surfaces) {
    const all = (surface && sums.get(surface.mesh)) ?? [];
    const most = all.reduce((a, b) => (Math.abs(b) > Math.abs(a) ? b : a), 0);
    if (surface) surface.side = Math.abs(most) < SURROUNDED ? 0 : -Math.sign(most);
  }
}
