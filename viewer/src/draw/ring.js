// The ring around the selection.
import * as THREE from "three";
import { common } from "./glsl.js";
import { makeSquare } from "./squares.js";

const ringVertex = /* glsl */ `${common}
in vec2 corner;
uniform vec3 place;
uniform float radius, unit;
out vec2 seen;
flat out float pixel;
void main() {
  vec3 c = (modelViewMatrix * vec4(place, 1.0)).xyz;
  pixel = ortho ? unit : -c.z * unit;
  seen = corner * (radius + 9.0 * pixel);
  gl_Position = projectionMatrix * vec4(c + vec3(seen, 0.0), 1.0);
}`;

const ringFragment = /* glsl */ `${common}
in vec2 seen;
flat in float pixel;
uniform float radius;
uniform vec3 accent, halo;
out vec4 result;
void main() {
  // a ring with a lighter halo, so that it stands out on any background
  float off = abs(length(seen) - radius - 4.0 * pixel) / pixel;
  float cover = clamp(4.0 - off, 0.0, 1.0);
  if (cover <= 0.0) discard;
  result = vec4(mix(halo, accent, clamp(2.2 - off, 0.0, 1.0)), cover);
}`;

export class Ring {
  /** @param {Stage} stage */
  constructor(stage) {
    const geometry = makeSquare(new THREE.BufferGeometry());
    geometry.setAttribute("position", new THREE.Float32BufferAttribute(new Float32Array(12), 3));
    this.uniforms = {
      place: { value: new THREE.Vector3() },
      radius: { value: 0 },
      accent: { value: new THREE.Color() },
      halo: { value: stage.paper },
    };
    const material = stage.material({
      vertexShader: ringVertex,
      fragmentShader: ringFragment,
      uniforms: this.uniforms,
    });
    material.transparent = true;
    material.depthTest = false;
    this.layer = stage.addOne(new THREE.Mesh(geometry, material), 20);
    this.layer.shown = false;
  }

  hide() {
    this.layer.shown = false;
  }

  /**
   * @param {ArrayLike<number>} place with two numbers or three
   * @param {number} radius
   */
  show(place, radius) {
    this.uniforms.place.value.set(place[0], place[1], place[2] ?? 0);
    this.uniforms.radius.value = radius;
    this.layer.shown = true;
  }

  /** @param {string} accent */
  setLook(accent) {
    this.uniforms.accent.value.set(accent);
  }
}
