// Grains that are solids, in space. The triangles of every shape lie once in two textures, and each
// grain is an instance of its shape: the vertex shader looks up which point its corner is. Shapes with
// similar numbers of triangles are drawn together, so that it makes no difference whether grains share
// a few shapes or each has its own.
import * as THREE from "three";
import { common, encodeId, grainColour, light } from "./glsl.js";
import { Instances } from "./instances.js";
import { Meshes, unpackNormal } from "./meshes.js";

const GROUP = 1.3; // the numbers of triangles in a group differ at most by this factor
const TEXTURE_WIDTH = 4096;

const vertex = /* glsl */ `${common}${unpackNormal}
in vec3 place;
in vec4 turn;
in vec2 mesh; // first triangle, number of triangles
in float value, radius, soft, body;
uniform highp sampler2D points;
uniform highp usampler2D corners;
uniform float shrink, unit;
out vec3 seen, own, normal, side;
flat out float hue, pixels, softPixels, smooth_;
flat out uint id;
ivec2 texel(int i) { return ivec2(i % ${TEXTURE_WIDTH}, i / ${TEXTURE_WIDTH}); }
vec3 turned(vec3 v) { // turn is x, y, z, w
  vec3 t = 2.0 * cross(turn.xyz, v);
  return v + turn.w * t + cross(turn.xyz, t);
}
void main() {
  if (value < 0.0 || shrink <= 0.0 || gl_VertexID >= 3 * int(mesh.y)) {
    gl_Position = NOWHERE;
    return;
  }
  uint corner = texelFetch(corners, texel(3 * int(mesh.x) + gl_VertexID), 0).r;
  vec4 point = texelFetch(points, texel(int(corner >> 3)), 0);
  own = point.xyz;
  smooth_ = point.w < 0.0 ? 0.0 : 1.0;
  normal = point.w < 0.0 ? vec3(0.0) : mat3(modelViewMatrix) * turned(unpackNormal(point.w));
  // how far from each side that is an edge; others are out of reach
  ivec3 edges = ivec3(corner & 1u, corner & 2u, corner & 4u);
  side = mix(vec3(1000.0), vec3(0.0), greaterThan(edges, ivec3(0)));
  side[gl_VertexID % 3] += 1.0;
  vec4 centre = modelViewMatrix * vec4(place + shift, 1.0);
  seen = (modelViewMatrix * vec4(place + shift + shrink * turned(own), 1.0)).xyz;
  float pixel = ortho ? unit : max(-centre.z, 1e-9) * unit;
  pixels = shrink * radius / pixel;
  softPixels = shrink * soft / pixel;
  hue = value; id = uint(body);
  gl_Position = projectionMatrix * vec4(seen, 1.0);
}`;

const fragment = /* glsl */ `${common}${light}${encodeId}${grainColour}
in vec3 seen, own, normal, side;
flat in float hue, pixels, softPixels, smooth_;
flat in uint id;
out vec4 result;

// Ink along edges: a line on each side of them, thinner and then gone where solids are small, and where
// a rounding can be seen.
float inkAt() {
  vec3 off = side / max(fwidth(side), vec3(1e-9));
  float line = clamp(0.02 * pixels, 0.35, 1.1);
  float ink = 1.0 - smoothstep(line - 0.5, line + 0.5, min(off.x, min(off.y, off.z)));
  return ink * smoothstep(3.0, 14.0, pixels) * (smooth_ > 0.0 ? 1.0 - smoothstep(0.7, 2.5, softPixels) : 1.0);
}

void main() {
  #ifdef PICK
  result = encodeId(id, 1u);
  #else
  vec3 n = smooth_ > 0.0 ? normalize(normal) : normalize(cross(dFdx(seen), dFdy(seen)));
  vec3 base = colourOf(hue, id);
  if (marks) {
    vec3 direction = normalize(own);
    float band = min(abs(direction.x), abs(direction.y));
    base *= mix(0.55, 1.0, smoothstep(0.06, 0.09, band));
  }
  float ink = inkAt();
  if (look == GLASS) {
    vec3 along = ortho ? vec3(0.0, 0.0, -1.0) : normalize(seen);
    float face = clamp(-dot(n, along), 0.0, 1.0);
    float alpha = 0.06 + 0.26 * pow(1.0 - face, 2.5);
    result = vec4(mix(base, paper, 0.25 * (1.0 - ink)), mix(alpha, 0.5, ink));
  } else {
    vec3 colour = lit(base, n, seen, 0.07);
    result = vec4(mix(colour, min(0.42 * base, 0.6 * colour), 0.75 * ink), 1.0);
  }
  #endif
}`;

/**
 * @param {Float32Array | Uint32Array} data
 * @param {number} used how many numbers of it
 * @param {number} width numbers in a texel
 */
function texture(data, used, width) {
  const height = Math.max(1, Math.ceil(used / width / TEXTURE_WIDTH));
  const whole = TEXTURE_WIDTH * height * width;
  const filled = data.length === whole ? data : new /** @type {any} */ (data.constructor)(whole);
  if (filled !== data) filled.set(data.subarray(0, used));
  const real = data instanceof Float32Array;
  const made = new THREE.DataTexture(
    filled,
    TEXTURE_WIDTH,
    height,
    real ? THREE.RGBAFormat : THREE.RedIntegerFormat,
    real ? THREE.FloatType : THREE.UnsignedIntType,
  );
  if (!real) made.internalFormat = "R32UI";
  made.needsUpdate = true;
  return made;
}

/**
 * How far triangles may be off rounded surfaces, in radii of a solid: about a quarter of a pixel while
 * all of them are in the picture.
 * @param {number} solids
 */
const toleranceFor = (solids) => Math.min(0.025, Math.max(0.0015, 0.0005 * Math.cbrt(solids)));

export class SolidGrains {
  /**
   * @param {Stage} stage
   * @param {Run} run
   * @param {Grains} grains all of them, whose places, turns, colours and look these share
   */
  constructor(stage, run, grains) {
    this.grains = grains;
    /** @type {number[]} */
    const bodies = [];
    for (let i = 0; i < run.count; i++) if (run.shapeOf(i) >= 0) bodies.push(i);
    const meshes = new Meshes(toleranceFor(bodies.length));
    /** The triangles of each shape. */
    this.meshes = run.shapes.map((shape) => meshes.add(shape));
    this.material = stage.material({
      vertexShader: vertex,
      fragmentShader: fragment,
      uniforms: {
        ...grains.uniforms,
        points: { value: texture(meshes.points.data, meshes.points.length, 4) },
        corners: { value: texture(meshes.corners.data, meshes.corners.length, 1) },
      },
    });
    this.material.side = THREE.FrontSide;
    this.groups = this.makeGroups(stage, run, bodies);
  }

  /**
   * @param {Stage} stage
   * @param {Run} run
   * @param {number[]} bodies
   */
  makeGroups(stage, run, bodies) {
    /** @type {Map<number, number[]>} */
    const sorted = new Map();
    for (const i of bodies) {
      const size = Math.ceil(Math.log(this.meshes[run.shapeOf(i)].count || 1) / Math.log(GROUP));
      const list = sorted.get(size) ?? [];
      if (list.length === 0) sorted.set(size, list);
      list.push(i);
    }
    return [...sorted.values()].map((list) => {
      const instances = new Instances(
        new THREE.InstancedBufferGeometry(),
        { place: 3, value: 1, turn: 4, mesh: 2, radius: 1, soft: 1, body: 1 },
        list.length,
      );
      const { mesh, radius, soft, body } = instances.arrays;
      let most = 0;
      list.forEach((i, k) => {
        const shape = run.shapeOf(i);
        const { first, count } = this.meshes[shape];
        mesh.set([first, count], 2 * k);
        radius[k] = run.radius[i];
        soft[k] = Math.max(...run.shapes[shape].parts.map((part) => part.rounding));
        body[k] = i;
        most = Math.max(most, count);
      });
      instances.geometry.setDrawRange(0, 3 * most);
      stage.addCopies(instances.geometry, this.material, 1, true);
      return { bodies: list, instances };
    });
  }

  /** @param {boolean} glass */
  setGlass(glass) {
    Object.assign(this.material, { transparent: glass, depthWrite: !glass, needsUpdate: true });
  }

  /** Copies positions, rotations and colours from the grains. */
  update() {
    for (const { bodies, instances } of this.groups) instances.copy(this.grains.squares, bodies);
  }
}
