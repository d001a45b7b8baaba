// What the pointer does to the world: it pulls at grains, moves the box, pours, and draws walls.
import * as THREE from "three";
import { Picker } from "../draw/picker.js";

/** @typedef {"hand" | "pour" | "wall" | "look"} Tool */

const GRAB = 3; // cycles in a second of the spring between pointer and grain
const HOLD = 4; // of that between hand and box
const SHAKE = 3; // cycles in a second
const POURED = 3; // grains that are tried in a frame
const LEAST_WALL = 8; // pixels

export class Hands {
  /** @type {Tool} */
  tool = "hand";
  /** What is going on: a grain that is held, the box, pouring, a wall. @type {{ kind: "grain" | "box" | "pour" | "wall",
   *   body: number, at: THREE.Vector3, from: THREE.Vector3, through: THREE.Vector3, press: THREE.Vector3 } | null} */
  held = null;
  /** Of the grains that are poured. */
  grain = { form: 0, size: 1, spread: 0.2 };
  /** Where the hand that holds the box is. */
  #hand = new THREE.Vector3();
  /** @type {PointerEvent | null} */
  #last = null;

  /**
   * @param {import("./motor.js").Motor} motor
   * @param {Picture} picture
   * @param {number} pace simulated time for a second
   */
  constructor(motor, picture, pace) {
    this.motor = motor;
    this.picture = picture;
    this.run = picture.run;
    this.pace = pace;
    this.picker = new Picker(picture.stage);
    // slender shapes have large circles around them
    this.radius = (this.run.shapes.length > 0 ? 0.5 : 1) * this.run.meanRadius;
    const { holder } = picture.stage;
    const canvas = picture.stage.canvas;
    this.ignore = new AbortController();
    const { signal } = this.ignore;
    holder.addEventListener("pointerdown", (event) => this.press(event), { capture: true, signal });
    canvas.addEventListener("pointermove", (event) => this.move(event), { signal });
    for (const end of ["pointerup", "pointercancel"])
      canvas.addEventListener(end, () => this.release(), { signal });
  }

  get controls() {
    return this.picture.stage.view.controls;
  }

  close() {
    this.ignore.abort();
  }

  /** @param {PointerEvent} event */
  press(event) {
    if (event.target !== this.picture.stage.canvas || event.button !== 0 || this.held) return;
    const { x, y } = this.pixel(event);
    const { flat } = this.run;
    const through = this.middle();
    const started = { body: -1, at: this.point(event, through), through };
    const begin = (/** @type {"grain" | "box" | "pour" | "wall"} */ kind, body = -1) => {
      const from = started.at.clone();
      this.held = { ...started, kind, body, from, press: this.#hand.clone() };
    };
    if (this.tool === "hand") {
      const found = this.picker.pick(x, y);
      if (found?.kind === "body") {
        through.fromArray(this.picture.grains.places, 3 * found.id);
        started.at = this.point(event, through);
        begin("grain", found.id);
      } else if (flat) begin("box");
    } else if (this.tool === "pour") begin("pour");
    else if (this.tool === "wall") {
      if (!flat) started.at = this.onFloor(event);
      begin("wall");
    }
    if (!this.held) return;
    this.controls.enabled = false;
    this.picture.stage.canvas.setPointerCapture(event.pointerId);
    this.#last = event;
    this.act();
  }

  /** @param {PointerEvent} event */
  move(event) {
    if (!this.held) return;
    this.#last = event;
    const { kind, through } = this.held;
    this.held.at =
      kind === "wall" && !this.run.flat ? this.onFloor(event) : this.point(event, through);
    if (kind !== "pour") this.act();
  }

  release() {
    const { held } = this;
    this.held = null;
    this.#last = null;
    this.controls.enabled = true;
    if (held?.kind === "grain") this.motor.call("release");
    if (held?.kind === "wall") this.drawWall(held.from, held.at);
  }

  /** Once for every frame, and when the pointer moves. */
  act() {
    const { held, motor } = this;
    if (!held) return;
    const at = this.absolute(held.at);
    if (held.kind === "grain")
      motor.call("grab", held.body, ...at, (2 * Math.PI * GRAB) / this.pace);
    else if (held.kind === "pour") this.pour(at);
    else if (held.kind === "box") this.holdBox(held);
  }

  /** While a pointer is down, for what goes on without it moving. */
  tick() {
    if (this.held?.kind === "pour") this.act();
    // the view has moved with the box
    if (this.held && this.#last && this.held.kind === "grain") this.move(this.#last);
  }

  /** @param {number[]} at */
  pour(at) {
    const { form, size, spread } = this.grain;
    const radius = size * this.radius;
    const reach = 2.2 * radius;
    this.motor.pour({ form, at, radius, spread, count: POURED, reach });
  }

  /** The box follows the pointer, by how far that has gone in pixels. @param {NonNullable<Hands["held"]>} held */
  holdBox(held) {
    if (!this.#last) return;
    const to = this.pixel(this.#last);
    const pixel = this.picture.stage.view.pixelSize();
    const start = (this.start ??= { held, ...to });
    if (start.held !== held) Object.assign(start, { held, ...to });
    const [right, up] = this.axes();
    this.#hand
      .copy(held.press)
      .addScaledVector(right, (to.x - start.x) * pixel)
      .addScaledVector(up, (start.y - to.y) * pixel);
    this.motor.call("hold", ...this.#hand.toArray(), (2 * Math.PI * HOLD) / this.pace);
  }

  /** @type {{ held: NonNullable<Hands["held"]>, x: number, y: number } | undefined} */
  start = undefined;

  /**
   * Shakes the box from side to side, by a grain or two and with about the acceleration of gravity.
   * @param {boolean} on
   */
  shake(on) {
    const [right] = this.axes();
    const amplitude = on ? 2.5 * this.radius : 0;
    const hand = this.#hand.toArray();
    // the spring is stiff enough for the box to follow
    this.motor.call("hold", ...hand, (2 * Math.PI * 4 * SHAKE) / this.pace);
    this.motor.call("shake", ...right.multiplyScalar(amplitude).toArray(), SHAKE / this.pace);
  }

  /**
   * @param {THREE.Vector3} from
   * @param {THREE.Vector3} to
   */
  drawWall(from, to) {
    const { view } = this.picture.stage;
    const [a, b] = [from, to].map((point) => view.project(point.toArray()));
    if (Math.hypot(a[0] - b[0], a[1] - b[1]) < LEAST_WALL) return;
    const height = 8 * this.radius;
    this.motor.call("wall", ...this.absolute(from), ...this.absolute(to), height);
  }

  // ---------------------------------------------------------------- where the pointer is

  /** @param {PointerEvent} event */
  pixel(event) {
    const box = this.picture.stage.canvas.getBoundingClientRect();
    return { x: event.clientX - box.left, y: event.clientY - box.top };
  }

  /** The right and the top of the screen, as directions of the world. */
  axes() {
    const { camera } = this.picture.stage.view;
    camera.updateMatrixWorld();
    return [0, 1].map((k) => new THREE.Vector3().setFromMatrixColumn(camera.matrixWorld, k));
  }

  /** The middle of what is seen. */
  middle() {
    return this.picture.region.getCenter(new THREE.Vector3());
  }

  /** @param {PointerEvent} event */
  ray(event) {
    const { view } = this.picture.stage;
    const { x, y } = this.pixel(event);
    const { width, height } = view.size;
    const caster = new THREE.Raycaster();
    view.camera.updateMatrixWorld();
    caster.setFromCamera(new THREE.Vector2((2 * x) / width - 1, 1 - (2 * y) / height), view.camera);
    return caster.ray;
  }

  /**
   * Where the pointer is in the plane across the line of sight through a point.
   * @param {PointerEvent} event
   * @param {THREE.Vector3} through
   */
  point(event, through) {
    const { camera } = this.picture.stage.view;
    const normal = camera.getWorldDirection(new THREE.Vector3());
    const plane = new THREE.Plane().setFromNormalAndCoplanarPoint(normal, through);
    return this.ray(event).intersectPlane(plane, new THREE.Vector3()) ?? through.clone();
  }

  /** Where the pointer is on the floor of the region. @param {PointerEvent} event */
  onFloor(event) {
    const up = new THREE.Vector3(0, 0, 1);
    const plane = new THREE.Plane().setFromNormalAndCoplanarPoint(up, this.picture.region.min);
    return this.ray(event).intersectPlane(plane, new THREE.Vector3()) ?? this.middle();
  }

  /** @param {THREE.Vector3} point */
  absolute(point) {
    return this.run.absolute(point.toArray());
  }
}
