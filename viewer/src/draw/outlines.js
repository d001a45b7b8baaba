// Grains with an outline, in the plane. The corners lie in a texture, and the shader measures the
// distance to the outline at every pixel, so that rounded corners are round at any size.
import * as THREE from "three";
import { flatFragment, flatVertex } from "./glsl.js";
import { Squares } from "./squares.js";

const TEXTURE_WIDTH = 1024;

const vertex = flatVertex(
  "in float shape, body; flat out int form;",
  "form = int(shape); id = uint(body);",
);

const fragment = flatFragment(/* glsl */ `
flat in int form;
uniform sampler2D outlines;
uniform float shrink;
vec4 fetch(int i) { return texelFetch(outlines, ivec2(i % ${TEXTURE_WIDTH}, i / ${TEXTURE_WIDTH}), 0); }

// Distance to a polygon, negative within: the nearest of its sides, and whether a line to the right
// crosses it an odd number of times.
float polygon(vec2 p, int first, int count) {
  float near2 = 1e30;
  bool within = false;
  vec2 a = fetch(first + count - 1).xy;
  for (int i = 0; i < count; i++) {
    vec2 b = fetch(first + i).xy, side = b - a, to = p - a;
    float t = clamp(dot(to, side) / max(dot(side, side), 1e-30), 0.0, 1.0);
    vec2 off = to - t * side;
    near2 = min(near2, dot(off, off));
    if ((a.y > p.y) != (b.y > p.y) && p.x < a.x + (p.y - a.y) / (b.y - a.y) * side.x) within = !within;
    a = b;
  }
  return within && count > 2 ? -sqrt(near2) : sqrt(near2);
}

float marginAt() {
  vec4 head = fetch(form); // first part, number of parts
  float off = 1e30;
  for (int i = 0; i < int(head.y); i++) {
    vec4 part = fetch(int(head.x) + i); // first corner, number of corners, rounding
    off = min(off, polygon(own / shrink, int(part.x), int(part.y)) - part.z);
  }
  return -off * shrink / unit;
}
`);

/**
 * Heads of shapes, heads of parts, corners: one texel each.
 * @param {Shape[]} shapes
 */
function outlineTexture(shapes) {
  const parts = shapes.flatMap((shape) => shape.parts);
  const corners = parts.flatMap((part) => part.corners);
  const heads = shapes.length + parts.length;
  const height = Math.max(1, Math.ceil((heads + corners.length) / TEXTURE_WIDTH));
  const data = new Float32Array(4 * TEXTURE_WIDTH * height);
  let part = shapes.length;
  let corner = heads;
  shapes.forEach((shape, s) => {
    data.set([part, shape.parts.length, 0, 0], 4 * s);
    for (const piece of shape.parts) {
      data.set([corner, piece.corners.length, piece.rounding, 0], 4 * part++);
      corner += piece.corners.length;
    }
  });
  corners.forEach(([x, y], k) => data.set([x, y, 0, 0], 4 * (heads + k)));
  const texture = new THREE.DataTexture(
    data,
    TEXTURE_WIDTH,
    height,
    THREE.RGBAFormat,
    THREE.FloatType,
  );
  texture.needsUpdate = true;
  return texture;
}

export class OutlinedGrains {
  /**
   * @param {Stage} stage
   * @param {Run} run
   * @param {Grains} grains all of them, whose places, turns, colours and look these share
   */
  constructor(stage, run, grains) {
    this.grains = grains;
    /** @type {number[]} */
    this.bodies = [];
    for (let i = 0; i < run.count; i++) if (run.shapeOf(i) >= 0) this.bodies.push(i);
    this.squares = new Squares(
      { place: 3, value: 1, turn: 4, radius: 1, shape: 1, body: 1 },
      this.bodies.length,
    );
    const { radius, shape, body } = this.squares.arrays;
    this.bodies.forEach((i, k) => {
      radius[k] = run.radius[i];
      shape[k] = run.shapeOf(i);
      body[k] = i;
    });
    const material = stage.material({
      vertexShader: vertex,
      fragmentShader: fragment,
      uniforms: { ...grains.uniforms, outlines: { value: outlineTexture(run.shapes) } },
    });
    material.transparent = true;
    stage.addCopies(this.squares.geometry, material, 1);
  }

  /** Copies positions, rotations and colours from the grains. */
  update() {
    this.squares.copy(this.grains.squares, this.bodies);
  }
}
