// Notes that the user writes on the picture: each at a grain, which it follows, or at a point of the scene.
import { Signal } from "./signal.js";

/** @typedef {{ text: string, body: number | null, point: number[] }} Note */

export class Notes {
  /** @type {Note[]} */
  list = [];
  changed = new Signal();

  /** @param {Note} note */
  add(note) {
    this.list.push(note);
    this.changed.send();
  }

  /**
   * @param {Note} note
   * @param {string} text without any, the note goes
   */
  write(note, text) {
    note.text = text.trim();
    if (!note.text) this.list = this.list.filter((one) => one !== note);
    this.changed.send();
  }

  /**
   * Where a note is in a picture, in CSS pixels; null where it is not seen: behind the camera, or a grain that is
   * not there.
   * @param {Note} note
   * @param {Picture} picture
   */
  static place(note, picture) {
    const { origin } = picture.run.manifest;
    const { places } = picture.grains;
    const point =
      note.body === null
        ? note.point.map((x, k) => x - origin[k])
        : [...places.subarray(3 * note.body, 3 * note.body + 3)];
    if (!point.every(Number.isFinite)) return null;
    const [x, y, depth] = picture.stage.view.project(point);
    return depth < 1 ? { x, y } : null;
  }
}
