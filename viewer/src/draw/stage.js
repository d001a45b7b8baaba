// The renderer, the layers it draws, and their periodic copies.
import * as THREE from "three";
import { Average, Lamp, STILLS } from "./lamp.js";
import { View, pixelRatio } from "./view.js";

THREE.ColorManagement.enabled = false; // colours are given in sRGB, as displayed

const STILL_AFTER = 150; // milliseconds without a change

/**
 * Meshes that share a material; set `shown` to hide them. A single layer has no periodic copies.
 * @typedef {object} Layer
 * @property {THREE.BufferGeometry} geometry
 * @property {THREE.Material} material
 * @property {THREE.Material | null} picking draws numbers instead of colours
 * @property {THREE.Material | null} casting draws what throws a shadow
 * @property {number} order
 * @property {(THREE.Mesh | THREE.LineSegments)[]} meshes
 * @property {boolean} single
 * @property {boolean} shown
 */

export class Stage {
  #changed = 0;

  /**
   * @param {HTMLElement} holder
   * @param {Run} run
   */
  constructor(holder, run) {
    this.holder = holder;
    this.lattice = run.lattice({});
    this.copies = 0;
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
    /** Called when the camera has moved. */
    this.onmove = () => {};
    this.view = new View(this.canvas, run, () => {
      this.redraw();
      this.onmove();
    });
    /** Light and shadow, in space only. */
    this.lamp = run.flat ? null : new Lamp(this.view.up);
    if (this.lamp) {
      this.lamp.on = !isSoftware(this.renderer);
      this.renderer.initRenderTarget(this.lamp.target); // shaders need it even where there are no shadows
    }
    this.average = run.flat ? null : new Average(this.renderer);
    /** How many still pictures have been averaged. */
    this.stills = STILLS;
    this.table = colourTexture();
    this.forceTable = colourTexture();
    this.bondTable = colourTexture();
    /** @type {Layer[]} */
    this.layers = [];
    this.shifts = [new THREE.Vector3()];
    this.dirty = true;
    this.closed = false;
    /** Called after each picture. */
    this.ondraw = () => {};
    new ResizeObserver(() => this.resize()).observe(holder);
    this.resize();
    const tick = () => {
      if (this.closed) return;
      requestAnimationFrame(tick);
      this.view.controls.update();
      if (this.dirty) this.render();
      else if (performance.now() > this.#changed + STILL_AFTER) this.refine();
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
      uniforms: {
        ...this.view.uniforms,
        ...this.lamp?.uniforms,
        ...uniforms,
        shift: { value: new THREE.Vector3() },
      },
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
   * @param {boolean} casts whether it throws a shadow
   */
  addCopies(geometry, material, order, casts = false) {
    const picking = this.pickMaterial(material);
    const casting = casts ? picking : null;
    /** @type {Layer} */
    const layer = {
      geometry,
      material,
      picking,
      casting,
      order,
      meshes: [],
      single: false,
      shown: true,
    };
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
   * @param {THREE.Material | null} casting
   */
  addOne(object, order, picking = null, casting = null) {
    const { geometry, material } = object;
    this.addToScene(object, order);
    /** @type {Layer} */
    const layer = {
      geometry,
      material,
      picking,
      casting,
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

  /**
   * Draws some layers no more.
   * @param {Layer[]} gone
   */
  remove(gone) {
    this.layers = this.layers.filter((layer) => !gone.includes(layer));
    for (const { meshes, geometry, material, picking } of gone) {
      this.scene.remove(...meshes);
      geometry.dispose();
      material.dispose();
      picking?.dispose();
    }
  }

  /** Gives the canvas and the graphics card's memory back. */
  close() {
    this.closed = true;
    this.view.controls.dispose();
    this.renderer.dispose();
    this.renderer.forceContextLoss();
    this.canvas.remove();
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
    this.copies = reach;
    this.shifts = this.findShifts();
    for (const layer of this.layers) this.fillCopies(layer);
    this.redraw();
  }

  /**
   * The copies move along when the cell deforms.
   * @param {Lattice} lattice
   */
  setLattice(lattice) {
    this.lattice = lattice;
    this.findShifts().forEach((shift, i) => this.shifts[i].copy(shift));
    this.redraw();
  }

  findShifts() {
    const [xs, ys, zs] = this.lattice.periodic.map((is) => {
      const most = is ? this.copies : 0;
      return Array.from({ length: 2 * most + 1 }, (_, k) => k - most);
    });
    const times = xs.flatMap((x) => ys.flatMap((y) => zs.map((z) => [x, y, z])));
    return times.map((each) => new THREE.Vector3(...this.lattice.sum(each)));
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
    this.#changed = performance.now();
    this.stills = this.lamp?.on ? 0 : STILLS;
    this.updateView();
    this.draw(-1, null);
    this.ondraw();
  }

  /** Averages one more picture of what is still. */
  refine() {
    if (!this.average || this.stills >= STILLS) return;
    if (this.stills === 0) this.average.resize();
    this.updateView();
    this.draw(this.stills, this.average.one);
    this.average.add(this.stills++);
  }

  /**
   * @param {number} k number of a still picture; -1 while things move
   * @param {THREE.WebGLRenderTarget | null} target
   */
  draw(k, target) {
    const { renderer, layers, lamp, view } = this;
    if (lamp) {
      const toward = lamp.aim(view.camera, k);
      if (lamp.on) this.castShadows(lamp, toward);
    }
    for (const layer of layers) for (const mesh of layer.meshes) mesh.visible = layer.shown;
    renderer.setRenderTarget(target);
    renderer.setClearColor(this.paper, 1);
    renderer.render(this.scene, view.camera);
    renderer.setRenderTarget(null);
  }

  /**
   * @param {Lamp} lamp
   * @param {THREE.Vector3} toward
   */
  castShadows(lamp, toward) {
    const { renderer, view } = this;
    const ball = view.region.getBoundingSphere(new THREE.Sphere());
    ball.radius += this.shifts.reduce((most, shift) => Math.max(most, shift.length()), 0);
    lamp.place(toward, ball, view.camera);
    this.withMaterials(
      (layer) => (layer.shown && !layer.material.transparent ? layer.casting : null),
      () => {
        view.uniforms.ortho.value = true;
        renderer.setRenderTarget(lamp.target);
        renderer.clear();
        renderer.render(this.scene, lamp.camera);
        view.uniforms.ortho.value = false;
      },
    );
  }

  /**
   * Draws with other materials than usual, and only layers that have one.
   * @param {(layer: Layer) => THREE.Material | null} choose
   * @param {() => void} draw
   */
  withMaterials(choose, draw) {
    for (const layer of this.layers) {
      const material = choose(layer);
      for (const mesh of layer.meshes) {
        mesh.visible = material !== null;
        if (material) mesh.material = material;
      }
    }
    draw();
    for (const layer of this.layers)
      for (const mesh of layer.meshes) mesh.material = layer.material;
  }
}

/**
 * Whether the processor does the work of a graphics card, which shadows would make slow.
 * @param {THREE.WebGLRenderer} renderer
 */
function isSoftware(renderer) {
  const gl = renderer.getContext();
  const info = gl.getExtension("WEBGL_debug_renderer_info");
  const name = gl.getParameter(info?.UNMASKED_RENDERER_WEBGL ?? gl.RENDERER);
  return /swiftshader|llvmpipe|softpipe|software|basic render/i.test(String(name));
}

function colourTexture() {
  const texture = new THREE.DataTexture(new Uint8Array(4 * 256), 256, 1);
  texture.minFilter = texture.magFilter = THREE.NearestFilter;
  return texture;
}
