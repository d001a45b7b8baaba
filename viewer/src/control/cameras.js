// Two cameras that move together.
import * as THREE from "three";

/** How much larger than the smaller of two regions a box around both may be if they show one place. */
const ONE_PLACE = 2;

/**
 * @param {THREE.Box3} box
 */
const diagonal = (box) => box.getSize(new THREE.Vector3()).length();

/**
 * A region in the coordinates of the scene.
 * @param {Picture} picture
 */
function placeOf({ region, run }) {
  return region.clone().translate(new THREE.Vector3(...run.manifest.origin));
}

export class LinkedCameras {
  #moving = false;

  /**
   * Runs that fill one place are seen from one point; otherwise points correspond that lie alike in their
   * regions, as in runs of other sizes.
   * @param {Picture} first
   * @param {Picture} second
   */
  constructor(first, second) {
    const places = [placeOf(first), placeOf(second)];
    const both = places[0].clone().union(places[1]);
    const sizes = places.map(diagonal);
    this.onePlace = diagonal(both) < ONE_PLACE * Math.min(...sizes);
    this.views = [first.stage.view, second.stage.view];
    const centres = places.map((box) => box.getCenter(new THREE.Vector3()));
    this.ends = this.views.map((_, k) => ({
      origin: new THREE.Vector3(...[first, second][k].run.manifest.origin),
      centre: this.onePlace ? new THREE.Vector3() : centres[k],
      size: this.onePlace ? 1 : sizes[k],
    }));
    /** What is to be fitted into the first picture, in its coordinates. */
    this.region = this.onePlace
      ? both.translate(this.ends[0].origin.clone().negate())
      : first.region.clone();
    first.stage.onmove = () => this.#follow(0);
    second.stage.onmove = () => this.#follow(1);
  }

  /** Moves the second camera to where the first one is. */
  match() {
    this.#follow(0);
  }

  /** @param {number} moved which of the two cameras has moved */
  #follow(moved) {
    if (this.#moving) return;
    this.#moving = true;
    const [from, to] = [this.ends[moved], this.ends[1 - moved]];
    const { target, azimuth, elevation, distance } = this.views[moved].spherical();
    const scale = to.size / from.size;
    target.add(from.origin).sub(from.centre).multiplyScalar(scale).add(to.centre).sub(to.origin);
    this.views[1 - moved].place(target, azimuth, elevation, distance * scale);
    this.#moving = false;
  }
}
