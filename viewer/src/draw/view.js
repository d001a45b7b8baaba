// The camera: how it moves, and how a region is fitted into the picture.
import * as THREE from "three";
import { OrbitControls } from "three/addons/controls/OrbitControls.js";
import { across, boxCorners, unitBox } from "./vectors.js";

const FIELD = 35; // of view, in degrees
const SLOPE = Math.tan((FIELD * Math.PI) / 360);

/** Device pixels per CSS pixel; more than two make no visible difference. */
export const pixelRatio = () => Math.min(2, window.devicePixelRatio || 1);

export class View {
  /**
   * @param {HTMLCanvasElement} canvas
   * @param {Run} run
   * @param {() => void} onmove
   */
  constructor(canvas, run, onmove) {
    this.up = new THREE.Vector3(...run.up);
    this.flat = run.flat ? new THREE.OrthographicCamera() : null;
    this.deep = run.flat ? null : new THREE.PerspectiveCamera(FIELD, 1, 0.01, 100);
    this.camera = /** @type {THREE.OrthographicCamera | THREE.PerspectiveCamera} */ (
      this.flat ?? this.deep
    );
    this.camera.up.copy(this.up);
    this.region = unitBox();
    this.size = { width: 1, height: 1 };
    this.halfHeight = 1; // of the view in 2D, in units of the scene
    /** Covered margins in pixels: top, right, bottom, left. */
    this.insets = [0, 0, 0, 0];
    /** For the shaders; `unit` is the size of a pixel, in 3D at unit distance. */
    this.uniforms = {
      ortho: { value: run.flat },
      unit: { value: 1 },
      viewToWorld: { value: new THREE.Matrix3() },
    };
    this.controls = makeControls(this.camera, canvas, run.flat);
    this.controls.addEventListener("change", onmove);
    this.onmove = onmove;
  }

  /**
   * @param {number} width
   * @param {number} height
   */
  resize(width, height) {
    this.size = { width, height };
    this.updateFrustum();
  }

  updateFrustum() {
    const { width, height } = this.size;
    const half = this.halfHeight;
    if (this.flat) {
      const wide = (half * width) / height;
      Object.assign(this.flat, { left: -wide, right: wide, top: half, bottom: -half });
    } else if (this.deep) {
      this.deep.aspect = width / height;
    }
    this.camera.updateProjectionMatrix();
  }

  /**
   * Fits a region into the uncovered part of the picture.
   * @param {THREE.Vector3 | null} direction from the region to the eye; as it is when none is given
   */
  fit(region = this.region, direction = null) {
    this.region = region.clone();
    const [top, right, bottom, left] = this.insets;
    const { width, height } = this.size;
    const free = [Math.max(80, width - left - right), Math.max(80, height - top - bottom)];
    const shift = [(right - left) / 2, (top - bottom) / 2]; // from the centre of the free part to that of the picture
    if (this.flat) this.fitFlat(this.flat, free, shift);
    else this.fitDeep(free, shift, direction);
    this.controls.update();
    this.onmove();
  }

  /**
   * @param {THREE.OrthographicCamera} camera
   * @param {number[]} free
   * @param {number[]} shift
   */
  fitFlat(camera, free, shift) {
    const span = this.region.getSize(new THREE.Vector3());
    const pixel = 1.06 * Math.max(span.x / free[0], span.y / free[1], 1e-12);
    this.halfHeight = (pixel * this.size.height) / 2;
    camera.zoom = 1;
    const far = 10 * Math.max(span.x, span.y, 1e-9);
    const target = this.region.getCenter(new THREE.Vector3()).setZ(0);
    target.x += pixel * shift[0];
    target.y += pixel * shift[1];
    this.controls.target.copy(target);
    camera.position.copy(target).setZ(far);
    camera.near = far / 100;
    camera.far = 2 * far;
    this.updateFrustum();
  }

  /**
   * Every corner of the region must be in the free part of the picture, so the outermost corner in
   * each direction decides how far back the camera goes.
   * @param {number[]} free
   * @param {number[]} shift
   * @param {THREE.Vector3 | null} direction
   */
  fitDeep(free, shift, direction) {
    const { height } = this.size;
    const centre = this.region.getCenter(new THREE.Vector3());
    const out = direction ?? this.camera.position.clone().sub(this.controls.target);
    if (!(out.length() > 0)) out.set(0.5, -0.8, 0.35);
    out.normalize();
    const side = new THREE.Vector3().crossVectors(this.up, out);
    const x = side.length() > 1e-6 ? side.normalize() : across(out)[0];
    const y = new THREE.Vector3().crossVectors(out, x);
    const reach = free.map((pixels) => (SLOPE * pixels) / height);
    let distance = 1e-9;
    for (const corner of boxCorners(this.region.min, this.region.max)) {
      corner.sub(centre);
      const toward = corner.dot(out);
      const [dx, dy] = [Math.abs(corner.dot(x)), Math.abs(corner.dot(y))];
      distance = Math.max(distance, toward + dx / reach[0], toward + dy / reach[1]);
    }
    distance *= 1.03;
    const pixel = (2 * SLOPE * distance) / height;
    const { target } = this.controls;
    target
      .copy(centre)
      .addScaledVector(x, pixel * shift[0])
      .addScaledVector(y, pixel * shift[1]);
    this.camera.position.copy(target).addScaledVector(out, distance);
  }

  /**
   * Looks along an axis, or from a corner.
   * @param {"x" | "y" | "z" | "corner"} from
   */
  look(from) {
    if (this.flat) {
      this.fit();
      return;
    }
    const { up } = this;
    const direction = from === "corner" ? this.corner() : new THREE.Vector3();
    if (from !== "corner") direction[from] = from === "y" ? -1 : 1;
    if (Math.abs(direction.dot(up)) > 0.99) {
      // from above, a hair off the pole so that x points right
      const down = Math.abs(up.y) > 0.9 ? new THREE.Vector3(0, 0, 1) : new THREE.Vector3(0, -1, 0);
      direction.copy(up).addScaledVector(down, 1e-4);
    }
    this.fit(this.region, direction);
  }

  /**
   * Three directions: the first and the second across up, from which azimuths are counted, and up itself.
   */
  frame() {
    const up = this.up.clone().normalize();
    const first = new THREE.Vector3(1, 0, 0);
    if (Math.abs(up.x) > 0.9) first.set(0, 1, 0);
    first.addScaledVector(up, -first.dot(up)).normalize();
    return [first, up.clone().cross(first), up];
  }

  /** Where the camera is, about the point that it looks at. */
  spherical() {
    const [first, second, up] = this.frame();
    const target = this.controls.target.clone();
    const off = this.camera.position.clone().sub(target);
    const distance = this.flat ? this.halfHeight / this.flat.zoom : off.length();
    const azimuth = Math.atan2(off.dot(second), off.dot(first));
    const elevation = Math.asin(Math.min(1, Math.max(-1, off.dot(up) / (off.length() || 1))));
    return { target, azimuth, elevation, distance };
  }

  /**
   * Puts the camera where spherical() found it.
   * @param {THREE.Vector3} target
   * @param {number} azimuth
   * @param {number} elevation
   * @param {number} distance in 2D half the height of the view
   */
  place(target, azimuth, elevation, distance) {
    const { camera, controls } = this;
    const off = camera.position.clone().sub(controls.target);
    controls.target.copy(target);
    if (this.flat) {
      this.halfHeight = distance;
      this.flat.zoom = 1;
      camera.position.copy(target).add(off);
      this.updateFrustum();
    } else {
      const [first, second, up] = this.frame();
      const flat = distance * Math.cos(elevation);
      camera.position
        .copy(target)
        .addScaledVector(first, flat * Math.cos(azimuth))
        .addScaledVector(second, flat * Math.sin(azimuth))
        .addScaledVector(up, distance * Math.sin(elevation));
    }
    controls.update();
    this.onmove();
  }

  /** The size of a CSS pixel, in units of the scene; in 3D at the point that the camera looks at. */
  pixelSize() {
    const { camera, controls } = this;
    const high = this.flat
      ? (2 * this.halfHeight) / camera.zoom
      : 2 * SLOPE * camera.position.distanceTo(controls.target);
    return high / this.size.height;
  }

  /** From the front, the right and above. */
  corner() {
    if (this.up.z > 0.9) return new THREE.Vector3(0.55, -0.85, 0.42);
    const [u, v] = across(this.up);
    return u.multiplyScalar(0.55).addScaledVector(v, 0.85).addScaledVector(this.up, 0.42);
  }

  /**
   * Before drawing: near and far planes around the region, and the uniforms.
   * @param {number} reachOfCopies how far periodic copies are off
   */
  update(reachOfCopies) {
    const { camera, region, uniforms } = this;
    const { height } = this.size;
    camera.updateMatrixWorld();
    if (this.deep) {
      const reach = reachOfCopies + 0.75 * region.getSize(new THREE.Vector3()).length();
      const distance = camera.position.distanceTo(region.getCenter(new THREE.Vector3()));
      camera.far = distance + 2 * reach + 1e-9;
      camera.near = Math.max(camera.far * 1e-4, distance - 2 * reach);
      camera.updateProjectionMatrix();
    }
    const high = this.deep ? 2 * SLOPE : (2 * this.halfHeight) / camera.zoom;
    uniforms.unit.value = high / height / pixelRatio();
    uniforms.viewToWorld.value.setFromMatrix4(camera.matrixWorld);
  }

  /**
   * The point under a place in the picture, in the plane that the camera looks at.
   * @param {number} x in CSS pixels
   * @param {number} y
   */
  pointAt(x, y) {
    const { camera, controls } = this;
    const { width, height } = this.size;
    const depth = controls.target.clone().project(camera).z;
    const at = new THREE.Vector3((2 * x) / width - 1, 1 - (2 * y) / height, depth);
    return at.unproject(camera).toArray();
  }

  /**
   * The position of a point in the picture, in CSS pixels.
   * @param {number[]} point
   */
  project(point) {
    const at = new THREE.Vector3(...point).project(this.camera);
    const { width, height } = this.size;
    return [(0.5 + 0.5 * at.x) * width, (0.5 - 0.5 * at.y) * height, at.z];
  }
}

/**
 * @param {THREE.OrthographicCamera | THREE.PerspectiveCamera} camera
 * @param {HTMLCanvasElement} canvas
 * @param {boolean} flat
 */
function makeControls(camera, canvas, flat) {
  const controls = new OrbitControls(camera, canvas);
  controls.enableDamping = false;
  controls.zoomToCursor = true;
  controls.zoomSpeed = 1.4;
  if (flat) {
    const { PAN, DOLLY } = THREE.MOUSE;
    controls.enableRotate = false;
    controls.mouseButtons = { LEFT: PAN, MIDDLE: DOLLY, RIGHT: PAN };
    controls.touches = { ONE: THREE.TOUCH.PAN, TWO: THREE.TOUCH.DOLLY_PAN };
  }
  return controls;
}
