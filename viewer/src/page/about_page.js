// About the run: the scene, its size and its contact laws.
import { h, section, valueRow } from "./dom.js";
import { number } from "./format.js";

export class AboutPage {
  /** @param {Run} run */
  constructor(run) {
    this.run = run;
    this.element = h("div", { class: "panel-page" });
  }

  update() {
    const { manifest } = this.run;
    const left = leftOut(manifest);
    const thinned = `To keep this file small it holds ${left.join(" and ")}.`;
    const rounded =
      "Numbers in this file are rounded to three digits, positions to a thousandth of the smallest radius.";
    const units = "All quantities are in the units of the scene.";
    const laws = lawRows(manifest);
    this.element.replaceChildren(
      section("Run", h("dl", {}, facts(this.run))),
      left.length > 0 ? h("p", { class: "note warn", id: "thinned" }, thinned) : "",
      manifest.small ? h("p", { class: "note" }, rounded) : "",
      laws.length > 0 ? section("Contact laws at the start", h("dl", {}, laws)) : "",
      section("Scene", h("pre", {}, manifest.scene_text)),
      h("p", { class: "note" }, units),
    );
  }
}

/** @param {Run} run */
function facts(run) {
  const { manifest } = run;
  const span =
    run.frames > 0 ? `, time ${number(run.time(0))} to ${number(run.time(run.frames - 1))}` : "";
  /** @type {[string, string][]} */
  const rows = [
    ["File", manifest.file],
    ["Scene", manifest.scene_name],
    ["Status", manifest.ending],
    ["Dimensions", String(manifest.dimension[0])],
    ["Engine", manifest.engine],
    ["Grains", `${manifest.bodies}, mean radius ${number(run.meanRadius)}`],
    ["Materials", manifest.materials.join(", ")],
    ["Walls", manifest.walls.join(", ")],
    ["Frames", `${run.frames}${span}`],
    ["Time step", number(manifest.time_step[0])],
    ["Gravity", manifest.gravity.map((x) => number(x)).join(", ")],
    ["Set with -D", manifest.overrides.join(", ")],
    ["Made by", `scree ${manifest.program}`],
  ];
  return rows.filter(([, value]) => value).map(([name, value]) => valueRow(name, value));
}

/**
 * What a reduced file contains instead of the whole run.
 * @param {Manifest} manifest
 */
function leftOut(manifest) {
  const frames = manifest.frames.time.length;
  const share = manifest.contact_share[0];
  if (!manifest.small) return [];
  return [
    frames < manifest.total_frames && `${frames} of ${manifest.total_frames} frames`,
    share < 0 && "no contacts",
    share >= 0 && share < 1 && `the strongest ${Math.round(100 * share)} % of the contacts`,
  ].filter(Boolean);
}

/** @param {Manifest} manifest */
function lawRows(manifest) {
  return manifest.laws.map(({ first, second, ...law }) => {
    const pair = [first, second].map((k) => manifest.materials[Number(k)] ?? String(k));
    const values = Object.entries(law).filter(([, value]) => value !== 0 && value !== null);
    const text = values.map(([name, value]) => `${name.replaceAll("_", " ")} ${number(value)}`);
    return valueRow(pair.join(" – "), text.join(", ") || "no friction");
  });
}
