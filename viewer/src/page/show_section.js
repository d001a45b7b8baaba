// What is drawn and how.
import { field, h, section, segments, slider, toggle } from "./dom.js";

export class ShowSection {
  /**
   * @param {Run} run
   * @param {Settings} settings
   * @param {Refresh} refresh
   */
  constructor(run, settings, refresh) {
    this.settings = settings;
    this.refresh = refresh;
    const styles = {
      solid: "Solid",
      glass: run.flat ? "Pale" : "Glass",
      small: "Small",
      hidden: "None",
    };
    const setStyle = refresh.setter(settings, "grains", "look");
    this.style = segments(styles, settings.grains, setStyle, "grain-style");
    this.chainOptions = this.makeChainOptions();
    this.chains = toggle("Force chains", settings.chains, (on) => this.showChains(on), "chains");
    this.bonds = run.manifest.bonds
      ? toggle("Bonds", settings.bonds, (on) => this.showBonds(on), "bonds")
      : null;
    const noContacts = "This file holds no contacts: they were left out to keep it small.";
    this.element = section(
      "Show",
      field("Grains", this.style.element),
      run.hasContacts
        ? [
            this.chains.element,
            this.chainOptions,
            this.bonds?.element,
            this.switch("Contact points", "points", "contacts"),
          ]
        : h("p", { class: "note" }, noContacts),
      run.manifest.wall_constants.length > 0 && this.switch("Walls", "walls", "look"),
      this.switch("Rotation marks", "marks", "marks"),
      !run.flat && this.switch("Shadows", "shadows", "look"),
      run.isPeriodic && this.periodicRows(),
    );
  }

  /**
   * A toggle bound to an on/off setting.
   * @param {string} label
   * @param {"points" | "walls" | "marks" | "cell" | "shadows"} key
   * @param {Change} change
   */
  switch(label, key, change) {
    const { settings, refresh } = this;
    return toggle(label, settings[key], refresh.setter(settings, key, change), key).element;
  }

  makeChainOptions() {
    const { settings, refresh } = this;
    const states = [
      h("span", { class: "stick" }, "sticking"),
      h("span", { class: "slip" }, "sliding"),
    ];
    const mark = (/** @type {boolean} */ on) => states.forEach((each) => (each.hidden = !on));
    mark(settings.chainColour === "state");
    const colourBy = (/** @type {Settings["chainColour"]} */ key) => {
      settings.chainColour = key;
      mark(key === "state");
      refresh.request("contacts");
    };
    const colours = { state: "State", force: "Force" };
    const thickness = { min: 0.2, max: 3, step: 0.05, value: settings.thickness, id: "thickness" };
    const options = h(
      "div",
      { class: "sub" },
      field("Colour by", segments(colours, settings.chainColour, colourBy, "chain-colour").element),
      field("Thickness", slider(thickness, refresh.setter(settings, "thickness", "look"))),
      h("p", { class: "keys" }, states, h("span", {}, "width: force")),
    );
    options.hidden = !settings.chains;
    return options;
  }

  /** @param {boolean} on */
  showChains(on) {
    this.settings.chains = on;
    this.chainOptions.hidden = !on;
    this.seeThrough();
  }

  /** @param {boolean} on */
  showBonds(on) {
    this.settings.bonds = on;
    this.seeThrough();
  }

  /** Forces and bonds lie inside the grains, which are see-through while any are shown. */
  seeThrough() {
    const { settings } = this;
    const inside = settings.chains || settings.bonds;
    if (inside && settings.grains === "solid") settings.grains = "glass";
    else if (!inside && settings.grains === "glass") settings.grains = "solid";
    this.style.set(settings.grains);
    this.refresh.request("contacts");
  }

  toggleChains() {
    this.chains.click();
  }

  toggleBonds() {
    this.bonds?.click();
  }

  periodicRows() {
    const { settings, refresh } = this;
    const setCopies = refresh.setter(settings, "copies", "copies");
    const counts = { 0: "None", 1: "1", 2: "2" };
    const copies = segments(counts, String(settings.copies), (n) => setCopies(Number(n)), "copies");
    return [this.switch("Periodic cell", "cell", "look"), field("Periodic copies", copies.element)];
  }
}
