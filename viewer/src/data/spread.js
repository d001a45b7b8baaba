// Runs in which grains come and go: a frame has rows of those that are there, and says whose they are. The
// page has a place for every grain of the run, so rows are spread over these places.
import { Column } from "./block.js";

/**
 * The columns of grains in the places of all of them; those that are not there are nowhere.
 * @param {Block} bodies
 * @param {number} count of all grains of the run
 * @returns {Block}
 */
export function spreadBodies(bodies, count) {
  if (!bodies.identity) return bodies;
  const places = bodies.identity.data;
  /** @type {Block} */
  const made = {};
  for (const [name, column] of Object.entries(bodies)) {
    const ofGrains = name !== "identity" && !name.includes("."); // those of walls and cell have dots
    made[name] = ofGrains ? spread(column, places, count) : column;
  }
  return made;
}

/**
 * Contacts name grains by their rows in the frame; here by their places.
 * @param {Block} contacts
 * @param {Block} bodies
 * @returns {Block}
 */
export function renameContacts(contacts, bodies) {
  if (!bodies.identity) return contacts;
  const places = bodies.identity.data;
  const named = (/** @type {Column} */ column) =>
    Column.of(
      Int32Array.from(column.data, (row) => (row >= 0 ? places[row] : row)),
      1,
    );
  return { ...contacts, a: named(contacts.a), b: named(contacts.b) };
}

/**
 * The row of a grain in its frame; -1 when it is not there.
 * @param {Block} bodies
 * @param {number} grain
 */
export function rowOfGrain(bodies, grain) {
  return bodies.identity ? Array.prototype.indexOf.call(bodies.identity.data, grain) : grain;
}

/**
 * @param {Column} column
 * @param {ArrayLike<number>} places
 * @param {number} count
 */
function spread(column, places, count) {
  const { width, rows } = column;
  const data = new Float32Array(count * width).fill(NaN);
  for (let i = 0; i < rows; i++) {
    if (places[i] >= count) continue; // came after the page was opened
    for (let c = 0; c < width; c++) data[width * places[i] + c] = column.at(width * i + c);
  }
  return Column.of(data, width);
}
