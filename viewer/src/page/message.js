// A short message shown over the picture.
import { h } from "./dom.js";

const DURATION = 5000; // milliseconds

export class Message {
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  #timer = undefined;

  constructor() {
    this.element = h("div", { class: "message", hidden: true, role: "status" });
  }

  /** @param {string} text */
  say(text, stay = false) {
    this.element.textContent = text;
    this.element.hidden = false;
    clearTimeout(this.#timer);
    if (stay) return;
    this.#timer = setTimeout(() => {
      this.element.hidden = true;
    }, DURATION);
  }
}
