// Walls of triangles: their edges, normals that are smooth in between, and on which side of them the grains are.

const CREASE = Math.cos((25 * Math.PI) / 180); // an edge is where a surface bends by more than that

/**
 * The normal of each triangle, of unit length, and twice its area.
 * @param {ArrayLike<number>} points
 * @param {number[]} triangles
 */
function faceNormals(points, triangles) {
  const normals = new Float32Array(triangles.length);
  const areas = new Float32Array(triangles.length / 3);
  for (let t = 0; t < triangles.length; t += 3) {
    const [a, b, c] = [3 * triangles[t], 3 * triangles[t + 1], 3 * triangles[t + 2]];
    const [ux, uy, uz] = [0, 1, 2].map((k) => points[b + k] - points[a + k]);
    const [vx, vy, vz] = [0, 1, 2].map((k) => points[c + k] - points[a + k]);
    const n = [uy * vz - uz * vy, uz * vx - ux * vz, ux * vy - uy * vx];
    const size = Math.hypot(n[0], n[1], n[2]) || 1;
    areas[t / 3] = size;
    for (let k = 0; k < 3; k++) normals[t + k] = n[k] / size;
  }
  return { normals, areas };
}

/**
 * The edges at which a surface ends or bends, as pairs of vertices, and the normals at the corners of its triangles.
 * @param {ArrayLike<number>} points
 * @param {number[]} triangles
 * @returns {{ edges: number[], normals: Float32Array }}
 */
export function findEdges(points, triangles) {
  const { normals, areas } = faceNormals(points, triangles);
  const along = (/** @type {number} */ s, /** @type {number} */ t) =>
    normals[s] * normals[t] + normals[s + 1] * normals[t + 1] + normals[s + 2] * normals[t + 2];
  /** @type {Map<number, { t: number, drawn: boolean }>} */
  const sides = new Map();
  const most = points.length;
  for (let t = 0; t < triangles.length; t += 3) {
    for (let k = 0; k < 3; k++) {
      const [p, q] = [triangles[t + k], triangles[t + ((k + 1) % 3)]];
      const key = Math.min(p, q) * most + Math.max(p, q);
      const other = sides.get(key);
      if (!other) sides.set(key, { t, drawn: true });
      else other.drawn = Math.abs(along(t, other.t)) < CREASE;
    }
  }
  const edges = [...sides]
    .filter(([, side]) => side.drawn)
    .flatMap(([key]) => [Math.floor(key / most), key % most]);
  return { edges, normals: smoothNormals(triangles, normals, areas, along) };
}

/**
 * At each corner the mean of the normals there that differ little from the triangle's own.
 * @param {number[]} triangles
 * @param {Float32Array} normals
 * @param {Float32Array} areas
 * @param {(s: number, t: number) => number} along
 */
function smoothNormals(triangles, normals, areas, along) {
  /** @type {Map<number, number[]>} */
  const around = new Map();
  triangles.forEach((p, c) => {
    const list = around.get(p);
    if (list) list.push(c - (c % 3));
    else around.set(p, [c - (c % 3)]);
  });
  const smooth = new Float32Array(3 * triangles.length);
  triangles.forEach((p, c) => {
    const own = c - (c % 3);
    const sum = [0, 0, 0];
    for (const t of around.get(p) ?? []) {
      const cosine = along(own, t);
      if (Math.abs(cosine) < CREASE) continue;
      const share = Math.sign(cosine) * areas[t / 3]; // neighbours may run the other way around
      for (let k = 0; k < 3; k++) sum[k] += share * normals[t + k];
    }
    const size = Math.hypot(sum[0], sum[1], sum[2]) || 1;
    for (let k = 0; k < 3; k++) smooth[3 * c + k] = sum[k] / size;
  });
  return smooth;
}

/**
 * How much of what is seen from a point, out of the whole sphere, is the back of a surface rather than its front
 * (van Oosterom and Strackee 1983): 1 within a closed one that faces outward, 0 outside of it.
 * @param {Surface} surface
 * @param {number[]} from
 */
export function windingAt({ points, triangles }, from) {
  const stride = 3 * Math.max(1, Math.floor(triangles.length / 3 / 5000)); // of large ones, a sample
  let sum = 0;
  for (let t = 0; t < triangles.length; t += stride) {
    const [a, b, c] = [0, 1, 2].map((k) =>
      [0, 1, 2].map((axis) => points[3 * triangles[t + k] + axis] - from[axis]),
    );
    const [la, lb, lc] = [a, b, c].map((v) => Math.hypot(v[0], v[1], v[2]));
    const dot = (/** @type {number[]} */ u, /** @type {number[]} */ v) =>
      u[0] * v[0] + u[1] * v[1] + u[2] * v[2];
    const volume =
      a[0] * (b[1] * c[2] - b[2] * c[1]) +
      a[1] * (b[2] * c[0] - b[0] * c[2]) +
      a[2] * (b[0] * c[1] - b[1] * c[0]);
    sum += 2 * Math.atan2(volume, la * lb * lc + dot(a, b) * lc + dot(b, c) * la + dot(c, a) * lb);
  }
  return (sum * stride) / 3 / (4 * Math.PI);
}
