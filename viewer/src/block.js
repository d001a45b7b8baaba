// Blocks: named columns of numbers as compact binary. The layout is told in view/block.h.

const F32 = 0,
  U8 = 1,
  I16 = 2,
  I32 = 3,
  GRID16 = 4,
  HALF = 5,
  UNIT16 = 6;
const ENTRY = 64;

let halves = null;

/** All 65536 half-precision numbers. */
function halfTable() {
  if (!halves) {
    halves = new Float32Array(65536);
    for (let bits = 0; bits < 32768; bits++) {
      const exponent = bits >> 10,
        fraction = bits & 1023;
      const size =
        exponent === 0 ? fraction * 2 ** -24 : (1 + fraction / 1024) * 2 ** (exponent - 15);
      halves[bits] = size;
      halves[bits + 32768] = -size;
    }
  }
  return halves;
}

class Column {
  constructor(buffer, kind, width, rows, offset, low, scale) {
    const count = width * rows;
    this.width = width;
    this.rows = rows;
    this.kind = kind;
    this.low = low;
    this.scale = scale;
    const Type =
      {
        [F32]: Float32Array,
        [U8]: Uint8Array,
        [I16]: Int16Array,
        [I32]: Int32Array,
        [UNIT16]: Int16Array,
      }[kind] ?? Uint16Array;
    this.data = new Type(buffer, offset, count);
  }

  /** Number k, counted through the rows. */
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

  /** All numbers, in rows of `width` (at least the column's own; the rest is 0). */
  into(target, width = this.width) {
    const { data, rows, kind, scale } = this,
      own = this.width;
    if (kind === F32 && own === width) {
      target.set(data);
      return target;
    }
    const table = kind === HALF ? halfTable() : null;
    for (let c = 0; c < width; c++) {
      if (c >= own) {
        for (let i = 0; i < rows; i++) target[i * width + c] = 0;
        continue;
      }
      const low = kind === GRID16 ? this.low[c] : 0;
      const factor = kind === UNIT16 ? 1 / 32767 : scale;
      if (table) {
        for (let i = 0; i < rows; i++) target[i * width + c] = factor * table[data[i * own + c]];
      } else {
        for (let i = 0; i < rows; i++) target[i * width + c] = low + factor * data[i * own + c];
      }
    }
    return target;
  }

  /** The length of each row as a vector. */
  lengths() {
    const { data, rows, width, kind, scale } = this,
      sizes = new Float32Array(rows);
    if (kind === HALF && width === 3) {
      // velocities and spins, the common case
      const table = halfTable();
      for (let i = 0, k = 0; i < rows; i++, k += 3) {
        const x = table[data[k]],
          y = table[data[k + 1]],
          z = table[data[k + 2]];
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

  /** Row i as a list. */
  row(i) {
    return Array.from({ length: this.width }, (_, c) => this.at(i * this.width + c));
  }
}

/** The columns of a block by name. */
export function readBlock(buffer) {
  const view = new DataView(buffer);
  if (buffer.byteLength < 8 || view.getUint32(0, false) !== 0x53435242)
    throw new Error("not a block");
  const columns = { bytes: buffer.byteLength };
  const count = view.getUint32(4, true);
  for (let i = 0; i < count; i++) {
    const at = 8 + ENTRY * i;
    let name = "";
    for (let k = 0; k < 16 && view.getUint8(at + k) !== 0; k++)
      name += String.fromCharCode(view.getUint8(at + k));
    const low = [0, 1, 2].map((k) => view.getFloat64(at + 32 + 8 * k, true));
    columns[name] = new Column(
      buffer,
      view.getUint32(at + 16, true),
      view.getUint32(at + 20, true),
      view.getUint32(at + 24, true),
      view.getUint32(at + 28, true),
      low,
      view.getFloat64(at + 56, true),
    );
  }
  return columns;
}
