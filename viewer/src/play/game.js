// A scene that is being played: its picture, the hands in it, and the pages about it.
import * as THREE from "three";
import { Refresh } from "../control/refresh.js";
import { initialSettings } from "../control/settings.js";
import { rangeOf } from "../data/quantities.js";
import { readBlock } from "../data/block.js";
import { Picture } from "../draw/picture.js";
import { CertificatePage } from "../page/certificate_page.js";
import { Compass } from "../page/compass.js";
import { h } from "../page/dom.js";
import { Layout } from "../page/layout.js";
import { Legend } from "../page/legend.js";
import { LookPage } from "../page/look_page.js";
import { Panel } from "../page/panel.js";
import { GrainsPage } from "./grains_page.js";
import { Guides } from "./guides.js";
import { Hands } from "./hands.js";
import { LiveRun } from "./live_run.js";
import { ScenePage } from "./scene_page.js";
import { Verdict } from "./verdict.js";

const FADE = 0.03; // by which the range of colours shrinks in a frame, so that it does not flicker
const CURVES = 400; // milliseconds between two drawings of the certificate's curves

export class Game {
  playing = true;
  /** How fast time runs, of the scene's own pace. */
  speed = 1;
  tilt = 0;
  #box = new THREE.Vector3();
  #curves = 0;
  #axis = new THREE.Vector3(0, 0, 1);

  /**
   * @param {HTMLElement} root
   * @param {import("./motor.js").Motor} motor
   * @param {Theme} theme
   * @param {import("./scenes.js").PlayScene} scene
   * @param {any} first the world and its first picture
   * @param {{ onrun: (text: string) => void, onpour: () => void }} actions
   */
  constructor(root, motor, theme, scene, first, { onrun, onpour }) {
    this.motor = motor;
    this.theme = theme;
    this.scene = scene;
    this.holder = h("main", { class: "picture" });
    root.prepend(this.holder);
    const run = new LiveRun(first, scene.title);
    run.take(first);
    const settings = Object.assign(initialSettings(run), { rangeOf: "frame", ...scene.look });
    this.run = run;
    this.settings = settings;
    this.picture = new Picture(this.holder, run, settings);
    this.gravity = new THREE.Vector3(...run.manifest.gravity).length();
    const timeline = /** @type {Timeline} */ (/** @type {unknown} */ (this.timeline()));
    this.refresh = new Refresh(run, settings, this.picture, timeline, theme);
    this.hands = new Hands(motor, this.picture, scene.pace);
    this.guides = new Guides();
    this.legend = new Legend();
    this.verdict = new Verdict();
    this.look = new LookPage(run, settings, this.picture, timeline, this.refresh);
    this.certificate = new CertificatePage(run, timeline);
    this.grains = new GrainsPage(motor, this.hands, first.world.laws, {
      sweeps: scene.sweeps ?? 0,
      onsweeps: (sweeps) => motor.call("sweeps", sweeps),
      onpour,
    });
    this.text = new ScenePage(scene.text, `${scene.id}.yaml`, {
      onrun,
      onstate: () => motor.askForScene(),
    });
    this.panel = new Panel({
      grains: { label: "Grains", page: this.grains },
      look: { label: "Look", page: this.look },
      certificate: { label: "Certificate", page: this.certificate },
      scene: { label: "Scene", page: this.text },
    });
    root.append(this.panel.element);
    this.layout = new Layout(root, this.panel.element, this.picture);
    this.compass = new Compass(run, this.picture.stage.view);
    this.picture.stage.ondraw = () => {
      this.compass.update();
      this.guides.update(this.hands, this.picture);
    };
    const { guides, legend, compass, verdict } = this;
    const note = h("p", {}, scene.note);
    const title = h("header", { class: "title-card" }, h("h1", {}, scene.title), note);
    title.append(verdict.element);
    this.title = title;
    this.holder.append(title, legend.element, compass.element, guides.element);
    this.refresh.done.listen(() => this.updateColours());
  }

  /** What the viewer's parts ask of a timeline: there is but one frame. */
  timeline() {
    const show = async () => this.picture.show(this.run.content);
    return { frame: 0, target: 0, last: 0, show, seekTime: () => {} };
  }

  async begin() {
    const { picture } = this;
    await picture.measure();
    this.arrange();
    picture.stage.view.look("corner");
    picture.setLook(this.theme.ink);
    this.chooseRange();
    picture.show(this.run.content);
    this.updateColours();
  }

  close() {
    this.hands.close();
    this.picture.stage.close();
    this.holder.remove();
    this.panel.element.remove();
  }

  /** The title, which may have several lines, covers nothing. */
  arrange() {
    const { view } = this.picture.stage;
    this.layout.update();
    const [top, ...others] = view.insets;
    view.insets = [Math.max(top, this.title.offsetTop + this.title.offsetHeight + 12), ...others];
  }

  fit() {
    this.arrange();
    const { view } = this.picture.stage;
    this.setTilt(this.tilt);
    if (this.run.flat) view.fit(this.picture.region);
    else view.look("corner");
  }

  /** What a frame must bring. */
  get wanted() {
    const now = performance.now();
    const steps = this.panel.current === "certificate" && now > this.#curves + CURVES;
    if (steps) this.#curves = now;
    return { contacts: this.picture.needsContacts, steps };
  }

  /** @param {any} frame */
  show(frame) {
    const { picture, run } = this;
    if (frame.world) {
      run.grow(frame.world);
      picture.grow(this.theme.ink);
    }
    run.take(frame);
    this.ride(frame.box);
    this.chooseRange();
    picture.show(run.content);
    this.legend.update(picture, this.theme.ink);
    this.verdict.update(frame, run);
    if (!frame.steps) return;
    run.manifest.frames.time[0] = 0;
    this.certificate.setSteps(readBlock(frame.steps));
    this.certificate.setCursor(frame.time);
  }

  /** The box moves on the screen; the world is seen from it. @param {number[]} box */
  ride(box) {
    const { controls, camera } = this.picture.stage.view;
    const now = new THREE.Vector3(...box);
    const moved = now.clone().sub(this.#box);
    this.#box = now;
    if (moved.lengthSq() === 0) return;
    controls.target.sub(moved);
    camera.position.sub(moved);
  }

  /** The range of the colours: it grows at once and shrinks slowly, and never down to noise. */
  chooseRange() {
    const { picture, settings, run } = this;
    const { quantity } = picture;
    if (settings.rangeOf === "fixed" || quantity.list || run.count === 0) return;
    let [low, high] = rangeOf([quantity.of(run.content)], quantity);
    const least = this.leastRange(settings.colourBy);
    if (!quantity.signed && low > 0 && (least > 0 || low < 0.3 * high)) low = 0;
    high = Math.max(high, low + least);
    if (picture.coloured === quantity && !quantity.constant) {
      const [before, after] = picture.range;
      low = Math.min(low, before + FADE * (low - before));
      high = Math.max(high, after + FADE * (high - after));
    }
    picture.range = [low, high];
  }

  /** Of speeds the one that a grain gains by falling through its own radius, of forces some weights. @param {string} key */
  leastRange(key) {
    const { run, gravity } = this;
    const fall = Math.sqrt(2 * (gravity || 1) * run.meanRadius);
    if (key === "speed") return fall;
    if (key === "spin") return fall / run.meanRadius;
    const mass = run.constants.mass.values();
    return key === "force" ? (mass[0] ?? 1) * (gravity || 1) : 0;
  }

  updateColours() {
    if (this.picture.coloured !== this.picture.quantity) return;
    this.look.update();
    this.legend.update(this.picture, this.theme.ink);
  }

  /**
   * Tilts the box: gravity has another direction in it, and the picture turns, so that down stays down.
   * @param {number} angle in radians
   */
  setTilt(angle) {
    const { view } = this.picture.stage;
    const up = new THREE.Vector3(...this.run.up);
    if (!this.run.flat && this.tilt === 0) {
      view.camera.getWorldDirection(this.#axis).addScaledVector(up, -this.#axis.dot(up));
      if (this.#axis.lengthSq() < 1e-6) this.#axis.set(0, 1, 0);
      this.#axis.normalize().negate();
    }
    this.tilt = angle;
    up.applyAxisAngle(this.#axis, angle);
    this.motor.call("gravity", ...up.clone().multiplyScalar(-this.gravity).toArray());
    view.camera.up.copy(up);
    view.camera.lookAt(view.controls.target);
    view.controls.update();
    this.picture.stage.redraw();
  }
}
