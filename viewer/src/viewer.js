// Puts the parts together.
import { Follower } from "./control/follower.js";
import { listenToKeys } from "./control/keyboard.js";
import { Link, linkTo } from "./control/link.js";
import { Notes } from "./control/notes.js";
import { Player } from "./control/player.js";
import { Refresh } from "./control/refresh.js";
import { Selector } from "./control/selector.js";
import { initialSettings } from "./control/settings.js";
import { Timeline } from "./control/timeline.js";
import { Picture } from "./draw/picture.js";
import { AboutPage } from "./page/about_page.js";
import { CertificatePage } from "./page/certificate_page.js";
import { Compare } from "./page/compare.js";
import { Compass } from "./page/compass.js";
import { h } from "./page/dom.js";
import { number, unit } from "./page/format.js";
import { Film } from "./page/film.js";
import { Help } from "./page/help.js";
import { Layout } from "./page/layout.js";
import { Legend } from "./page/legend.js";
import { LookPage } from "./page/look_page.js";
import { Message } from "./page/message.js";
import { NotesLayer } from "./page/notes_layer.js";
import { Panel } from "./page/panel.js";
import { saveScreenshot } from "./page/screenshot.js";
import { SelectionPage } from "./page/selection_page.js";
import { Sides } from "./page/sides.js";
import { titleCard, toolbar } from "./page/toolbar.js";
import { Transport } from "./page/transport.js";

export class Viewer {
  /**
   * @param {HTMLElement} root
   * @param {Run} run
   * @param {Theme} theme
   */
  constructor(root, run, theme) {
    document.title = `${run.title} – Scree`;
    const holder = h("main", { class: "picture" });
    root.replaceChildren(holder);
    const settings = initialSettings(run);
    this.root = root;
    this.holder = holder;
    this.run = run;
    this.settings = settings;
    this.theme = theme;
    this.picture = new Picture(holder, run, settings);
    this.link = new Link(location.hash);
    this.link.applySettings(settings, this.picture);
    this.timeline = new Timeline(run, settings, this.picture);
    this.player = new Player(run, settings, this.timeline);
    this.selector = new Selector(run, settings, this.picture, this.timeline);
    this.refresh = new Refresh(run, settings, this.picture, this.timeline, this.theme);
    this.follower = new Follower(run, settings, this.timeline, this.player);

    this.message = new Message();
    this.notes = new Notes();
    this.link.applyNotes(this.notes, run);
    this.notesLayer = new NotesLayer(this.notes, this.picture, this.selector, this.message);
    this.film = new Film(this);
    this.legend = new Legend();
    this.help = new Help(run.flat);
    this.look = new LookPage(run, settings, this.picture, this.timeline, this.refresh);
    this.certificate = new CertificatePage(run, this.timeline);
    this.selection = new SelectionPage(run, settings, this.picture, this.timeline, this.selector);
    this.about = new AboutPage(run);
    const { certificate, selection, about } = this;
    this.sides = new Sides({ certificate, selection, about });
    const { pages } = this.sides;
    this.panel = new Panel({
      look: { label: "Look", page: this.look },
      certificate: { label: "Certificate", page: pages.certificate },
      selection: { label: "Selection", page: pages.selection },
      about: { label: "Run", page: pages.about },
    });
    this.transport = new Transport(run, settings, this.timeline, this.player);
    this.layout = new Layout(root, this.panel.element, this.picture);
    this.compare = new Compare(this);
    /** What keys and buttons do. */
    this.actions = this.makeActions();
    const { actions } = this;
    const bar = toolbar(run, actions);
    this.compass = new Compass(run, this.picture.stage.view);
    this.picture.stage.ondraw = () => {
      this.compass.update();
      this.notesLayer.update();
    };
    const { notesLayer, compass, legend, message } = this;
    holder.append(
      notesLayer.element,
      titleCard(run),
      bar,
      this.compare.chooser,
      legend.element,
      compass.element,
      message.element,
    );
    if (this.link.isOn("panel") === false && this.layout.isOpen) this.layout.toggle();
    if (this.link.isOn("dark") !== undefined) theme.choose(this.link.isOn("dark") === true);
    root.append(this.panel.element, this.transport.element, this.help.element);
    this.picture.stage.canvas.addEventListener("dblclick", actions.fit);
    listenToKeys(actions);
    this.connect();
  }

  /** @returns {Actions} */
  makeActions() {
    const { timeline, compare, player, picture, look, layout, selector, help, theme } = this;
    const { view } = picture.stage;
    const turn = (/** @type {"x" | "y" | "z" | "corner"} */ from) => {
      view.region = compare.region.clone();
      view.look(from);
    };
    return {
      togglePlay: () => player.toggle(),
      nextFrame: () => player.step(1),
      previousFrame: () => player.step(-1),
      firstFrame: () => timeline.seek(0),
      lastFrame: () => timeline.seek(timeline.last),
      faster: () => player.accelerate(1),
      slower: () => player.accelerate(-1),
      fit: () => view.fit(compare.region),
      lookAlongX: () => turn("x"),
      lookAlongY: () => turn("y"),
      lookAlongZ: () => turn("z"),
      lookFromCorner: () => turn("corner"),
      nextQuantity: () => look.colour.nextQuantity(),
      toggleChains: () => look.show.toggleChains(),
      toggleBonds: () => look.show.toggleBonds(),
      togglePanel: () => layout.toggle(),
      screenshot: () => saveScreenshot(compare.pictures, theme.ink),
      film: () => this.film.toggle(),
      copyLink: () => this.copyLink(),
      note: () => this.notesLayer.begin(),
      compare: () => compare.toggle(),
      toggleTheme: () => theme.toggle(),
      toggleHelp: () => help.toggle(),
      escape: () => {
        if (help.isOpen) help.toggle();
        else if (this.settings.selection) selector.select(null);
        else if (layout.isSmall && layout.isOpen) layout.toggle();
      },
    };
  }

  /** Connects events to those who react to them. */
  connect() {
    const { timeline, selector, follower, refresh, theme, message } = this;
    for (const failed of [timeline.failed, refresh.failed])
      failed.listen((text) => message.say(text));
    timeline.shown.listen((newRange) => {
      if (newRange) this.updateColours();
      else this.look.filter.updateCount();
      if (this.settings.chains) this.legend.update(this.picture, theme.ink);
      this.certificate.setCursor(this.run.time(timeline.frame));
      if (!this.player.playing || this.panel.current === "selection") this.selection.update();
    });
    refresh.done.listen(() => this.updateColours());
    selector.changed.listen((selection) => {
      if (!selection) return;
      this.sides.choose(0);
      this.panel.open("selection");
      this.layout.reveal();
      if (!this.layout.isOpen) this.message.say(this.briefly(selection));
    });
    selector.ready.listen(() => this.selection.update());
    follower.grown.listen(() => {
      this.transport.update();
      this.about.update();
      this.loadSteps();
    });
    follower.lost.listen(() => {
      message.say("The server does not answer: has 'scree view' been stopped?", true);
    });
    theme.changed.listen(() => {
      this.picture.setLook(theme.ink);
      this.updateColours();
      this.panel.redraw();
    });
  }

  /** Puts what is seen into the address of the page, and the address onto the clipboard if that is allowed. */
  copyLink() {
    history.replaceState(null, "", linkTo(this));
    const copied = navigator.clipboard?.writeText(location.href);
    if (!copied) this.message.say("The address of this page now leads to this view.");
    else
      copied.then(
        () => this.message.say("A link to this view has been copied."),
        () => this.message.say("The address of this page now leads to this view."),
      );
  }

  /** Shows the first frame, or that of the link, and plays; of a run in progress it shows the last one. */
  async begin() {
    const { run, picture, timeline, message } = this;
    picture.setLook(this.theme.ink);
    if (run.frames > 0) {
      await picture.measure();
      if (this.settings.copies > 0) picture.stage.setCopies(this.settings.copies);
      this.layout.update();
      picture.stage.view.look("corner");
      this.link.applyCamera(picture.stage.view, run);
      const wanted = this.link.frameOf(run);
      // unless the user has already asked for another one
      if (timeline.target === 0)
        timeline.target = wanted ?? (run.manifest.going ? timeline.last : 0);
      this.transport.update();
      await this.refresh.apply("range");
      if (run.count === 0) message.say("This run has no grains.", true);
    } else {
      message.say("This run has no frame yet.", true);
    }
    this.loadSteps();
    this.about.update();
    this.selection.update();
    if (run.source.live) this.follower.follow();
    if (run.manifest.beside) await this.compare.openOwn();
    const calm = matchMedia("(prefers-reduced-motion: reduce)").matches;
    const still = run.manifest.going || timeline.target > 0 || calm;
    if (this.link.isOn("play") ?? !still) this.player.start();
  }

  /**
   * What has been selected in one line, for screens on which the panel would cover the picture.
   * @param {Selected} selection
   */
  briefly(selection) {
    const { run, picture } = this;
    if (selection.kind === "contact") return "A contact: its values are on the panel.";
    if (selection.kind === "wall")
      return `Wall ${run.manifest.walls[selection.id] ?? selection.id}`;
    const { label, dimension, list, names } = picture.quantity;
    const value = picture.values?.[selection.id] ?? 0;
    const told = list ? (names?.[value] ?? value) : `${number(value, 3)} ${unit(dimension)}`;
    return `Grain ${selection.id}: ${label.toLowerCase()} ${told}`.trim();
  }

  /** Updates the legend and the Look page, unless a change under way is going to. */
  updateColours() {
    const { picture } = this;
    if (picture.coloured !== picture.quantity) return;
    this.look.update();
    this.legend.update(picture, this.theme.ink);
  }

  async loadSteps() {
    const { run, certificate, timeline } = this;
    try {
      certificate.setSteps(await run.steps());
      if (run.frames > 0) certificate.setCursor(run.time(timeline.frame));
    } catch (error) {
      this.message.say(error instanceof Error ? error.message : String(error));
    }
  }

  /**
   * The position of a grain in the picture, in CSS pixels.
   * @param {number} body
   */
  place(body) {
    const { stage, grains } = this.picture;
    return stage.view.project([...grains.places.subarray(3 * body, 3 * body + 3)]);
  }
}
