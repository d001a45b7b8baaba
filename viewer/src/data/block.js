// Blocks: named columns of numbers as compact binary. view/block.h describes the layout.

const F32 = 0;
const U8 = 1;
const I16 = 2;
const I32 = 3;
const GRID16 = 4;
const HALF = 5;
const UNIT16 = 6;

const MAGIC = 0x53435242;
const HEAD_BYTES = 8;
const ENTRY_BYTES = 64;
const NAME_BYTES = 16;

/** @type {Float32Array | null} */
let halves = null;

/** All 65536 half-precision numbers. */
function halfTable() {
  if (!halves) {
    halves = new Float32Array(65536);
    for (let bits = 0; bits < 32768; bits++) {
      const exponent = bits >> 10;
      const fraction = bits & 1023;
      const size =
        exponent === 0 ? fraction * 2 ** -24 : (1 + fraction / 1024) * 2 ** (exponent - 15);
      halves[bits] = size;
      halves[bits + 32768] = -size;
    }
  }
  return halves;
}

/** @param {number} kind */
function arrayType(kind) {
  if (kind === F32) return Float32Array;
  if (kind === U8) return Uint8Array;
  if (kind === I32) return Int32Array;
  return kind === I16 || kind === UNIT16 ? Int16Array : Uint16Array;
}

export class Column {
  /**
   * @param {ArrayBuffer} buffer
   * @param {{ kind: number, width: number, rows: number, offset: number, low: number[], scale: number }} entry
   */
  constructor(buffer, { kind, width, rows, offset, low, scale }) {
    this.width = width;
    this.rows = rows;
    this.kind = kind;
    this.low = low;
    this.scale = scale;
    this.data = new (arrayType(kind))(buffer, offset, width * rows);
  }

  /**
   * Numbers as they are.
   * @param {Float32Array | Int32Array} data
   * @param {number} width
   */
  static of(data, width) {
    const kind = data instanceof Float32Array ? F32 : I32;
    const buffer = /** @type {ArrayBuffer} */ (data.buffer);
    const rows = data.length / width;
    return new Column(buffer, { kind, width, rows, offset: 0, low: [0, 0, 0], scale: 1 });
  }

  /**
   * Value k, counting row by row.
   * @param {number} k
   */
  at(k) {
    const q = this.data[k];
    switch (this.kind) {
      case GRID16:
        return this.low[k % this.width] + this.scale * q;
      case HALF:
        return this.scale * halfTable()[q];
      case UNIT16:
        return q / 32767;
      default:
        return q;
    }
  }

  /**
   * Writes all values in rows of `width`, which may exceed the column's own; the rest becomes 0.
   * @param {Float32Array} target
   */
  into(target, width = this.width) {
    const { data, rows, kind, scale, width: own } = this;
    if (kind === F32 && own === width) {
      target.set(data);
      return target;
    }
    const table = kind === HALF ? halfTable() : null;
    const factor = kind === UNIT16 ? 1 / 32767 : scale;
    for (let c = 0; c < width; c++) {
      const low = kind === GRID16 ? this.low[c] : 0;
      if (c >= own) {
        for (let i = 0; i < rows; i++) target[i * width + c] = 0;
      } else if (table) {
        for (let i = 0; i < rows; i++) target[i * width + c] = factor * table[data[i * own + c]];
      } else {
        for (let i = 0; i < rows; i++) target[i * width + c] = low + factor * data[i * own + c];
      }
    }
    return target;
  }

  /** The magnitude of each row. */
  lengths() {
    const { data, rows, width, kind, scale } = this;
    const sizes = new Float32Array(rows);
    if (kind === HALF && width === 3) {
      // velocities and spins, the common case
      const table = halfTable();
      for (let i = 0, k = 0; i < rows; i++, k += 3) {
        const x = table[data[k]];
        const y = table[data[k + 1]];
        const z = table[data[k + 2]];
        sizes[i] = scale * Math.sqrt(x * x + y * y + z * z);
      }
      return sizes;
    }
    for (let i = 0; i < rows; i++) {
      let sum = 0;
      for (let c = 0; c < width; c++) sum += this.at(width * i + c) ** 2;
      sizes[i] = Math.sqrt(sum);
    }
    return sizes;
  }

  values(width = this.width) {
    return this.into(new Float32Array(this.rows * width), width);
  }

  /**
   * Component c of every row.
   * @param {number} c
   */
  component(c) {
    return Float32Array.from({ length: this.rows }, (_, i) => this.at(this.width * i + c));
  }

  /** @param {number} i */
  row(i) {
    return Array.from({ length: this.width }, (_, c) => this.at(i * this.width + c));
  }
}

/**
 * @param {ArrayBuffer} buffer
 * @returns {Block}
 */
export function readBlock(buffer) {
  const view = new DataView(buffer);
  if (buffer.byteLength < HEAD_BYTES || view.getUint32(0, false) !== MAGIC) {
    throw new Error("not a block");
  }
  /** @type {Block} */
  const columns = {};
  const count = view.getUint32(4, true);
  for (let i = 0; i < count; i++) {
    const at = HEAD_BYTES + ENTRY_BYTES * i;
    const letters = new Uint8Array(buffer, at, NAME_BYTES);
    const length = letters.indexOf(0);
    const name = String.fromCharCode(...letters.subarray(0, length < 0 ? NAME_BYTES : length));
    columns[name] = new Column(buffer, {
      kind: view.getUint32(at + 16, true),
      width: view.getUint32(at + 20, true),
      rows: view.getUint32(at + 24, true),
      offset: view.getUint32(at + 28, true),
      low: [0, 1, 2].map((k) => view.getFloat64(at + 32 + 8 * k, true)),
      scale: view.getFloat64(at + 56, true),
    });
  }
  return columns;
}
