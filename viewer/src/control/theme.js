// Light or dark: the system's preference until the user chooses. The colours are in the style
// sheet.
import { Signal } from "./signal.js";

export class Theme {
  #root = document.documentElement;
  #system = matchMedia("(prefers-color-scheme: dark)");
  /** @type {boolean | null} */
  #chosen = null;
  changed = new Signal();

  constructor() {
    this.#system.addEventListener("change", () => this.#apply());
    this.#apply();
  }

  get #dark() {
    return this.#chosen ?? this.#system.matches;
  }

  #apply() {
    this.#root.dataset.theme = this.#dark ? "dark" : "light";
    this.changed.send();
  }

  toggle() {
    this.choose(!this.#dark);
  }

  /** @param {boolean} dark */
  choose(dark) {
    this.#chosen = dark;
    this.#apply();
  }

  /** A colour by its name. @type {(name: string) => string} */
  ink = (name) => getComputedStyle(this.#root).getPropertyValue(`--${name}`).trim();
}
