// The viewer: opens the run, builds the page, and keeps picture, panels and time together.
import { h, iconButton } from "./dom.js";
import { helpCard, listenToKeys } from "./keyboard.js";
import { Legend } from "./legend.js";
import { aboutPanel, certificatePanel, lookPanel } from "./panels.js";
import { Picture } from "./picture.js";
import { Run } from "./run.js";
import { save, paint } from "./screenshot.js";
import { selectionPanel } from "./selection.js";
import { findSource } from "./source.js";
import { Transport } from "./transport.js";

const SMALL_SCREEN = 760; // pixels

function newState(run) {
  return {
    colourBy: run.frames > 1 || run.count < 2 ? "speed" : "radius",
    map: "lagoon",
    rangeOf: "run",
    reference: 0,
    grains: "solid",
    chains: false,
    points: false,
    candidates: false,
    walls: true,
    marks: run.flat && run.shapes.length === 0,
    cell: true,
    copies: 0,
    chainColour: "state",
    thickness: 1,
    speed: 20,
    loop: true,
    follow: run.manifest.going,
    selection: null,
    filter: {
      byValue: false,
      low: -Infinity,
      high: Infinity,
      materials: new Set(),
      rattlers: "all",
      slice: [
        [0, 1],
        [0, 1],
        [0, 1],
      ],
      force: 0,
      contacts: "all",
    },
  };
}

class App {
  constructor(root, run) {
    this.root = root;
    this.run = run;
    this.state = newState(run);
    this.frame = 0; // the one that is shown
    this.target = 0; // the one that was asked for last
    this.playing = false;
    this.round = 0;
    this.change = this.change.bind(this);
  }

  async begin() {
    const { run, root } = this;
    document.title = `${run.manifest.scene_name.split("/").pop()} – Scree`;
    const holder = h("main", { class: "picture" });
    root.replaceChildren(holder);
    this.picture = new Picture(holder, run, this.state);
    this.legend = new Legend();
    this.transport = new Transport(this);
    this.build(holder);
    this.listen();
    this.applyTheme();
    if (run.frames > 0) {
      await this.picture.measure(run.someFrames(5));
      this.layout();
      this.picture.stage.region = this.picture.region;
      this.picture.stage.look("free");
      if (run.manifest.going) this.target = run.frames - 1;
      await this.changed("range");
      if (run.count === 0) this.say("This run has no grains.", true);
    } else {
      this.say("This run has no frame yet.", true);
    }
    this.refreshSteps();
    this.pages.about.update();
    this.pages.selection.update();
    if (run.source.live) this.follow();
    document.documentElement.dataset.ready = "true";
  }

  // ---------------------------------------------------------------- the page

  build(holder) {
    const { run } = this,
      name = run.manifest.scene_name.split("/").pop();
    this.title = h(
      "header",
      { class: "title-card" },
      h("h1", {}, name),
      h(
        "p",
        {},
        `${run.count.toLocaleString("en")} ${run.flat ? (run.shapes.length > 0 ? "grains" : "disks") : run.shapes.length > 0 ? "grains" : "spheres"}, ${run.manifest.engine}`,
      ),
    );
    this.message = h("div", { class: "message", hidden: true, role: "status" });
    this.help = h(
      "div",
      {
        class: "overlay",
        hidden: true,
        onclick: (event) => {
          if (event.target === this.help) this.toggleHelp();
        },
      },
      helpCard(this),
    );
    const views = run.flat
      ? []
      : ["x", "y", "z"].map((axis) =>
          h(
            "button",
            {
              class: "tool letter",
              type: "button",
              title: `Look along ${axis}`,
              id: `look-${axis}`,
              onclick: () => this.picture.stage.look(axis),
            },
            axis,
          ),
        );
    this.themeButton = iconButton("moon", "Light or dark (D)", () => this.toggleTheme(), {
      id: "theme",
    });
    this.tools = h(
      "nav",
      { class: "tools", "aria-label": "View" },
      iconButton(
        "fit",
        "Fit into view (F)",
        () =>
          run.flat ? this.picture.stage.fit(this.picture.region) : this.picture.stage.look("free"),
        { id: "fit" },
      ),
      views,
      iconButton("camera", "Save the picture (S)", () => this.screenshot(), { id: "screenshot" }),
      this.themeButton,
      iconButton("help", "Keys (?)", () => this.toggleHelp(), { id: "help" }),
      iconButton("panel", "Panel (P)", () => this.togglePanel(), { id: "panel-toggle" }),
    );
    holder.append(this.title, this.tools, this.legend.element, this.message);
    this.pages = {
      look: lookPanel(this),
      certificate: certificatePanel(this),
      selection: selectionPanel(this),
      about: aboutPanel(this),
    };
    const labels = {
      look: "Look",
      certificate: "Certificate",
      selection: "Selection",
      about: "Run",
    };
    this.tabs = Object.entries(labels).map(([key, label]) =>
      h(
        "button",
        { type: "button", role: "tab", "data-tab": key, onclick: () => this.openTab(key) },
        label,
      ),
    );
    this.panel = h(
      "aside",
      { class: "panel", "aria-label": "Panel" },
      h("div", { class: "tabs", role: "tablist" }, this.tabs),
      Object.values(this.pages),
    );
    this.root.append(this.panel, this.transport.element, this.help);
    this.openTab("look");
    if (window.innerWidth < SMALL_SCREEN) this.root.classList.add("closed");
  }

  openTab(key) {
    for (const tab of this.tabs) tab.setAttribute("aria-selected", String(tab.dataset.tab === key));
    for (const [name, page] of Object.entries(this.pages)) page.hidden = name !== key;
    this.tab = key;
    this.pages[key].redraw?.();
  }

  togglePanel() {
    this.root.classList.toggle("closed");
    this.refit();
  }

  /** The same view, fitted into what is left of the picture. */
  refit() {
    this.layout();
    if (window.innerWidth < SMALL_SCREEN && this.run.frames > 0)
      this.picture.stage.fit(this.picture.region);
  }

  /** Tells the stage what covers the picture. */
  layout() {
    const small = window.innerWidth < SMALL_SCREEN;
    const { stage } = this.picture,
      sheet = this.panel.getBoundingClientRect(),
      picture = stage.holder.getBoundingClientRect();
    const covered =
      small && !this.root.classList.contains("closed")
        ? Math.max(76, picture.bottom - sheet.top + 8)
        : 76;
    stage.setInsets(small ? [64, 12, covered, 12] : [70, 24, 84, 24]);
  }

  say(text, stay = false) {
    this.message.textContent = text;
    this.message.hidden = !text;
    clearTimeout(this.timer);
    if (text && !stay)
      this.timer = setTimeout(() => {
        this.message.hidden = true;
      }, 5000);
  }

  // ---------------------------------------------------------------- theme

  ink = (name) => getComputedStyle(document.documentElement).getPropertyValue(`--${name}`).trim();

  applyTheme() {
    this.picture.setLook(this.ink);
    for (const page of Object.values(this.pages)) page.redraw?.();
  }

  toggleTheme() {
    const root = document.documentElement;
    const dark =
      (root.dataset.theme ??
        (matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light")) === "dark";
    root.dataset.theme = dark ? "light" : "dark";
    this.applyTheme();
  }

  // ---------------------------------------------------------------- changes

  change(what) {
    this.changed(what).catch((error) => this.say(error.message));
  }

  /** Something was switched: do what follows from it. */
  async changed(what) {
    const { picture } = this;
    if (this.run.frames === 0) return;
    if (what === "range") {
      await picture.chooseRange(this.target);
      await this.show(this.target);
    } else if (what === "contacts" || what === "marks") {
      await this.show(this.target);
    } else if (what === "copies") {
      picture.stage.setCopies(this.state.copies);
      const { region, stage } = picture,
        around = region.clone();
      for (const shift of stage.shifts) around.union(region.clone().translate(shift));
      stage.fit(around);
    } else if (what === "colour") {
      picture.colour();
      picture.showContacts();
    }
    picture.setLook(this.ink);
    this.updatePanels();
  }

  updatePanels() {
    const { picture, state } = this;
    if (picture.coloured !== picture.quantity) return; // another change is under way, and will come here
    this.pages.look.update();
    this.updateCount();
    this.legend.update({
      quantity: picture.quantity,
      range: picture.range,
      map: state.map,
      values: picture.values,
    });
  }

  nextQuantity() {
    const keys = Object.keys(this.picture.quantities);
    this.state.colourBy = keys[(keys.indexOf(this.state.colourBy) + 1) % keys.length];
    document.getElementById("colour-by").value = this.state.colourBy;
    this.change("range");
  }

  // ---------------------------------------------------------------- time

  /** Shows a frame; the last one asked for wins. */
  async show(frame) {
    const mine = ++this.round,
      { picture, run, state } = this;
    this.target = frame;
    const content = await picture.load(frame);
    if (mine !== this.round) return false;
    const moved = frame !== this.frame;
    this.frame = frame;
    if (moved && state.rangeOf === "frame" && !picture.quantity.constant) {
      await picture.chooseRange(frame);
      if (mine !== this.round) return false;
    }
    picture.show(content);
    if (moved && state.rangeOf === "frame") this.updatePanels();
    this.transport.update();
    this.updateCount();
    const time = run.time(frame);
    this.pages.certificate.setCursor(time);
    if (!this.playing || this.tab === "selection") this.pages.selection.update();
    return true;
  }

  seek(frame) {
    if (this.run.frames === 0) return;
    const target = Math.min(this.run.frames - 1, Math.max(0, frame));
    this.transport.time.value = target;
    this.show(target).catch((error) => this.say(error.message));
  }

  step(by) {
    this.pause();
    this.seek(this.target + by);
  }

  faster(by) {
    this.transport.faster(by);
  }

  pause() {
    this.playing = false;
    this.transport.update();
  }

  togglePlay() {
    if (this.playing) return this.pause();
    if (this.run.frames < 2) return;
    this.playing = true;
    if (this.frame === this.run.frames - 1) this.seek(0);
    this.transport.update();
    this.due = performance.now();
    const tick = async (now) => {
      if (!this.playing) return;
      if (now >= this.due) {
        const next = this.frame + 1 < this.run.frames ? this.frame + 1 : 0;
        if (next === 0 && (!this.state.loop || this.run.manifest.going)) {
          if (!this.run.manifest.going) return this.pause();
        } else {
          this.prefetch(next);
          await this.show(next).catch((error) => {
            this.say(error.message);
            this.pause();
          });
          this.due = Math.max(this.due + 1000 / this.state.speed, performance.now() - 100);
        }
      }
      requestAnimationFrame(tick);
    };
    requestAnimationFrame(tick);
  }

  prefetch(frame) {
    const contacts = this.state.chains || this.state.points;
    for (let k = 1; k <= 8; k++) this.run.prefetch((frame + k) % this.run.frames, contacts);
  }

  // ---------------------------------------------------------------- a run that goes on

  async follow() {
    const again = () => setTimeout(() => this.follow(), this.run.manifest.going ? 1500 : 5000);
    if (!this.run.manifest.going && this.run.manifest.ending === "finished") return;
    try {
      const news = await this.run.follow();
      if (news === "other") return location.reload();
      if (news === "more") await this.grow();
      this.lost = false;
    } catch {
      if (!this.lost) this.say("The server does not answer: has 'scree view' ended?", true);
      this.lost = true;
    }
    again();
  }

  async grow() {
    if (!this.picture.content) {
      if (this.run.frames === 0) return;
      return location.reload(); // the first frame: positions count from it
    }
    if (this.state.follow && !this.playing) await this.show(this.run.frames - 1);
    this.transport.update();
    this.pages.about.update();
    await this.refreshSteps();
  }

  async refreshSteps() {
    try {
      this.pages.certificate.setSteps(await this.run.steps());
      if (this.run.frames > 0) this.pages.certificate.setCursor(this.run.time(this.frame));
    } catch (error) {
      this.say(error.message);
    }
  }

  // ---------------------------------------------------------------- selection

  listen() {
    const { canvas } = this.picture.stage;
    let down = null;
    canvas.addEventListener("pointerdown", (event) => {
      down = [event.clientX, event.clientY, event.button];
    });
    canvas.addEventListener("pointerup", (event) => {
      if (
        !down ||
        down[2] !== 0 ||
        Math.hypot(event.clientX - down[0], event.clientY - down[1]) > 4
      )
        return;
      const box = canvas.getBoundingClientRect();
      this.pickAt(event.clientX - box.left, event.clientY - box.top);
    });
    canvas.addEventListener("dblclick", () => this.picture.stage.fit(this.picture.region));
    matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => this.applyTheme());
    window.addEventListener("resize", () => this.layout());
    listenToKeys(this);
  }

  pickAt(x, y) {
    const found = this.run.frames > 0 ? this.picture.stage.pick(x, y) : null;
    if (found?.kind === "contact") {
      const c = this.picture.content.contacts;
      this.select({
        kind: "contact",
        a: c.a.data[found.id],
        b: c.b.data[found.id],
        feature: c.feature?.data[found.id] ?? 0,
      });
    } else {
      this.select(found);
    }
  }

  async select(selection) {
    this.state.selection = selection;
    this.picture.showSelection();
    if (selection) {
      this.openTab("selection");
      if (window.innerWidth >= SMALL_SCREEN) this.root.classList.remove("closed");
      await this.show(this.target); // its contacts may have to be loaded
    }
    this.pages.selection.update();
  }

  // ---------------------------------------------------------------- the rest

  screenshot() {
    return save(this);
  }

  toggleHelp() {
    this.help.hidden = !this.help.hidden;
  }

  escape() {
    if (!this.help.hidden) this.toggleHelp();
    else if (this.state.selection) this.select(null);
    else if (window.innerWidth < SMALL_SCREEN && !this.root.classList.contains("closed"))
      this.togglePanel();
  }
}

async function start() {
  const root = document.getElementById("app");
  try {
    const app = new App(root, await Run.open(findSource()));
    // for tests and for the curious: the state, and where things are in the picture
    window.scree = {
      app,
      paint: () => paint(app),
      place: (body) =>
        app.picture.stage.project([...app.picture.places.slice(3 * body, 3 * body + 3)]),
    };
    await app.begin();
  } catch (error) {
    root.replaceChildren(
      h(
        "div",
        { class: "failure" },
        h("h1", {}, "This run cannot be shown"),
        h("p", {}, error.message),
      ),
    );
    document.documentElement.dataset.ready = "failed";
    throw error;
  }
}

start();
