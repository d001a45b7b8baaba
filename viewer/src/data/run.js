// A run: its description and its frames.
import { readBlock } from "./block.js";
import { BlockCache } from "./cache.js";
import { Lattice } from "./lattice.js";
import { renameContacts, spreadBodies } from "./spread.js";
import { findEdges } from "./surface.js";

/** Shapes of walls, as numbered in the manifest. */
export const WALL = { plane: 0, segment: 1, block: 2, cylinder: 3, mesh: 4, cone: 5, plate: 6 };

export class Run {
  /** @param {Source} source */
  static async open(source) {
    const manifest = await source.json("manifest");
    return new Run(source, manifest, readBlock(await source.bytes("constants")));
  }

  /**
   * @param {Source} source
   * @param {Manifest} manifest
   * @param {Block} constants
   */
  constructor(source, manifest, constants) {
    this.source = source;
    this.manifest = manifest;
    this.constants = constants;
    this.cache = new BlockCache(source);
    this.flat = manifest.dimension[0] === 2;
    this.axes = /** @type {("x" | "y" | "z")[]} */ (this.flat ? ["x", "y"] : ["x", "y", "z"]);
    this.title = manifest.scene_name.split("/").pop() ?? "";
    this.count = manifest.bodies;
    this.radius = constants.radius.values();
    this.material = constants.material.data;
    const seen = this.radius.filter((r) => r > 0); // the others came and went between two frames
    this.meanRadius = seen.length > 0 ? seen.reduce((sum, r) => sum + r, 0) / seen.length : 1;
    this.periods = [0, 1, 2].map((k) =>
      manifest.periodic[k] ? manifest.cell_max[k] - manifest.cell_min[k] : 0,
    );
    this.isPeriodic = this.periods.some((period) => period > 0);
    this.up = upward(manifest.gravity, this.flat);
    this.hasContacts = manifest.contact_share[0] >= 0;
    this.shapes = readShapes(constants);
    this.surfaces = readSurfaces(constants);
  }

  /**
   * The number of a body's shape, or -1 if it is round.
   * @param {number} body
   */
  shapeOf(body) {
    return this.shapes.length > 0 ? this.constants.shape.data[body] : -1;
  }

  /**
   * The radii of all grains in a frame: they may grow.
   * @param {Block} bodies
   */
  radii(bodies) {
    return bodies.radius ? bodies.radius.values() : this.radius;
  }

  get frames() {
    return this.manifest.frames.time.length;
  }

  /** @param {number} frame */
  time(frame) {
    return this.manifest.frames.time[frame];
  }

  /** @param {number} frame */
  async bodies(frame) {
    return spreadBodies(await this.cache.get(`bodies/${frame}`), this.count);
  }

  /** @param {number} frame */
  async contacts(frame) {
    if (!this.hasContacts) return null;
    const [contacts, bodies] = await Promise.all([
      this.cache.get(`contacts/${frame}`),
      this.cache.get(`bodies/${frame}`),
    ]);
    return renameContacts(contacts, bodies);
  }

  /**
   * @param {number} frame
   * @param {boolean} contacts
   */
  prefetch(frame, contacts) {
    if (frame < 0 || frame >= this.frames) return;
    this.bodies(frame).catch(() => {});
    if (contacts) this.contacts(frame).catch(() => {});
  }

  /** The certificate of all steps. */
  async steps() {
    return readBlock(await this.source.bytes("steps"));
  }

  /** Checks for new frames; "other" if the file now holds another run. */
  async checkForNews() {
    /** @type {Manifest} */
    const next = await this.source.json("manifest");
    const frames = next.frames.time.length;
    if (next.identity !== this.manifest.identity || frames < this.frames) return "other";
    const more = frames > this.frames || next.ending !== this.manifest.ending;
    this.manifest = next;
    return more ? "more" : "same";
  }

  /**
   * The frame nearest to a time.
   * @param {number} time
   */
  frameAt(time) {
    const times = this.manifest.frames.time;
    let low = 0;
    let high = times.length - 1;
    while (high - low > 1) {
      const middle = (low + high) >> 1;
      if (times[middle] <= time) low = middle;
      else high = middle;
    }
    return high >= 0 && Math.abs(times[high] - time) < Math.abs(times[low] - time)
      ? high
      : Math.max(0, low);
  }

  /**
   * At most `most` frames, evenly spread from first to last.
   * @param {number} most
   */
  someFrames(most) {
    const n = Math.min(most, this.frames);
    const frame = (/** @type {number} */ i) =>
      Math.round((i * (this.frames - 1)) / Math.max(1, n - 1));
    return [...new Set(Array.from({ length: n }, (_, i) => frame(i)))];
  }

  /**
   * Converts a position from a block into the coordinates of the scene.
   * @param {number[]} position
   */
  absolute(position) {
    return position.map((x, k) => x + this.manifest.origin[k]);
  }

  /** The corner of the periodic cell from which its edges run, in the coordinates of the blocks. */
  get corner() {
    const { cell_min, origin } = this.manifest;
    return cell_min.map((x, k) => x - origin[k]);
  }

  /**
   * The periodic cell in a frame. Files of earlier versions have only the cell of the start.
   * @param {Block} bodies
   */
  lattice(bodies) {
    const told = bodies["cell.edge"]?.values() ?? [];
    const edges = this.periods.map((period, k) => {
      const edge = Array.from(told.slice(3 * k, 3 * k + 3));
      const axis = [0, 1, 2].map((each) => (each === k ? period : 0));
      return period > 0 && edge.some((x) => x !== 0) ? edge : axis;
    });
    return new Lattice(edges);
  }
}

/**
 * The direction opposite to gravity; the last axis if there is none.
 * @param {number[]} gravity
 * @param {boolean} flat
 */
function upward(gravity, flat) {
  const g = Math.hypot(...gravity);
  if (flat) return [0, 1, 0];
  return g > 0 ? gravity.map((x) => -x / g) : [0, 0, 1];
}

/**
 * @param {Block} constants
 * @returns {Shape[]}
 */
function readShapes(constants) {
  const partEnds = constants["shape.part_end"];
  if (!partEnds) return [];
  const cornerEnds = constants["part.corner_end"].data;
  const faces = readFaces(constants);
  const faceEnds = constants["part.face_end"]?.data;
  const parts = Array.from(cornerEnds, (end, part) => {
    const first = part > 0 ? cornerEnds[part - 1] : 0;
    return {
      rounding: constants["part.rounding"].at(part),
      corners: Array.from({ length: end - first }, (_, i) => constants.corner.row(first + i)),
      faces: faceEnds ? faces.slice(part > 0 ? faceEnds[part - 1] : 0, faceEnds[part]) : [],
      kind: constants["part.kind"]?.data[part] ?? 0,
      form: constants["part.form"]?.row(part) ?? [0, 0],
    };
  });
  return Array.from(partEnds.data, (end, shape) => ({
    parts: parts.slice(shape > 0 ? partEnds.data[shape - 1] : 0, end),
  }));
}

/**
 * The faces of all parts, as lists of corners of their part.
 * @param {Block} constants
 * @returns {number[][]}
 */
function readFaces(constants) {
  const ends = constants["face.loop_end"]?.data ?? [];
  const vertices = constants["loop.vertex"]?.data ?? new Int32Array();
  return Array.from(ends, (end, face) =>
    Array.from(vertices.subarray(face > 0 ? ends[face - 1] : 0, end)),
  );
}

/**
 * The triangles of each wall that is a surface of them; undefined for other walls.
 * @param {Block} constants
 * @returns {(Surface | undefined)[]}
 */
function readSurfaces(constants) {
  if (!constants["wall.mesh"]) return [];
  const vertices = constants["mesh.vertex"].values();
  const corners = constants["mesh.corner"].data;
  const parts = constants["mesh.part"].data;
  const ends = constants["mesh.face_end"].data;
  const vertexEnds = constants["mesh.vertex_end"].data;
  return Array.from(constants["wall.mesh"].data, (mesh, wall) => {
    if (mesh < 0) return undefined;
    const own = constants["wall.part"].data[wall];
    const first = mesh > 0 ? vertexEnds[mesh - 1] : 0;
    const points = vertices.subarray(3 * first, 3 * vertexEnds[mesh]);
    /** @type {number[]} */
    const triangles = [];
    for (let t = mesh > 0 ? ends[mesh - 1] : 0; t < ends[mesh]; t++)
      if (own < 0 || parts[t] === own)
        triangles.push(corners[3 * t], corners[3 * t + 1], corners[3 * t + 2]);
    return { mesh, points, triangles, ...findEdges(points, triangles), side: 0 };
  });
}
