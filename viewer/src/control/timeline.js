// The frame on screen.
import { Signal } from "./signal.js";

export class Timeline {
  /** The frame on screen. */
  frame = 0;
  /** The frame requested last. */
  target = 0;
  #round = 0;
  /** A frame has been requested. @type {Signal<[number]>} */
  sought = new Signal();
  /** A frame is on screen; whether the colour range has changed. @type {Signal<[boolean]>} */
  shown = new Signal();
  /** @type {Signal<[string]>} */
  failed = new Signal();

  /**
   * @param {Run} run
   * @param {Settings} settings
   * @param {Picture} picture
   */
  constructor(run, settings, picture) {
    this.run = run;
    this.settings = settings;
    this.picture = picture;
  }

  get last() {
    return this.run.frames - 1;
  }

  /**
   * Loads a frame and shows it, unless another one has been requested meanwhile.
   * @param {number} frame
   */
  async show(frame) {
    const mine = ++this.#round;
    const { picture } = this;
    this.target = frame;
    const content = await picture.load(frame);
    if (mine !== this.#round) return;
    const newRange = frame !== this.frame && this.settings.rangeOf === "frame";
    this.frame = frame;
    if (newRange && !picture.quantity.constant) {
      await picture.chooseRange(frame);
      if (mine !== this.#round) return;
    }
    picture.show(content);
    this.shown.send(newRange);
  }

  /**
   * Goes to a frame, or to the nearest one that exists.
   * @param {number} frame
   */
  seek(frame) {
    if (this.run.frames === 0) return;
    const target = Math.min(this.last, Math.max(0, frame));
    this.sought.send(target);
    this.show(target).catch((error) => this.failed.send(error.message));
  }

  /** @param {number} time */
  seekTime(time) {
    this.seek(this.run.frameAt(time));
  }
}
