// Which grains and contacts pass the filters.
import { STATE } from "../data/contacts.js";

/**
 * Gives hidden grains a negative hue and returns their number.
 * @param {Filter} filter
 * @param {{ hues: Float32Array, places: Float32Array, values: Float32Array, material: ArrayLike<number>,
 *   coordination: ArrayLike<number>, region: import("three").Box3 }} grains
 */
export function hideGrains(filter, { hues, places, values, material, coordination, region }) {
  const box = visibleBox(filter, region);
  const { byValue, low, high, hiddenMaterials, rattlers } = filter;
  const byMaterial = hiddenMaterials.size > 0;
  if (!box && !byValue && !byMaterial && rattlers === "all") return 0;
  let hidden = 0;
  for (let i = 0; i < values.length; i++) {
    const isRattler = coordination[i] < 2;
    if (
      (byValue && (values[i] < low || values[i] > high)) ||
      (byMaterial && hiddenMaterials.has(material[i])) ||
      (rattlers === "without" && isRattler) ||
      (rattlers === "only" && !isRattler) ||
      (box && isOutside(places, i, box))
    ) {
      hues[i] = -1;
      hidden++;
    }
  }
  return hidden;
}

/**
 * The part of the region inside the slices, as [low, high] per axis; null if nothing is cut away.
 * @param {Filter} filter
 * @param {import("three").Box3} region
 */
function visibleBox({ slice }, region) {
  if (!slice.some(([a, b]) => a > 0 || b < 1)) return null;
  const low = region.min.toArray();
  const high = region.max.toArray();
  return slice.map(([a, b], k) => [
    a > 0 ? low[k] + a * (high[k] - low[k]) : -Infinity,
    b < 1 ? low[k] + b * (high[k] - low[k]) : Infinity,
  ]);
}

/**
 * @param {Float32Array} places
 * @param {number} i
 * @param {number[][]} box
 */
function isOutside(places, i, box) {
  return box.some(([low, high], k) => places[3 * i + k] < low || places[3 * i + k] > high);
}

/**
 * Whether a contact is shown: it is active, strong enough, in the right state, and its grains are
 * visible.
 * @param {Filter} filter
 * @param {Block} contacts
 * @param {Float32Array} hues
 * @param {number} meanForce
 * @returns {(row: number) => boolean}
 */
export function contactFilter(filter, contacts, hues, meanForce) {
  const { force_normal: force, state } = contacts;
  const seen = bothVisible(contacts, hues);
  const least = filter.force * meanForce;
  return (i) => {
    const kind = state.data[i];
    if (kind === STATE.open || Math.abs(force.at(i)) < least) return false;
    if (filter.contacts === "slip" && kind !== STATE.sliding) return false;
    if (filter.contacts === "stick" && kind !== STATE.sticking) return false;
    return seen(i);
  };
}

/**
 * Whether the grains of a contact are visible.
 * @param {Block} contacts
 * @param {Float32Array} hues
 * @returns {(row: number) => boolean}
 */
export function bothVisible({ a, b }, hues) {
  return (i) => hues[a.data[i]] >= 0 && (b.data[i] < 0 || hues[b.data[i]] >= 0);
}
