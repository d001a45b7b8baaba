// Solids as triangles: closed, facing outward, with the volume and the edges of the body that they show. Node alone
// runs this; there is no browser in it.
import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const viewer = join(dirname(fileURLToPath(import.meta.url)), "..", "..", "viewer");
if (!existsSync(join(viewer, "node_modules", "three"))) {
  console.log("skipped: the packages of viewer/ are not there (make viewer-packages)");
  process.exit(77);
}
const { Meshes, packNormal } = await import(join(viewer, "src", "draw", "meshes.js"));

// ---------------------------------------------------------------- solids

const HALF = [0.5, 0.7, 0.3];
const boxCorners = Array.from({ length: 8 }, (_, k) =>
  HALF.map((half, axis) => ((k >> axis) & 1 ? half : -half)),
);
const boxFaces = [
  [0, 2, 3, 1],
  [4, 5, 7, 6],
  [0, 1, 5, 4],
  [2, 6, 7, 3],
  [0, 4, 6, 2],
  [1, 3, 7, 5],
];
const boxTriangles = boxFaces.flatMap(([a, b, c, d]) => [
  [a, b, c],
  [a, c, d],
]);
const box = (rounding = 0, faces = boxFaces) => ({
  parts: [{ corners: boxCorners, faces, rounding }],
});

/** A prism of height 1 over the letter L, whose lower face is not convex. */
function corner(rounding) {
  const outline = [
    [0, 0],
    [2, 0],
    [2, 1],
    [1, 1],
    [1, 2],
    [0, 2],
  ];
  const corners = [0, 1].flatMap((z) => outline.map(([x, y]) => [x, y, z]));
  const sides = outline.map((_, k) => [k, (k + 1) % 6, ((k + 1) % 6) + 6, k + 6]);
  const faces = [[5, 4, 3, 2, 1, 0], [6, 7, 8, 9, 10, 11], ...sides];
  return { parts: [{ corners, faces, rounding }] };
}

// ---------------------------------------------------------------- what is measured

/** All triangles of a solid: corners (x, y, z), numbers of points, stored normals, bits of edges. */
function build(shape, tolerance = 1e-3) {
  const meshes = new Meshes(tolerance);
  const { first, count } = meshes.add(shape);
  const { data } = meshes.points;
  return Array.from({ length: count }, (_, t) => {
    const words = Array.from(meshes.corners.data.subarray(3 * (first + t), 3 * (first + t) + 3));
    const numbers = words.map((word) => word >> 3);
    return {
      numbers,
      edges: words.map((word) => word & 7),
      at: numbers.map((p) => [...data.subarray(4 * p, 4 * p + 3)]),
      normals: numbers.map((p) => data[4 * p + 3]),
    };
  });
}

const minus = (a, b) => a.map((x, k) => x - b[k]);
const dot = (a, b) => a.reduce((sum, x, k) => sum + x * b[k], 0);
const cross = ([a, b, c], [x, y, z]) => [b * z - c * y, c * x - a * z, a * y - b * x];
const near = (a, b, most, what) => assert.ok(Math.abs(a - b) <= most, `${what}: ${a} is not ${b}`);

/** By the divergence theorem: a sixth of the sum of the triple products. */
const volume = (mesh) => mesh.reduce((sum, { at: [a, b, c] }) => sum + dot(a, cross(b, c)) / 6, 0);

/** Every side of every triangle is met once in the other direction, by place since pieces may share none. */
function assertClosed(mesh) {
  const place = (p) => p.map((x) => Math.round(x * 1e5) + 0).join(" ");
  const open = new Map();
  for (const { at } of mesh) {
    at.forEach((p, k) => {
      const [from, to] = [place(p), place(at[(k + 1) % 3])];
      if (from !== to) open.set(`${from}, ${to}`, (open.get(`${from}, ${to}`) ?? 0) + 1);
    });
  }
  for (const [side, times] of open) {
    const [from, to] = side.split(", ");
    assert.equal(open.get(`${to}, ${from}`), times, `the side from ${from} to ${to} is open`);
  }
}

/** The sides that are marked as edges, as pairs of places. */
function edgesOf(mesh) {
  const found = new Map();
  for (const { at, edges } of mesh) {
    assert.ok(edges.every((bits) => bits === edges[0]));
    for (let k = 0; k < 3; k++) {
      if (!(edges[0] & (1 << k))) continue;
      const name = [at[(k + 1) % 3], at[(k + 2) % 3]].map(String).sort().join(" to ");
      found.set(name, (found.get(name) ?? 0) + 1);
    }
  }
  return found;
}

/** Of all points within r of a box with these half lengths: Steiner's formula. */
function roundedBox([a, b, c], r) {
  const surface = 8 * (a * b + b * c + c * a);
  return (
    8 * a * b * c + surface * r + 2 * Math.PI * r * r * (a + b + c) + (4 / 3) * Math.PI * r ** 3
  );
}

function unpack(code) {
  const [u, v] = [Math.floor(code / 4096), code % 4096].map((q) => (2 * q) / 4095 - 1);
  const z = 1 - Math.abs(u) - Math.abs(v);
  const fold = (s, t) => (1 - Math.abs(t)) * (s >= 0 ? 1 : -1);
  const n = z < 0 ? [fold(u, v), fold(v, u), z] : [u, v, z];
  return n.map((x) => x / Math.hypot(...n));
}

// ---------------------------------------------------------------- tests

const tests = {
  "a box is its six faces"() {
    const mesh = build(box());
    assert.equal(mesh.length, 12);
    assertClosed(mesh);
    near(volume(mesh), 8 * HALF[0] * HALF[1] * HALF[2], 1e-6, "volume");
    assert.equal(new Set(mesh.flatMap(({ numbers }) => numbers)).size, 8);
    assert.ok(mesh.every(({ normals }) => normals.every((code) => code < 0)));
  },

  "edges are those of the faces, not of the triangles"() {
    for (const shape of [box(), box(0, boxTriangles)]) {
      const edges = edgesOf(build(shape));
      assert.equal(edges.size, 12);
      assert.ok([...edges.values()].every((times) => times === 2)); // from both sides
    }
    assert.equal(edgesOf(build(corner(0))).size, 18);
  },

  "a face that is not convex is filled as it is"() {
    const mesh = build(corner(0));
    assertClosed(mesh);
    near(volume(mesh), 3, 1e-6, "volume");
    // none of the triangles reaches into the notch
    for (const { at } of mesh) {
      const [x, y] = [0, 1].map((k) => (at[0][k] + at[1][k] + at[2][k]) / 3);
      assert.ok(x <= 1 + 1e-6 || y <= 1 + 1e-6, `${x}, ${y}`);
    }
  },

  "a rounded box has the volume that Steiner found"() {
    for (const [rounding, tolerance] of [
      [0.05, 1e-3],
      [0.2, 1e-3],
      [0.2, 1e-4],
    ]) {
      const mesh = build(box(rounding), tolerance);
      assertClosed(mesh);
      const reach = Math.hypot(...HALF) + rounding;
      const truth = roundedBox(HALF, rounding);
      // its triangles lie within the body, off its surface by at most the tolerance
      const surface = 8 * (HALF[0] * HALF[1] + HALF[1] * HALF[2] + HALF[2] * HALF[0]);
      const round = 4 * Math.PI * rounding * (HALF[0] + HALF[1] + HALF[2] + rounding);
      assert.ok(volume(mesh) < truth);
      assert.ok(
        volume(mesh) > truth - 2 * tolerance * reach * round,
        `${volume(mesh)} of ${truth}`,
      );
      assert.ok(volume(mesh) > truth - 0.01 * surface * rounding);
    }
  },

  "a rounded body without symmetry has no gaps"() {
    // a pyramid with a pointed corner and flat ones: its edges and corners need rows of different widths
    const corners = [
      [0, 0, 0],
      [1, 0, 0],
      [0.8, 0.7, 0],
      [-0.2, 0.6, 0],
      [0.1, 0.2, 2.5],
    ];
    const faces = [
      [3, 2, 1, 0],
      [0, 1, 4],
      [1, 2, 4],
      [2, 3, 4],
      [3, 0, 4],
    ];
    for (const tolerance of [1e-4, 1e-3, 2e-2]) {
      const mesh = build({ parts: [{ corners, faces, rounding: 0.15 }] }, tolerance);
      assertClosed(mesh);
      assert.ok(mesh.length > 30);
    }
  },

  "normals of rounded bodies point from the polyhedron to the surface"() {
    for (const { at, normals } of build(box(0.2))) {
      at.forEach((p, k) => {
        const inner = p.map((x, axis) => Math.min(HALF[axis], Math.max(-HALF[axis], x)));
        const off = minus(p, inner);
        near(Math.hypot(...off), 0.2, 1e-6, "distance from the box");
        near(dot(off, unpack(normals[k])) / 0.2, 1, 1e-6, "normal");
      });
    }
    // and every triangle of the strips and corners faces outward
    for (const { at } of build(box(0.2))) {
      const normal = cross(minus(at[1], at[0]), minus(at[2], at[0]));
      assert.ok(dot(normal, at[0]) > 0);
    }
  },

  "balls and rods are round"() {
    const part = (...corners) => ({ parts: [{ corners, faces: [], rounding: 0.4 }] });
    const ball = build(part([0, 0, 0]), 1e-4);
    assertClosed(ball);
    near(volume(ball), (4 / 3) * Math.PI * 0.4 ** 3, 2e-4, "ball");
    for (const [from, to] of [
      [
        [0, 0, -1],
        [0, 0, 1],
      ],
      [
        [1, -0.5, 0.2],
        [-0.4, 0.3, 0.1],
      ],
    ]) {
      const rod = build(part(from, to), 1e-4);
      const long = Math.hypot(...minus(to, from));
      assertClosed(rod);
      near(volume(rod), Math.PI * 0.16 * (long + (4 / 3) * 0.4), 2e-3, "rod");
    }
  },

  "a rounded body with a notch is closed about its faces"() {
    // faces beside the notch run into each other, so only the outer corners are told by volume
    const mesh = build(corner(0.1));
    for (const axis of [0, 1, 2]) {
      const reach = mesh.flatMap(({ at }) => at.map((p) => p[axis]));
      near(Math.min(...reach), -0.1, 1e-6, "least");
      near(Math.max(...reach), (axis < 2 ? 2 : 1) + 0.1, 1e-6, "most");
    }
    assert.ok(mesh.every(({ at }) => at.every((p) => p.every(Number.isFinite))));
  },

  "bodies of several parts have the triangles of all"() {
    const ball = { corners: [[3, 0, 0]], faces: [], rounding: 0.5 };
    const both = { parts: [box().parts[0], ball] };
    const alone = { parts: [ball] };
    assert.equal(build(both).length, 12 + build(alone).length);
    near(volume(build(both)), volume(build(box())) + volume(build(alone)), 1e-6, "volume");
    assert.ok(build(both, 1e-3).length > build(both, 1e-2).length);
  },

  "normals survive being stored"() {
    for (let i = 0; i < 2000; i++) {
      const z = 1 - (2 * i + 1) / 2000;
      const angle = 2.399963 * i;
      const s = Math.sqrt(1 - z * z);
      const n = [s * Math.cos(angle), s * Math.sin(angle), z];
      // steps of 2 / 4095 in each of two numbers, and less than thrice that on the ball
      assert.ok(Math.hypot(...minus(n, unpack(packNormal(n)))) < 3 * (1 / 4095) * Math.SQRT2);
    }
  },
};

let failed = 0;
for (const [name, test] of Object.entries(tests)) {
  try {
    test();
    console.log(`ok     ${name}`);
  } catch (error) {
    failed++;
    console.log(`FAILED ${name}: ${error.stack}`);
  }
}
process.exit(failed > 0 ? 1 : 0);
