// The playground: scenes to choose from, tools, and the clock that drives the engine.
import { h, icon, iconButton, segments, select } from "../page/dom.js";
import { Message } from "../page/message.js";
import { Game } from "./game.js";
import { valued } from "./grains_page.js";
import { scenes } from "./scenes.js";

/** @type {Record<Tool, string>} */
const TOOLS = { hand: "Drag", pour: "Pour", wall: "Wall", look: "Look" };
// with letters, or the whole numbers among the keys would come first
const SPEEDS = { "x0.1": "⅒ ×", "x0.25": "¼ ×", "x0.5": "½ ×", x1: "1 ×", x2: "2 ×", x4: "4 ×" };
/** @typedef {import("./hands.js").Tool} Tool */

const STEEPEST = 180; // degrees
const IDLE = 120; // milliseconds between two pictures of a world that stands still

export class Playground {
  /** @type {Game | null} */
  game = null;
  #last = performance.now();
  /** The scene that is being loaded. @type {import("./scenes.js").PlayScene} */
  #next = scenes[0];

  /**
   * @param {HTMLElement} root
   * @param {import("./motor.js").Motor} motor
   * @param {Theme} theme
   */
  constructor(root, motor, theme) {
    this.root = root;
    this.motor = motor;
    this.theme = theme;
    this.message = new Message();
    this.chips = scenes.map((scene) =>
      h(
        "button",
        { type: "button", class: "chip", "data-scene": scene.id, onclick: () => this.open(scene) },
        scene.title,
      ),
    );
    this.bar = this.makeBar();
    root.replaceChildren(this.makeTop(), this.bar, this.message.element);
    motor.loaded.listen((first) => this.begin(first));
    motor.frame.listen((frame) => this.game?.show(frame));
    motor.scene.listen((text) => this.game?.text.saveState(text));
    motor.failed.listen((fault) => this.tell(fault));
    theme.changed.listen(() => {
      this.game?.picture.setLook(theme.ink);
      this.game?.updateColours();
      this.game?.panel.redraw();
    });
    window.addEventListener("keydown", (event) => this.key(event));
    requestAnimationFrame((now) => this.tick(now));
  }

  makeTop() {
    return h(
      "nav",
      { class: "scenes", "aria-label": "Scenes" },
      h("b", {}, "Scree"),
      h("div", { class: "chips" }, this.chips),
      h(
        "span",
        { class: "right" },
        iconButton("fit", "Fit to view (F)", () => this.game?.fit(), "fit"),
        iconButton("moon", "Light or dark (D)", () => this.theme.toggle(), "theme"),
        iconButton("panel", "Panel (P)", () => this.game?.layout.toggle(), "panel-toggle"),
      ),
    );
  }

  makeBar() {
    this.play = iconButton("pause", "Play or pause (space)", () => this.toggle(), "play");
    const step = iconButton("forth", "One step (.)", () => this.step(), "step");
    const again = iconButton("again", "From the start (R)", () => this.open(this.#next), "again");
    const first = /** @type {Tool} */ ("hand");
    this.tools = segments(TOOLS, first, (tool) => this.use(tool), "tool");
    for (const button of this.tools.element.children)
      button.prepend(icon(/** @type {Tool} */ (/** @type {HTMLElement} */ (button).dataset.key)));
    const shake = h("button", { type: "button", class: "follow", id: "shake" }, icon("shake"));
    shake.append("Shake");
    const shaking = (/** @type {boolean} */ on) => {
      shake.setAttribute("aria-pressed", String(on));
      this.game?.hands.shake(on);
    };
    shake.addEventListener("pointerdown", () => shaking(true));
    for (const end of ["pointerup", "pointerleave", "pointercancel"])
      shake.addEventListener(end, () => shaking(false));
    const undo = iconButton("undo", "Remove the last wall (Z)", () => this.undo(), "undo");
    this.tilt = valued(
      { id: "tilt", min: -STEEPEST, max: STEEPEST, step: 1, value: 0 },
      (degrees) => `${degrees}°`,
      (degrees) => this.game?.setTilt((degrees * Math.PI) / 180),
    );
    this.speed = select(
      SPEEDS,
      "x1",
      (speed) => this.game && (this.game.speed = Number(speed.slice(1))),
      "speed",
    );
    return h(
      "footer",
      { class: "transport" },
      h("div", { class: "buttons" }, this.play, step, again),
      this.tools.element,
      undo,
      shake,
      h("label", { class: "tilt" }, "Tilt", this.tilt.element),
      h("span", { class: "end" }, this.speed),
    );
  }

  // ---------------------------------------------------------------- scenes

  /** @param {import("./scenes.js").PlayScene} scene */
  open(scene) {
    this.#next = scene;
    this.motor.load(scene.text);
  }

  /** @param {any} first */
  async begin(first) {
    const scene = this.#next;
    const panel = this.game?.panel.current;
    this.game?.close();
    document.title = `${scene.title} – Scree`;
    for (const chip of this.chips) {
      const chosen = chip.dataset.scene === scene.id;
      chip.setAttribute("aria-pressed", String(chosen));
      const list = /** @type {HTMLElement} */ (chip.parentElement);
      if (chosen) list.scrollLeft = chip.offsetLeft - (list.clientWidth - chip.offsetWidth) / 2;
    }
    const game = new Game(this.root, this.motor, this.theme, scene, first, {
      onrun: (text) =>
        this.open({ id: "own", title: "Your scene", note: "", text, pace: scene.pace }),
      onpour: () => this.use("pour"),
    });
    this.game = game;
    if (panel) game.panel.open(panel);
    this.use(scene.tool ?? "hand");
    this.tilt?.set(0);
    if (this.speed) this.speed.value = "x1";
    if (scene.sweeps) this.motor.call("sweeps", scene.sweeps);
    await game.begin();
    this.showPlaying();
    document.documentElement.dataset.ready = "true";
  }

  /** @param {{ during: string, text: string }} fault */
  tell({ during, text }) {
    if (during === "load" && this.game) {
      this.game.text.say(text);
      this.game.panel.open("scene");
      this.game.layout.reveal();
      this.#next = this.game.scene;
    } else {
      this.message.say(text, during === "start");
      if (this.game && during === "frame") this.toggle(false);
    }
  }

  // ---------------------------------------------------------------- time

  /** @param {number} now */
  tick(now) {
    requestAnimationFrame((next) => this.tick(next));
    const { game, motor } = this;
    if (!game || motor.busy) return;
    const passed = Math.min(0.1, (now - this.#last) / 1000);
    if (!game.playing && !game.hands.held && now < this.#last + IDLE) return;
    this.#last = now;
    game.hands.tick();
    const time = game.playing ? passed * game.scene.pace * game.speed : 0;
    motor.advance({ time, ...game.wanted });
  }

  toggle(playing = !this.game?.playing) {
    if (!this.game) return;
    this.game.playing = playing;
    this.showPlaying();
  }

  showPlaying() {
    const fresh = iconButton(this.game?.playing ? "pause" : "play", "", () => {});
    this.play?.replaceChildren(...fresh.childNodes);
  }

  step() {
    if (!this.game || this.motor.busy) return;
    this.toggle(false);
    this.motor.advance({ time: 0, single: true, ...this.game.wanted });
  }

  // ---------------------------------------------------------------- tools

  /** @param {Tool} tool */
  use(tool) {
    this.tools?.set(tool);
    if (!this.game) return;
    this.game.hands.tool = tool;
    this.game.holder.dataset.tool = tool;
  }

  undo() {
    this.motor.call("undo_wall");
  }

  /** @param {KeyboardEvent} event */
  key(event) {
    const { target } = event;
    if (target instanceof HTMLTextAreaElement || target instanceof HTMLInputElement) return;
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    /** @type {Record<string, () => void>} */
    const keys = {
      " ": () => this.toggle(),
      ".": () => this.step(),
      r: () => this.open(this.#next),
      z: () => this.undo(),
      f: () => this.game?.fit(),
      d: () => this.theme.toggle(),
      p: () => this.game?.layout.toggle(),
      c: () => this.game?.look.show.toggleChains(),
      1: () => this.use("hand"),
      2: () => this.use("pour"),
      3: () => this.use("wall"),
      4: () => this.use("look"),
    };
    const action = keys[event.key.toLowerCase()];
    if (!action) return;
    event.preventDefault();
    action();
  }
}
