// The engine as the page sees it: messages to the worker, and what comes back.
import { Signal } from "../control/signal.js";

export class Motor {
  /** A scene has been loaded; its number is that of the request. @type {Signal<[any]>} */
  loaded = new Signal();
  /** @type {Signal<[any]>} */
  frame = new Signal();
  /** The state as the text of a scene. @type {Signal<[string]>} */
  scene = new Signal();
  /** @type {Signal<[{ during: string, text: string }]>} */
  failed = new Signal();
  /** Whether an answer is awaited. */
  busy = false;
  #worker;
  #number = 0;

  /**
   * @param {string} script of the worker
   * @param {ArrayBuffer} bytes of the engine
   */
  constructor(script, bytes) {
    const address = URL.createObjectURL(new Blob([script], { type: "text/javascript" }));
    this.#worker = new Worker(address);
    this.#worker.onmessage = ({ data }) => this.#receive(data);
    this.#worker.onerror = (event) => this.failed.send({ during: "start", text: event.message });
    this.#worker.postMessage({ type: "start", bytes }, [bytes]);
  }

  /** @param {any} data */
  #receive(data) {
    if (data.type === "loaded" || data.type === "frame" || data.type === "failed")
      this.busy = false;
    // a frame of the scene before may still be under way when the next one is asked for
    if (data.number !== undefined && data.number !== this.#number) return;
    if (data.type === "loaded") this.loaded.send(data);
    else if (data.type === "frame") this.frame.send(data);
    else if (data.type === "scene") this.scene.send(data.text);
    else if (data.type === "failed") this.failed.send(data);
  }

  /** @param {string} text */
  load(text) {
    this.busy = true;
    this.#worker.postMessage({ type: "load", text, number: ++this.#number });
  }

  /**
   * Asks for steps and a picture of what they lead to.
   * @param {{ time: number, single?: boolean, contacts: boolean, steps: boolean }} wanted
   */
  advance(wanted) {
    this.busy = true;
    this.#worker.postMessage({ type: "frame", ...wanted });
  }

  /**
   * @param {string} name of a function of playground/play.h
   * @param {number[]} numbers
   */
  call(name, ...numbers) {
    this.#worker.postMessage({ type: "call", name, numbers });
  }

  /** @param {{ form: number, at: number[], radius: number, spread: number, count: number, reach: number }} what */
  pour(what) {
    this.#worker.postMessage({ type: "pour", ...what });
  }

  askForScene() {
    this.#worker.postMessage({ type: "scene" });
  }
}
