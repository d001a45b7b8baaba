// Pages of the panel that each of two runs has: which one is shown is chosen at the head of them.
import { h, segments } from "./dom.js";

export class Sides {
  /** Whose page is open: that of the first run (0), or of the one beside it (1). */
  side = 0;

  /** @param {Record<string, PanelPage>} pages of the first run */
  constructor(pages) {
    this.pages = Object.fromEntries(
      Object.entries(pages).map(([key, page]) => [key, new SidePage(page)]),
    );
  }

  /**
   * @param {Record<string, PanelPage>} pages of the run beside the first
   * @param {string[]} titles
   */
  pair(pages, titles) {
    for (const [key, page] of Object.entries(this.pages)) page.pair(pages[key], titles, this);
    this.choose(0);
  }

  /** Back to the first run alone. */
  part() {
    for (const page of Object.values(this.pages)) page.part();
  }

  /** @param {number} side */
  choose(side) {
    this.side = side;
    for (const page of Object.values(this.pages)) page.choose(side);
  }
}

class SidePage {
  /** @type {PanelPage[]} */
  pages;

  /** @param {PanelPage} page */
  constructor(page) {
    this.pages = [page];
    this.mark = (/** @type {string} */ _side) => {};
    this.element = h("div", { class: "sides" }, page.element);
  }

  /**
   * @param {PanelPage} page
   * @param {string[]} titles
   * @param {Sides} sides
   */
  pair(page, titles, sides) {
    /** @type {Record<string, string>} */
    const names = Object.fromEntries(titles.map((title, side) => [String(side), title]));
    const choose = (/** @type {string} */ side) => sides.choose(Number(side));
    const { element, set } = segments(names, /** @type {string} */ ("0"), choose, "");
    element.removeAttribute("id");
    element.classList.add("side-switch");
    this.mark = set;
    this.pages = [this.pages[0], page];
    // ids belong to the pages of the first run
    for (const each of page.element.querySelectorAll("[id]")) each.removeAttribute("id");
    page.element.removeAttribute("id");
    this.element.replaceChildren(element, ...this.pages.map((each) => each.element));
  }

  part() {
    this.pages = [this.pages[0]];
    this.pages[0].element.hidden = false;
    this.element.replaceChildren(this.pages[0].element);
  }

  /** @param {number} side */
  choose(side) {
    this.mark(String(side));
    this.pages.forEach(({ element }, k) => (element.hidden = k !== side));
    this.redraw();
  }

  redraw() {
    for (const page of this.pages) if (!page.element.hidden) page.redraw?.();
  }
}
