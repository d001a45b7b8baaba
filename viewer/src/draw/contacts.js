// Forces and bonds as bars from the centres of the grains to the contact points, and the points themselves.
import * as THREE from "three";
import { common, encodeId, plainLight } from "./glsl.js";
import { Squares } from "./squares.js";

const forceColour = /* glsl */ `
uniform sampler2D table;
uniform vec3 stick, slip;
uniform bool byState;
vec3 colourOf(float hue) {
  return byState ? (hue > 1.5 ? slip : stick) : texture(table, vec2((hue * 255.0 + 0.5) / 256.0, 0.5)).rgb;
}
`;

// A bar is a square along its line, facing the eye and shaded as if it were round.
const barVertex = /* glsl */ `${common}
in vec2 corner;
in vec3 from, to;
in float width, hue, number;
uniform float unit, thick;
out float across;
flat out float tone;
flat out uint id;
flat out vec3 side;
void main() {
  vec3 a = (modelViewMatrix * vec4(from + shift, 1.0)).xyz, b = (modelViewMatrix * vec4(to + shift, 1.0)).xyz;
  vec3 here = corner.x < 0.0 ? a : b;
  vec3 eye = ortho ? vec3(0.0, 0.0, 1.0) : -normalize(here);
  vec3 dir = b - a;
  side = cross(dir, eye);
  side = dot(side, side) > 0.0 ? normalize(side) : vec3(0.0);
  float pixel = ortho ? unit : -here.z * unit;
  float half_ = max(thick * width, 0.55 * pixel);
  across = corner.y; tone = hue; id = uint(number);
  vec3 at = here + side * corner.y * half_;
  gl_Position = width <= 0.0 ? NOWHERE : projectionMatrix * vec4(at, 1.0);
}`;

const barFragment = /* glsl */ `${common}${plainLight}${encodeId}
in float across;
flat in float tone;
flat in uint id;
flat in vec3 side;
uniform bool round_;
out vec4 result;
${forceColour}
void main() {
  #ifdef PICK
  result = encodeId(id, 2u);
  #else
  vec3 base = colourOf(tone);
  vec3 n = normalize(side * across + vec3(0.0, 0.0, 1.0) * sqrt(max(1.0 - across * across, 0.0)));
  result = vec4(round_ ? lit(base, n) : base, 1.0);
  #endif
}`;

const pointVertex = /* glsl */ `${common}
in vec2 corner;
in vec3 place;
in float hue, number, shown;
uniform float unit, dot_;
out vec2 seen;
flat out float tone;
flat out uint id;
void main() {
  vec3 c = (modelViewMatrix * vec4(place + shift, 1.0)).xyz;
  float pixel = ortho ? unit : -c.z * unit;
  float size = max(dot_, 1.5 * pixel);
  seen = corner; tone = hue; id = uint(number);
  gl_Position = shown <= 0.0 ? NOWHERE : projectionMatrix * vec4(c + vec3(size * corner, 0.0), 1.0);
}`;

const pointFragment = /* glsl */ `${common}${plainLight}${encodeId}
in vec2 seen;
flat in float tone;
flat in uint id;
out vec4 result;
${forceColour}
void main() {
  float off = dot(seen, seen);
  if (off > 1.0) discard;
  #ifdef PICK
  result = encodeId(id, 2u);
  #else
  result = vec4(lit(colourOf(tone), vec3(seen, sqrt(1.0 - off))), 1.0);
  #endif
}`;

const LEAST_WIDTH = 0.02; // of the widest bar
const BAR = 0.4; // half the width of the widest bar, in mean radii
const POINT = 0.14; // radius of a point, likewise
const BOND = 0.35; // width of a bond, of the widest bar

export class ContactMarks {
  /**
   * @param {Stage} stage
   * @param {Run} run
   */
  constructor(stage, run) {
    this.run = run;
    this.bars = new Squares({ from: 3, to: 3, width: 1, hue: 1, number: 1 }, 64);
    this.bonds = new Squares({ from: 3, to: 3, width: 1, hue: 1, number: 1 }, 64);
    this.points = new Squares({ place: 3, hue: 1, number: 1, shown: 1 }, 64);
    this.uniforms = {
      table: { value: stage.forceTable },
      stick: { value: new THREE.Color() },
      slip: { value: new THREE.Color() },
      byState: { value: true },
      thick: { value: BAR * run.meanRadius },
      dot_: { value: POINT * run.meanRadius },
      round_: { value: !run.flat },
    };
    this.bondUniforms = {
      ...this.uniforms,
      table: { value: stage.bondTable },
      byState: { value: false },
    };
    const add = (
      /** @type {Squares} */ squares,
      /** @type {string} */ vertexShader,
      /** @type {string} */ fragmentShader,
      /** @type {number} */ order,
      uniforms = this.uniforms,
    ) => {
      const material = stage.material({ vertexShader, fragmentShader, uniforms });
      if (run.flat) {
        // above the grains, which are drawn as transparent
        material.depthTest = false;
        material.transparent = true;
      }
      return stage.addCopies(squares.geometry, material, order);
    };
    this.bondLayer = add(this.bonds, barVertex, barFragment, 1.5, this.bondUniforms);
    this.barLayer = add(this.bars, barVertex, barFragment, 2);
    this.pointLayer = add(this.points, pointVertex, pointFragment, 3);
  }

  /**
   * @param {{ bars: boolean, bonds: boolean, points: boolean, byState: boolean, thickness: number, stick: string,
   *   slip: string }} look
   */
  setLook({ bars, bonds, points, byState, thickness, stick, slip }) {
    this.barLayer.shown = bars;
    this.bondLayer.shown = bonds;
    this.pointLayer.shown = points;
    this.uniforms.byState.value = byState;
    this.uniforms.thick.value = BAR * thickness * this.run.meanRadius;
    this.uniforms.stick.value.set(stick);
    this.uniforms.slip.value.set(slip);
  }

  clear() {
    this.bars.upload(0);
    this.bonds.upload(0);
    this.points.upload(0);
  }

  /**
   * Contacts of a frame.
   * @param {Block} contacts
   * @param {Float32Array} places of the bodies
   * @param {Lattice} lattice
   * @param {(row: number) => boolean} visible
   * @param {number} strong the force of the widest bar
   * @param {boolean} byState colours are by state, not by force
   */
  set(contacts, places, lattice, visible, strong, byState) {
    const rows = contacts.a.rows;
    const where = contacts.point.values(3);
    this.bars.reserve(2 * rows);
    this.points.reserve(rows);
    const dot = this.points.arrays;
    let bars = 0;
    let dots = 0;
    for (let i = 0; i < rows; i++) {
      if (!visible(i)) continue;
      const force = Math.abs(contacts.force_normal.at(i));
      const share = Math.min(1, force / strong);
      const hue = byState ? contacts.state.data[i] : share;
      dot.place.set([where[3 * i], where[3 * i + 1], where[3 * i + 2]], 3 * dots);
      dot.hue[dots] = hue;
      dot.number[dots] = i;
      dot.shown[dots++] = 1;
      if (!(force > 0)) continue;
      const look = { width: Math.max(LEAST_WIDTH, share), hue };
      bars = addBars(this.bars, bars, contacts, where, places, lattice, i, look);
    }
    this.bars.upload(bars);
    this.points.upload(dots);
  }

  /**
   * Bonds of a frame, coloured by their loads.
   * @param {Block} contacts
   * @param {Float32Array} places of the bodies
   * @param {Lattice} lattice
   * @param {(row: number) => boolean} visible
   */
  setBonds(contacts, places, lattice, visible) {
    const rows = contacts.bond ? contacts.a.rows : 0;
    const where = contacts.point.values(3);
    this.bonds.reserve(2 * rows);
    let bars = 0;
    for (let i = 0; i < rows; i++) {
      if (!contacts.bond.data[i] || !visible(i)) continue;
      const look = { width: BOND, hue: Math.min(1, Math.max(0, contacts.bond_load.at(i))) };
      bars = addBars(this.bonds, bars, contacts, where, places, lattice, i, look);
    }
    this.bonds.upload(bars);
  }
}

/**
 * Each body of a contact has its own bar, from the centre of its nearest periodic image to the point.
 * @param {Squares} squares
 * @param {number} count of the bars that are there
 * @param {Block} contacts
 * @param {Float32Array} where their points
 * @param {Float32Array} places of the bodies
 * @param {Lattice} lattice
 * @param {number} row
 * @param {{ width: number, hue: number }} look
 * @returns {number} of the bars that are there then
 */
function addBars(squares, count, contacts, where, places, lattice, row, { width, hue }) {
  const bar = squares.arrays;
  const point = [where[3 * row], where[3 * row + 1], where[3 * row + 2]];
  for (const body of [contacts.a.data[row], contacts.b.data[row]]) {
    if (body < 0) continue;
    const centre = [places[3 * body], places[3 * body + 1], places[3 * body + 2]];
    lattice.nearest(centre, point);
    bar.from.set(centre, 3 * count);
    bar.to.set(point, 3 * count);
    bar.width[count] = width;
    bar.hue[count] = hue;
    bar.number[count++] = row;
  }
  return count;
}
