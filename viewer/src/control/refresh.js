// Applies changed settings.
import { Signal } from "./signal.js";

export class Refresh {
  /** @type {Signal<[Change]>} */
  done = new Signal();
  /** @type {Signal<[string]>} */
  failed = new Signal();

  /**
   * @param {Run} run
   * @param {Settings} settings
   * @param {Picture} picture
   * @param {Timeline} timeline
   * @param {Theme} theme
   */
  constructor(run, settings, picture, timeline, theme) {
    this.run = run;
    this.settings = settings;
    this.picture = picture;
    this.timeline = timeline;
    this.theme = theme;
  }

  /** @param {Change} what */
  request(what) {
    this.apply(what).catch((error) => this.failed.send(error.message));
  }

  /** @param {Change} what */
  async apply(what) {
    const { picture, timeline } = this;
    if (this.run.frames === 0) return;
    if (what === "range") await picture.chooseRange(timeline.target);
    if (what === "range" || what === "contacts" || what === "marks") {
      await timeline.show(timeline.target);
    } else if (what === "copies") {
      picture.stage.setCopies(this.settings.copies);
      picture.stage.view.fit(picture.wholeRegion);
    } else if (what === "colour") {
      picture.colour();
      picture.showContacts();
    }
    picture.setLook(this.theme.ink);
    this.done.send(what);
  }

  /**
   * A function that changes a setting and applies it.
   * @template T
   * @template {keyof T} K
   * @param {T} target
   * @param {K} key
   * @param {Change} what
   * @returns {(value: T[K]) => void}
   */
  setter(target, key, what) {
    return (value) => {
      target[key] = value;
      this.request(what);
    };
  }
}
