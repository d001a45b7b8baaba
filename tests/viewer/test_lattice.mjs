// Periodic images in a cell with oblique edges, against a search over all of its neighbours.
import assert from "node:assert/strict";
import { Column } from "../../viewer/src/data/block.js";
import { spreadBodies } from "../../viewer/src/data/spread.js";
import { Lattice } from "../../viewer/src/data/lattice.js";

const size = (v) => Math.hypot(...v);
const minus = (a, b) => a.map((x, k) => x - b[k]);

/** The shortest way from `other` to an image of the point. */
function shortest(lattice, point, other) {
  const around = lattice.periodic.map((is) => (is ? [-2, -1, 0, 1, 2] : [0]));
  const ways = around[0].flatMap((x) =>
    around[1].flatMap((y) =>
      around[2].map((z) => {
        const moved = lattice.sum([x, y, z]);
        return size(minus(point, other).map((d, k) => d + moved[k]));
      }),
    ),
  );
  return Math.min(...ways);
}

let seed = 1;
function random() {
  seed = (seed * 16807) % 2147483647;
  return seed / 2147483647;
}

const cells = [
  [
    [4, 0, 0],
    [0, 3, 0],
    [0, 0, 5],
  ],
  [
    [4, 0, 0],
    [-1.9, 3, 0],
    [0, 0, 0],
  ],
  [
    [4, 0.5, 0],
    [1.5, 5, -1],
    [-1, 2, 6],
  ],
  [
    [0, 0, 0],
    [0, 3, 0],
    [0, 1.4, 4],
  ],
];
for (const edges of cells) {
  const lattice = new Lattice(edges);
  const sum = [0, 1, 2].map((k) => edges[0][k] - 2 * edges[1][k] + 3 * edges[2][k]);
  assert.ok(size(minus(lattice.sum([1, -2, 3]), sum)) < 1e-12);
  for (let trial = 0; trial < 300; trial++) {
    const other = [random(), random(), random()].map((x) => 10 * x - 5);
    // a contact: shorter than a quarter of the cell, seen across any of its sides
    const near = [random(), random(), random()].map((x) => 1.1 * x - 0.55);
    const times = edges.map((edge) => (size(edge) > 0 ? Math.floor(5 * random()) - 2 : 0));
    const moved = lattice.sum(times);
    const point = other.map((x, k) => x + near[k] + moved[k]);
    const found = [...point];
    lattice.nearest(found, other);
    assert.ok(Math.abs(size(minus(found, other)) - size(near)) < 1e-9);
    assert.ok(Math.abs(size(near) - shortest(lattice, found, other)) < 1e-9);
  }
}
assert.ok(new Lattice(cells[1]).equals(new Lattice(cells[1])));
assert.ok(!new Lattice(cells[1]).equals(new Lattice(cells[0])));

// grains 2 and 0 are there: their columns are spread over the places of all, those of the cell are not
const column = (data, width) => Column.of(Float32Array.from(data), width);
const edge = column(cells[2].flat(), 3);
const frame = {
  identity: Column.of(Int32Array.from([2, 0]), 1),
  speed: column([5, 7], 1),
  "cell.edge": edge,
};
const placed = spreadBodies(frame, 3);
assert.deepEqual([...placed.speed.data], [7, NaN, 5]);
assert.equal(placed["cell.edge"], edge);

console.log("lattices: as found by a search");
