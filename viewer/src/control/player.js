// Plays the frames one after another.
import { Signal } from "./signal.js";

/** Frames per second. */
export const SPEEDS = [1, 2, 5, 10, 15, 20, 30, 60];

const AHEAD = 8; // frames to load in advance

export class Player {
  playing = false;
  #due = 0;
  /** Playback has started or stopped, or its speed has changed. */
  changed = new Signal();

  /**
   * @param {Run} run
   * @param {Settings} settings
   * @param {Timeline} timeline
   */
  constructor(run, settings, timeline) {
    this.run = run;
    this.settings = settings;
    this.timeline = timeline;
  }

  toggle() {
    if (this.playing) this.pause();
    else if (this.run.frames > 1) this.play();
  }

  /** Plays, unless there is nothing to. */
  start() {
    if (!this.playing && this.run.frames > 1) this.play();
  }

  play() {
    const { timeline } = this;
    this.playing = true;
    if (timeline.frame === timeline.last) timeline.seek(0);
    this.changed.send();
    this.#due = performance.now();
    requestAnimationFrame((now) => this.#tick(now));
  }

  pause() {
    this.playing = false;
    this.changed.send();
  }

  /** @param {number} now */
  async #tick(now) {
    if (!this.playing) return;
    if (now >= this.#due) await this.#advance();
    requestAnimationFrame((next) => this.#tick(next));
  }

  /** At the end it loops, stops, or waits for the next frames of a run in progress. */
  async #advance() {
    const { timeline, settings } = this;
    const { going } = this.run.manifest;
    const atEnd = timeline.frame >= timeline.last;
    if (atEnd && going) return;
    if (atEnd && !settings.loop) {
      this.pause();
      return;
    }
    const next = atEnd ? 0 : timeline.frame + 1;
    this.#prefetch(next);
    await timeline.show(next).catch((error) => {
      timeline.failed.send(error.message);
      this.pause();
    });
    this.#due = Math.max(this.#due + 1000 / settings.speed, performance.now() - 100);
  }

  /** @param {number} frame */
  #prefetch(frame) {
    const { chains, bonds, points } = this.settings;
    const contacts = chains || bonds || points;
    for (let k = 1; k <= AHEAD; k++) this.run.prefetch((frame + k) % this.run.frames, contacts);
  }

  /** @param {number} by */
  step(by) {
    this.pause();
    this.timeline.seek(this.timeline.target + by);
  }

  /** @param {number} by steps in the list of speeds */
  accelerate(by) {
    const at = SPEEDS.indexOf(this.settings.speed) + by;
    this.settings.speed = SPEEDS[Math.min(SPEEDS.length - 1, Math.max(0, at))];
    this.changed.send();
  }
}
