// Shapes of the data that pass between the files. The manifest is written by view/describe.c.

// Classes, so that comments can name them.
type Column = import("./data/block.js").Column;
type Player = import("./control/player.js").Player;
type Refresh = import("./control/refresh.js").Refresh;
type Selector = import("./control/selector.js").Selector;
type Theme = import("./control/theme.js").Theme;
type Timeline = import("./control/timeline.js").Timeline;
type Run = import("./data/run.js").Run;
type Source = import("./data/source.js").Source;
type Grains = import("./draw/grains.js").Grains;
type Picture = import("./draw/picture.js").Picture;
type Layer = import("./draw/stage.js").Layer;
type Stage = import("./draw/stage.js").Stage;
type SelectionValues = import("./page/selection_values.js").SelectionValues;

/** The columns of a block by name; which there are is told in view/encode.c. */
type Block = Record<string, Column>;

interface WallConstants {
  /** A number of `WALL` in data/run.js. */
  shape: number;
  half: number[];
  radius: number;
  length: number;
  inside: number;
}

interface Manifest {
  identity: string;
  program: string;
  scene_name: string;
  scene_text: string;
  overrides: string[];
  materials: string[];
  walls: string[];
  dimension: [number];
  engine: string;
  time_step: [number];
  gravity: number[];
  periodic: number[];
  cell_min: number[];
  cell_max: number[];
  /** Positions in blocks count from here. */
  origin: number[];
  bodies: number;
  wall_constants: WallConstants[];
  laws: Record<string, number | null>[];
  /** Of each table, by the name of a field: its dimension and its meaning. */
  fields: Record<string, Record<string, [string, string]>>;
  frames: { number: number[]; time: number[]; step: number[]; contacts: number[] };
  going: boolean;
  ending: string;
  total_frames: number;
  /** A file made small: some frames or contacts may be left out. */
  small: boolean;
  /** The share of contacts the run holds; negative when there are none. */
  contact_share: [number];
}

/** One row of a table, all digits. */
type ExactRow = Record<string, number | number[]>;

/** An outline in the plane: the union of its parts. */
interface Shape {
  parts: { rounding: number; corners: number[][] }[];
}

/** A contact is known by its pair and the feature: its row differs from frame to frame. */
interface ContactPair {
  kind: "contact";
  a: number;
  b: number;
  feature: number;
}
type Selected = { kind: "body"; id: number } | { kind: "wall"; id: number } | ContactPair;

/** What lies under the cursor: bodies and walls by number, contacts by their row in the frame. */
interface Picked {
  kind: "body" | "contact" | "wall";
  id: number;
}

interface Filter {
  byValue: boolean;
  low: number;
  high: number;
  /** Numbers of the materials that are hidden. */
  hiddenMaterials: Set<number>;
  rattlers: "all" | "without" | "only";
  /** Of each axis the visible part, from 0 to 1. */
  slice: [number, number][];
  /** The least force shown, in mean forces. */
  force: number;
  contacts: "all" | "stick" | "slip";
}

/** All that the user can set. */
interface Settings {
  colourBy: string;
  map: string;
  rangeOf: "run" | "frame" | "fixed";
  /** The frame that displacements count from. */
  reference: number;
  grains: "solid" | "glass" | "small" | "hidden";
  chains: boolean;
  points: boolean;
  walls: boolean;
  marks: boolean;
  cell: boolean;
  /** Periodic copies to each side. */
  copies: number;
  chainColour: "state" | "force";
  thickness: number;
  /** Frames a second. */
  speed: number;
  loop: boolean;
  /** Show new frames of a run that goes on. */
  follow: boolean;
  selection: Selected | null;
  filter: Filter;
}

/** What a change of a setting asks for; see control/refresh.js. */
type Change = "range" | "colour" | "look" | "contacts" | "marks" | "copies";

/** A frame as it was loaded; contacts and the reference only when they are needed. */
interface FrameContent {
  frame: number;
  bodies: Block;
  contacts: Block | null;
  reference: Block | null;
}

interface Quantity {
  label: string;
  dimension: string;
  note?: string;
  /** A colour for each value instead of a map. */
  list?: boolean;
  names?: string[];
  /** The same in all frames. */
  constant?: boolean;
  /** Whole numbers. */
  whole?: boolean;
  /** Zero is in the middle of the range. */
  signed?: boolean;
  /** Needs the frame of reference. */
  reference?: boolean;
  of(content: { bodies: Block; reference: Block | null }): Float32Array;
}

interface Curve {
  label: string;
  /** The name of a colour of the theme. */
  colour: string;
  /** The least and the largest value of each piece of time. */
  low: ArrayLike<number>;
  high: ArrayLike<number>;
  dots?: boolean;
}

/** What keys and buttons do. */
interface Actions {
  togglePlay(): void;
  nextFrame(): void;
  previousFrame(): void;
  firstFrame(): void;
  lastFrame(): void;
  faster(): void;
  slower(): void;
  fit(): void;
  lookAlongX(): void;
  lookAlongY(): void;
  lookAlongZ(): void;
  lookFromCorner(): void;
  nextQuantity(): void;
  toggleChains(): void;
  togglePanel(): void;
  screenshot(): void;
  toggleTheme(): void;
  toggleHelp(): void;
  escape(): void;
}

/** What an element may hold. */
type Child = Node | string | false | null | undefined | Child[];

/** A page of the panel. */
interface PanelPage {
  element: HTMLElement;
  /** Draws what follows the theme or needs the page's width. */
  redraw?(): void;
}

interface Window {
  /** For tests, and for the curious. */
  scree: import("./viewer.js").Viewer;
}
