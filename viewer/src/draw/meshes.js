// Solids as triangles. A sharp polyhedron is its faces. One with a rounding r is all points within r of
// it: its faces moved out by r, a strip of a cylinder along each edge, a piece of a ball at each vertex.
import { ShapeUtils, Vector2 } from "three";
import {
  add,
  angleBetween,
  cross,
  dot,
  faceNormal,
  length,
  perpendicular,
  subtract,
  turnToward,
  unit,
} from "./triples.js";

import { addSmooth } from "./smooth.js";

/** @typedef {import("./triples.js").Triple} Triple */

const ONE_FACE = Math.cos((2 * Math.PI) / 180); // faces that meet at a smaller angle look like one
const WIDEST_STRIP = Math.PI / 3;
const TRIANGLE = [[0, 1, 2]];

/** The normal of points that have none: the triangle's own is taken. */
export const FLAT = -1;
const LEVELS = 4096; // of each number of a stored normal: together they fit into a float

/**
 * A unit vector as one number: the octahedron |x| + |y| + |z| = 1, its lower half folded outward.
 * @param {Triple} n
 */
export function packNormal([x, y, z]) {
  const sum = Math.abs(x) + Math.abs(y) + Math.abs(z);
  let [u, v] = [x / sum, y / sum];
  if (z < 0) {
    [u, v] = [(1 - Math.abs(v)) * (u < 0 ? -1 : 1), (1 - Math.abs(u)) * (v < 0 ? -1 : 1)];
  }
  const level = (/** @type {number} */ t) => Math.round((0.5 + 0.5 * t) * (LEVELS - 1));
  return level(u) * LEVELS + level(v);
}

/** The same in the shader. */
export const unpackNormal = /* glsl */ `
vec3 unpackNormal(float code) {
  float high = floor(code / ${LEVELS}.0);
  vec2 p = 2.0 * vec2(high, code - ${LEVELS}.0 * high) / ${LEVELS - 1}.0 - 1.0;
  vec3 n = vec3(p, 1.0 - abs(p.x) - abs(p.y));
  if (n.z < 0.0) n.xy = (1.0 - abs(n.yx)) * mix(vec2(-1.0), vec2(1.0), greaterThanEqual(n.xy, vec2(0.0)));
  return normalize(n);
}
`;

/** An array that grows. @template {Float32Array | Uint32Array} T */
class Growing {
  /** @param {new (length: number) => T} type */
  constructor(type) {
    this.type = type;
    this.data = new type(4096);
    this.length = 0;
  }

  /** @param {number} value */
  push(value) {
    if (this.length === this.data.length) {
      const { data } = this;
      this.data = new this.type(2 * data.length);
      this.data.set(data);
    }
    this.data[this.length++] = value;
  }
}

/**
 * The triangles of many solids in two lists: points (x, y, z, normal), and corners (8 times the number
 * of a point, plus a bit for each side of the triangle that is an edge of the solid, the first being
 * opposite to the first corner).
 */
export class Meshes {
  /** @param {number} tolerance how far triangles may be off a rounded surface, in radii of the solid */
  constructor(tolerance) {
    this.tolerance = tolerance;
    this.points = new Growing(Float32Array);
    this.corners = new Growing(Uint32Array);
  }

  get triangles() {
    return this.corners.length / 3;
  }

  /**
   * Adds a solid; its first triangle and their number.
   * @param {Shape} shape
   */
  add(shape) {
    const first = this.triangles;
    let reach = 0;
    for (const { corners, rounding, form } of shape.parts) {
      for (const corner of /** @type {Triple[]} */ (corners)) {
        reach = Math.max(reach, length(corner) + rounding + Math.max(...(form ?? [0])));
      }
    }
    for (const part of shape.parts) {
      if (part.kind) {
        addSmooth(this, part);
        continue;
      }
      // a chord over the angle a leaves a circle of radius r by r (1 - cos(a / 2))
      const share = 1 - (this.tolerance * reach) / Math.max(part.rounding, 1e-300);
      const step = Math.min(2 * Math.acos(Math.max(share, 0)), WIDEST_STRIP);
      if (part.faces.length > 0) new PartMesh(this, part, step).build();
      else if (part.rounding > 0) this.capsule(part, step);
    }
    return { first, count: this.triangles - first };
  }

  /**
   * @param {Triple} at
   * @param {number} normal
   */
  point(at, normal) {
    const { points } = this;
    points.push(at[0]);
    points.push(at[1]);
    points.push(at[2]);
    points.push(normal);
    return points.length / 4 - 1;
  }

  /**
   * A point with a normal of its own.
   * @param {Triple} at
   * @param {Triple} normal
   */
  facing(at, normal) {
    return this.point(at, packNormal(normal));
  }

  /**
   * A point of a ball about `centre`.
   * @param {Triple} centre
   * @param {number} radius
   * @param {Triple} normal
   */
  rounded(centre, radius, normal, code = packNormal(normal)) {
    return this.point(add(centre, normal, radius), code);
  }

  /**
   * @param {number} a
   * @param {number} b
   * @param {number} c
   */
  triangle(a, b, c, edges = 0) {
    this.corners.push(8 * a + edges);
    this.corners.push(8 * b + edges);
    this.corners.push(8 * c + edges);
  }

  /**
   * Triangles between two rows of equally many points; seen from outside, the second lies to the left
   * of the first. A row may be a single point.
   * @param {number[]} right
   * @param {number[]} left
   */
  band(right, left) {
    for (let j = 0; j + 1 < Math.max(right.length, left.length); j++) {
      const [a, b] = right.length > 1 ? [right[j], right[j + 1]] : [right[0], right[0]];
      const [d, c] = left.length > 1 ? [left[j], left[j + 1]] : [left[0], left[0]];
      if (a !== b) this.triangle(a, b, c);
      if (c !== d) this.triangle(a, c, d);
    }
  }

  /**
   * A ball, or a rod with round ends, in rows from pole to pole.
   * @param {ShapePart} part with one corner or two
   * @param {number} step
   */
  capsule({ corners, rounding }, step) {
    const [from, to] = /** @type {Triple[]} */ ([corners[0], corners[corners.length - 1]]);
    const off = subtract(to, from);
    const axis = length(off) > 0 ? unit(off) : /** @type {Triple} */ ([0, 0, 1]);
    const across = perpendicular(axis);
    const third = cross(axis, across);
    const half = Math.max(3, Math.ceil(Math.PI / 2 / step));
    /** @type {number[]} */
    let before = [];
    for (let i = 0; i <= 2 * half + 1; i++) {
      const upper = i <= half;
      const down = ((upper ? i : i - 1) * Math.PI) / (2 * half);
      const pole = i === 0 || i === 2 * half + 1;
      const row = [];
      for (let j = 0; j <= (pole ? 0 : 4 * half); j++) {
        const around = ((j % (4 * half)) * Math.PI) / (2 * half);
        let n = add([0, 0, 0], axis, Math.cos(down));
        n = add(n, across, Math.sin(down) * Math.cos(around));
        n = add(n, third, Math.sin(down) * Math.sin(around));
        row.push(this.rounded(upper ? to : from, rounding, unit(n)));
      }
      if (i > 0) this.band(row, before);
      before = row;
    }
  }
}

/**
 * An edge from corner `from` to corner `to`, with the face to its left and that to its right.
 * @typedef {object} Edge
 * @property {number} from
 * @property {number} to
 * @property {number} left
 * @property {number} right
 * @property {boolean} convex
 * @property {Triple[]} arc normals from the left face to the right one
 */

/** The triangles of a polyhedron. */
class PartMesh {
  /**
   * @param {Meshes} meshes
   * @param {ShapePart} part
   * @param {number} step the largest angle of a strip
   */
  constructor(meshes, { corners, faces, rounding }, step) {
    this.meshes = meshes;
    this.corners = /** @type {Triple[]} */ (corners);
    this.faces = faces;
    this.rounding = rounding;
    this.step = step;
    this.normals = faces.map((face) => faceNormal(face.map((k) => this.corners[k])));
    /** The face to the left of each side. @type {Map<number, number>} */
    this.faceAt = new Map();
    faces.forEach((face, f) =>
      face.forEach((from, k) => this.faceAt.set(this.key(from, face[(k + 1) % face.length]), f)),
    );
    /** Points by corner and normal. @type {Map<number, number>} */
    this.made = new Map();
  }

  /**
   * @param {number} from
   * @param {number} to
   */
  key(from, to) {
    return from * this.corners.length + to;
  }

  build() {
    this.faces.forEach((_, f) => this.face(f));
    if (!(this.rounding > 0)) return;
    /** @type {Edge[][]} */
    const atCorner = this.corners.map(() => []);
    for (const edge of this.edges()) {
      const row = (/** @type {number} */ end) => edge.arc.map((n) => this.pointAt(end, n));
      if (edge.convex) this.meshes.band(row(edge.from), row(edge.to));
      atCorner[edge.from].push(edge);
      atCorner[edge.to].push(edge);
    }
    atCorner.forEach((edges, corner) => this.corner(corner, edges));
  }

  /** Each edge once. */
  edges() {
    /** @type {Edge[]} */
    const found = [];
    this.faces.forEach((face, left) =>
      face.forEach((from, k) => {
        const to = face[(k + 1) % face.length];
        const right = this.faceAt.get(this.key(to, from));
        if (from < to && right !== undefined) found.push(this.edge(from, to, left, right));
      }),
    );
    return found;
  }

  /**
   * @param {number} from
   * @param {number} to
   * @param {number} left
   * @param {number} right
   * @returns {Edge}
   */
  edge(from, to, left, right) {
    const [first, last] = [this.normals[left], this.normals[right]];
    const along = unit(subtract(this.corners[to], this.corners[from]));
    const angle = angleBetween(first, last);
    const lines = Math.max(1, Math.ceil(angle / this.step - 1e-9));
    const arc = [first];
    for (let j = 1; j < lines; j++) arc.push(turnToward(first, last, (angle * j) / lines));
    arc.push(last);
    // faces in one plane count as convex
    return { from, to, left, right, arc, convex: dot(cross(first, last), along) > -1e-6 };
  }

  /**
   * Whether the faces on the two sides of a face's side differ in direction.
   * @param {number} f
   * @param {number} from
   * @param {number} to
   */
  isEdge(f, from, to) {
    const other = this.faceAt.get(this.key(to, from));
    return other === undefined || dot(this.normals[f], this.normals[other]) < ONE_FACE;
  }

  /**
   * The point of a corner with a normal; sharp polyhedra have one for each corner.
   * @param {number} corner
   * @param {Triple} normal
   */
  pointAt(corner, normal) {
    const { meshes, corners, rounding, made } = this;
    const sharp = !(rounding > 0);
    const code = sharp ? 0 : packNormal(normal);
    const key = corner * LEVELS * LEVELS + code;
    let point = made.get(key);
    if (point === undefined) {
      point = sharp
        ? meshes.point(corners[corner], FLAT)
        : meshes.rounded(corners[corner], rounding, normal, code);
      made.set(key, point);
    }
    return point;
  }

  /** @param {number} f */
  face(f) {
    const face = this.faces[f];
    const normal = this.normals[f];
    const points = face.map((corner) => this.pointAt(corner, normal));
    const next = (/** @type {number} */ i) => (i + 1) % face.length;
    // the bit of the side from place i to place k of the loop, if it is an edge
    const side = (/** @type {number} */ i, /** @type {number} */ k, /** @type {number} */ bit) =>
      k === next(i) && this.isEdge(f, face[i], face[k]) ? bit : 0;
    for (const [i, j, k] of this.cut(face, normal)) {
      const edges = side(j, k, 1) + side(k, i, 2) + side(i, j, 4);
      this.meshes.triangle(points[i], points[j], points[k], edges);
    }
  }

  /**
   * A face as triangles of places in its loop: a fan if it is convex.
   * @param {number[]} face
   * @param {Triple} normal
   */
  cut(face, normal) {
    if (face.length === 3) return TRIANGLE;
    const at = face.map((k) => this.corners[k]);
    const count = face.length;
    const convex = at.every((p, i) => {
      const q = at[(i + 1) % count];
      const turn = cross(subtract(q, p), subtract(at[(i + 2) % count], q));
      return dot(turn, normal) >= 0;
    });
    if (convex) return Array.from({ length: count - 2 }, (_, i) => [0, i + 1, i + 2]);
    const across = perpendicular(normal);
    const third = cross(normal, across);
    const flat = at.map((p) => new Vector2(dot(p, across), dot(p, third)));
    return ShapeUtils.triangulateShape(flat, []);
  }

  /**
   * The piece of a ball at a corner: from its middle to the arc of each edge, in rows that widen.
   * @param {number} corner
   * @param {Edge[]} edges
   */
  corner(corner, edges) {
    const { meshes, rounding, corners, step } = this;
    if (edges.length === 0) return;
    /** @type {Triple} */
    let sum = [0, 0, 0];
    for (const { arc } of edges) for (const n of arc) sum = add(sum, n, 1);
    if (!(length(sum) > 1e-9) || !edges.every((edge) => edge.convex)) {
      meshes.capsule({ rounding, corners: [corners[corner]], faces: [] }, step);
      return;
    }
    const middle = unit(sum);
    let widest = 0;
    for (const { arc } of edges)
      for (const n of arc) widest = Math.max(widest, angleBetween(middle, n));
    const rows = Math.max(1, Math.ceil(widest / step - 1e-9));
    for (const edge of edges) {
      // seen from outside, the middle lies beyond the edge's end
      const normals = edge.from === corner ? [...edge.arc].reverse() : edge.arc;
      let before = [this.pointAt(corner, middle)];
      for (let i = 1; i <= rows; i++) {
        const row = normals.map((n) =>
          this.pointAt(
            corner,
            i === rows ? n : turnToward(middle, n, (angleBetween(middle, n) * i) / rows),
          ),
        );
        meshes.band(row, before);
        before = row;
      }
    }
  }
}
