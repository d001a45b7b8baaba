// Walls of triangles without a browser: where they have edges, how their normals run, and which side grains are on.
import assert from "node:assert/strict";
import { findEdges, windingAt } from "../../viewer/src/data/surface.js";

const CUBE = {
  points: [0, 1, 2, 3, 4, 5, 6, 7].flatMap((k) => [k & 1, (k >> 1) & 1, (k >> 2) & 1]),
  // counterclockwise seen from outside
  triangles: [
    [0, 2, 3, 1],
    [4, 5, 7, 6],
    [0, 1, 5, 4],
    [2, 6, 7, 3],
    [0, 4, 6, 2],
    [1, 3, 7, 5],
  ].flatMap(([a, b, c, d]) => [a, b, c, a, c, d]),
};

/** A pipe around the z axis with so many sides, open at both ends, facing outward. */
function pipe(sides, length = 2) {
  const points = [],
    triangles = [];
  for (let k = 0; k < sides; k++) {
    const angle = (2 * Math.PI * k) / sides;
    for (const z of [-length / 2, length / 2]) points.push(Math.cos(angle), Math.sin(angle), z);
    const [a, b] = [2 * k, 2 * ((k + 1) % sides)];
    triangles.push(a, b, b + 1, a, b + 1, a + 1);
  }
  return { points, triangles };
}

const near = (a, b, most) => assert.ok(Math.abs(a - b) < most, `${a} is not ${b}`);

// A cube has its twelve edges, and no diagonals; its faces are flat.
{
  const { edges, normals } = findEdges(CUBE.points, CUBE.triangles);
  const pairs = new Set();
  for (let k = 0; k < edges.length; k += 2)
    pairs.add([edges[k], edges[k + 1]].sort((a, b) => a - b).join());
  assert.equal(pairs.size, 12);
  for (const pair of pairs) {
    const [p, q] = pair.split(",").map(Number);
    assert.ok([1, 2, 4].includes(p ^ q), `${pair} is a diagonal`);
  }
  for (let c = 0; c < normals.length; c += 3) {
    const n = [...normals.subarray(c, c + 3)].map(Math.abs).sort();
    [0, 0, 1].forEach((x, k) => near(n[k], x, 1e-6));
  }
  console.log("ok     a cube has twelve edges and flat faces");
}

// A pipe of 36 sides bends by ten degrees from one to the next: only its ends are edges, and at each corner the normal
// points away from the axis, up to the share of its two triangles on one side and one on the other.
{
  const { points, triangles } = pipe(36);
  const { edges, normals } = findEdges(points, triangles);
  assert.equal(edges.length / 2, 72);
  triangles.forEach((p, c) => {
    const angle = Math.atan2(points[3 * p + 1], points[3 * p]);
    const n = [...normals.subarray(3 * c, 3 * c + 3)];
    const off = Math.acos(Math.min(1, n[0] * Math.cos(angle) + n[1] * Math.sin(angle)));
    assert.ok(off < (5 / 3 + 0.1) * (Math.PI / 180), `${off}`); // (2 * 5 - 5) / 3 degrees
    near(n[2], 0, 1e-6);
  });
  // one of eight sides is a prism
  assert.equal(findEdges(...Object.values(pipe(8))).edges.length / 2, 8 + 16);
  console.log("ok     a pipe is smooth, a prism is not");
}

// What is within a closed surface sees its back all around, what is outside as much of the back as of the front. Half
// the sphere lies beyond a plane, and beyond the ends of a pipe what their two caps leave: a cap of half angle a covers
// (1 - cos a) / 2 of it.
{
  near(windingAt(CUBE, [0.3, 0.6, 0.2]), 1, 1e-9);
  near(windingAt(CUBE, [1.3, 0.6, 0.2]), 0, 1e-9);
  const far = 1e4;
  const plane = { points: [-far, -far, 0, far, -far, 0, 0, far, 0], triangles: [0, 1, 2] };
  near(windingAt(plane, [0, -0.1 * far, 1e-3]), -0.5, 1e-3); // grains above, normals toward them
  near(windingAt(plane, [0, -0.1 * far, -1e-3]), 0.5, 1e-3);
  near(windingAt(pipe(720), [0, 0, 0]), Math.cos(Math.atan(1)), 1e-4);
  console.log("ok     winding numbers are solid angles");
}
