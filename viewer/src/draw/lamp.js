// Light and shadow in space. A lamp looks at the grains from where it shines, and keeps how far it sees: what lies
// farther off is in the shade. While things move there is one lamp. Once they are still, many pictures are averaged:
// half of them with the lamp moved a little, which makes shadows soft, and half with a lamp somewhere in the sky, which
// darkens what the sky does not reach.
import * as THREE from "three";

const SIDE = 2048; // pixels of the lamp's own picture
const WIDTH = 0.07; // of the lamp, in radians
/** Pictures that are averaged. */
export const STILLS = 48;

// Light on a surface: from everywhere, from the sky, from the lamp, from the eye, and how strongly the lamp glares.
const MOVING = { everywhere: 0.22, sky: 0.26, lamp: 0.52, eye: 0.12, glare: 1 };
const SUN = { everywhere: 0.22, sky: 0, lamp: 2 * 0.52, eye: 0.12, glare: 2 };
// The sky's light on a face is its mean over the half sphere, over pi: twice the mean of the cosines. Every second
// picture has it.
const SKY = { everywhere: 0.22, sky: 0, lamp: 4 * 0.38, eye: 0.12, glare: 0 };

/**
 * Number i of a sequence that fills the interval from 0 to 1 evenly (van der Corput).
 * @param {number} i
 * @param {number} base
 */
function spread(i, base) {
  let [sum, share] = [0, 1 / base];
  for (let k = i; k > 0; k = Math.floor(k / base), share /= base) sum += share * (k % base);
  return sum;
}

export class Lamp {
  /** @param {THREE.Vector3} up */
  constructor(up) {
    this.up = up;
    this.on = true;
    const depthTexture = new THREE.DepthTexture(SIDE, SIDE, THREE.UnsignedIntType);
    depthTexture.compareFunction = THREE.LessEqualCompare;
    depthTexture.minFilter = depthTexture.magFilter = THREE.LinearFilter;
    this.target = new THREE.WebGLRenderTarget(SIDE, SIDE, { depthTexture });
    this.camera = new THREE.OrthographicCamera();
    /** For the shaders: see `light` in glsl.js. */
    this.uniforms = {
      lamp: { value: new THREE.Vector3() },
      zenith: { value: new THREE.Vector3() },
      shares: { value: new THREE.Vector4() },
      glare: { value: 1 },
      shadows: { value: true },
      toShade: { value: new THREE.Matrix4() },
      shadeStep: { value: 0 },
      shade: { value: depthTexture },
    };
  }

  /**
   * Toward the lamp: from above, the left and the viewer's side.
   * @param {THREE.Camera} camera
   */
  direction(camera) {
    const [right, , back] = [0, 1, 2].map((k) =>
      new THREE.Vector3().setFromMatrixColumn(camera.matrixWorld, k),
    );
    return this.up.clone().addScaledVector(right, -0.5).addScaledVector(back, 0.55).normalize();
  }

  /**
   * Sets the lamp for things that move (-1) or for number k of the pictures that are averaged; where it stands.
   * @param {THREE.Camera} camera
   * @param {number} k
   */
  aim(camera, k) {
    const toward = this.direction(camera);
    const shares = k < 0 ? MOVING : k % 2 === 0 ? SUN : SKY;
    if (k >= 0) {
      const [u, v] = [spread(k + 1, 3), spread(k + 1, 5)];
      const axis = shares === SUN ? toward.clone() : this.up.clone();
      // evenly over the lamp's disk, or over the half sphere: there the height itself is even
      const rise = shares === SUN ? Math.cos(WIDTH * Math.sqrt(u)) : u;
      const first = new THREE.Vector3(Math.abs(axis.x) < 0.9 ? 1 : 0, 1, 0).cross(axis).normalize();
      const second = axis.clone().cross(first);
      const out = Math.sqrt(Math.max(0, 1 - rise * rise));
      toward
        .copy(axis)
        .multiplyScalar(rise)
        .addScaledVector(first, out * Math.cos(2 * Math.PI * v))
        .addScaledVector(second, out * Math.sin(2 * Math.PI * v));
    }
    const { uniforms } = this;
    uniforms.shares.value.set(shares.everywhere, shares.sky, shares.lamp, shares.eye);
    uniforms.glare.value = shares.glare;
    uniforms.shadows.value = this.on;
    uniforms.lamp.value.copy(toward).transformDirection(camera.matrixWorldInverse);
    uniforms.zenith.value.copy(this.up).transformDirection(camera.matrixWorldInverse);
    return toward;
  }

  /**
   * Places the lamp's camera so that it sees a ball, and tells the shaders how to find a point in its picture.
   * @param {THREE.Vector3} toward
   * @param {THREE.Sphere} ball
   * @param {THREE.Camera} eye
   */
  place(toward, ball, eye) {
    const { camera, uniforms } = this;
    const reach = Math.max(ball.radius, 1e-12);
    Object.assign(camera, { left: -reach, right: reach, top: reach, bottom: -reach, near: 0 });
    camera.far = 2.1 * reach;
    camera.up.set(Math.abs(toward.z) < 0.9 ? 0 : 1, 0, Math.abs(toward.z) < 0.9 ? 1 : 0);
    camera.position.copy(ball.center).addScaledVector(toward, 1.05 * reach);
    camera.lookAt(ball.center);
    camera.updateProjectionMatrix();
    camera.updateMatrixWorld();
    uniforms.shadeStep.value = (2 * reach) / SIDE;
    uniforms.toShade.value
      .set(0.5, 0, 0, 0.5, 0, 0.5, 0, 0.5, 0, 0, 0.5, 0.5, 0, 0, 0, 1)
      .multiply(camera.projectionMatrix)
      .multiply(camera.matrixWorldInverse)
      .multiply(eye.matrixWorld);
  }
}

/** The average of pictures, shown as it grows. */
export class Average {
  /** @param {THREE.WebGLRenderer} renderer */
  constructor(renderer) {
    this.renderer = renderer;
    const half = { type: THREE.HalfFloatType, minFilter: THREE.NearestFilter, depthBuffer: false };
    this.one = new THREE.WebGLRenderTarget(1, 1, { type: THREE.HalfFloatType, samples: 4 });
    this.sum = new THREE.WebGLRenderTarget(1, 1, half);
    this.material = new THREE.RawShaderMaterial({
      glslVersion: THREE.GLSL3,
      uniforms: { from: { value: null }, share: { value: 1 } },
      vertexShader: `in vec3 position;
        void main() { gl_Position = vec4(position, 1.0); }`,
      fragmentShader: `precision highp float;
        uniform sampler2D from;
        uniform float share;
        out vec4 result;
        void main() { result = vec4(texelFetch(from, ivec2(gl_FragCoord.xy), 0).rgb, share); }`,
      transparent: true,
      depthTest: false,
      depthWrite: false,
    });
    const triangle = new THREE.BufferGeometry();
    const corners = [-1, -1, 0, 3, -1, 0, -1, 3, 0]; // a triangle that covers the picture
    triangle.setAttribute("position", new THREE.Float32BufferAttribute(corners, 3));
    this.scene = new THREE.Scene();
    const mesh = new THREE.Mesh(triangle, this.material);
    mesh.frustumCulled = false;
    this.scene.add(mesh);
    this.camera = new THREE.Camera();
  }

  resize() {
    const size = this.renderer.getDrawingBufferSize(new THREE.Vector2());
    this.one.setSize(size.x, size.y);
    this.sum.setSize(size.x, size.y);
  }

  /**
   * Adds picture k, which is in `one`, and shows the average so far.
   * @param {number} k
   */
  add(k) {
    this.copy(this.one, this.sum, 1 / (k + 1));
    this.copy(this.sum, null, 1);
  }

  /**
   * @param {THREE.WebGLRenderTarget} from
   * @param {THREE.WebGLRenderTarget | null} to
   * @param {number} share
   */
  copy(from, to, share) {
    const { renderer, material } = this;
    material.uniforms.from.value = from.texture;
    material.uniforms.share.value = share;
    renderer.setRenderTarget(to);
    renderer.autoClear = false;
    renderer.render(this.scene, this.camera);
    renderer.autoClear = true;
    renderer.setRenderTarget(null);
  }
}
