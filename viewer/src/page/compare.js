// Two runs side by side: where the second one comes from, and how it follows the first.
import { Run } from "../data/run.js";
import { findSource, sourceOfFile } from "../data/source.js";
import { Beside } from "./beside.js";
import { h } from "./dom.js";

const ROOM = 1240; // pixels: with less the panel closes, and leaves its room to the pictures

export class Compare {
  /** The run beside the first. @type {Beside | null} */
  beside = null;
  /** What is under way for the second picture. */
  #work = Promise.resolve();

  /** @param {import("../viewer.js").Viewer} viewer */
  constructor(viewer) {
    this.viewer = viewer;
    this.chooser = h("input", {
      type: "file",
      accept: ".html,.htm,text/html",
      hidden: true,
      id: "beside-file",
      onchange: () => this.openFile(this.chooser.files?.[0]),
    });
    this.listen();
    this.listenToDrops(viewer.root);
  }

  listen() {
    const { timeline, refresh, theme } = this.viewer;
    timeline.shown.listen(() => this.#do((beside) => beside.show()));
    refresh.done.listen((what) => this.#do((beside) => beside.apply(what)));
    theme.changed.listen(() => this.beside?.setLook());
  }

  /**
   * @param {(beside: Beside) => Promise<void>} job
   */
  #do(job) {
    const { beside } = this;
    if (!beside) return;
    this.#work = Promise.all([this.#work, job(beside)]).then(
      () => {},
      (error) => this.viewer.message.say(error.message),
    );
  }

  /** When the second picture has come up with the first. */
  settled() {
    return this.#work;
  }

  /** @param {HTMLElement} root */
  listenToDrops(root) {
    const over = (/** @type {boolean} */ is) => root.classList.toggle("dropping", is);
    root.addEventListener("dragover", (event) => {
      event.preventDefault();
      over(true);
    });
    root.addEventListener("dragleave", (event) => {
      if (!event.relatedTarget) over(false);
    });
    root.addEventListener("drop", (event) => {
      event.preventDefault();
      over(false);
      this.openFile(event.dataTransfer?.files[0]);
    });
  }

  /** Closes the run beside the first, or lets the user choose one. */
  toggle() {
    if (this.beside) this.close();
    else if (this.viewer.run.manifest.beside) this.openOwn();
    else this.chooser.click();
  }

  /** @param {File | undefined} file */
  async openFile(file) {
    this.chooser.value = "";
    if (!file) return;
    await this.open(sourceOfFile(file));
  }

  /** The second run of this page or server. */
  async openOwn() {
    await this.open(Promise.resolve(findSource("beside/")), false);
  }

  /**
   * @param {Promise<Source>} source
   * @param {boolean} fit whether the view is to be fitted to both runs
   */
  async open(source, fit = true) {
    const { viewer } = this;
    try {
      const run = await Run.open(await source);
      this.close();
      viewer.root.classList.add("comparing");
      const { layout } = viewer;
      if (!layout.isSmall && layout.isOpen && window.innerWidth < ROOM) layout.toggle();
      this.beside = new Beside(viewer, run, () => this.close());
      layout.pictures.push(this.beside.picture);
      viewer.sides.pair(this.beside.pages, [viewer.run.manifest.file, run.manifest.file]);
      layout.update();
      await this.beside.begin();
      if (fit || !viewer.link.words.has("camera")) viewer.actions.fit();
      else this.beside.cameras?.match();
      this.update();
    } catch (error) {
      this.close();
      viewer.message.say(error instanceof Error ? error.message : String(error));
    }
  }

  close() {
    const { viewer, beside } = this;
    if (!beside) {
      viewer.root.classList.remove("comparing");
      return;
    }
    this.beside = null;
    beside.close();
    viewer.root.classList.remove("comparing");
    viewer.layout.pictures = [viewer.picture];
    viewer.layout.update();
    viewer.sides.part();
    viewer.refresh.request("range");
    this.update();
  }

  update() {
    const button = document.getElementById("compare");
    button?.setAttribute("aria-pressed", String(this.beside !== null));
    this.viewer.look.colour.showOneScale(this.beside !== null);
  }

  /** What is to be in the picture when everything is shown. */
  get region() {
    return this.beside?.cameras?.region ?? this.viewer.picture.region;
  }

  /** The pictures on screen, from left to right or from top to bottom. */
  get pictures() {
    const { picture, timeline, notes } = this.viewer;
    const first = { picture, frame: timeline.frame, notes };
    const { beside } = this;
    return beside?.picture.coloured
      ? [first, { picture: beside.picture, frame: beside.timeline.frame, notes: null }]
      : [first];
  }
}
