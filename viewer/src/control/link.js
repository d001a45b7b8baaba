// A link that opens the page as it is now: what follows # in its address. Numbers are in the units of the scene.
//   frame or time; camera=azimuth,elevation,distance,x,y,z (degrees, and the point looked at)
//   colour, map, range=low,high, grains, chains, points, walls, shadows, marks, dark, panel, play
import * as THREE from "three";

const ON = { 0: false, 1: true };
const SWITCHES = /** @type {const} */ (["chains", "points", "walls", "shadows", "marks"]);
const CHOICES = { grains: ["solid", "glass", "small", "hidden"], chainColour: ["state", "force"] };

/**
 * The numbers of a list, if there are that many and all of them are numbers.
 * @param {string | null} text
 * @param {number} count
 */
function numbers(text, count) {
  const list = (text ?? "").split(",").map(Number);
  return text && list.length === count && list.every(Number.isFinite) ? list : null;
}

export class Link {
  /** @param {string} hash */
  constructor(hash) {
    this.words = new URLSearchParams(hash.replace(/^#/, ""));
  }

  /** @param {string} key */
  isOn(key) {
    const word = this.words.get(key);
    return word === "0" || word === "1" ? ON[word] : undefined;
  }

  /**
   * Settings before anything is shown.
   * @param {Settings} settings
   * @param {Picture} picture
   */
  applySettings(settings, picture) {
    const { words } = this;
    for (const key of SWITCHES) settings[key] = this.isOn(key) ?? settings[key];
    for (const [key, values] of Object.entries(CHOICES)) {
      const word = words.get(key);
      if (word && values.includes(word)) Object.assign(settings, { [key]: word });
    }
    const colour = words.get("colour");
    if (colour && colour in picture.quantities) settings.colourBy = colour;
    settings.map = words.get("map") ?? settings.map;
    const range = numbers(words.get("range"), 2);
    if (!range || !(range[1] > range[0])) return;
    settings.rangeOf = "fixed";
    picture.range = [range[0], range[1]];
  }

  /**
   * The frame to begin with.
   * @param {Run} run
   */
  frameOf(run) {
    const time = numbers(this.words.get("time"), 1);
    const frame = numbers(this.words.get("frame"), 1);
    if (time) return run.frameAt(time[0]);
    return frame ? Math.min(run.frames - 1, Math.max(0, Math.round(frame[0]))) : null;
  }

  /**
   * @param {View} view
   * @param {Run} run
   */
  applyCamera(view, run) {
    const words = numbers(this.words.get("camera"), 6);
    if (!words) return;
    const [azimuth, elevation, distance, ...at] = words;
    const { origin } = run.manifest;
    const target = new THREE.Vector3(...at.map((x, k) => x - origin[k]));
    view.place(
      target,
      THREE.MathUtils.degToRad(azimuth),
      THREE.MathUtils.degToRad(elevation),
      distance,
    );
  }
}

/**
 * What follows # in the link.
 * @param {Run} run
 * @param {Settings} settings
 * @param {Picture} picture
 * @param {number} frame
 * @param {boolean} panel
 */
export function linkTo(run, settings, picture, frame, panel) {
  const { target, azimuth, elevation, distance } = picture.stage.view.spherical();
  const { origin } = run.manifest;
  const short = (/** @type {number} */ x) => String(Number(x.toPrecision(5)));
  const place = target.toArray().map((x, k) => short(x + origin[k]));
  const degrees = [azimuth, elevation].map((x) => short(THREE.MathUtils.radToDeg(x)));
  const words = new URLSearchParams({
    frame: String(frame),
    camera: [...degrees, short(distance), ...place].join(),
    colour: settings.colourBy,
    map: settings.map,
    grains: settings.grains,
    play: "0",
    panel: panel ? "1" : "0",
  });
  if (settings.chains) words.set("chainColour", settings.chainColour);
  if (settings.rangeOf === "fixed") words.set("range", picture.range.map(short).join());
  for (const key of SWITCHES) words.set(key, settings[key] ? "1" : "0");
  return `#${words.toString().replaceAll("%2C", ",")}`;
}
