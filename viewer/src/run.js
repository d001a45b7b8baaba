// A run: what it is, its frames, and what follows from them.
import { BlockCache } from "./source.js";
import { readBlock } from "./block.js";

export class Run {
  static async open(source) {
    const run = new Run(source);
    run.manifest = await source.json("manifest");
    run.constants = readBlock(await source.bytes("constants"));
    run.begin();
    return run;
  }

  constructor(source) {
    this.source = source;
    this.cache = new BlockCache(source);
  }

  begin() {
    const m = this.manifest;
    this.flat = m.dimension[0] === 2;
    this.count = m.bodies;
    this.radius = this.constants.radius.values();
    this.material = this.constants.material.data;
    this.periods = [0, 1, 2].map((k) => (m.periodic[k] ? m.cell_max[k] - m.cell_min[k] : 0));
    const g = Math.hypot(...m.gravity);
    this.up =
      g > 0 && !this.flat ? m.gravity.map((x) => -x / g) : this.flat ? [0, 1, 0] : [0, 0, 1];
    this.hasContacts = m.contact_share[0] >= 0;
    let sum = 0;
    for (const r of this.radius) sum += r;
    this.meanRadius = this.count > 0 ? sum / this.count : 1;
    this.shapes = this.readShapes();
  }

  /** Outlines: [{parts: [{rounding, corners}]}]. */
  readShapes() {
    const c = this.constants;
    if (!c["shape.part_end"] || c["shape.part_end"].rows === 0) return [];
    const ends = c["shape.part_end"].data,
      corners = c["part.corner_end"].data;
    return Array.from(ends, (end, s) => ({
      parts: Array.from({ length: end - (s > 0 ? ends[s - 1] : 0) }, (_, k) => {
        const part = (s > 0 ? ends[s - 1] : 0) + k,
          first = part > 0 ? corners[part - 1] : 0;
        return {
          rounding: c["part.rounding"].at(part),
          corners: Array.from({ length: corners[part] - first }, (_, i) =>
            c["corner"].row(first + i),
          ),
        };
      }),
    }));
  }

  shapeOf(body) {
    return this.shapes.length > 0 ? this.constants.shape.data[body] : -1;
  }

  get frames() {
    return this.manifest.frames.time.length;
  }

  time(frame) {
    return this.manifest.frames.time[frame];
  }

  bodies(frame) {
    return this.cache.get(`bodies/${frame}`);
  }

  contacts(frame) {
    return this.hasContacts ? this.cache.get(`contacts/${frame}`) : Promise.resolve(null);
  }

  peekBodies(frame) {
    return this.cache.peek(`bodies/${frame}`);
  }

  prefetch(frame, contacts) {
    if (frame < 0 || frame >= this.frames) return;
    this.bodies(frame).catch(() => {});
    if (contacts) this.contacts(frame).catch(() => {});
  }

  async steps() {
    return readBlock(await this.source.bytes("steps"));
  }

  /** Looks for new frames. Answers "same", "more" or "other" when it is another run now. */
  async follow() {
    const next = await this.source.json("manifest");
    if (next.identity !== this.manifest.identity || next.frames.time.length < this.frames)
      return "other";
    const more = next.frames.time.length > this.frames || next.ending !== this.manifest.ending;
    this.manifest = next;
    return more ? "more" : "same";
  }

  /** The frame nearest to a time. */
  frameAt(time) {
    const times = this.manifest.frames.time;
    let low = 0,
      high = times.length - 1;
    while (high - low > 1) {
      const middle = (low + high) >> 1;
      if (times[middle] <= time) low = middle;
      else high = middle;
    }
    return high >= 0 && Math.abs(times[high] - time) < Math.abs(times[low] - time)
      ? high
      : Math.max(0, low);
  }

  /** Moves a point to its periodic image that is nearest to another. */
  nearest = (point, other) => {
    for (let k = 0; k < 3; k++) {
      const period = this.periods[k];
      if (period > 0) point[k] -= period * Math.round((point[k] - other[k]) / period);
    }
  };

  /** About so many frames from first to last. */
  someFrames(most) {
    const n = Math.min(most, this.frames);
    return [
      ...new Set(
        Array.from({ length: n }, (_, i) =>
          Math.round((i * (this.frames - 1)) / Math.max(1, n - 1)),
        ),
      ),
    ];
  }

  /** A box about almost all grains: a few that have flown off do not count. */
  box(bodies) {
    const places = bodies.position.values(3),
      n = this.count,
      low = [],
      high = [];
    for (let k = 0; k < 3; k++) {
      let min = Infinity,
        max = -Infinity,
        largest = 0;
      const list = new Float32Array(n);
      for (let i = 0; i < n; i++) {
        list[i] = places[3 * i + k];
        min = Math.min(min, list[i] - this.radius[i]);
        max = Math.max(max, list[i] + this.radius[i]);
        largest = Math.max(largest, this.radius[i]);
      }
      list.sort();
      const a = list[Math.floor(0.02 * (n - 1))],
        b = list[Math.ceil(0.98 * (n - 1))],
        wide = 3 * (b - a) + 8 * largest;
      low.push(n > 0 ? Math.max(min, a - wide) : -1);
      high.push(n > 0 ? Math.min(max, b + wide) : 1);
      if (this.periods[k] > 0) {
        low[k] = this.manifest.cell_min[k] - this.manifest.origin[k];
        high[k] = this.manifest.cell_max[k] - this.manifest.origin[k];
      }
    }
    return [low, high];
  }
}
