// The picture: renderer, camera, what is drawn with it, and picking.
import * as THREE from "three";
import { OrbitControls } from "three/addons/controls/OrbitControls.js";

THREE.ColorManagement.enabled = false; // colours are given as the screen shows them

const FIELD = 35; // degrees

/** Two unit vectors across a unit vector. */
function across(n) {
  const axis = Math.abs(n.z) < 0.9 ? new THREE.Vector3(0, 0, 1) : new THREE.Vector3(1, 0, 0);
  const u = new THREE.Vector3().crossVectors(n, axis).normalize();
  return [u, new THREE.Vector3().crossVectors(n, u)];
}

export class Stage {
  /** `up`: against gravity. `periods`: [x, y, z] lengths of the cell, 0 where it is not periodic. */
  constructor(holder, { flat, up, periods }) {
    this.flat = flat;
    this.up = new THREE.Vector3(...up);
    this.periods = periods;
    this.paper = new THREE.Color();
    this.renderer = new THREE.WebGLRenderer({
      antialias: true,
      preserveDrawingBuffer: false,
      powerPreference: "high-performance",
    });
    this.renderer.outputColorSpace = THREE.LinearSRGBColorSpace;
    this.renderer.autoClear = true;
    this.canvas = this.renderer.domElement;
    this.canvas.setAttribute("aria-label", "Picture of the run");
    holder.append(this.canvas);
    this.scene = new THREE.Scene();
    this.camera = flat
      ? new THREE.OrthographicCamera()
      : new THREE.PerspectiveCamera(FIELD, 1, 0.01, 100);
    this.camera.up.copy(flat ? new THREE.Vector3(0, 1, 0) : this.up);
    this.shared = {
      ortho: { value: flat },
      resolution: { value: new THREE.Vector2(1, 1) },
      unit: { value: 1 },
      viewToWorld: { value: new THREE.Matrix3() },
    };
    this.table = this.colourTexture();
    this.forceTable = this.colourTexture();
    this.groups = []; // of periodic copies
    this.shifts = [new THREE.Vector3()];
    this.region = new THREE.Box3(new THREE.Vector3(-1, -1, -1), new THREE.Vector3(1, 1, 1));
    this.listeners = new Set();
    this.makeControls();
    this.pickTarget = new THREE.WebGLRenderTarget(1, 1, { depthBuffer: true });
    this.dirty = true;
    new ResizeObserver(() => this.resize()).observe(holder);
    this.holder = holder;
    this.resize();
    const tick = () => {
      requestAnimationFrame(tick);
      this.controls.update();
      if (this.dirty) this.render();
    };
    requestAnimationFrame(tick);
  }

  makeControls() {
    const controls = new OrbitControls(this.camera, this.canvas);
    controls.enableDamping = false;
    controls.zoomToCursor = true;
    controls.zoomSpeed = 1.4;
    if (this.flat) {
      controls.enableRotate = false;
      controls.mouseButtons = {
        LEFT: THREE.MOUSE.PAN,
        MIDDLE: THREE.MOUSE.DOLLY,
        RIGHT: THREE.MOUSE.PAN,
      };
      controls.touches = { ONE: THREE.TOUCH.PAN, TWO: THREE.TOUCH.DOLLY_PAN };
    }
    controls.addEventListener("change", () => this.redraw());
    this.controls = controls;
  }

  colourTexture() {
    const texture = new THREE.DataTexture(new Uint8Array(4 * 256), 256, 1);
    texture.minFilter = texture.magFilter = THREE.NearestFilter;
    return texture;
  }

  setTable(texture, bytes) {
    texture.image.data.set(bytes);
    texture.needsUpdate = true;
    this.redraw();
  }

  /** A material whose camera, unit and so on are kept up to date here. */
  material({ vertexShader, fragmentShader, uniforms, defines = {} }) {
    return new THREE.RawShaderMaterial({
      glslVersion: THREE.GLSL3,
      vertexShader,
      fragmentShader,
      defines,
      uniforms: { ...this.shared, ...uniforms, shift: { value: new THREE.Vector3() } },
      side: THREE.DoubleSide,
    });
  }

  /** The same that draws numbers instead of colours. */
  pickMaterial(material) {
    const made = this.material({
      vertexShader: material.vertexShader,
      fragmentShader: material.fragmentShader,
      uniforms: material.uniforms,
      defines: { PICK: 1 },
    });
    made.uniforms.shift = { value: new THREE.Vector3() };
    made.blending = THREE.NoBlending;
    made.depthTest = material.depthTest;
    return made;
  }

  /** A mesh for every periodic copy. Setting `shown` of the answer hides it. */
  addCopies(geometry, material, picking, order) {
    const group = { geometry, material, picking, order, meshes: [], shown: true };
    this.groups.push(group);
    this.fillCopies(group);
    return group;
  }

  /** An object that is drawn once. */
  addOne(object, order, picking = null) {
    object.frustumCulled = false;
    object.renderOrder = order;
    this.scene.add(object);
    const group = {
      geometry: object.geometry,
      material: object.material,
      picking,
      order,
      meshes: [object],
      shown: true,
      single: true,
    };
    this.groups.push(group);
    return group;
  }

  fillCopies(group) {
    if (group.single) return;
    for (const mesh of group.meshes) this.scene.remove(mesh);
    group.meshes = this.shifts.map((shift) => {
      const mesh = new THREE.Mesh(group.geometry, group.material);
      mesh.frustumCulled = false;
      mesh.renderOrder = group.order;
      mesh.onBeforeRender = (_r, _s, _c, _g, material) => {
        material.uniforms.shift.value.copy(shift);
        material.uniformsNeedUpdate = true;
      };
      this.scene.add(mesh);
      return mesh;
    });
  }

  /** So many copies of the cell to each side, along its periodic directions. */
  setCopies(reach) {
    this.shifts = [];
    const steps = this.periods.map((period) => (period > 0 ? reach : 0));
    for (let x = -steps[0]; x <= steps[0]; x++) {
      for (let y = -steps[1]; y <= steps[1]; y++) {
        for (let z = -steps[2]; z <= steps[2]; z++) {
          this.shifts.push(
            new THREE.Vector3(x * this.periods[0], y * this.periods[1], z * this.periods[2]),
          );
        }
      }
    }
    for (const group of this.groups) this.fillCopies(group);
    this.redraw();
  }

  // ---------------------------------------------------------------- camera

  resize() {
    const { clientWidth: width, clientHeight: height } = this.holder;
    if (width < 2 || height < 2) return;
    this.renderer.setPixelRatio(Math.min(2, window.devicePixelRatio || 1));
    this.renderer.setSize(width, height);
    this.size = { width, height };
    this.aspect();
    this.render();
  }

  aspect() {
    const { width, height } = this.size,
      { camera } = this;
    if (this.flat) {
      const half = this.halfHeight ?? 1;
      Object.assign(camera, {
        left: (-half * width) / height,
        right: (half * width) / height,
        top: half,
        bottom: -half,
      });
    } else {
      camera.aspect = width / height;
    }
    camera.updateProjectionMatrix();
  }

  /** Margins in pixels that panels cover, [top, right, bottom, left]. */
  setInsets(insets) {
    this.insets = insets;
  }

  /** Looks at the whole region; `direction` from the eye's place to it, or as it is. */
  fit(region = this.region, direction = null) {
    this.region = region.clone();
    const centre = region.getCenter(new THREE.Vector3()),
      { width, height } = this.size;
    const [top, right, bottom, left] = this.insets ?? [0, 0, 0, 0];
    const free = [Math.max(80, width - left - right), Math.max(80, height - top - bottom)];
    if (this.flat) this.fitFlat(region, centre, free, [top, right, bottom, left]);
    else this.fitDeep(region, centre, free, direction, [top, right, bottom, left]);
    this.controls.update();
    this.redraw();
  }

  fitFlat(region, centre, free, [top, right, bottom, left]) {
    const span = region.getSize(new THREE.Vector3()),
      { height } = this.size;
    const unit = 1.06 * Math.max(span.x / free[0], span.y / free[1], 1e-12); // length of a pixel
    this.halfHeight = (unit * height) / 2;
    this.camera.zoom = 1;
    this.aspect();
    const far = 10 * Math.max(span.x, span.y, 1e-9);
    const at = new THREE.Vector3(
      centre.x + (unit * (right - left)) / 2,
      centre.y + (unit * (top - bottom)) / 2,
      0,
    );
    this.controls.target.copy(at);
    this.camera.position.set(at.x, at.y, far);
    this.camera.near = far / 100;
    this.camera.far = 2 * far;
    this.camera.updateProjectionMatrix();
  }

  // Every corner of the region must be in the free part of the picture: along each side of the view the corner that is
  // seen furthest out decides how far back to go.
  fitDeep(region, centre, free, direction, [top, right, bottom, left]) {
    const { width, height } = this.size;
    const out = direction ?? this.camera.position.clone().sub(this.controls.target);
    if (!(out.length() > 0)) out.set(0.5, -0.8, 0.35);
    out.normalize();
    const side = new THREE.Vector3().crossVectors(this.up, out);
    const x = side.length() > 1e-6 ? side.normalize() : across(out)[0];
    const y = new THREE.Vector3().crossVectors(out, x);
    const slope = Math.tan((FIELD * Math.PI) / 360);
    const reach = [(slope * free[0]) / height, (slope * free[1]) / height];
    let distance = 0;
    for (let k = 0; k < 8; k++) {
      const corner = new THREE.Vector3(
        k & 1 ? region.max.x : region.min.x,
        k & 2 ? region.max.y : region.min.y,
        k & 4 ? region.max.z : region.min.z,
      ).sub(centre);
      const toward = corner.dot(out);
      distance = Math.max(
        distance,
        toward + Math.abs(corner.dot(x)) / reach[0],
        toward + Math.abs(corner.dot(y)) / reach[1],
      );
    }
    distance = 1.03 * Math.max(distance, 1e-9);
    const pixel = (2 * slope * distance) / height;
    const target = centre
      .clone()
      .addScaledVector(x, (pixel * (right - left)) / 2)
      .addScaledVector(y, (pixel * (top - bottom)) / 2);
    this.controls.target.copy(target);
    this.camera.position.copy(target).addScaledVector(out, distance);
    this.camera.aspect = width / height;
  }

  /** Looks along an axis: "x", "y", "z", or "free" for a corner. */
  look(axis) {
    if (this.flat) return this.fit();
    const { up } = this;
    const direction =
      axis === "free"
        ? this.corner()
        : new THREE.Vector3(axis === "x" ? 1 : 0, axis === "y" ? -1 : 0, axis === "z" ? 1 : 0);
    if (Math.abs(direction.dot(up)) > 0.99) {
      // from above, a hair off the pole: x goes to the right
      direction
        .copy(up)
        .addScaledVector(
          Math.abs(up.y) > 0.9 ? new THREE.Vector3(0, 0, 1) : new THREE.Vector3(0, -1, 0),
          1e-4,
        );
    }
    this.fit(this.region, direction);
  }

  /** From the front, the right and above. */
  corner() {
    if (this.up.z > 0.9) return new THREE.Vector3(0.55, -0.85, 0.42);
    const [u, v] = across(this.up);
    return u.multiplyScalar(0.55).addScaledVector(v, 0.85).addScaledVector(this.up, 0.42);
  }

  /** Near and far planes about the region, and the length of a pixel. */
  updateCamera() {
    const { camera, region } = this,
      { height } = this.size;
    camera.updateMatrixWorld();
    if (this.flat) {
      this.shared.unit.value = (2 * this.halfHeight) / camera.zoom / height;
    } else {
      const reach =
        this.shifts.reduce((most, shift) => Math.max(most, shift.length()), 0) +
        0.75 * region.getSize(new THREE.Vector3()).length();
      const distance = camera.position.distanceTo(region.getCenter(new THREE.Vector3()));
      camera.far = distance + 2 * reach + 1e-9;
      camera.near = Math.max(camera.far * 1e-4, distance - 2 * reach);
      camera.updateProjectionMatrix();
      this.shared.unit.value = (2 * Math.tan((FIELD * Math.PI) / 360)) / height;
    }
    this.shared.unit.value /= Math.min(2, window.devicePixelRatio || 1);
    this.shared.viewToWorld.value.setFromMatrix4(camera.matrixWorld);
  }

  // ---------------------------------------------------------------- drawing

  redraw() {
    this.dirty = true;
  }

  render() {
    this.dirty = false;
    for (const group of this.groups) for (const mesh of group.meshes) mesh.visible = group.shown;
    this.updateCamera();
    this.renderer.setClearColor(this.paper, 1);
    this.renderer.render(this.scene, this.camera);
    for (const listener of this.listeners) listener();
  }

  /** What lies at a place of the picture, in pixels of the page: {kind, id} or null. */
  pick(x, y) {
    this.updateCamera();
    const { width, height } = this.size,
      pixels = new Uint8Array(4);
    const find = (chosen) => {
      for (const group of this.groups) {
        const here = group.shown && group.picking && chosen(group);
        for (const mesh of group.meshes) {
          mesh.visible = here;
          if (here) mesh.material = group.picking;
        }
      }
      this.camera.setViewOffset(width, height, Math.floor(x), Math.floor(y), 1, 1);
      this.renderer.setRenderTarget(this.pickTarget);
      this.renderer.setClearColor(0x000000, 0);
      this.renderer.clear();
      this.renderer.render(this.scene, this.camera);
      this.renderer.readRenderTargetPixels(this.pickTarget, 0, 0, 1, 1, pixels);
      this.renderer.setRenderTarget(null);
      this.camera.clearViewOffset();
      for (const group of this.groups)
        for (const mesh of group.meshes) mesh.material = group.material;
      return {
        kind: [null, "body", "contact", "wall"][pixels[3]],
        id: pixels[0] + 256 * pixels[1] + 65536 * pixels[2],
      };
    };
    let found = find((group) => !group.single); // walls only where there is nothing else
    if (!found.kind) found = find((group) => group.single);
    this.redraw();
    return found.kind ? found : null;
  }

  /** Where a point is in the picture, in pixels of the page. */
  project(point) {
    const at = new THREE.Vector3(...point).project(this.camera);
    return [(0.5 + 0.5 * at.x) * this.size.width, (0.5 - 0.5 * at.y) * this.size.height, at.z];
  }
}
