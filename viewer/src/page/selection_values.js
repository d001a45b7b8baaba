// Values of the selection: rounded ones from the frame on screen, and full precision from the
// server if there is one.
import { STATE_NAMES, rowOf } from "../data/contacts.js";
import { WALL } from "../data/run.js";
import { rowOfGrain } from "../data/spread.js";

/** @typedef {Record<string, string | number | number[]>} ValueRows */

/**
 * @typedef {object} SelectionValues
 * @property {"body" | "wall" | "contact"} kind
 * @property {string} table of the run file, which knows the dimensions
 * @property {string} title
 * @property {string} [note]
 * @property {number} row in the frame; -1 when it has none
 * @property {ValueRows} rows
 * @property {(name: string) => number} digits
 */

const EXACT_DIGITS = 6;
const DIGITS = 4;
const DIGITS_OF_HALF = 3; // for values sent in 16 bits
const SENT_AS_HALF = new Set([
  ...["velocity", "spin", "speed", "force", "gap"],
  ...["force_normal", "force_tangential", "torque", "opening", "bond_load"],
]);

const roundedDigits = (/** @type {string} */ name) =>
  SENT_AS_HALF.has(name) ? DIGITS_OF_HALF : DIGITS;

/** Derived values, which the run file does not contain. @type {Record<string, [string, string]>} */
const DERIVED = {
  angle: ["1", "rotation in radians"],
  coordination: ["1", "number of active contacts"],
  held_by: ["1", "the wall that holds the grain"],
  fragment: ["1", "lowest number of the grains that bonds hold together with it"],
  bond_load: ["1", "load of the bond, which breaks at 1"],
  force: ["force", "sum of the magnitudes of the normal forces"],
  speed: ["length/time", "magnitude of the velocity"],
};

/**
 * The dimension and the meaning of a value.
 * @param {Manifest} manifest
 * @param {string} table
 * @param {string} name
 */
export function fieldOf({ fields }, table, name) {
  return DERIVED[name] ?? fields[table]?.[name] ?? fields.constants[name] ?? ["1", ""];
}

/**
 * A body's number, or the name of the wall that a negative number stands for.
 * @param {Manifest} manifest
 * @param {number} b
 */
export const partnerName = (manifest, b) =>
  b >= 0 ? `${b}` : `wall ${manifest.walls[-1 - b] ?? -1 - b}`;

/**
 * @param {Run} run
 * @param {FrameContent} content
 * @param {Selected} selection
 * @returns {SelectionValues}
 */
export function describeSelection(run, { bodies, contacts }, selection) {
  if (selection.kind === "body") return describeBody(run, bodies, selection.id);
  if (selection.kind === "wall") return describeWall(run, bodies, selection.id);
  return describeContact(run, contacts, selection);
}

/**
 * @param {Run} run
 * @param {Block} bodies
 * @param {number} i
 * @returns {SelectionValues}
 */
function describeBody(run, bodies, i) {
  const velocity = bodies.velocity.row(i);
  /** @type {ValueRows} */
  const rows = {
    material: run.manifest.materials[run.material[i]] ?? String(run.material[i]),
    radius: run.radii(bodies)[i],
    mass: (bodies.mass ?? run.constants.mass).at(i),
    position: run.absolute(bodies.position.row(i)),
    velocity,
    speed: Math.hypot(...velocity),
    spin: bodies.spin.row(i),
    coordination: bodies.coordination.data[i],
    force: bodies.force.at(i),
  };
  const holder = bodies.holder ? bodies.holder.at(i) : -1;
  if (bodies.fragment) rows.fragment = bodies.fragment.data[i];
  if (holder >= 0) rows.held_by = run.manifest.walls[holder] ?? String(holder);
  return {
    kind: "body",
    table: "bodies",
    title: `Grain ${i}`,
    ...(rowOfGrain(bodies, i) < 0 ? { note: "not there in this frame" } : {}),
    row: rowOfGrain(bodies, i),
    rows,
    digits: roundedDigits,
  };
}

/**
 * @param {Run} run
 * @param {Block} bodies
 * @param {number} i
 * @returns {SelectionValues}
 */
function describeWall(run, bodies, i) {
  const { walls, wall_constants } = run.manifest;
  const get = (/** @type {string} */ name) => bodies[`w.${name}`].row(i);
  const rows = {
    shape: Object.keys(WALL)[wall_constants[i].shape],
    position: run.absolute(get("position")),
    velocity: get("velocity"),
    spin: get("spin"),
    load: get("load"),
    load_torque: get("load_torque"),
    displacement: get("displacement"),
  };
  return {
    kind: "wall",
    table: "walls",
    title: `Wall ${walls[i] ?? i}`,
    note: bodies["w.present"].data[i] ? undefined : "This wall has been removed.",
    row: i,
    rows,
    digits: roundedDigits,
  };
}

/**
 * @param {Run} run
 * @param {Block | null} contacts
 * @param {ContactPair} pair
 * @returns {SelectionValues}
 */
function describeContact(run, contacts, pair) {
  const row = rowOf(contacts, pair);
  /** @type {SelectionValues} */
  const values = {
    kind: "contact",
    table: "contacts",
    title: `Contact ${pair.a} – ${partnerName(run.manifest, pair.b)}`,
    row: -1,
    rows: {},
    digits: roundedDigits,
  };
  if (!contacts || row < 0) return { ...values, note: "The two do not touch in this frame." };
  const rows = values.rows;
  rows.state = STATE_NAMES[contacts.state.data[row]];
  rows.point = run.absolute(contacts.point.row(row));
  rows.normal = contacts.normal.row(row);
  rows.gap = contacts.gap.at(row);
  rows.force_normal = contacts.force_normal.at(row);
  rows.force_tangential = contacts.force_tangential.row(row);
  if (contacts.torque) rows.torque = contacts.torque.row(row);
  if (contacts.opening && contacts.opening.at(row) >= 0) rows.opening = contacts.opening.at(row);
  if (contacts.bond?.data[row]) rows.bond_load = contacts.bond_load.at(row);
  // if weak contacts were dropped, row numbers no longer match the run file
  return { ...values, row: contacts.row ? -1 : row };
}

const NOT_SHOWN = ["state", "a", "b", "feature", "present"];
const NOT_SHOWN_WHEN_ZERO = ["torque", "normal", "axis"]; // zero means that there is none
const ABOUT_AN_AXIS = ["spin", "torque", "load_torque"];

/**
 * Replaces rounded values by exact ones.
 * @param {SelectionValues} values
 * @param {ExactRow} exact
 * @param {boolean} flat
 * @returns {SelectionValues}
 */
export function addExact(values, exact, flat) {
  const rows = worthShowing(exact, flat);
  if (Array.isArray(exact.velocity) && values.kind === "body") {
    rows.speed = Math.hypot(...exact.velocity);
  }
  const digits = (/** @type {string} */ name) =>
    name in rows ? EXACT_DIGITS : roundedDigits(name);
  return { ...values, rows: { ...values.rows, ...rows }, digits };
}

/**
 * The fields worth showing; vectors lose their third component in two dimensions.
 * @param {ExactRow} row
 * @param {boolean} flat
 */
function worthShowing(row, flat) {
  /** @type {ValueRows} */
  const shown = {};
  for (const [name, value] of Object.entries(row)) {
    if (NOT_SHOWN.includes(name)) continue;
    if (!Array.isArray(value)) {
      if (name !== "opening" || value >= 0) shown[name] = value;
    } else if (flat && name === "orientation") {
      shown.angle = 2 * Math.atan2(value[3], value[0]);
    } else {
      const inPlane = ABOUT_AN_AXIS.includes(name) ? value.slice(2) : value.slice(0, 2);
      const seen = flat && value.length === 3 ? inPlane : value;
      if (!NOT_SHOWN_WHEN_ZERO.includes(name) || seen.some((x) => x !== 0)) shown[name] = seen;
    }
  }
  return shown;
}
