// Walls: solid bands in 2D. In 3D they are seen from where the grains are, and as a veil with edges where they stand
// between the grains and the eye; things that stand among the grains are solid all around.
import * as THREE from "three";
import { common, encodeId, light } from "./glsl.js";
import { buildWalls } from "./wall_shapes.js";

const vertex = /* glsl */ `${common}
in vec3 position, normal;
in float number, chosen, front;
uniform float nearer;
out vec3 seen, facing;
flat out uint id;
flat out float bright, oneSided;
void main() {
  id = uint(number); bright = chosen; oneSided = front;
  seen = (modelViewMatrix * vec4(position + shift, 1.0)).xyz;
  facing = mat3(modelViewMatrix) * normal;
  gl_Position = projectionMatrix * vec4(seen, 1.0);
  gl_Position.z -= nearer * gl_Position.w; // edges are seen on their faces
}`;

const head = /* glsl */ `${common}${encodeId}
flat in uint id;
flat in float bright, oneSided;
uniform vec3 ink, accent;
uniform float opacity;
out vec4 result;
`;

/** A veil: edges, bands in the plane, and faces that would hide grains. */
const veilFragment = /* glsl */ `${head}
uniform bool all;
void main() {
  #ifdef PICK
  result = encodeId(id, 3u);
  #else
  if (!all && (oneSided < 0.5 || gl_FrontFacing)) discard;
  result = vec4(bright > 0.5 ? accent : ink, opacity * (bright > 0.5 ? 1.8 : 1.0));
  #endif
}`;

/** Faces on which light and shadows fall. */
const solidFragment = /* glsl */ `${head}${light}
in vec3 seen, facing;
uniform vec3 panel;
void main() {
  #ifdef PICK
  if (oneSided > 0.5) discard; // throws no shadow
  result = vec4(1.0);
  #else
  if (oneSided > 0.5 && !gl_FrontFacing) discard;
  vec3 n = normalize(facing);
  if (dot(n, seen) > 0.0) n = -n;
  vec3 own = oneSided > 1.5 ? mix(panel, ink, 0.5) : oneSided > 0.5 ? panel : ink;
  vec3 base = mix(own, accent, bright > 0.5 ? 0.5 : 0.0);
  // what holds the grains is pale, so that they stand out from it, and only their shadows are seen on it
  vec3 shaded = lit(base, n, seen, 0.0);
  float pale = oneSided > 1.5 ? 0.3 : oneSided > 0.5 ? 0.63 : 0.0;
  result = vec4(mix(shaded, base, pale), 1.0);
  #endif
}`;

export class Walls {
  /**
   * @param {Stage} stage
   * @param {Run} run
   */
  constructor(stage, run) {
    this.run = run;
    this.chosen = -1;
    this.key = "";
    this.faces = new THREE.BufferGeometry();
    this.edges = new THREE.BufferGeometry();
    const face = makeVeil(stage, run.flat ? 1 : 0.07, run.flat);
    const edge = makeVeil(stage, run.flat ? 1 : 0.5, true);
    this.veilUniforms = face.uniforms;
    this.edgeUniforms = edge.uniforms;
    this.edgeUniforms.nearer.value = run.flat ? 0 : 3e-4;
    const picking = stage.pickMaterial(face.material);
    const faces = new THREE.Mesh(this.faces, face.material);
    const edges = new THREE.LineSegments(this.edges, edge.material);
    this.veilLayer = stage.addOne(faces, run.flat ? 0 : 10, picking);
    this.edgeLayer = stage.addOne(edges, run.flat ? 0.5 : 11);
    this.solidUniforms = { ...makeUniforms(1), panel: { value: new THREE.Color() } };
    this.solidLayer = run.flat ? null : this.makeSolid(stage);
  }

  /** @param {Stage} stage */
  makeSolid(stage) {
    const material = stage.material({
      vertexShader: vertex,
      fragmentShader: solidFragment,
      uniforms: this.solidUniforms,
    });
    return stage.addOne(
      new THREE.Mesh(this.faces, material),
      0,
      null,
      stage.pickMaterial(material),
    );
  }

  /** @param {{ shown: boolean, ink: string, band: string, panel: string, metal: string, accent: string }} look */
  setLook({ shown, ink, band, panel, metal, accent }) {
    const { flat } = this.run;
    this.veilLayer.shown = shown;
    this.edgeLayer.shown = shown && !flat;
    if (this.solidLayer) this.solidLayer.shown = shown;
    this.veilUniforms.ink.value.set(flat ? band : ink);
    this.edgeUniforms.ink.value.set(ink);
    this.solidUniforms.ink.value.set(metal);
    this.solidUniforms.panel.value.set(panel);
    for (const uniforms of [this.veilUniforms, this.edgeUniforms, this.solidUniforms])
      uniforms.accent.value.set(accent);
  }

  /**
   * Walls of a frame, clipped to the region; rebuilt only if something has moved.
   * @param {Block} bodies
   * @param {THREE.Box3} region
   */
  set(bodies, region) {
    const columns = ["point", "normal", "end", "axis", "orientation"];
    const placed = Object.fromEntries(columns.map((name) => [name, bodies[`w.${name}`].values()]));
    const present = bodies["w.present"].data;
    const box = [...region.min.toArray(), ...region.max.toArray()];
    const key = [this.chosen, ...box, ...present, ...columns.flatMap((name) => [...placed[name]])];
    if (key.join() === this.key) return;
    this.key = key.join();
    const mesh = buildWalls(this.run, { present, ...placed }, region);
    this.upload(this.faces, mesh.faces, mesh.faceOwners);
    this.faces.setAttribute("normal", new THREE.Float32BufferAttribute(mesh.normals, 3));
    this.faces.setAttribute("front", new THREE.Float32BufferAttribute(mesh.fronts, 1));
    this.upload(this.edges, mesh.lines, mesh.lineOwners);
  }

  /**
   * @param {THREE.BufferGeometry} geometry
   * @param {number[]} points
   * @param {number[]} owners
   */
  upload(geometry, points, owners) {
    const chosen = owners.map((wall) => (wall === this.chosen ? 1 : 0));
    geometry.dispose();
    geometry.setAttribute("position", new THREE.Float32BufferAttribute(points, 3));
    geometry.setAttribute("number", new THREE.Float32BufferAttribute(owners, 1));
    geometry.setAttribute("chosen", new THREE.Float32BufferAttribute(chosen, 1));
  }
}

/** @param {number} opacity */
const makeUniforms = (opacity) => ({
  ink: { value: new THREE.Color() },
  accent: { value: new THREE.Color() },
  opacity: { value: opacity },
  nearer: { value: 0 },
});

/**
 * @param {Stage} stage
 * @param {number} opacity
 * @param {boolean} all whether every face has it, or only those that would hide grains
 */
function makeVeil(stage, opacity, all) {
  const uniforms = { ...makeUniforms(opacity), all: { value: all } };
  const shader = { vertexShader: vertex, fragmentShader: veilFragment, uniforms };
  const material = stage.material(shader);
  material.transparent = true;
  material.depthWrite = false;
  return { material, uniforms };
}
