// Filters: which grains and contacts are hidden.
import { RangeInput, field, h, section, segments, slider, toggle } from "./dom.js";
import { counted, number } from "./format.js";

export class FilterSection {
  /**
   * @param {Run} run
   * @param {Filter} filter
   * @param {Picture} picture
   * @param {Refresh} refresh
   */
  constructor(run, filter, picture, refresh) {
    this.run = run;
    this.filter = filter;
    this.picture = picture;
    this.refresh = refresh;
    this.count = h("p", { class: "note", id: "visible" });
    this.bounds = new RangeInput("filter", "input", () => this.applyBounds());
    this.bounds.element.hidden = !filter.byValue;
    if (filter.byValue) this.bounds.show([filter.low, filter.high]);
    const byValue = (/** @type {boolean} */ on) => this.filterByValue(on);
    const rattlers = { all: "Show", without: "Hide", only: "Only" };
    const setRattlers = refresh.setter(filter, "rattlers", "colour");
    this.element = section(
      "Filter",
      this.count,
      toggle("By colour value", filter.byValue, byValue, "filter-value").element,
      this.bounds.element,
      this.materialRows(),
      field("Rattlers", segments(rattlers, filter.rattlers, setRattlers, "rattlers").element),
      run.axes.map((axis, k) => this.sliceRow(axis, k)),
      run.hasContacts && this.contactRows(),
    );
  }

  updateCount() {
    this.count.textContent = `${this.picture.visible} of ${counted(this.run.count, "grain")} shown`;
  }

  /** @param {boolean} on */
  filterByValue(on) {
    this.filter.byValue = on;
    this.bounds.element.hidden = !on;
    if (on && this.bounds.isEmpty) this.bounds.show(this.picture.range);
    this.applyBounds();
  }

  applyBounds() {
    [this.filter.low, this.filter.high] = this.bounds.value;
    this.refresh.request("colour");
  }

  materialRows() {
    const { materials } = this.run.manifest;
    const { hiddenMaterials } = this.filter;
    const there = new Set(this.run.material);
    if (there.size < 2) return null;
    return materials.map((name, k) => {
      if (!there.has(k)) return null;
      const show = (/** @type {boolean} */ on) => {
        if (on) hiddenMaterials.delete(k);
        else hiddenMaterials.add(k);
        this.refresh.request("colour");
      };
      return toggle(name, !hiddenMaterials.has(k), show, `material-${k}`).element;
    });
  }

  /**
   * @param {string} axis
   * @param {number} k
   */
  sliceRow(axis, k) {
    const slice = this.filter.slice[k];
    const ends = /** @type {const} */ ([0, 1]).map((end) => {
      const id = `cut-${axis}-${end === 0 ? "low" : "high"}`;
      const properties = { min: 0, max: 1, step: 0.01, value: slice[end], id };
      return slider(properties, this.refresh.setter(slice, end, "colour"));
    });
    return field(`Slice in ${axis}`, h("span", { class: "two" }, ends));
  }

  contactRows() {
    const { filter, refresh } = this;
    const text = h("output", {}, forceText(filter.force));
    const setForce = (/** @type {number} */ value) => {
      filter.force = value;
      text.textContent = forceText(value);
      refresh.request("contacts");
    };
    const force = { min: 0, max: 4, step: 0.05, value: filter.force, id: "filter-force" };
    const states = { all: "All", stick: "Sticking", slip: "Sliding" };
    const setStates = refresh.setter(filter, "contacts", "contacts");
    return [
      field("Forces above", h("span", { class: "with-value" }, slider(force, setForce), text)),
      field("Contacts", segments(states, filter.contacts, setStates, "filter-contacts").element),
    ];
  }
}

/** @param {number} force */
const forceText = (force) => `${number(force, 2)} × mean`;
