// The core and scenes, compiled to WebAssembly: playground/play.h from JavaScript. Runs in a worker of the page, and in
// node for the tests.

/** Numbers of the answers, as in playground/play.h. */
const ANSWERS = ["manifest", "constants", "bodies", "contacts", "steps", "report", "scene"];

/** Numbers of the laws, as in playground/play.h. */
export const LAWS = /** @type {const} */ (["friction", "rolling", "cohesion", "restitution"]);

const NO_FILE = 8; // of WASI: there are no files in a page

/**
 * What wasi-libc asks for: a clock, and files that are not there.
 * @param {() => WebAssembly.Memory} memory
 */
function system(memory) {
  const absent = () => NO_FILE;
  return {
    clock_time_get(
      /** @type {number} */ _id,
      /** @type {bigint} */ _exact,
      /** @type {number} */ at,
    ) {
      const now = BigInt(Math.round(performance.now() * 1e6));
      new DataView(memory().buffer).setBigUint64(at, now, true);
      return 0;
    },
    proc_exit(/** @type {number} */ code) {
      throw new Error(`the engine has stopped (${code})`);
    },
    fd_close: absent,
    fd_fdstat_get: absent,
    fd_fdstat_set_flags: absent,
    fd_filestat_get: absent,
    fd_prestat_get: absent,
    fd_prestat_dir_name: absent,
    fd_read: absent,
    fd_seek: absent,
    fd_write: absent,
    path_filestat_get: absent,
    path_open: absent,
  };
}

export class Engine {
  /** @param {BufferSource} bytes the module */
  static async create(bytes) {
    /** @type {WebAssembly.Instance | undefined} */
    let instance;
    const memory = () => /** @type {WebAssembly.Memory} */ (instance?.exports.memory);
    const made = await WebAssembly.instantiate(bytes, { wasi_snapshot_preview1: system(memory) });
    instance = made.instance;
    return new Engine(instance.exports);
  }

  /** @param {WebAssembly.Exports} exports */
  constructor(exports) {
    this.exports = /** @type {Record<string, (...numbers: number[]) => number>} */ (
      /** @type {unknown} */ (exports)
    );
    this.memory = /** @type {WebAssembly.Memory} */ (exports.memory);
    this.exports._initialize();
    this.play = this.exports.play_create();
  }

  /**
   * Calls play_NAME with the world and these numbers.
   * @param {string} name
   * @param {number[]} numbers
   */
  call(name, ...numbers) {
    return this.exports[`play_${name}`](this.play, ...numbers);
  }

  /** What was wrong in the last call that failed. */
  get message() {
    const bytes = new Uint8Array(this.memory.buffer, this.call("message"));
    return new TextDecoder().decode(bytes.slice(0, bytes.indexOf(0)));
  }

  /**
   * Makes the world of a scene; throws the message that `scree run` would print.
   * @param {string} text
   */
  load(text) {
    const bytes = new TextEncoder().encode(text);
    const at = this.call("room", bytes.length);
    if (at === 0) throw new Error("out of memory");
    new Uint8Array(this.memory.buffer, at, bytes.length).set(bytes);
    if (this.call("load", bytes.length) !== 0) throw new Error(this.message);
  }

  step() {
    if (this.call("step") !== 0) throw new Error(this.message);
  }

  /** The hash of the state, as `scree_world_hash` has it. */
  get hash() {
    const half = (/** @type {number} */ n) => (n >>> 0).toString(16).padStart(8, "0");
    return half(this.call("hash_high")) + half(this.call("hash_low"));
  }

  /**
   * The bytes of an answer, a copy.
   * @param {string} name
   */
  bytes(name) {
    const size = this.call("answer", ANSWERS.indexOf(name));
    if (size === 0) throw new Error("out of memory");
    const at = this.call("bytes");
    return this.memory.buffer.slice(at, at + size);
  }

  /** @param {string} name */
  text(name) {
    return new TextDecoder().decode(this.bytes(name));
  }
}
