// Round grains: one instanced square each, on which the shader draws a sphere (or a disk) exactly.
import * as THREE from "three";
import { common, depth, encodeId, light } from "./glsl.js";

export const STYLE = { solid: 0, glass: 1, small: 2, hidden: 3 };
const SMALL = 0.45; // of the radius

const head = /* glsl */ `${common}
in vec2 corner;
in vec3 place;
in float radius, value;
in vec4 turn;
uniform float shrink, unit;
flat out vec3 centre;
flat out float size, hue;
flat out vec4 orientation;
flat out uint id;
`;

// The square stands across the line of sight through the centre, and just holds the sphere's outline:
// at distance d a sphere of radius r is seen as a cone that meets this plane at r d / sqrt(d^2 - r^2).
const vertexSphere = /* glsl */ `${head}
out vec3 seen;
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
  gl_Position = value < 0.0 || r <= 0.0 ? vec4(2.0, 2.0, 2.0, 1.0) : projectionMatrix * vec4(seen, 1.0);
}`;

const vertexDisk = /* glsl */ `${head}
out vec2 seen;
void main() {
  vec3 c = (modelViewMatrix * vec4(place + shift, 1.0)).xyz;
  float r = shrink * radius, reach = r + 2.0 * unit;
  seen = reach * corner;
  centre = c; size = r; hue = value; orientation = turn; id = uint(gl_InstanceID);
  gl_Position = value < 0.0 || r <= 0.0 ? vec4(2.0, 2.0, 2.0, 1.0)
                                        : projectionMatrix * vec4(c + vec3(seen, 0.0), 1.0);
}`;

const fragmentHead = /* glsl */ `
flat in vec3 centre;
flat in float size, hue;
flat in vec4 orientation;
flat in uint id;
uniform sampler2D table;
uniform float listed;
uniform bool marks;
uniform int look;
uniform vec3 rim;
out vec4 result;
vec3 colour() {
  float at = listed > 0.0 ? (floor(hue + 0.5) + 0.5) / 256.0 : (hue * 255.0 + 0.5) / 256.0;
  return texture(table, vec2(at, 0.5)).rgb;
}
vec3 backwards(vec4 q, vec3 v) { // into the frame of the body; q is x, y, z, w
  vec3 t = 2.0 * cross(-q.xyz, v);
  return v + q.w * t + cross(-q.xyz, t);
}
`;

const fragmentSphere = /* glsl */ `${common}${light}${depth}${encodeId}
in vec3 seen;
uniform mat3 viewToWorld;
${fragmentHead}
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
  vec3 n = normalize(hit - centre); // just outside of the outline it is longer than the radius
  gl_FragDepth = depthOf(hit);
  #ifdef PICK
  result = encodeId(id, 1u);
  #else
  vec3 base = colour();
  if (marks) {
    vec3 body = backwards(orientation, viewToWorld * n);
    float band = min(abs(body.x), abs(body.y));
    base *= mix(0.55, 1.0, smoothstep(0.06, 0.09, band));
  }
  if (look == 1) {
    float face = clamp(-dot(n, along), 0.0, 1.0);
    result = vec4(mix(base, rim, 0.25), cover * (0.05 + 0.3 * pow(1.0 - face, 2.5)));
  } else {
    result = vec4(lit(base, n), cover);
  }
  #endif
}`;

const fragmentDisk = /* glsl */ `${common}${encodeId}
in vec2 seen;
uniform float unit;
${fragmentHead}
void main() {
  float margin = (size - length(seen)) / unit; // pixels within the outline
  #ifdef PICK
  if (margin < 0.0) discard;
  result = encodeId(id, 1u);
  #else
  float cover = clamp(0.5 + margin, 0.0, 1.0);
  if (cover <= 0.0) discard;
  vec3 base = colour();
  float pixels = size / unit;
  float line = clamp(0.06 * pixels, 0.0, 1.6);
  float ink = 1.0 - clamp(margin - line + 0.5, 0.0, 1.0);
  vec3 fill = look == 1 ? mix(rim, base, 0.38) : base;
  vec3 outline = look == 1 ? mix(rim, base, 0.75) : base * 0.55;
  fill *= look == 1 ? 1.0 : 1.0 + 0.07 * (seen.y - seen.x) / size;
  if (marks && pixels > 5.0) {
    // a radius that turns with the body
    float angle = 2.0 * atan(orientation.z, orientation.w);
    vec2 dir = vec2(cos(angle), sin(angle));
    float side = abs(dot(seen, vec2(-dir.y, dir.x))) / unit;
    float on = dot(seen, dir) > 0.0 ? 1.0 - clamp(side - clamp(0.05 * pixels, 0.4, 1.4) + 0.5, 0.0, 1.0) : 0.0;
    fill = mix(fill, outline, on);
  }
  result = vec4(mix(fill, outline, line > 0.2 ? ink : 0.0), cover);
  #endif
}`;

export class Grains {
  constructor(stage, radius, hasShape) {
    this.stage = stage;
    this.count = radius.length;
    this.radius = radius;
    const geometry = new THREE.InstancedBufferGeometry();
    geometry.setAttribute(
      "corner",
      new THREE.BufferAttribute(new Float32Array([-1, -1, 1, -1, 1, 1, -1, 1]), 2),
    );
    geometry.setIndex([0, 1, 2, 0, 2, 3]);
    const column = (width) => {
      const made = new THREE.InstancedBufferAttribute(
        new Float32Array(Math.max(1, this.count) * width),
        width,
      );
      return made.setUsage(THREE.DynamicDrawUsage);
    };
    this.place = column(3);
    this.value = column(1);
    this.turn = column(4);
    const drawn = column(1);
    for (let i = 0; i < this.count; i++) drawn.array[i] = hasShape(i) ? 0 : radius[i];
    geometry.setAttribute("place", this.place);
    geometry.setAttribute("value", this.value);
    geometry.setAttribute("turn", this.turn);
    geometry.setAttribute("radius", drawn);
    geometry.instanceCount = this.count;
    this.geometry = geometry;
    const flat = stage.flat;
    this.material = stage.material({
      vertexShader: flat ? vertexDisk : vertexSphere,
      fragmentShader: flat ? fragmentDisk : fragmentSphere,
      uniforms: {
        table: { value: stage.table },
        listed: { value: 0 },
        marks: { value: false },
        look: { value: 0 },
        rim: { value: stage.paper },
        shrink: { value: 1 },
      },
    });
    if (flat) this.material.transparent = true;
    else this.setGlass(false);
    this.picking = stage.pickMaterial(this.material);
    stage.addCopies(geometry, this.material, this.picking, 1);
  }

  /** Shown as a style; `listed` when colours are those of a list. */
  setLook({ style, marks, listed }) {
    const glass = style === STYLE.glass;
    const { uniforms } = this.material;
    uniforms.look.value = glass ? 1 : 0;
    uniforms.shrink.value = style === STYLE.small ? SMALL : style === STYLE.hidden ? 0 : 1;
    uniforms.marks.value = marks;
    uniforms.listed.value = listed ? 1 : 0;
    if (!this.stage.flat) this.setGlass(glass);
  }

  // Solid spheres have smooth outlines by covering only some of the samples of a pixel, as their alpha says; the alpha
  // itself must not reach the canvas, through which the page would then be seen.
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

  /** New positions stand in place.array; orientations are given only when they are asked for. */
  moved(orientation) {
    this.place.needsUpdate = true;
    if (orientation) {
      const { array } = this.turn;
      for (let i = 0; i < this.count; i++) {
        // w, x, y, z to x, y, z, w
        array[4 * i] = orientation[4 * i + 1];
        array[4 * i + 1] = orientation[4 * i + 2];
        array[4 * i + 2] = orientation[4 * i + 3];
        array[4 * i + 3] = orientation[4 * i];
      }
      this.turn.needsUpdate = true;
    }
  }

  /** New colours stand in value.array: 0 to 1, or a number in a list; negative hides the grain. */
  coloured() {
    this.value.needsUpdate = true;
  }
}
