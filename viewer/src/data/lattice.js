// The lattice of a periodic cell, whose edges may change from frame to frame.

/**
 * @param {number[]} a
 * @param {number[]} b
 */
const cross = (a, b) => [
  a[1] * b[2] - a[2] * b[1],
  a[2] * b[0] - a[0] * b[2],
  a[0] * b[1] - a[1] * b[0],
];

/**
 * @param {number[]} a
 * @param {number[]} b
 */
const dot = (a, b) => a[0] * b[0] + a[1] * b[1] + a[2] * b[2];

export class Lattice {
  /** @param {number[][]} edges three vectors, zero along directions that are not periodic */
  constructor(edges) {
    this.edges = edges;
    this.periodic = edges.map((edge) => edge.some((x) => x !== 0));
    const full = edges.map((edge, k) =>
      this.periodic[k] ? edge : [0, 1, 2].map((axis) => (axis === k ? 1 : 0)),
    );
    const volume = dot(full[0], cross(full[1], full[2]));
    /** What a vector is multiplied with to count edges. */
    this.counts = full.map((_, k) =>
      cross(full[(k + 1) % 3], full[(k + 2) % 3]).map((x) => x / volume),
    );
  }

  /**
   * The sum of edges, each so many times.
   * @param {number[]} times
   */
  sum(times) {
    return [0, 1, 2].map((axis) => this.edges.reduce((x, e, k) => x + times[k] * e[axis], 0));
  }

  /**
   * Moves a point to its periodic image nearest to another point.
   * @param {number[]} point
   * @param {number[]} other
   */
  nearest(point, other) {
    const apart = point.map((x, k) => x - other[k]);
    const times = this.counts.map((count, k) =>
      this.periodic[k] ? -Math.round(dot(count, apart)) : 0,
    );
    this.sum(times).forEach((x, k) => (point[k] += x));
  }

  /** @param {Lattice} other */
  equals(other) {
    return this.edges.every((edge, k) => edge.every((x, axis) => x === other.edges[k][axis]));
  }
}
