// Round grains: one square each, on which the shader draws a sphere (or a disk) exactly.
import * as THREE from "three";
import { common, depth, encodeId, flatFragment, flatVertex, grainColour, light } from "./glsl.js";
import { Squares } from "./squares.js";

const SMALL = 0.45; // of the radius

// The square stands across the line of sight through the centre, and just holds the sphere's
// outline: at distance d a sphere of radius r is seen as a cone that meets this plane at r d /
// sqrt(d^2 - r^2).
const sphereVertex = /* glsl */ `${common}
in vec2 corner;
in vec3 place;
in float radius, value;
in vec4 turn;
uniform float shrink;
out vec3 seen;
flat out vec3 centre;
flat out float size, hue;
flat out vec4 orientation;
flat out uint id;
void main() {
  vec3 c = (modelViewMatrix * vec4(place + shift, 1.0)).xyz;
  float r = shrink * radius;
  vec3 axis = ortho ? vec3(0.0, 0.0, 1.0) : -normalize(c);
  float d2 = dot(c, c);
  float reach = ortho ? r : r * sqrt(d2 / max(d2 - r * r, 1e-6 * d2));
  vec3 right = normalize(cross(abs(axis.y) < 0.99 ? vec3(0.0, 1.0, 0.0) : vec3(1.0, 0.0, 0.0), axis));
  vec3 up = cross(axis, right);
  seen = c + 1.06 * reach * (corner.x * right + corner.y * up);
  centre = c; size = r; hue = value; orientation = turn; id = uint(gl_InstanceID);
  gl_Position = value < 0.0 || r <= 0.0 ? NOWHERE : projectionMatrix * vec4(seen, 1.0);
}`;

const sphereFragment = /* glsl */ `${common}${light}${depth}${encodeId}${grainColour}
in vec3 seen;
flat in vec3 centre;
flat in float size, hue;
flat in vec4 orientation;
flat in uint id;
uniform mat3 viewToWorld;
out vec4 result;
vec3 backwards(vec4 q, vec3 v) { // into the frame of the body; q is x, y, z, w
  vec3 t = 2.0 * cross(-q.xyz, v);
  return v + q.w * t + cross(-q.xyz, t);
}
void main() {
  vec3 from = ortho ? vec3(seen.xy, 0.0) : vec3(0.0);
  vec3 along = ortho ? vec3(0.0, 0.0, -1.0) : normalize(seen);
  vec3 off = centre - from;
  float near = dot(off, along);
  float miss2 = dot(off, off) - near * near;
  float inside = size * size - miss2;
  #ifdef PICK
  if (inside < 0.0) discard;
  #else
  // how far within the outline, in pixels
  float margin = size - sqrt(max(miss2, 0.0));
  float cover = clamp(0.5 + margin / max(fwidth(margin), 1e-12), 0.0, 1.0);
  if (cover <= 0.0) discard;
  #endif
  vec3 hit = from + along * (near - sqrt(max(inside, 0.0)));
  vec3 n = normalize(hit - centre); // normalized, since just outside the outline it is longer than the radius
  gl_FragDepth = depthOf(hit);
  #ifdef PICK
  result = encodeId(id, 1u);
  #else
  vec3 base = colourOf(hue, id);
  if (marks) {
    vec3 body = backwards(orientation, viewToWorld * n);
    float band = min(abs(body.x), abs(body.y));
    base *= mix(0.55, 1.0, smoothstep(0.06, 0.09, band));
  }
  if (look == GLASS) {
    float face = clamp(-dot(n, along), 0.0, 1.0);
    result = vec4(mix(base, paper, 0.25), cover * (0.05 + 0.3 * pow(1.0 - face, 2.5)));
  } else {
    result = vec4(lit(base, n, hit, 0.12), cover);
  }
  #endif
}`;

const diskVertex = flatVertex("", "id = uint(gl_InstanceID);");
const diskFragment = flatFragment("float marginAt() { return (size - length(seen)) / unit; }");

export class Grains {
  /**
   * @param {Stage} stage
   * @param {Run} run
   */
  constructor(stage, run) {
    this.flat = run.flat;
    this.count = run.count;
    this.squares = new Squares({ place: 3, value: 1, turn: 4, radius: 1 }, run.count);
    const { place, value, turn, radius } = this.squares.arrays;
    this.sizes = radius; // 0: another shape
    this.places = place; // written in place: nothing is copied on the way to the GPU
    this.hues = value; // 0 to 1, or a number in a list; negative hides the grain
    this.turns = turn;
    for (let i = 0; i < run.count; i++) {
      radius[i] = run.shapeOf(i) >= 0 ? 0 : run.radius[i];
      turn[4 * i + 3] = 1; // not turned
    }
    this.squares.upload(run.count);
    this.uniforms = {
      table: { value: stage.table },
      listed: { value: 0 },
      marks: { value: false },
      look: { value: 0 },
      paper: { value: stage.paper },
      shrink: { value: 1 },
    };
    this.material = stage.material({
      vertexShader: this.flat ? diskVertex : sphereVertex,
      fragmentShader: this.flat ? diskFragment : sphereFragment,
      uniforms: this.uniforms,
    });
    if (this.flat) this.material.transparent = true;
    else this.setGlass(false);
    stage.addCopies(this.squares.geometry, this.material, 1, !run.flat);
  }

  /** @param {{ style: Settings["grains"], marks: boolean, listed: boolean }} look */
  setLook({ style, marks, listed }) {
    const glass = style === "glass";
    this.uniforms.look.value = glass ? 1 : 0;
    this.uniforms.shrink.value = style === "small" ? SMALL : style === "hidden" ? 0 : 1;
    this.uniforms.marks.value = marks;
    this.uniforms.listed.value = listed ? 1 : 0;
    if (!this.flat) this.setGlass(glass);
  }

  /**
   * Solid spheres get smooth outlines from alpha to coverage, which covers only some of a pixel's
   * samples; the alpha itself must not reach the canvas, or the page would show through.
   * @param {boolean} glass
   */
  setGlass(glass) {
    Object.assign(this.material, {
      transparent: glass,
      depthWrite: !glass,
      alphaToCoverage: !glass,
      blending: glass ? THREE.NormalBlending : THREE.CustomBlending,
      blendSrc: THREE.OneFactor,
      blendDst: THREE.ZeroFactor,
      blendSrcAlpha: THREE.ZeroFactor,
      blendDstAlpha: THREE.OneFactor,
      needsUpdate: true,
    });
  }

  /**
   * Call after writing to `places`; orientations (w, x, y, z) are passed only if they are needed.
   * @param {Float32Array | null} orientation
   */
  moved(orientation) {
    this.squares.upload(this.count, ["place"]);
    if (!orientation) return;
    for (let i = 0; i < this.count; i++) {
      for (let c = 0; c < 4; c++) this.turns[4 * i + c] = orientation[4 * i + ((c + 1) % 4)];
    }
    this.squares.upload(this.count, ["turn"]);
  }

  /**
   * Grains that grow.
   * @param {Run} run
   * @param {ArrayLike<number>} radii
   */
  resized(run, radii) {
    for (let i = 0; i < this.count; i++) this.sizes[i] = run.shapeOf(i) >= 0 ? 0 : radii[i];
    this.squares.upload(this.count, ["radius"]);
  }

  /** Call after writing to `hues`. */
  coloured() {
    this.squares.upload(this.count, ["value"]);
  }
}
