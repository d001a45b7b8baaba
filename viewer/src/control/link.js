// A link that opens the page as it is now: what follows # in its address. Numbers are in the units of the scene.
//   frame or time; camera=azimuth,elevation,distance,x,y,z (degrees, and the point looked at)
//   colour, map, range=low,high or range=frame, reference, grains, chains, bonds, thickness, points, walls, shadows, marks,
//   cell, copies, scale, dark, panel, play
//   value=low,high, rattlers, hide (materials), cut-x=from,to (parts of the region), force, contacts: what is left out
//   select: the number of a grain; note=TEXT@GRAIN or TEXT@x,y,z, as many as there are
import * as THREE from "three";

const ON = { 0: false, 1: true };
const SWITCHES = /** @type {const} */ ([
  "chains",
  "bonds",
  "points",
  "walls",
  "shadows",
  "marks",
  "cell",
]);
const CHOICES = { grains: ["solid", "glass", "small", "hidden"], chainColour: ["state", "force"] };
const FILTER_CHOICES = {
  rattlers: ["all", "without", "only"],
  contacts: ["all", "stick", "slip"],
};
/** Numbers, with the lowest and the highest value. */
const NUMBERS = { thickness: [0.2, 3], reference: [0, Infinity], copies: [0, 2] };
const WHOLE = ["reference", "copies"];

/** @param {number} x */
const short = (x) => String(Number(x.toPrecision(5)));

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
    this.choose(settings, CHOICES);
    for (const [key, [least, most]] of Object.entries(NUMBERS)) {
      const found = numbers(words.get(key), 1);
      if (!found) continue;
      const value = Math.min(most, Math.max(least, found[0]));
      Object.assign(settings, { [key]: WHOLE.includes(key) ? Math.round(value) : value });
    }
    settings.oneScale = words.get("scale") !== "own";
    const chosen = numbers(words.get("select"), 1);
    if (chosen && chosen[0] >= 0 && chosen[0] < picture.run.count)
      settings.selection = { kind: "body", id: Math.floor(chosen[0]) };
    this.applyFilter(settings.filter, picture.run);
    const colour = words.get("colour");
    if (colour && colour in picture.quantities) settings.colourBy = colour;
    settings.map = words.get("map") ?? settings.map;
    if (words.get("range") === "frame") settings.rangeOf = "frame";
    const range = numbers(words.get("range"), 2);
    if (!range || !(range[1] > range[0])) return;
    settings.rangeOf = "fixed";
    picture.range = [range[0], range[1]];
  }

  /**
   * @param {object} target
   * @param {Record<string, string[]>} choices
   */
  choose(target, choices) {
    for (const [key, values] of Object.entries(choices)) {
      const word = this.words.get(key);
      if (word && values.includes(word)) Object.assign(target, { [key]: word });
    }
  }

  /**
   * @param {Filter} filter
   * @param {Run} run
   */
  applyFilter(filter, run) {
    const { words } = this;
    this.choose(filter, FILTER_CHOICES);
    const value = numbers(words.get("value"), 2);
    if (value) Object.assign(filter, { byValue: true, low: value[0], high: value[1] });
    const force = numbers(words.get("force"), 1);
    if (force) filter.force = Math.min(4, Math.max(0, force[0]));
    for (const name of (words.get("hide") ?? "").split(",")) {
      const at = run.manifest.materials.indexOf(name);
      if (at >= 0) filter.hiddenMaterials.add(at);
    }
    run.axes.forEach((axis, k) => {
      const cut = numbers(words.get(`cut-${axis}`), 2);
      if (cut) filter.slice[k] = [cut[0], cut[1]];
    });
  }

  /**
   * Notes are written as "TEXT@17" at grain 17, or as "TEXT@x,y,z".
   * @param {import("./notes.js").Notes} notes
   * @param {Run} run
   */
  applyNotes(notes, run) {
    for (const word of this.words.getAll("note")) {
      const at = word.lastIndexOf("@");
      const text = word.slice(0, at).trim();
      const place = word.slice(at + 1);
      const body = /^\d+$/.test(place) && Number(place) < run.count ? Number(place) : null;
      const point = numbers(place, 3);
      if (at > 0 && text && (point || body !== null))
        notes.add({ text, body, point: point ?? [0, 0, 0] });
    }
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
 * @param {import("../viewer.js").Viewer} viewer
 */
export function linkTo({ run, settings, picture, timeline, layout, notes }) {
  const { target, azimuth, elevation, distance } = picture.stage.view.spherical();
  const { origin } = run.manifest;
  const place = target.toArray().map((x, k) => short(x + origin[k]));
  const degrees = [azimuth, elevation].map((x) => short(THREE.MathUtils.radToDeg(x)));
  const words = new URLSearchParams({
    frame: String(timeline.frame),
    camera: [...degrees, short(distance), ...place].join(),
    colour: settings.colourBy,
    map: settings.map,
    grains: settings.grains,
    play: "0",
    panel: layout.isOpen ? "1" : "0",
  });
  if (settings.chains) words.set("chainColour", settings.chainColour);
  if (settings.chains && settings.thickness !== 1)
    words.set("thickness", short(settings.thickness));
  if (settings.rangeOf === "fixed") words.set("range", picture.range.map(short).join());
  if (settings.rangeOf === "frame") words.set("range", "frame");
  if (picture.quantity.reference) words.set("reference", String(settings.reference));
  if (settings.copies > 0) words.set("copies", String(settings.copies));
  if (!settings.oneScale) words.set("scale", "own");
  if (settings.selection?.kind === "body") words.set("select", String(settings.selection.id));
  for (const key of SWITCHES) words.set(key, settings[key] ? "1" : "0");
  linkFilter(words, settings.filter, run);
  for (const { text, body, point } of notes.list)
    words.append("note", `${text}@${body ?? point.map(short).join()}`);
  return `#${words.toString().replaceAll("%2C", ",").replaceAll("%40", "@")}`;
}

/**
 * @param {URLSearchParams} words
 * @param {Filter} filter
 * @param {Run} run
 */
function linkFilter(words, filter, run) {
  if (filter.byValue && Number.isFinite(filter.low) && Number.isFinite(filter.high))
    words.set("value", `${short(filter.low)},${short(filter.high)}`);
  if (filter.force > 0) words.set("force", short(filter.force));
  for (const key of /** @type {const} */ (["rattlers", "contacts"]))
    if (filter[key] !== "all") words.set(key, filter[key]);
  const hidden = [...filter.hiddenMaterials].map((k) => run.manifest.materials[k]);
  if (hidden.length > 0) words.set("hide", hidden.join());
  run.axes.forEach((axis, k) => {
    const [from, to] = filter.slice[k];
    if (from > 0 || to < 1) words.set(`cut-${axis}`, `${from},${to}`);
  });
}
