// Grains with an outline, in the plane. The corners lie in a texture, and the shader measures the distance to the
// outline at every pixel, so that rounded corners are round at any size.
import * as THREE from "three";
import { common, encodeId } from "./glsl.js";

const WIDTH = 1024;

const vertex = /* glsl */ `${common}
in vec2 corner;
in vec3 place;
in float radius, value, shape, body;
in vec4 turn;
uniform float unit;
out vec2 seen, lit;
flat out float hue, size;
flat out int form;
flat out uint id;
void main() {
  float reach = radius + 2.0 * unit;
  vec2 own = reach * corner;
  float angle = 2.0 * atan(turn.z, turn.w);
  vec2 turned = mat2(cos(angle), sin(angle), -sin(angle), cos(angle)) * own;
  seen = own; lit = turned; hue = value; size = radius; form = int(shape); id = uint(body);
  vec4 c = modelViewMatrix * vec4(place + shift + vec3(turned, 0.0), 1.0);
  gl_Position = value < 0.0 ? vec4(2.0, 2.0, 2.0, 1.0) : projectionMatrix * c;
}`;

const fragment = /* glsl */ `${common}${encodeId}
in vec2 seen, lit;
flat in float hue, size;
flat in int form;
flat in uint id;
uniform sampler2D table, outlines;
uniform float listed, unit;
uniform bool marks;
uniform int look;
uniform vec3 rim;
out vec4 result;
vec4 fetch(int i) { return texelFetch(outlines, ivec2(i % ${WIDTH}, i / ${WIDTH}), 0); }

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

void main() {
  vec4 head = fetch(form); // first part, number of parts
  float off = 1e30;
  for (int i = 0; i < int(head.y); i++) {
    vec4 part = fetch(int(head.x) + i); // first corner, number of corners, rounding
    off = min(off, polygon(seen, int(part.x), int(part.y)) - part.z);
  }
  float margin = -off / unit;
  #ifdef PICK
  if (margin < 0.0) discard;
  result = encodeId(id, 1u);
  #else
  float cover = clamp(0.5 + margin, 0.0, 1.0);
  if (cover <= 0.0) discard;
  float at = listed > 0.0 ? (floor(hue + 0.5) + 0.5) / 256.0 : (hue * 255.0 + 0.5) / 256.0;
  vec3 base = texture(table, vec2(at, 0.5)).rgb;
  float pixels = size / unit, line = clamp(0.06 * pixels, 0.0, 1.6);
  float ink = line > 0.2 ? 1.0 - clamp(margin - line + 0.5, 0.0, 1.0) : 0.0;
  vec3 fill = look == 1 ? mix(rim, base, 0.38) : base;
  vec3 outline = look == 1 ? mix(rim, base, 0.75) : base * 0.55;
  fill *= look == 1 ? 1.0 : 1.0 + 0.07 * (lit.y - lit.x) / size; // as disks
  if (marks && pixels > 5.0 && seen.x > 0.0) {
    fill = mix(fill, outline, 1.0 - clamp(abs(seen.y) / unit - clamp(0.05 * pixels, 0.4, 1.4) + 0.5, 0.0, 1.0));
  }
  result = vec4(mix(fill, outline, ink), cover);
  #endif
}`;

/** Heads of shapes, heads of parts, corners: one texel each. */
function outlineTexture(shapes) {
  const parts = shapes.reduce((sum, shape) => sum + shape.parts.length, 0);
  const corners = shapes.reduce(
    (sum, shape) => sum + shape.parts.reduce((n, part) => n + part.corners.length, 0),
    0,
  );
  const total = shapes.length + parts + corners,
    height = Math.max(1, Math.ceil(total / WIDTH));
  const data = new Float32Array(4 * WIDTH * height);
  let part = shapes.length,
    corner = shapes.length + parts;
  shapes.forEach((shape, s) => {
    data.set([part, shape.parts.length, 0, 0], 4 * s);
    for (const piece of shape.parts) {
      data.set([corner, piece.corners.length, piece.rounding, 0], 4 * part++);
      for (const [x, y] of piece.corners) data.set([x, y, 0, 0], 4 * corner++);
    }
  });
  const texture = new THREE.DataTexture(data, WIDTH, height, THREE.RGBAFormat, THREE.FloatType);
  texture.needsUpdate = true;
  return texture;
}

export class ShapedGrains {
  /** `shapes`: [{parts: [{rounding, corners: [[x, y]...]}]}]; `shapeOf(i)`: number of the body's shape, or -1. */
  constructor(stage, grains, shapes, shapeOf) {
    this.grains = grains;
    this.bodies = [];
    for (let i = 0; i < grains.count; i++) if (shapeOf(i) >= 0) this.bodies.push(i);
    const count = this.bodies.length;
    const geometry = new THREE.InstancedBufferGeometry();
    geometry.setAttribute("corner", grains.geometry.getAttribute("corner"));
    geometry.setIndex([0, 1, 2, 0, 2, 3]);
    for (const [name, width] of [
      ["place", 3],
      ["value", 1],
      ["turn", 4],
      ["radius", 1],
      ["shape", 1],
      ["body", 1],
    ]) {
      const column = new THREE.InstancedBufferAttribute(
        new Float32Array(Math.max(1, count) * width),
        width,
      );
      geometry.setAttribute(name, column.setUsage(THREE.DynamicDrawUsage));
      this[name] = column;
    }
    this.bodies.forEach((i, k) => {
      this.radius.array[k] = grains.radius[i];
      this.shape.array[k] = shapeOf(i);
      this.body.array[k] = i;
    });
    geometry.instanceCount = count;
    const { uniforms } = grains.material;
    this.material = stage.material({
      vertexShader: vertex,
      fragmentShader: fragment,
      uniforms: { ...uniforms, outlines: { value: outlineTexture(shapes) } },
    });
    this.material.transparent = true;
    stage.addCopies(geometry, this.material, stage.pickMaterial(this.material), 1);
  }

  /** Takes over places, turns and colours of the grains. */
  update() {
    for (const [name, width] of [
      ["place", 3],
      ["value", 1],
      ["turn", 4],
    ]) {
      const from = this.grains[name].array,
        to = this[name].array;
      this.bodies.forEach((i, k) => {
        for (let c = 0; c < width; c++) to[width * k + c] = from[width * i + c];
      });
      this[name].needsUpdate = true;
    }
  }
}
