// Where a run comes from: the server of 'scree view', or elements of this very page.
import { readBlock } from "./block.js";

class ServerSource {
  live = true;

  async bytes(name) {
    const answer = await fetch(new URL(name, document.baseURI), { cache: "no-store" });
    if (!answer.ok)
      throw new Error((await answer.text()).trim() || `the server answered ${answer.status}`);
    return answer.arrayBuffer();
  }

  async json(name) {
    return JSON.parse(new TextDecoder().decode(await this.bytes(name)));
  }

  /** One row of a frame with all digits. */
  exact(number, kind, row) {
    return this.json(`exact/${number}/${kind}/${row}`);
  }
}

class EmbeddedSource {
  live = false;

  constructor(elements) {
    this.elements = new Map(elements.map((element) => [element.dataset.scree, element]));
  }

  async bytes(name) {
    const element = this.elements.get(name);
    if (!element) throw new Error(`this file holds no ${name}`);
    const letters = atob(element.textContent);
    const packed = new Uint8Array(letters.length);
    for (let i = 0; i < letters.length; i++) packed[i] = letters.charCodeAt(i);
    const stream = new Blob([packed]).stream().pipeThrough(new DecompressionStream("deflate"));
    return new Response(stream).arrayBuffer();
  }

  async json(name) {
    return JSON.parse(new TextDecoder().decode(await this.bytes(name)));
  }

  async exact() {
    return null;
  }
}

export function findSource() {
  const elements = [...document.querySelectorAll("script[data-scree]")];
  return elements.length > 0 ? new EmbeddedSource(elements) : new ServerSource();
}

/** Blocks by name, kept up to a limit of bytes, the longest unused thrown away first. */
export class BlockCache {
  constructor(source, limit = 600e6) {
    this.source = source;
    this.limit = limit;
    this.blocks = new Map(); // in the order of their last use
    this.coming = new Map();
    this.bytes = 0;
  }

  /** The block when it is here. */
  peek(name) {
    const block = this.blocks.get(name);
    if (block) {
      this.blocks.delete(name);
      this.blocks.set(name, block);
    }
    return block;
  }

  get(name) {
    const here = this.peek(name);
    if (here) return Promise.resolve(here);
    if (!this.coming.has(name)) {
      const promise = this.source
        .bytes(name)
        .then((buffer) => {
          const block = readBlock(buffer);
          this.keep(name, block);
          return block;
        })
        .finally(() => this.coming.delete(name));
      this.coming.set(name, promise);
    }
    return this.coming.get(name);
  }

  keep(name, block) {
    this.blocks.set(name, block);
    this.bytes += block.bytes;
    for (const [oldest, old] of this.blocks) {
      if (this.bytes <= this.limit || oldest === name) break;
      this.blocks.delete(oldest);
      this.bytes -= old.bytes;
    }
  }

  clear() {
    this.blocks.clear();
    this.bytes = 0;
  }
}
