// Walls: translucent with visible edges in 3D, solid bands in 2D.
import * as THREE from "three";
import { common, encodeId } from "./glsl.js";
import { buildWalls } from "./wall_shapes.js";

const vertex = /* glsl */ `${common}
in vec3 position;
in float number, chosen;
flat out uint id;
flat out float bright;
void main() {
  id = uint(number); bright = chosen;
  gl_Position = projectionMatrix * modelViewMatrix * vec4(position + shift, 1.0);
}`;

const fragment = /* glsl */ `${common}${encodeId}
flat in uint id;
flat in float bright;
uniform vec3 ink, accent;
uniform float opacity;
out vec4 result;
void main() {
  #ifdef PICK
  result = encodeId(id, 3u);
  #else
  result = vec4(bright > 0.5 ? accent : ink, opacity * (bright > 0.5 ? 1.8 : 1.0));
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
    /** @param {number} opacity */
    const makeMaterial = (opacity) => {
      const uniforms = {
        ink: { value: new THREE.Color() },
        accent: { value: new THREE.Color() },
        opacity: { value: opacity },
      };
      const material = stage.material({ vertexShader: vertex, fragmentShader: fragment, uniforms });
      material.transparent = true;
      material.depthWrite = false;
      return { material, uniforms };
    };
    this.faces = new THREE.BufferGeometry();
    this.edges = new THREE.BufferGeometry();
    const face = makeMaterial(run.flat ? 1 : 0.07);
    const edge = makeMaterial(run.flat ? 1 : 0.5);
    this.faceUniforms = face.uniforms;
    this.edgeUniforms = edge.uniforms;
    const picking = stage.pickMaterial(face.material);
    const faces = new THREE.Mesh(this.faces, face.material);
    const edges = new THREE.LineSegments(this.edges, edge.material);
    this.faceLayer = stage.addOne(faces, run.flat ? 0 : 10, picking);
    this.edgeLayer = stage.addOne(edges, run.flat ? 0.5 : 11);
  }

  /** @param {{ shown: boolean, ink: string, band: string, accent: string }} look */
  setLook({ shown, ink, band, accent }) {
    const { flat } = this.run;
    this.faceLayer.shown = shown;
    this.edgeLayer.shown = shown && !flat;
    this.faceUniforms.ink.value.set(flat ? band : ink);
    this.edgeUniforms.ink.value.set(ink);
    for (const uniforms of [this.faceUniforms, this.edgeUniforms])
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
