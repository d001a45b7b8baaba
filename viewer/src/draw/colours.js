// Colour maps, interpolated in OKLab so that equal steps look equal.

/** @typedef {[number, number, number]} Triple */

/**
 * OKLCH (lightness, chroma, hue in degrees) to OKLab.
 * @param {Triple} colour
 * @returns {Triple}
 */
function labOf([lightness, chroma, hue]) {
  const angle = (hue * Math.PI) / 180;
  return [lightness, chroma * Math.cos(angle), chroma * Math.sin(angle)];
}

/**
 * OKLab to sRGB, each component from 0 to 1.
 * @param {Triple} colour
 */
function rgbOf([L, a, b]) {
  const l = (L + 0.3963377774 * a + 0.2158037573 * b) ** 3;
  const m = (L - 0.1055613458 * a - 0.0638541728 * b) ** 3;
  const s = (L - 0.0894841775 * a - 1.291485548 * b) ** 3;
  const linear = [
    4.0767416621 * l - 3.3077115913 * m + 0.2309699292 * s,
    -1.2684380046 * l + 2.6097574011 * m - 0.3413193965 * s,
    -0.0041960863 * l - 0.7034186147 * m + 1.707614701 * s,
  ];
  return linear.map((x) => {
    const y = Math.min(1, Math.max(0, x));
    return y <= 0.0031308 ? 12.92 * y : 1.055 * y ** (1 / 2.4) - 0.055;
  });
}

/**
 * Anchors of each map as [lightness, chroma, hue], evenly spaced from 0 to 1.
 * @type {Record<string, Triple[]>}
 */
const anchors = {
  // prettier-ignore
  lagoon: [[0.55, 0.085, 258], [0.62, 0.1, 236], [0.7, 0.1, 205], [0.78, 0.11, 165], [0.86, 0.14, 122], [0.94, 0.14, 98]],
  // prettier-ignore
  ember: [[0.38, 0.09, 300], [0.46, 0.15, 340], [0.57, 0.18, 20], [0.71, 0.16, 50], [0.84, 0.14, 82], [0.95, 0.08, 100]],
  // prettier-ignore
  tide: [[0.42, 0.13, 255], [0.66, 0.1, 240], [0.93, 0.01, 200], [0.7, 0.12, 50], [0.47, 0.16, 30]],
  // prettier-ignore
  slate: [[0.28, 0.01, 250], [0.94, 0.005, 90]],
  // of the loads of bonds; seen on light and on dark paper
  // prettier-ignore
  strain: [[0.56, 0.06, 245], [0.72, 0.09, 120], [0.74, 0.15, 75], [0.66, 0.19, 45], [0.55, 0.22, 27]],
};

export const mapNames = {
  lagoon: "Lagoon",
  ember: "Ember",
  tide: "Tide (two-sided)",
  slate: "Slate (grey)",
};

/**
 * The map for a quantity: signed ones get a two-sided map instead of the default.
 * @param {Quantity} quantity
 * @param {string} map
 */
export const mapFor = (quantity, map) => (quantity.signed && map === "lagoon" ? "tide" : map);

/**
 * The colour of a map at t from 0 to 1.
 * @param {string} map
 * @param {number} t
 */
export function mapColour(map, t) {
  const points = anchors[map] ?? anchors.lagoon;
  const x = Math.min(0.999999, Math.max(0, t)) * (points.length - 1);
  const i = Math.floor(x);
  const p = labOf(points[i]);
  const q = labOf(points[i + 1]);
  const mix = (/** @type {number} */ k) => p[k] + (x - i) * (q[k] - p[k]);
  return rgbOf([mix(0), mix(1), mix(2)]);
}

/** @type {Triple[]} */
// prettier-ignore
const first = [[0.62, 0.1, 230], [0.7, 0.13, 70], [0.6, 0.12, 150], [0.62, 0.15, 25], [0.58, 0.12, 300], [0.78, 0.12, 110], [0.7, 0.1, 195], [0.66, 0.14, 350]];

/** What some materials look like. @type {Record<string, Triple>} */
const KNOWN = {
  stone: [0.69, 0.022, 75],
  rock: [0.64, 0.03, 62],
  granite: [0.66, 0.025, 30],
  limestone: [0.82, 0.035, 85],
  marble: [0.9, 0.01, 80],
  sand: [0.8, 0.07, 80],
  gravel: [0.62, 0.015, 80],
  ballast: [0.56, 0.018, 60],
  clay: [0.62, 0.09, 45],
  brick: [0.55, 0.12, 35],
  wood: [0.74, 0.075, 72],
  oak: [0.7, 0.08, 68],
  concrete: [0.74, 0.006, 90],
  steel: [0.7, 0.02, 245],
  iron: [0.55, 0.012, 250],
  brass: [0.76, 0.11, 92],
  copper: [0.64, 0.12, 50],
  gold: [0.8, 0.13, 90],
  glass: [0.82, 0.05, 170],
  bone: [0.9, 0.035, 90],
  ivory: [0.92, 0.04, 95],
  pill: [0.88, 0.05, 350],
  coal: [0.32, 0.01, 260],
  ore: [0.5, 0.07, 42],
  ice: [0.9, 0.04, 220],
  rubber: [0.36, 0.008, 260],
  amber: [0.72, 0.14, 68],
  white: [0.94, 0.004, 90],
  black: [0.28, 0.005, 260],
  grey: [0.65, 0.005, 250],
  red: [0.58, 0.17, 27],
  orange: [0.72, 0.15, 55],
  yellow: [0.87, 0.14, 98],
  green: [0.62, 0.12, 148],
  blue: [0.56, 0.12, 250],
  violet: [0.55, 0.13, 305],
};

/**
 * The colour of value i of a quantity that has discrete ones, such as of material i: as the scene says, or else as it
 * looks if its name tells.
 * @param {Quantity} quantity
 * @param {number} i
 */
export function colourOfValue({ names, tints }, i) {
  const tint = tints?.[i] || (names?.[i] ?? "").toLowerCase();
  if (/^#[0-9a-f]{6}$/i.test(tint))
    return [1, 3, 5].map((at) => parseInt(tint.slice(at, at + 2), 16) / 255);
  const known = KNOWN[tint];
  return known ? rgbOf(labOf(known)) : listColour(i);
}

/**
 * Colour i of an unlimited list in which neighbours differ clearly.
 * @param {number} i
 */
export function listColour(i) {
  return rgbOf(labOf(first[i] ?? [0.6 + 0.12 * ((i * 0.381966) % 1), 0.12, (i * 137.50776) % 360]));
}

/** @param {number[]} rgb */
export const css = (rgb) => `rgb(${rgb.map((x) => Math.round(255 * x)).join(" ")})`;

/**
 * 256 colours as the bytes of a texture.
 * @param {(i: number) => number[]} colour
 */
export function colourTable(colour) {
  const table = new Uint8Array(4 * 256);
  for (let i = 0; i < 256; i++) {
    table.set([...colour(i).map((x) => Math.round(255 * x)), 255], 4 * i);
  }
  return table;
}
