// On which side of walls of triangles the grains are.
import * as THREE from "three";
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
 * Sets the side of every surface, as it is in that of some frames in which it is clearest. Parts of one file go together.
 * @param {Run} run
 * @param {Block[]} frames
 */
export function chooseSides(run, frames) {
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
