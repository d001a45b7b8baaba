// Default settings.
import { SPEEDS } from "./player.js";

const WHOLE_RUN = 6; // seconds that it should take to play

/**
 * What is worth seeing first: where grains are of several materials, or the scene gives their colour, which is which;
 * then how they move.
 * @param {Run} run
 */
function firstQuantity(run) {
  const materials = new Set(run.material);
  const coloured = [...materials].some((number) => run.manifest.colours?.[number]);
  if (materials.size > 1 || coloured) return "material";
  return run.frames > 1 || run.count < 2 ? "speed" : "radius";
}

/**
 * Frames per second: a run of few frames is not over in a moment, and one of many does not crawl.
 * @param {number} frames
 */
function speedFor(frames) {
  const wanted = Math.min(30, Math.max(5, frames / WHOLE_RUN));
  return Math.max(...SPEEDS.filter((speed) => speed <= wanted));
}

/**
 * @param {Run} run
 * @returns {Settings}
 */
export function initialSettings(run) {
  return {
    colourBy: firstQuantity(run),
    map: "lagoon",
    rangeOf: "run",
    reference: 0,
    grains: "solid",
    chains: false,
    bonds: false,
    points: false,
    walls: true,
    shadows: !run.flat,
    marks: run.flat && run.shapes.length === 0,
    cell: true,
    copies: 0,
    chainColour: "state",
    thickness: 1,
    speed: speedFor(run.frames),
    loop: true,
    follow: run.manifest.going,
    oneScale: true,
    selection: null,
    filter: {
      byValue: false,
      low: -Infinity,
      high: Infinity,
      hiddenMaterials: new Set(),
      rattlers: "all",
      slice: [
        [0, 1],
        [0, 1],
        [0, 1],
      ],
      force: 0,
      contacts: "all",
    },
  };
}
