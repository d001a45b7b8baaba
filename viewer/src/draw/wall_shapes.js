// The geometry of walls: clipped planes, segments, blocks and cylinders.
import * as THREE from "three";
import { WALL } from "../data/run.js";
import { addCone, addPlate } from "./shells.js";
import {
  BOX_EDGES,
  BOX_FACES,
  SIDES,
  across,
  boxCorners,
  circle,
  turnAt,
  vectorAt,
} from "./vectors.js";

const BAND = 0.012; // thickness of a wall in 2D, relative to the region

/** @typedef {Record<string, ArrayLike<number>>} PlacedWalls columns of all walls, by name */
/** @typedef {{ normal: THREE.Vector3, offset: number }} HalfSpace where normal . x >= offset */

/**
 * Triangles and lines, and the wall to which each vertex belongs. A face that holds grains back has a front, where
 * they are; a face of something that stands among them has none.
 */
class WallMesh {
  /** @type {number[]} */ faces = [];
  /** @type {number[]} */ normals = [];
  /** Of each face: see polygon(). @type {number[]} */ fronts = [];
  /** @type {number[]} */ faceOwners = [];
  /** @type {number[]} */ lines = [];
  /** @type {number[]} */ lineOwners = [];

  /**
   * A face; where it has a front, points run counterclockwise seen from there.
   * @param {THREE.Vector3[]} points
   * @param {number} wall
   * @param {0 | 1 | 2} front 1: it has one; 2: and its relief is to be seen
   * @param {THREE.Vector3[]} normals at the points; otherwise that of the first three
   */
  polygon(points, wall, front = 0, normals = []) {
    if (points.length < 3) return;
    const own = normals.length > 0 ? null : normalOf(points);
    for (let i = 2; i < points.length; i++) {
      for (const k of [0, i - 1, i]) {
        const [p, n] = [points[k], own ?? normals[k]];
        this.faces.push(p.x, p.y, p.z);
        this.normals.push(n.x, n.y, n.z);
        this.fronts.push(front);
        this.faceOwners.push(wall);
      }
    }
  }

  /**
   * @param {THREE.Vector3} p
   * @param {THREE.Vector3} q
   * @param {number} wall
   */
  line(p, q, wall) {
    this.lines.push(p.x, p.y, p.z, q.x, q.y, q.z);
    this.lineOwners.push(wall, wall);
  }

  /**
   * @param {THREE.Vector3[]} points
   * @param {number} wall
   */
  loop(points, wall) {
    points.forEach((p, i) => this.line(p, points[(i + 1) % points.length], wall));
  }

  /**
   * A band along the right-hand side of a line.
   * @param {THREE.Vector3} a
   * @param {THREE.Vector3} b
   * @param {number} thick
   * @param {number} wall
   */
  band(a, b, thick, wall) {
    const right = rightOf(a, b).multiplyScalar(thick);
    this.polygon([a, b, b.clone().add(right), a.clone().add(right)], wall);
  }
}

/**
 * @param {Run} run
 * @param {PlacedWalls} walls
 * @param {THREE.Box3} region
 */
export function buildWalls(run, walls, region) {
  const mesh = new WallMesh();
  const add = run.flat ? addFlat : addDeep;
  run.manifest.wall_constants.forEach((_, i) => {
    if (walls.present[i]) add(mesh, run, walls, i, region);
  });
  return mesh;
}

// ---------------------------------------------------------------- pieces

/** @param {THREE.Vector3[]} points */
function normalOf([a, b, c]) {
  return b.clone().sub(a).cross(c.clone().sub(a)).normalize();
}

/**
 * @param {THREE.Vector3} a
 * @param {THREE.Vector3} b
 */
function rightOf(a, b) {
  const along = b.clone().sub(a).normalize();
  return new THREE.Vector3(along.y, -along.x, 0);
}

/**
 * The part of a polygon in a half-space.
 * @param {THREE.Vector3[]} polygon
 * @param {HalfSpace} half
 */
function clipPolygon(polygon, { normal, offset }) {
  /** @type {THREE.Vector3[]} */
  const kept = [];
  polygon.forEach((p, i) => {
    const q = polygon[(i + 1) % polygon.length];
    const a = normal.dot(p) - offset;
    const b = normal.dot(q) - offset;
    if (a >= 0) kept.push(p);
    if ((a > 0 && b < 0) || (a < 0 && b > 0)) kept.push(p.clone().lerp(q, a / (a - b)));
  });
  return kept;
}

/**
 * The part of a line in a half-space; empty when there is none.
 * @param {THREE.Vector3[]} line
 * @param {HalfSpace} half
 */
function clipLine(line, { normal, offset }) {
  if (line.length === 0) return line;
  const [p, q] = line;
  const a = normal.dot(p) - offset;
  const b = normal.dot(q) - offset;
  if (a < 0 && b < 0) return [];
  const cut = () => p.clone().lerp(q, a / (a - b));
  return [a < 0 ? cut() : p, b < 0 ? cut() : q];
}

/**
 * What clips a plane: the sides of the region that it meets, and the other planes of the same box.
 * @param {Run} run
 * @param {PlacedWalls} walls
 * @param {number} i
 * @param {THREE.Box3} region
 * @param {number} slack how far beyond them it may reach
 */
function limitsOfPlane(run, walls, i, region, slack) {
  /** @type {HalfSpace[]} */
  const limits = [];
  const n = planeNormal(run, walls, i);
  for (const axis of run.axes) {
    const normal = new THREE.Vector3();
    normal[axis] = 1;
    // a plane just outside the region is drawn where it is, and only clipped sideways
    if (Math.abs(n.dot(normal)) > 0.999) continue;
    limits.push({ normal, offset: region.min[axis] - slack });
    limits.push({ normal: normal.clone().negate(), offset: -region.max[axis] - slack });
  }
  const boxOf = (/** @type {number} */ wall) => run.manifest.walls[wall]?.split(".")[0];
  run.manifest.wall_constants.forEach((other, k) => {
    if (k === i || other.shape !== WALL.plane || !walls.present[k] || boxOf(k) !== boxOf(i)) return;
    const normal = planeNormal(run, walls, k);
    limits.push({ normal, offset: normal.dot(vectorAt(walls.point, k)) - slack });
  });
  return limits;
}

/**
 * The unit normal, pointing toward the grains.
 * @param {Run} run
 * @param {PlacedWalls} walls
 * @param {number} i
 */
function planeNormal(run, walls, i) {
  const normal = vectorAt(walls.normal, i);
  if (run.flat) normal.z = 0;
  return normal.normalize();
}

/**
 * The point of a plane that is nearest to another point.
 * @param {THREE.Vector3} n
 * @param {THREE.Vector3} point
 * @param {THREE.Vector3} other
 */
const ontoPlane = (n, point, other) =>
  other.clone().addScaledVector(n, n.dot(point) - n.dot(other));

/**
 * @param {Run} run
 * @param {PlacedWalls} walls
 * @param {number} i
 */
function blockCorners(run, walls, i) {
  const turn = turnAt(walls.orientation, i);
  const half = vectorAt(run.manifest.wall_constants[i].half, 0);
  const centre = vectorAt(walls.point, i);
  return boxCorners(half.clone().negate(), half).map((corner) =>
    corner.applyQuaternion(turn).add(centre),
  );
}

// ---------------------------------------------------------------- in space

/**
 * @param {WallMesh} mesh
 * @param {Run} run
 * @param {PlacedWalls} walls
 * @param {number} i
 * @param {THREE.Box3} region
 */
function addDeep(mesh, run, walls, i, region) {
  const constants = run.manifest.wall_constants[i];
  if (constants.shape === WALL.plane) {
    const polygon = endOfCylinder(run, walls, i) ?? planePolygon(run, walls, i, region);
    mesh.polygon(polygon, i, 1);
    mesh.loop(polygon, i);
  } else if (constants.shape === WALL.segment) {
    mesh.line(vectorAt(walls.point, i), vectorAt(walls.end, i), i);
  } else if (constants.shape === WALL.block) {
    const corners = blockCorners(run, walls, i);
    for (const face of BOX_FACES)
      mesh.polygon(
        face.map((k) => corners[k]),
        i,
      );
    for (const [a, b] of BOX_EDGES) mesh.line(corners[a], corners[b], i);
  } else if (constants.shape === WALL.cylinder) {
    addCylinder(mesh, constants, walls, i, region);
  } else if (constants.shape === WALL.mesh) {
    addSurface(mesh, run, walls, i);
  } else if (constants.shape === WALL.cone) {
    addCone(mesh, constants, walls, i);
  } else if (constants.shape === WALL.plate) {
    addPlate(mesh, constants, walls, i);
  }
}

/**
 * The vertices of a wall of triangles where it is now.
 * @param {Run} run
 * @param {PlacedWalls} walls
 * @param {number} i
 */
export function surfacePoints(run, walls, i) {
  const { points } = /** @type {Surface} */ (run.surfaces[i]);
  const turn = turnAt(walls.orientation, i);
  const centre = vectorAt(walls.point, i);
  return Array.from({ length: points.length / 3 }, (_, k) =>
    vectorAt(points, k).applyQuaternion(turn).add(centre),
  );
}

/**
 * Two directions across another, in an order in which they turn counterclockwise about it.
 * @param {THREE.Vector3} n
 */
function around(n) {
  const [u] = across(n);
  return [u, n.clone().cross(u)];
}

/**
 * A plane that closes the only vessel there is, or that of its own name, is round.
 * @param {Run} run
 * @param {PlacedWalls} walls
 * @param {number} i
 */
function endOfCylinder(run, walls, i) {
  const n = planeNormal(run, walls, i);
  const group = (/** @type {number} */ k) => run.manifest.walls[k]?.split(".")[0];
  const vessels = run.manifest.wall_constants.flatMap((wall, k) =>
    wall.shape === WALL.cylinder && wall.inside && walls.present[k] ? [k] : [],
  );
  const vessel =
    vessels.find((k) => group(k) === group(i)) ?? (vessels.length === 1 ? vessels[0] : -1);
  if (vessel < 0) return null;
  const axis = vectorAt(walls.axis, vessel).normalize();
  if (Math.abs(axis.dot(n)) < 0.9999) return null;
  const centre = ontoPlane(n, vectorAt(walls.point, i), vectorAt(walls.point, vessel));
  const [u, v] = around(n);
  return circle(centre, u, v, run.manifest.wall_constants[vessel].radius);
}

/**
 * @param {WallMesh} mesh
 * @param {Run} run
 * @param {PlacedWalls} walls
 * @param {number} i
 */
function addSurface(mesh, run, walls, i) {
  const { triangles, edges, normals, side } = /** @type {Surface} */ (run.surfaces[i]);
  const points = surfacePoints(run, walls, i);
  const turn = turnAt(walls.orientation, i);
  for (let k = 0; k < triangles.length; k += 3) {
    const order = side < 0 ? [k, k + 2, k + 1] : [k, k + 1, k + 2];
    mesh.polygon(
      order.map((c) => points[triangles[c]]),
      i,
      side !== 0 ? 2 : 0,
      order.map((c) => vectorAt(normals, c).applyQuaternion(turn)),
    );
  }
  for (let k = 0; k < edges.length; k += 2) mesh.line(points[edges[k]], points[edges[k + 1]], i);
}

/**
 * @param {Run} run
 * @param {PlacedWalls} walls
 * @param {number} i
 * @param {THREE.Box3} region
 */
function planePolygon(run, walls, i, region) {
  const n = planeNormal(run, walls, i);
  const centre = region.getCenter(new THREE.Vector3());
  const size = region.getSize(new THREE.Vector3()).length() + 1e-12;
  const middle = ontoPlane(n, vectorAt(walls.point, i), centre);
  const [u, v] = around(n).map((direction) => direction.multiplyScalar(2 * size));
  const square = [
    middle.clone().sub(u).sub(v),
    middle.clone().add(u).sub(v),
    middle.clone().add(u).add(v),
    middle.clone().sub(u).add(v),
  ];
  return limitsOfPlane(run, walls, i, region, 1e-6 * size).reduce(clipPolygon, square);
}

/**
 * @param {WallMesh} mesh
 * @param {WallConstants} constants
 * @param {PlacedWalls} walls
 * @param {number} i
 * @param {THREE.Box3} region
 */
function addCylinder(mesh, constants, walls, i, region) {
  const axis = vectorAt(walls.axis, i).normalize();
  const [u, v] = around(axis);
  const endless = !(constants.length > 0);
  let { length } = constants;
  let centre = vectorAt(walls.point, i);
  if (endless) {
    // as long as the region is in that direction
    const size = region.getSize(new THREE.Vector3());
    length = Math.abs(size.x * axis.x) + Math.abs(size.y * axis.y) + Math.abs(size.z * axis.z);
    const middle = region.getCenter(new THREE.Vector3());
    centre = centre.clone().addScaledVector(axis, axis.dot(middle.sub(centre)));
  }
  const [low, high] = [-length / 2, length / 2].map((end) =>
    circle(centre.clone().addScaledVector(axis, end), u, v, constants.radius),
  );
  for (let k = 0; k < SIDES; k++) {
    const next = (k + 1) % SIDES;
    const out = [k, next, next, k].map((m) =>
      low[m]
        .clone()
        .sub(low[(m + SIDES / 2) % SIDES])
        .normalize(),
    );
    const side = [low[k], low[next], high[next], high[k]];
    if (constants.inside) mesh.polygon(side.reverse(), i, 1, out.reverse());
    else mesh.polygon(side, i, 0, out);
    if (k % (SIDES / 8) === 0) mesh.line(low[k], high[k], i);
  }
  for (const end of [low, high]) {
    mesh.loop(end, i);
    if (!constants.inside && !endless) mesh.polygon(end, i);
  }
}

// ---------------------------------------------------------------- in the plane

/**
 * @param {WallMesh} mesh
 * @param {Run} run
 * @param {PlacedWalls} walls
 * @param {number} i
 * @param {THREE.Box3} region
 */
function addFlat(mesh, run, walls, i, region) {
  const { shape, radius, inside } = run.manifest.wall_constants[i];
  const size = region.getSize(new THREE.Vector3());
  const thick = BAND * Math.max(size.x, size.y, 1e-12);
  const point = vectorAt(walls.point, i);
  if (shape === WALL.plane) {
    const [a, b] = planeLine(run, walls, i, region, 2.5 * thick);
    if (a) mesh.band(a, b, 2.5 * thick, i);
  } else if (shape === WALL.segment) {
    const end = vectorAt(walls.end, i);
    const side = rightOf(point, end).multiplyScalar(0.2 * thick);
    mesh.band(point.clone().sub(side), end.clone().sub(side), 0.4 * thick, i);
  } else if (shape === WALL.block) {
    const corners = blockCorners(run, walls, i);
    mesh.polygon(
      BOX_FACES[0].map((k) => corners[k].setZ(0)),
      i,
    );
  } else if (shape === WALL.cylinder) {
    addRing(mesh, point, radius, inside ? thick : 0, i);
  }
}

/**
 * A disk, or a ring if it has a thickness.
 * @param {WallMesh} mesh
 * @param {THREE.Vector3} centre
 * @param {number} radius
 * @param {number} thick
 * @param {number} wall
 */
function addRing(mesh, centre, radius, thick, wall) {
  const [x, y] = [new THREE.Vector3(1, 0, 0), new THREE.Vector3(0, 1, 0)];
  const inner = circle(centre, x, y, radius);
  if (thick === 0) {
    mesh.polygon(inner, wall);
    return;
  }
  const outer = circle(centre, x, y, radius + thick);
  inner.forEach((p, k) => {
    const next = (k + 1) % SIDES;
    mesh.polygon([p, inner[next], outer[next], outer[k]], wall);
  });
}

/**
 * The visible part of a plane in 2D as a line with the grains on its left; empty if none is
 * visible.
 * @param {Run} run
 * @param {PlacedWalls} walls
 * @param {number} i
 * @param {THREE.Box3} region
 * @param {number} slack
 */
function planeLine(run, walls, i, region, slack) {
  const n = planeNormal(run, walls, i);
  const centre = region.getCenter(new THREE.Vector3()).setZ(0);
  const reach = region.getSize(new THREE.Vector3()).setZ(0).length();
  const middle = ontoPlane(n, vectorAt(walls.point, i), centre);
  const along = new THREE.Vector3(n.y, -n.x, 0).multiplyScalar(reach); // n is to its left
  const line = [middle.clone().sub(along), middle.clone().add(along)];
  return limitsOfPlane(run, walls, i, region, slack).reduce(clipLine, line);
}
