// Contacts of a frame. Bodies are numbered from 0; wall w is -1 - w.

/** States of a contact, as numbered in blocks. */
export const STATE = { open: 0, sticking: 1, sliding: 2 };
export const STATE_NAMES = Object.keys(STATE);

/**
 * @param {Block} contacts
 * @param {number} row
 */
const featureOf = (contacts, row) => contacts.feature?.data[row] ?? 0;

/**
 * @param {Block} contacts
 * @param {number} row
 * @returns {ContactPair}
 */
export function pairOf(contacts, row) {
  return {
    kind: "contact",
    a: contacts.a.data[row],
    b: contacts.b.data[row],
    feature: featureOf(contacts, row),
  };
}

/**
 * The row of a pair, or -1 if the two do not touch.
 * @param {Block | null} contacts
 * @param {ContactPair} pair
 */
export function rowOf(contacts, { a, b, feature }) {
  if (!contacts) return -1;
  for (let i = 0; i < contacts.a.rows; i++) {
    if (
      contacts.a.data[i] === a &&
      contacts.b.data[i] === b &&
      featureOf(contacts, i) === feature
    ) {
      return i;
    }
  }
  return -1;
}

/**
 * Rows of a body's active contacts, strongest first.
 * @param {Block} contacts
 * @param {number} body
 */
export function activeRowsOf(contacts, body) {
  const rows = [];
  for (let i = 0; i < contacts.a.rows; i++) {
    const own = contacts.a.data[i] === body || contacts.b.data[i] === body;
    if (own && contacts.state.data[i] !== STATE.open) rows.push(i);
  }
  const size = (/** @type {number} */ i) => Math.abs(contacts.force_normal.at(i));
  return rows.sort((i, k) => size(k) - size(i));
}
