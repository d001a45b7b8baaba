// The panel beside the picture: tabbed pages.
import { h } from "./dom.js";

export class Panel {
  current = "";

  /** @param {Record<string, { label: string, page: PanelPage }>} pages */
  constructor(pages) {
    this.pages = pages;
    this.tabs = Object.entries(pages).map(([key, { label }]) => {
      const onclick = () => this.open(key);
      return h("button", { type: "button", role: "tab", "data-tab": key, onclick }, label);
    });
    this.element = h(
      "aside",
      { class: "panel", "aria-label": "Panel" },
      h("div", { class: "tabs", role: "tablist" }, this.tabs),
      Object.values(pages).map(({ page }) => page.element),
    );
    this.open(Object.keys(pages)[0]);
  }

  /** @param {string} key */
  open(key) {
    this.current = key;
    for (const tab of this.tabs) tab.setAttribute("aria-selected", String(tab.dataset.tab === key));
    for (const [name, { page }] of Object.entries(this.pages)) page.element.hidden = name !== key;
    this.pages[key].page.redraw?.();
  }

  redraw() {
    for (const { page } of Object.values(this.pages)) page.redraw?.();
  }
}
