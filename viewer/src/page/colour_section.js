// What grains are coloured by, the colour map and its range.
import { mapNames } from "../draw/colours.js";
import { RangeInput, field, h, section, select, toggle } from "./dom.js";
import { unit } from "./format.js";

export class ColourSection {
  /**
   * @param {Settings} settings
   * @param {Picture} picture
   * @param {Timeline} timeline
   * @param {Refresh} refresh
   */
  constructor(settings, picture, timeline, refresh) {
    this.settings = settings;
    this.picture = picture;
    this.refresh = refresh;
    this.note = h("p", { class: "note" });
    const setReference = refresh.setter(settings, "reference", "range");
    this.reference = h("button", {
      type: "button",
      class: "plain",
      onclick: () => setReference(timeline.frame),
    });
    this.referenceRow = field("Since frame", this.reference);
    const setMap = refresh.setter(settings, "map", "look");
    this.mapRow = field("Colour map", select(mapNames, settings.map, setMap, "map"));
    const rules = { run: "whole run", frame: "each frame", fixed: "set below" };
    this.rule = select(rules, settings.rangeOf, (rule) => this.setRule(rule), "range-of");
    this.range = new RangeInput("range", "change", () => this.fixRange());
    this.rangeRows = h("div", {}, field("Range of", this.rule), this.range.element);
    const setOneScale = refresh.setter(settings, "oneScale", "range");
    this.oneScale = toggle("One scale for both runs", settings.oneScale, setOneScale, "one-scale");
    this.showOneScale(false);
    const names = Object.entries(picture.quantities).map(([key, { label }]) => [key, label]);
    this.quantity = select(
      Object.fromEntries(names),
      settings.colourBy,
      (key) => this.colourBy(key),
      "colour-by",
    );
    this.element = section(
      "Colour",
      field("Grains by", this.quantity),
      this.note,
      this.referenceRow,
      this.mapRow,
      this.rangeRows,
      this.oneScale.element,
    );
  }

  /** @param {boolean} compared whether there is another run beside this one */
  showOneScale(compared) {
    this.oneScale.element.hidden = !compared;
  }

  /** @param {string} key */
  colourBy(key) {
    this.settings.colourBy = this.quantity.value = key;
    if (this.settings.rangeOf === "fixed") this.settings.rangeOf = this.rule.value = "run";
    this.refresh.request("range");
  }

  nextQuantity() {
    const keys = Object.keys(this.picture.quantities);
    this.colourBy(keys[(keys.indexOf(this.settings.colourBy) + 1) % keys.length]);
  }

  /** @param {Settings["rangeOf"]} rule */
  setRule(rule) {
    this.settings.rangeOf = rule;
    if (rule === "fixed") this.fixRange();
    else this.refresh.request("range");
  }

  /** Applies the range that was typed in, if it is valid. */
  fixRange() {
    const [low, high] = this.range.value;
    if (!Number.isFinite(low) || !Number.isFinite(high) || !(high > low)) return;
    this.settings.rangeOf = this.rule.value = "fixed";
    this.picture.range = [low, high];
    this.refresh.request("colour");
  }

  update() {
    const { quantity, range } = this.picture;
    const dimension = unit(quantity.dimension);
    const notes = [quantity.note, dimension && `in the units of the scene: ${dimension}`];
    this.note.textContent = notes.filter(Boolean).join("; ");
    this.note.hidden = this.note.textContent === "";
    this.referenceRow.hidden = !quantity.reference;
    this.reference.textContent = `${this.settings.reference} – use this frame`;
    this.mapRow.hidden = this.rangeRows.hidden = Boolean(quantity.list);
    this.range.show(range);
  }
}
