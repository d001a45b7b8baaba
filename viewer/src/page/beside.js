// A second run beside the first: its own picture, legend and pages; time, camera and look are those of the first.
import { LinkedCameras } from "../control/cameras.js";
import { Follower } from "../control/follower.js";
import { Refresh } from "../control/refresh.js";
import { Selector } from "../control/selector.js";
import { Timeline } from "../control/timeline.js";
import { quantities } from "../data/quantities.js";
import { Picture } from "../draw/picture.js";
import { AboutPage } from "./about_page.js";
import { CertificatePage } from "./certificate_page.js";
import { h, iconButton } from "./dom.js";
import { number } from "./format.js";
import { Legend } from "./legend.js";
import { SelectionPage } from "./selection_page.js";
import { titleCard } from "./toolbar.js";

const AHEAD = 4; // frames to load in advance while playing

/**
 * The settings of the first run as they are at any moment, but what is selected and hidden by number is the second
 * run's own; and it has a colour for its grains even where it lacks the quantity.
 * @param {Settings} settings
 * @param {Run} run
 * @returns {Settings}
 */
function shared(settings, run) {
  const known = quantities(run);
  const filter = Object.create(settings.filter, { hiddenMaterials: { value: new Set() } });
  return Object.create(settings, {
    selection: { value: null, writable: true },
    follow: { value: false },
    filter: { value: filter },
    colourBy: { get: () => (settings.colourBy in known ? settings.colourBy : "speed") },
    shadows: { get: () => settings.shadows, set: () => {} },
  });
}

export class Beside {
  /**
   * @param {import("../viewer.js").Viewer} viewer
   * @param {Run} run
   * @param {() => void} onclose
   */
  constructor(viewer, run, onclose) {
    this.viewer = viewer;
    this.run = run;
    this.holder = h("div", { class: "picture beside", "aria-label": "The run beside" });
    viewer.holder.after(this.holder);
    const settings = shared(viewer.settings, run);
    this.settings = settings;
    this.picture = new Picture(this.holder, run, settings);
    this.timeline = new Timeline(run, settings, this.picture);
    this.refresh = new Refresh(run, settings, this.picture, this.timeline, viewer.theme);
    this.selector = new Selector(run, settings, this.picture, this.timeline);
    this.follower = new Follower(run, settings, this.timeline, viewer.player);
    this.legend = new Legend();
    this.legend.element.removeAttribute("id");
    this.clock = h("p", { class: "clock" });
    const card = titleCard(run);
    card.append(this.clock);
    const close = iconButton("close", "Close this run", onclose, "close-beside");
    const tools = h("nav", { class: "tools", "aria-label": "The run beside" }, close);
    this.holder.append(card, tools, this.legend.element);
    const { picture, timeline, selector } = this;
    this.pages = {
      certificate: new CertificatePage(run, viewer.timeline),
      selection: new SelectionPage(run, settings, picture, timeline, selector),
      about: new AboutPage(run),
    };
    this.connect();
  }

  connect() {
    const { viewer, selector, timeline, pages } = this;
    const tell = (/** @type {string} */ text) => viewer.message.say(text);
    timeline.failed.listen(tell);
    this.refresh.failed.listen(tell);
    timeline.shown.listen(() => this.updateShown());
    selector.changed.listen((selection) => {
      if (!selection) return;
      viewer.sides.choose(1);
      viewer.panel.open("selection");
      viewer.layout.reveal();
    });
    selector.ready.listen(() => pages.selection.update());
    this.follower.grown.listen(() => {
      pages.about.update();
      this.loadSteps();
    });
    this.follower.lost.listen(() => tell("The server does not answer."));
  }

  /** Shows the moment that the first run shows, from where it is seen. */
  async begin() {
    const { viewer, picture, run, pages } = this;
    picture.setLook(viewer.theme.ink);
    if (run.frames > 0) {
      await picture.measure();
      picture.stage.view.look("corner");
      if (run.flat === viewer.run.flat) this.cameras = new LinkedCameras(viewer.picture, picture);
      this.timeline.target = this.frame;
      await this.apply("range");
    }
    pages.about.update();
    pages.selection.update();
    await this.loadSteps();
    if (run.source.live) this.follower.follow();
  }

  /** The frame nearest to the time that the first run shows. */
  get frame() {
    const { run, timeline } = this.viewer;
    return run.frames > 0 ? this.run.frameAt(run.time(timeline.frame)) : 0;
  }

  async show() {
    const { run, viewer, timeline, settings } = this;
    if (run.frames === 0) return;
    const { frame } = this;
    if (frame !== timeline.frame || !this.picture.content) await timeline.show(frame);
    else this.updateShown();
    if (!viewer.player.playing) return;
    const { chains, bonds, points } = settings;
    for (let k = 1; k <= AHEAD; k++) run.prefetch(frame + k, chains || bonds || points);
  }

  /**
   * After a change of the settings.
   * @param {Change} what
   */
  async apply(what) {
    if (this.run.frames === 0) return;
    await this.refresh.apply(what === "copies" ? "look" : what);
    if (what === "copies") this.picture.stage.setCopies(this.settings.copies);
    this.matchRange();
    this.updateShown();
  }

  /** One scale of colours for both runs, if that is wanted and they are coloured by one quantity. */
  matchRange() {
    const { settings, picture, viewer } = this;
    const first = viewer.picture;
    if (settings.rangeOf === "frame" || picture.quantity.list) return;
    const own = settings.rangeOf === "run" && !settings.oneScale;
    if (own || settings.colourBy !== viewer.settings.colourBy) return;
    const [low, high] = picture.range;
    const fixed = settings.rangeOf === "fixed";
    const range = /** @type {[number, number]} */ (
      fixed ? first.range : [Math.min(low, first.range[0]), Math.max(high, first.range[1])]
    );
    for (const each of [first, picture]) {
      if (each.range.join() === range.join()) continue;
      each.range = [range[0], range[1]];
      each.colour();
    }
    viewer.updateColours();
  }

  /** Legend, clock and pages say what is on screen. */
  updateShown() {
    const { run, viewer, timeline, picture, pages } = this;
    if (run.frames === 0) {
      this.clock.textContent = "no frame yet";
      return;
    }
    this.clock.textContent = `t = ${number(run.time(timeline.frame), 5)}`;
    if (picture.coloured === picture.quantity) this.legend.update(picture, viewer.theme.ink);
    pages.certificate.setCursor(run.time(timeline.frame));
    pages.selection.update();
  }

  async loadSteps() {
    try {
      this.pages.certificate.setSteps(await this.run.steps());
    } catch (error) {
      this.viewer.message.say(error instanceof Error ? error.message : String(error));
    }
  }

  setLook() {
    this.picture.setLook(this.viewer.theme.ink);
    this.updateShown();
  }

  close() {
    this.follower.stop();
    this.viewer.picture.stage.onmove = () => {};
    this.picture.stage.close();
    this.holder.remove();
  }
}
