// Selecting, by a click or by the program.
import { pairOf } from "../data/contacts.js";
import { Picker } from "../draw/picker.js";
import { Signal } from "./signal.js";

const STILL = { mouse: 4, finger: 14 }; // pixels that a pointer may move during a click or tap

export class Selector {
  /** The selection has changed. @type {Signal<[Selected | null]>} */
  changed = new Signal();
  /** The contacts of the selection have been loaded, too. */
  ready = new Signal();
  /**
   * What the next click is for, if not for selecting.
   * @type {((x: number, y: number, found: Selected | null) => void) | null}
   */
  instead = null;

  /**
   * @param {Run} run
   * @param {Settings} settings
   * @param {Picture} picture
   * @param {Timeline} timeline
   */
  constructor(run, settings, picture, timeline) {
    this.run = run;
    this.settings = settings;
    this.picture = picture;
    this.timeline = timeline;
    this.picker = new Picker(picture.stage);
    this.listen(picture.stage.canvas);
  }

  /** @param {HTMLCanvasElement} canvas */
  listen(canvas) {
    /** @type {PointerEvent | null} */
    let down = null;
    canvas.addEventListener("pointerdown", (event) => {
      down = event;
    });
    canvas.addEventListener("pointerup", (event) => {
      if (!down || down.button !== 0) return;
      const still = event.pointerType === "mouse" ? STILL.mouse : STILL.finger;
      if (Math.hypot(event.clientX - down.clientX, event.clientY - down.clientY) > still) return;
      const box = canvas.getBoundingClientRect();
      const [x, y] = [event.clientX - box.left, event.clientY - box.top];
      const found = this.pick(x, y);
      if (this.instead) this.instead(x, y, found);
      else this.select(found);
    });
  }

  /**
   * @param {number} x
   * @param {number} y
   * @returns {Selected | null}
   */
  pick(x, y) {
    const found = this.run.frames > 0 ? this.picker.pick(x, y) : null;
    if (!found) return null;
    const { kind, id } = found;
    if (kind !== "contact") return { kind, id };
    const contacts = this.picture.content?.contacts;
    return contacts ? pairOf(contacts, id) : null;
  }

  /** @param {Selected | null} selection */
  async select(selection) {
    this.settings.selection = selection;
    this.picture.showSelection();
    this.changed.send(selection);
    if (selection) await this.timeline.show(this.timeline.target);
    this.ready.send();
  }
}
