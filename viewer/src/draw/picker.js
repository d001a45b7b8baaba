// Finds what is under the cursor by drawing ids instead of colours into a single pixel.
import * as THREE from "three";

const KINDS = /** @type {const} */ ([null, "body", "contact", "wall"]); // as shaders number them

export class Picker {
  /** @param {Stage} stage */
  constructor(stage) {
    this.stage = stage;
    this.target = new THREE.WebGLRenderTarget(1, 1, { depthBuffer: true });
  }

  /**
   * Walls are picked only where there is nothing else.
   * @param {number} x in CSS pixels
   * @param {number} y
   */
  pick(x, y) {
    this.stage.updateView();
    const found =
      this.find(x, y, (layer) => !layer.single) ?? this.find(x, y, (layer) => layer.single);
    this.stage.redraw();
    return found;
  }

  /**
   * @param {number} x
   * @param {number} y
   * @param {(layer: Layer) => boolean} chosen
   * @returns {Picked | null}
   */
  find(x, y, chosen) {
    const { renderer, scene, view } = this.stage;
    const { width, height } = view.size;
    const pixel = new Uint8Array(4);
    this.stage.withMaterials(
      (layer) => (layer.shown && chosen(layer) ? layer.picking : null),
      () => {
        view.camera.setViewOffset(width, height, Math.floor(x), Math.floor(y), 1, 1);
        renderer.setRenderTarget(this.target);
        renderer.setClearColor(0x000000, 0);
        renderer.clear();
        renderer.render(scene, view.camera);
        renderer.readRenderTargetPixels(this.target, 0, 0, 1, 1, pixel);
        renderer.setRenderTarget(null);
        view.camera.clearViewOffset();
      },
    );
    const kind = KINDS[pixel[3]];
    return kind ? { kind, id: pixel[0] + 256 * pixel[1] + 65536 * pixel[2] } : null;
  }
}
