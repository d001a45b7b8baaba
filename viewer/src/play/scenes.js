// The scenes to choose from. Their texts are in playground/scenes/ and examples/: what runs here runs with `scree run`.
import arch from "../../../examples/arch.yaml";
import chain from "../../../examples/chain.yaml";
import brazilNuts from "../../../playground/scenes/brazil_nuts.yaml";
import cards from "../../../playground/scenes/cards.yaml";
import castle from "../../../playground/scenes/castle.yaml";
import cradle from "../../../playground/scenes/cradle.yaml";
import dam from "../../../playground/scenes/dam.yaml";
import dominoes from "../../../playground/scenes/dominoes.yaml";
import drum from "../../../playground/scenes/drum.yaml";
import galton from "../../../playground/scenes/galton.yaml";
import heap from "../../../playground/scenes/heap.yaml";
import hourglass from "../../../playground/scenes/hourglass.yaml";
import marbles from "../../../playground/scenes/marbles.yaml";
import mixer from "../../../playground/scenes/mixer.yaml";
import pebbles from "../../../playground/scenes/pebbles.yaml";
import rocks from "../../../playground/scenes/rocks.yaml";
import silo from "../../../playground/scenes/silo.yaml";

/**
 * @typedef {object} PlayScene
 * @property {string} id
 * @property {string} title
 * @property {string} note what to look at, and what to try
 * @property {string} text
 * @property {number} pace simulated time in a second
 * @property {Partial<Settings>} [look]
 * @property {number} [sweeps] the most for each stride of a step; as needed if there is none
 * @property {import("./hands.js").Tool} [tool]
 */

const chains = /** @type {Partial<Settings>} */ ({
  chains: true,
  grains: "glass",
  chainColour: "force",
});

/** A bound for each stride of a step. A smaller one makes no scene quicker: what is left over comes back in the next step. */
const LIVELY = 200;

/** @type {PlayScene[]} */
export const scenes = [
  {
    id: "heap",
    title: "Heap",
    note: "Grains heap up to the angle of repose. Drag one, or drag the box; change the friction.",
    text: heap,
    pace: 1,
    sweeps: LIVELY,
  },
  {
    id: "hourglass",
    title: "Hourglass",
    note: "Turn it over: tilt it by 180°.",
    text: hourglass,
    pace: 1,
    sweeps: LIVELY,
  },
  {
    id: "silo",
    title: "Silo",
    note: "Force chains lean on the walls, and arches over the outlet. Shake it when it is blocked.",
    text: silo,
    pace: 1,
    sweeps: LIVELY,
    look: chains,
  },
  {
    id: "arch",
    title: "Arch",
    note: "Seventeen stones, and nothing but friction between them. Pull one out, or tilt the ground.",
    text: arch,
    pace: 1,
    look: { ...chains, colourBy: "force" },
  },
  {
    id: "dominoes",
    title: "Dominoes",
    note: "Each one topples a taller one.",
    text: dominoes,
    pace: 1,
    look: { colourBy: "spin" },
  },
  {
    id: "cards",
    title: "House of cards",
    note: "Held up by friction alone. Pull out a card, gently or not.",
    text: cards,
    pace: 1,
    look: { colourBy: "force" },
  },
  {
    id: "galton",
    title: "Galton board",
    note: "Left or right at every pin: the bins fill to a bell.",
    text: galton,
    pace: 1,
    sweeps: LIVELY,
  },
  {
    id: "drum",
    title: "Drum",
    note: "Small grains gather in the middle, large ones run around them.",
    text: drum,
    pace: 1,
    sweeps: LIVELY,
  },
  {
    id: "brazil",
    title: "Brazil nuts",
    note: "Shaken from below, the large nuts rise through the small ones.",
    text: brazilNuts,
    pace: 1,
    sweeps: LIVELY,
  },
  {
    id: "cradle",
    title: "Newton's cradle",
    note: "Above, small gaps: the last ball flies off. Below, the balls touch and share the blow.",
    text: cradle,
    pace: 1,
    look: { colourBy: "speed" },
  },
  {
    id: "castle",
    title: "Sand castle",
    note: "Moist sand stands after the mould is gone. Take the cohesion away.",
    text: castle,
    pace: 1,
    sweeps: LIVELY,
    look: { colourBy: "material" },
  },
  {
    id: "pebbles",
    title: "Pebbles",
    note: "Stones with corners: stack them, pour more, draw a wall.",
    text: pebbles,
    pace: 1,
    sweeps: 100,
  },
  {
    id: "dam",
    title: "Dam break",
    note: "Two thousand disks behind a gate, which is pulled up after a second.",
    text: dam,
    pace: 1,
    sweeps: LIVELY,
    look: { colourBy: "speed" },
  },
  {
    id: "chain",
    title: "Too few sweeps",
    note: "A row of hard disks is pushed against a wall. With 40 sweeps it swings as if it were soft: give it more.",
    text: chain,
    pace: 60,
    sweeps: 40,
    look: { colourBy: "vx", marks: false },
  },
  {
    id: "marbles",
    title: "Marbles, 3D",
    note: "A thousand spheres. Drag beside them to look around.",
    text: marbles,
    pace: 1,
    sweeps: LIVELY,
  },
  {
    id: "mixer",
    title: "Mixer, 3D",
    note: "Two kinds of spheres in a drum.",
    text: mixer,
    pace: 1,
    sweeps: LIVELY,
  },
  {
    id: "rocks",
    title: "Rocks, 3D",
    note: "Rocks and dice: drag them, pour more.",
    text: rocks,
    pace: 1,
    sweeps: 100,
  },
];
