// The geometry of walls with round openings: cones, rings and discs, and plates with round holes.
import * as THREE from "three";
import { SIDES, across, circle, turnAt, vectorAt } from "./vectors.js";

/** @typedef {Record<string, ArrayLike<number>>} PlacedWalls columns of all walls, by name */

/**
 * What walls are drawn into: see WallMesh in wall_shapes.js.
 * @typedef {object} Drawing
 * @property {(points: THREE.Vector3[], wall: number, front?: 0 | 1 | 2) => void} polygon
 * @property {(p: THREE.Vector3, q: THREE.Vector3, wall: number) => void} line
 * @property {(points: THREE.Vector3[], wall: number) => void} loop
 */

/**
 * The two rims of a cone.
 * @param {WallConstants} constants
 * @param {PlacedWalls} walls
 * @param {number} i
 */
export function coneRings(constants, walls, i) {
  const axis = vectorAt(walls.axis, i).normalize();
  const [u, v] = across(axis);
  const point = vectorAt(walls.point, i);
  const end = point.clone().addScaledVector(axis, constants.length);
  return [circle(point, u, v, constants.radius), circle(end, u, v, constants.end_radius)];
}

/**
 * A funnel with grains in it is seen from within, and a veil from outside; with grains around it, it is solid.
 * @param {Drawing} mesh
 * @param {WallConstants} constants
 * @param {PlacedWalls} walls
 * @param {number} i
 */
export function addCone(mesh, constants, walls, i) {
  const [low, high] = coneRings(constants, walls, i);
  for (let k = 0; k < SIDES; k++) {
    const next = (k + 1) % SIDES;
    const face = [low[k], low[next], high[next], high[k]]; // counterclockwise from outside
    if (constants.filled) mesh.polygon(face.reverse(), i, 1);
    else mesh.polygon(face, i);
    if (constants.length > 0 && k % (SIDES / 8) === 0) mesh.line(low[k], high[k], i);
  }
  mesh.loop(low, i);
  mesh.loop(high, i);
}

/**
 * Places of a plate's own frame where they are now.
 * @param {PlacedWalls} walls
 * @param {number} i
 */
function ontoPlate(walls, i) {
  const turn = turnAt(walls.orientation, i);
  const centre = vectorAt(walls.point, i);
  return (/** @type {number[]} */ [x, y]) =>
    new THREE.Vector3(x, y, 0).applyQuaternion(turn).add(centre);
}

/**
 * @param {WallConstants} constants
 * @param {PlacedWalls} walls
 * @param {number} i
 */
export function plateCorners({ half: [x, y] }, walls, i) {
  const corners = [
    [-x, -y],
    [x, -y],
    [x, y],
    [-x, y],
  ];
  return corners.map(ontoPlate(walls, i));
}

const ARCS = 48; // of a hole: divisible by 4

/**
 * A rectangle about a hole: quads between the hole and the outline.
 * @param {Drawing} mesh
 * @param {number} wall
 * @param {(place: number[]) => THREE.Vector3} place
 * @param {{ low: number[], high: number[], hole: number[], radius: number }} piece
 */
function addAroundHole(mesh, wall, place, { low, high, hole, radius }) {
  const corners = [low, [high[0], low[1]], high, [low[0], high[1]]];
  const outline = Array.from({ length: ARCS }, (_, k) => {
    const side = Math.floor((4 * k) / ARCS);
    const share = (4 * k) / ARCS - side;
    const to = corners[(side + 1) % 4];
    return corners[side].map((x, d) => x + share * (to[d] - x));
  });
  const rim = outline.map((p) => {
    const scale = radius / Math.hypot(p[0] - hole[0], p[1] - hole[1]);
    return hole.map((x, d) => x + scale * (p[d] - x));
  });
  const [out, inner] = [outline.map(place), rim.map(place)];
  for (let k = 0; k < ARCS; k++) {
    const next = (k + 1) % ARCS;
    mesh.polygon([out[k], out[next], inner[next], inner[k]], wall);
  }
  mesh.loop(inner, wall);
}

/**
 * @param {Drawing} mesh
 * @param {WallConstants} constants
 * @param {PlacedWalls} walls
 * @param {number} i
 */
export function addPlate(mesh, constants, walls, i) {
  const { half, holes, spacing, radius } = constants;
  const corners = plateCorners(constants, walls, i);
  mesh.loop(corners, i);
  if (!holes[0]) mesh.polygon(corners, i);
  for (let k = 0; k < holes[0] * holes[1]; k++) {
    const index = [k % holes[0], Math.floor(k / holes[0])];
    const hole = index.map((n, d) => (n - (holes[d] - 1) / 2) * spacing[d]);
    const low = index.map((n, d) => (n === 0 ? -half[d] : hole[d] - spacing[d] / 2));
    const high = index.map((n, d) => (n === holes[d] - 1 ? half[d] : hole[d] + spacing[d] / 2));
    addAroundHole(mesh, i, ontoPlate(walls, i), { low, high, hole, radius });
  }
}
