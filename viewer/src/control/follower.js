// Follows a run in progress: polls the server and shows new frames.
import { Signal } from "./signal.js";

const WHILE_GOING = 1500; // milliseconds
const WHILE_RESTING = 5000;

export class Follower {
  /** There are new frames, or the run has ended. */
  grown = new Signal();
  /** The server is gone. */
  lost = new Signal();
  #isLost = false;
  #stopped = false;

  /**
   * @param {Run} run
   * @param {Settings} settings
   * @param {Timeline} timeline
   * @param {Player} player
   */
  constructor(run, settings, timeline, player) {
    this.run = run;
    this.settings = settings;
    this.timeline = timeline;
    this.player = player;
  }

  stop() {
    this.#stopped = true;
  }

  async follow() {
    const { run } = this;
    if (this.#stopped) return;
    if (!run.manifest.going && run.manifest.ending === "finished") return;
    try {
      const news = await run.checkForNews();
      // positions are relative to the first frame: start over when it arrives
      const first = run.frames > 0 && !this.timeline.picture.content;
      if (news === "other" || (news === "more" && first)) {
        location.reload();
        return;
      }
      if (news === "more" && run.frames > 0) await this.#grow();
      this.#isLost = false;
    } catch {
      if (!this.#isLost) this.lost.send();
      this.#isLost = true;
    }
    setTimeout(() => this.follow(), run.manifest.going ? WHILE_GOING : WHILE_RESTING);
  }

  async #grow() {
    if (this.settings.follow && !this.player.playing) await this.timeline.show(this.timeline.last);
    this.grown.send();
  }
}
