// Default settings.

/**
 * @param {Run} run
 * @returns {Settings}
 */
export function initialSettings(run) {
  return {
    colourBy: run.frames > 1 || run.count < 2 ? "speed" : "radius",
    map: "lagoon",
    rangeOf: "run",
    reference: 0,
    grains: "solid",
    chains: false,
    points: false,
    walls: true,
    marks: run.flat && run.shapes.length === 0,
    cell: true,
    copies: 0,
    chainColour: "state",
    thickness: 1,
    speed: 20,
    loop: true,
    follow: run.manifest.going,
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
