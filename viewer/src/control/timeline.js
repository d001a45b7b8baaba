// Which frame is shown.
import { Signal } from "./signal.js";

export class Timeline {
  /** The frame that is shown. */
  frame = 0;
  /** The frame that was asked for last. */
  target = 0;
  #round = 0;
  /** A frame was asked for. @type {Signal<[number]>} */
  sought = new Signal();
  /** A frame was shown; whether the range of the colours is a new one. @type {Signal<[boolean]>} */
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
   * Loads a frame and shows it, unless another one was asked for meanwhile.
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
   * Goes to a frame, or to the nearest there is.
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
