// Scenes of disks and balls for the tests of the page, and how to find them again in a picture.
import assert from "node:assert/strict";

// Disks that stay where they are (no gravity), each of its own material; no two touch.
export const DISKS = [
  [0, 0, 0.5],
  [3, 0.4, 0.8],
  [-2.5, 1.2, 0.6],
  [1.1, 2.6, 0.7],
  [-1.2, -2.2, 0.9],
  [2.8, -2.4, 0.4],
];

export const flatScene = `dimension: 2
gravity: [0, 0]
time: {step: 0.01, end: 0.2}
materials:
${DISKS.map((_, i) => `  m${i}: {density: 1${i === 2 ? ', colour: "#c04020"' : ""}}`).join("\n")}
grains:
${DISKS.map(([x, y, r], i) => `  - {at: [[${x}, ${y}]], radius: ${r}, material: m${i}}`).join("\n")}
output: {every: 0.05}
`;

export const deepScene = flatScene
  .replace("dimension: 2", "dimension: 3")
  .replace("gravity: [0, 0]", "gravity: [0, 0, 0]")
  .replace(/at: \[\[([^\]]+)\]\]/g, "at: [[$1, 0]]");

export const heapScene = `dimension: 3
gravity: [0, 0, -9.81]
time: {step: 2e-3, end: 0.6}
materials:
  stone: {density: 2600, friction: 0.5}
walls:
  tank: {box: {min: [0, 0, 0], max: [1, 1, 2]}, open: top}
grains:
  - {count: 150, radius: {uniform: [0.06, 0.08]}, material: stone, fill: {min: [0, 0, 0], max: [1, 1, 2]}}
output: {every: 0.02}
solver: {on_failure: continue}
`;

/**
 * Spots against known disks: there are as many, and one scale and one shift carry all centres onto each other (y turned
 * over), within `tolerance` pixels; areas follow the radii, as well as an outline can be told: half a pixel. Returns the spot of
 * each disk.
 */
export function match(found, disks, tolerance, outline = 0.5) {
  assert.equal(found.length, disks.length, `${found.length} spots for ${disks.length} grains`);
  // by radius: the disks all differ in size
  const bySize = [...found].sort((a, b) => a.area - b.area),
    order = disks.map((_, i) => i).sort((i, k) => disks[i][2] - disks[k][2]);
  const spot = [];
  order.forEach((i, k) => {
    spot[i] = bySize[k];
  });
  const mean = (list) => list.reduce((a, b) => a + b, 0) / list.length;
  const cx = mean(disks.map((d) => d[0])),
    cy = mean(disks.map((d) => d[1])),
    sx = mean(spot.map((s) => s.x)),
    sy = mean(spot.map((s) => s.y));
  let above = 0,
    below = 0;
  disks.forEach(([x, y], i) => {
    above += (x - cx) * (spot[i].x - sx) - (y - cy) * (spot[i].y - sy);
    below += (x - cx) ** 2 + (y - cy) ** 2;
  });
  const scale = above / below;
  disks.forEach(([x, y, r], i) => {
    const off = Math.hypot(spot[i].x - sx - scale * (x - cx), spot[i].y - sy + scale * (y - cy));
    assert.ok(off < tolerance, `grain ${i} is ${off.toFixed(2)} pixels off its place`);
    const radius = Math.sqrt(spot[i].area / Math.PI);
    assert.ok(
      Math.abs(radius - scale * r) < outline,
      `grain ${i} has a radius of ${radius.toFixed(2)} pixels, not ${(scale * r).toFixed(2)}`,
    );
  });
  return spot;
}
