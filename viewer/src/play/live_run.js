// A world in progress as a run of one frame, that of now: what the viewer's picture draws.
import { readBlock } from "../data/block.js";
import { Run } from "../data/run.js";
import { Source } from "../data/source.js";

export class LiveRun extends Run {
  /** @type {Block} */
  #bodies;
  /** @type {Block | null} */
  #contacts = null;

  /**
   * @param {{ world: { manifest: string, constants: ArrayBuffer }, bodies: ArrayBuffer }} first
   * @param {string} title
   */
  constructor({ world, bodies }, title) {
    super(new Source(), JSON.parse(world.manifest), readBlock(world.constants));
    this.#bodies = readBlock(bodies);
    this.title = title;
    this.now = 0;
  }

  /**
   * Takes up grains and walls that were added.
   * @param {{ manifest: string, constants: ArrayBuffer }} world
   */
  grow({ manifest, constants }) {
    const { title } = this;
    Object.assign(this, new Run(this.source, JSON.parse(manifest), readBlock(constants)), {
      title,
    });
  }

  /** @param {{ bodies: ArrayBuffer, contacts: ArrayBuffer | null, time: number }} frame */
  take({ bodies, contacts, time }) {
    this.#bodies = readBlock(bodies);
    this.#contacts = contacts ? readBlock(contacts) : null;
    this.now = time;
  }

  /** @returns {FrameContent} */
  get content() {
    return { frame: 0, bodies: this.#bodies, contacts: this.#contacts, reference: null };
  }

  async bodies() {
    return this.#bodies;
  }

  async contacts() {
    return this.#contacts;
  }

  time() {
    return this.now;
  }
}
