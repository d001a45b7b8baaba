// The renderer, the layers it draws, and their periodic copies.
import * as THREE from "three";
import { View, pixelRatio } from "./view.js";

THREE.ColorManagement.enabled = false; // colours are given in sRGB, as displayed

/**
 * Meshes that share a material; set `shown` to hide them. A single layer has no periodic copies.
 * @typedef {object} Layer
 * @property {THREE.BufferGeometry} geometry
 * @property {THREE.Material} material
 * @property {THREE.Material | null} picking draws numbers instead of colours
 * @property {number} order
 * @property {(THREE.Mesh | THREE.LineSegments)[]} meshes
 * @property {boolean} single
 * @property {boolean} shown
 */

export class Stage {
  /**
   * @param {HTMLElement} holder
   * @param {Run} run
   */
  constructor(holder, run) {
    this.holder = holder;
    this.periods = run.periods;
    this.paper = new THREE.Color();
    this.renderer = new THREE.WebGLRenderer({
      antialias: true,
      preserveDrawingBuffer: false,
      powerPreference: "high-performance",
    });
    this.renderer.outputColorSpace = THREE.LinearSRGBColorSpace;
    this.canvas = this.renderer.domElement;
    this.canvas.setAttribute("aria-label", "Picture of the run");
    holder.append(this.canvas);
    this.scene = new THREE.Scene();
    this.view = new View(this.canvas, run, () => this.redraw());
    this.table = colourTexture();
    this.forceTable = colourTexture();
    /** @type {Layer[]} */
    this.layers = [];
    this.shifts = [new THREE.Vector3()];
    this.dirty = true;
    new ResizeObserver(() => this.resize()).observe(holder);
    this.resize();
    const tick = () => {
      requestAnimationFrame(tick);
      this.view.controls.update();
      if (this.dirty) this.render();
    };
    requestAnimationFrame(tick);
  }

  /**
   * @param {THREE.DataTexture} texture
   * @param {Uint8Array} bytes
   */
  setTable(texture, bytes) {
    /** @type {Uint8Array} */ (texture.image.data).set(bytes);
    texture.needsUpdate = true;
    this.redraw();
  }

  // ---------------------------------------------------------------- materials and layers

  /**
   * A shader material with the uniforms of the view.
   * @param {{ vertexShader: string, fragmentShader: string, uniforms: Record<string, THREE.IUniform>,
   *   defines?: Record<string, number> }} shader
   */
  material({ vertexShader, fragmentShader, uniforms, defines = {} }) {
    return new THREE.RawShaderMaterial({
      glslVersion: THREE.GLSL3,
      vertexShader,
      fragmentShader,
      defines,
      uniforms: { ...this.view.uniforms, ...uniforms, shift: { value: new THREE.Vector3() } },
      side: THREE.DoubleSide,
    });
  }

  /**
   * The same material, drawing ids instead of colours.
   * @param {THREE.RawShaderMaterial} material
   */
  pickMaterial(material) {
    const { vertexShader, fragmentShader, uniforms } = material;
    const made = this.material({ vertexShader, fragmentShader, uniforms, defines: { PICK: 1 } });
    made.blending = THREE.NoBlending;
    made.depthTest = material.depthTest;
    return made;
  }

  /**
   * A pickable layer with one mesh per periodic copy.
   * @param {THREE.BufferGeometry} geometry
   * @param {THREE.RawShaderMaterial} material
   * @param {number} order
   */
  addCopies(geometry, material, order) {
    const picking = this.pickMaterial(material);
    /** @type {Layer} */
    const layer = { geometry, material, picking, order, meshes: [], single: false, shown: true };
    this.layers.push(layer);
    this.fillCopies(layer);
    return layer;
  }

  /**
   * A layer that is drawn once.
   * @template {THREE.BufferGeometry} G
   * @template {THREE.Material} M
   * @param {THREE.Mesh<G, M> | THREE.LineSegments<G, M>} object
   * @param {number} order
   * @param {THREE.Material | null} picking
   */
  addOne(object, order, picking = null) {
    const { geometry, material } = object;
    this.addToScene(object, order);
    /** @type {Layer} */
    const layer = {
      geometry,
      material,
      picking,
      order,
      meshes: [object],
      single: true,
      shown: true,
    };
    this.layers.push(layer);
    return layer;
  }

  /**
   * @param {THREE.Object3D} object
   * @param {number} order
   */
  addToScene(object, order) {
    object.frustumCulled = false;
    object.renderOrder = order;
    this.scene.add(object);
  }

  /** @param {Layer} layer */
  fillCopies(layer) {
    if (layer.single) return;
    this.scene.remove(...layer.meshes);
    layer.meshes = this.shifts.map((shift) => {
      const mesh = new THREE.Mesh(layer.geometry, layer.material);
      mesh.onBeforeRender = (_renderer, _scene, _camera, _geometry, material) => {
        const shader = /** @type {THREE.RawShaderMaterial} */ (material);
        shader.uniforms.shift.value.copy(shift);
        shader.uniformsNeedUpdate = true;
      };
      this.addToScene(mesh, layer.order);
      return mesh;
    });
  }

  /**
   * Sets the number of copies of the cell on each side, along its periodic directions.
   * @param {number} reach
   */
  setCopies(reach) {
    const [xs, ys, zs] = this.periods.map((period) => {
      const most = period > 0 ? reach : 0;
      return Array.from({ length: 2 * most + 1 }, (_, k) => (k - most) * period);
    });
    this.shifts = xs.flatMap((x) => ys.flatMap((y) => zs.map((z) => new THREE.Vector3(x, y, z))));
    for (const layer of this.layers) this.fillCopies(layer);
    this.redraw();
  }

  // ---------------------------------------------------------------- drawing

  resize() {
    const { clientWidth: width, clientHeight: height } = this.holder;
    if (width < 2 || height < 2) return;
    this.renderer.setPixelRatio(pixelRatio());
    this.renderer.setSize(width, height);
    this.view.resize(width, height);
    this.render();
  }

  redraw() {
    this.dirty = true;
  }

  updateView() {
    this.view.update(this.shifts.reduce((most, shift) => Math.max(most, shift.length()), 0));
  }

  render() {
    this.dirty = false;
    for (const layer of this.layers) for (const mesh of layer.meshes) mesh.visible = layer.shown;
    this.updateView();
    this.renderer.setClearColor(this.paper, 1);
    this.renderer.render(this.scene, this.view.camera);
  }
}

function colourTexture() {
  const texture = new THREE.DataTexture(new Uint8Array(4 * 256), 256, 1);
  texture.minFilter = texture.magFilter = THREE.NearestFilter;
  return texture;
}
