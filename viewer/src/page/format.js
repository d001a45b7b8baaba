// Numbers and units as text. The scene's units are unknown, so labels name the dimension.

/** @param {number | null | undefined} value */
export function number(value, digits = 4) {
  if (value === null || value === undefined || Number.isNaN(value)) return "–";
  if (!Number.isFinite(value)) return value > 0 ? "∞" : "−∞";
  if (value === 0) return "0";
  const size = Math.abs(value);
  let text;
  if (size >= 1e5 || size < 1e-3) {
    const [mantissa, exponent] = value.toExponential(Math.max(0, digits - 1)).split("e");
    const short = mantissa.includes(".") ? mantissa.replace(/\.?0+$/, "") : mantissa;
    text = `${short}·10${superscript(Number(exponent))}`;
  } else {
    text = String(Number(value.toPrecision(digits)));
  }
  return text.replace("-", "−");
}

/**
 * A count with its word: "1 grain", "2,000 grains".
 * @param {number} count
 * @param {string} one
 */
export function counted(count, one) {
  return `${count.toLocaleString("en")} ${count === 1 ? one : `${one}s`}`;
}

/** @param {number} n */
function superscript(n) {
  return [...String(n)].map((c) => (c === "-" ? "⁻" : "⁰¹²³⁴⁵⁶⁷⁸⁹"[Number(c)])).join("");
}

/**
 * "length/time^2" as "length / time²"; nothing for a pure number.
 * @param {string} dimension
 */
export function unit(dimension) {
  if (!dimension || dimension === "1") return "";
  return dimension
    .replace(/\^\(?(\d)\)?/g, (_, d) => superscript(Number(d)))
    .replaceAll("/", " / ")
    .replaceAll(" length", " · length");
}

/**
 * About `count` ticks at round numbers between low and high.
 * @param {number} low
 * @param {number} high
 * @param {number} count
 */
export function ticks(low, high, count) {
  const span = high - low;
  if (!(span > 0) || !Number.isFinite(span)) return [];
  const raw = span / count;
  const power = 10 ** Math.floor(Math.log10(raw));
  const step = power * ([1, 2, 5].find((f) => f * power >= raw * 0.999) ?? 10);
  const list = [];
  for (let k = Math.ceil(low / step - 1e-9); k * step <= high + 1e-9 * span; k++)
    list.push(k * step);
  return list;
}
