// The appearance of the picture: colours, what is drawn, filters.
import { ColourSection } from "./colour_section.js";
import { h } from "./dom.js";
import { FilterSection } from "./filter_section.js";
import { ShowSection } from "./show_section.js";

export class LookPage {
  /**
   * @param {Run} run
   * @param {Settings} settings
   * @param {Picture} picture
   * @param {Timeline} timeline
   * @param {Refresh} refresh
   */
  constructor(run, settings, picture, timeline, refresh) {
    this.colour = new ColourSection(settings, picture, timeline, refresh);
    this.show = new ShowSection(run, settings, refresh);
    this.filter = new FilterSection(run, settings.filter, picture, refresh);
    const sections = [this.colour, this.show, this.filter].map(({ element }) => element);
    this.element = h("div", { class: "panel-page" }, sections);
  }

  update() {
    this.colour.update();
    this.filter.updateCount();
  }
}
