// Details of the selection: its values, contacts and history.
import { STATE, STATE_NAMES, activeRowsOf, pairOf } from "../data/contacts.js";
import { h, section, valueRow } from "./dom.js";
import { number, unit } from "./format.js";
import { History } from "./history.js";
import { addExact, describeSelection, fieldOf, partnerName } from "./selection_values.js";

const MOST_CONTACTS = 24;

export class SelectionPage {
  #round = 0;

  /**
   * @param {Run} run
   * @param {Settings} settings
   * @param {Picture} picture
   * @param {Timeline} timeline
   * @param {Selector} selector
   */
  constructor(run, settings, picture, timeline, selector) {
    this.run = run;
    this.settings = settings;
    this.picture = picture;
    this.timeline = timeline;
    this.selector = selector;
    this.history = new History(run, timeline);
    this.element = h("div", { class: "panel-page", id: "selection" });
  }

  redraw() {
    this.history.redraw();
  }

  async update() {
    const mine = ++this.#round;
    const { run, timeline } = this;
    const { selection } = this.settings;
    const { content } = this.picture;
    if (!selection) {
      const note = "Click a grain, a force or a wall to see its values and its history.";
      this.element.replaceChildren(section("Nothing selected", h("p", { class: "note" }, note)));
      return;
    }
    if (!content) return;
    const values = describeSelection(run, content, selection);
    const list = h("dl", { class: "values" }, valueRows(run, values));
    const clear = h(
      "button",
      { class: "plain", type: "button", onclick: () => this.selector.select(null) },
      "clear",
    );
    this.element.replaceChildren(
      section(
        [values.title, clear],
        values.note ? h("p", { class: "note" }, values.note) : null,
        list,
      ),
      this.contactsOf(selection, content.contacts) ?? "",
      section("History", this.history.element),
    );
    this.history.show(selection);
    if (values.row < 0) return;
    const exact = await run.source.exact(timeline.frame, values.kind, values.row).catch(() => null);
    if (!exact || mine !== this.#round) return;
    list.replaceChildren(...valueRows(run, addExact(values, exact, run.flat)));
  }

  /**
   * A body's active contacts; clicking one selects it.
   * @param {Selected} selection
   * @param {Block | null} contacts
   */
  contactsOf(selection, contacts) {
    if (selection.kind !== "body" || !contacts) return null;
    const rows = activeRowsOf(contacts, selection.id);
    const items = rows.slice(0, MOST_CONTACTS).map((i) => {
      const pair = pairOf(contacts, i);
      const state = contacts.state.data[i];
      const other = pair.a === selection.id ? pair.b : pair.a;
      return h(
        "li",
        {},
        h(
          "button",
          { type: "button", onclick: () => this.selector.select(pair) },
          h("span", {}, partnerName(this.run.manifest, other)),
          h("span", { class: state === STATE.sliding ? "slip" : "stick" }, STATE_NAMES[state]),
          h("output", {}, number(contacts.force_normal.at(i), 3)),
        ),
      );
    });
    return section(
      `Contacts in this frame (${rows.length})`,
      h("ul", { class: "contacts" }, items),
    );
  }
}

/**
 * @param {Run} run
 * @param {SelectionValues} values
 */
function valueRows(run, { table, rows, digits }) {
  return Object.entries(rows).map(([name, value]) => {
    const [dimension, meaning] = fieldOf(run.manifest, table, name);
    const write = (/** @type {number} */ x) => number(x, digits(name));
    const text = typeof value === "string" ? value : [value].flat().map(write).join("  ");
    const small = dimension === name ? null : h("small", {}, unit(dimension));
    return valueRow([name.replaceAll("_", " "), small], text, meaning);
  });
}
