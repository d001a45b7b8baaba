// An event and its listeners.

/** @template {unknown[]} [A=[]] */
export class Signal {
  /** @type {((...news: A) => void)[]} */
  #listeners = [];

  /** @param {(...news: A) => void} listener */
  listen(listener) {
    this.#listeners.push(listener);
  }

  /** @param {A} news */
  send(...news) {
    for (const listener of this.#listeners) listener(...news);
  }
}
