// Loaded blocks, up to a limit in bytes; the least recently used are dropped first.
import { readBlock } from "./block.js";

export class BlockCache {
  /** @param {Source} source */
  constructor(source, limit = 600e6) {
    this.source = source;
    this.limit = limit;
    this.bytes = 0;
    /**
     * Least recently used first.
     * @type {Map<string, { block: Block, bytes: number }>}
     */
    this.kept = new Map();
    /** @type {Map<string, Promise<Block>>} */
    this.coming = new Map();
  }

  /**
   * @param {string} name
   * @returns {Promise<Block>}
   */
  async get(name) {
    const here = this.kept.get(name);
    if (here) {
      this.kept.delete(name);
      this.kept.set(name, here);
      return here.block;
    }
    let promise = this.coming.get(name);
    if (!promise) {
      promise = this.load(name).finally(() => this.coming.delete(name));
      this.coming.set(name, promise);
    }
    return promise;
  }

  /** @param {string} name */
  async load(name) {
    const buffer = await this.source.bytes(name);
    const block = readBlock(buffer);
    this.kept.set(name, { block, bytes: buffer.byteLength });
    this.bytes += buffer.byteLength;
    for (const [oldest, old] of this.kept) {
      if (this.bytes <= this.limit || oldest === name) break;
      this.kept.delete(oldest);
      this.bytes -= old.bytes;
    }
    return block;
  }
}
