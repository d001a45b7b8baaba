// Types shared between the files. The manifest is written by view/describe.c.

// Shorthands, so that JSDoc comments need no imports.
type Column = import("./data/block.js").Column;
type Player = import("./control/player.js").Player;
type Refresh = import("./control/refresh.js").Refresh;
type Selector = import("./control/selector.js").Selector;
type Theme = import("./control/theme.js").Theme;
type Timeline = import("./control/timeline.js").Timeline;
type Lattice = import("./data/lattice.js").Lattice;
type Run = import("./data/run.js").Run;
type Source = import("./data/source.js").Source;
type Grains = import("./draw/grains.js").Grains;
type Picture = import("./draw/picture.js").Picture;
type Layer = import("./draw/stage.js").Layer;
type View = import("./draw/view.js").View;
type Stage = import("./draw/stage.js").Stage;
type SelectionValues = import("./page/selection_values.js").SelectionValues;

/** A block's columns by name; view/encode.c lists them. */
type Block = Record<string, Column>;

interface WallConstants {
  /** One of `WALL` in data/run.js. */
  shape: number;
  half: number[];
  radius: number;
  length: number;
  end_radius: number;
  holes: number[];
  spacing: number[];
  inside: number;
  /** Of a cone: whether more grains are within it than beside it. */
  filled?: boolean;
}

/** A wall of triangles in its own frame: coordinates, corners, the ends of edges to draw. */
interface Surface {
  /** The number of the file it is a part of. */
  mesh: number;
  points: ArrayLike<number>;
  triangles: number[];
  edges: number[];
  /** At each corner of each triangle, smooth where there is no edge. */
  normals: Float32Array;
  /** Whether grains are on the side to which the triangles face (1), on the other one (-1), or all around (0). */
  side: number;
}

interface Manifest {
  identity: string;
  /** The name of the run file. */
  file: string;
  program: string;
  scene_name: string;
  scene_text: string;
  overrides: string[];
  materials: string[];
  /** Of the materials: "#rrggbb", a word or ""; empty if none has one. */
  colours: string[];
  walls: string[];
  dimension: [number];
  engine: string;
  time_step: [number];
  gravity: number[];
  periodic: number[];
  cell_min: number[];
  cell_max: number[];
  /** Positions in blocks are relative to this point. */
  origin: number[];
  bodies: number;
  /** Frames say which grains walls hold. */
  plates: boolean;
  /** Frames say which grains bonds hold together. */
  bonds: boolean;
  /** Frames say how large grains are. */
  growing: boolean;
  wall_constants: WallConstants[];
  laws: Record<string, number | null>[];
  /** Dimension and meaning of every field, by table and name. */
  fields: Record<string, Record<string, [string, string]>>;
  frames: { number: number[]; time: number[]; step: number[]; contacts: number[] };
  going: boolean;
  /** The page has another run to show beside this one. */
  beside: boolean;
  ending: string;
  total_frames: number;
  /** A reduced file: some frames or contacts may be missing. */
  small: boolean;
  /** The fraction of contacts kept; negative if there are none. */
  contact_share: [number];
}

/** One row of a table at full precision. */
type ExactRow = Record<string, number | number[]>;

/** All points within `rounding` of a polygon or, in space, of a polyhedron with these faces. */
interface ShapePart {
  rounding: number;
  corners: number[][];
  /** Corners by number, counterclockwise seen from outside; none in the plane. */
  faces: number[][];
  /** 1: an ellipsoid with these exponents; its corners are its centre and the ends of three half axes.
   * 2: a cone; its corners are the centres of its caps, which have these radii. */
  kind?: number;
  form?: number[];
}

/** An outline in the plane or a solid in space: the union of its parts. */
interface Shape {
  parts: ShapePart[];
}

/** A contact is identified by its pair and feature, since its row changes from frame to frame. */
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
  /** The visible interval along each axis, as fractions of the region. */
  slice: [number, number][];
  /** The weakest force shown, relative to the mean. */
  force: number;
  contacts: "all" | "stick" | "slip";
}

/** Everything the user can set. */
interface Settings {
  colourBy: string;
  map: string;
  rangeOf: "run" | "frame" | "fixed";
  /** The frame from which displacements are measured. */
  reference: number;
  grains: "solid" | "glass" | "small" | "hidden";
  chains: boolean;
  /** Bars between grains that are glued. */
  bonds: boolean;
  points: boolean;
  walls: boolean;
  shadows: boolean;
  marks: boolean;
  cell: boolean;
  /** Number of periodic copies on each side. */
  copies: number;
  chainColour: "state" | "force";
  thickness: number;
  /** Frames per second. */
  speed: number;
  loop: boolean;
  /** Jump to new frames of a run in progress. */
  follow: boolean;
  /** Two runs side by side have one scale of colours. */
  oneScale: boolean;
  selection: Selected | null;
  filter: Filter;
}

/** What must be redone after a change of settings; see control/refresh.js. */
type Change = "range" | "colour" | "look" | "contacts" | "marks" | "copies";

/** A loaded frame; contacts and reference only if they are needed. */
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
  /** Discrete values, each with its own colour. */
  list?: boolean;
  names?: string[];
  /** What was asked for: "#rrggbb", a word or "". */
  tints?: string[];
  /** Does not change with time. */
  constant?: boolean;
  /** Whole numbers. */
  whole?: boolean;
  /** Has a sign: the range is symmetric about zero. */
  signed?: boolean;
  /** Needs the reference frame. */
  reference?: boolean;
  of(content: { bodies: Block; reference: Block | null }): Float32Array;
}

interface Curve {
  label: string;
  /** The name of a theme colour. */
  colour: string;
  /** The lowest and the highest value in each interval of time. */
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
  toggleBonds(): void;
  togglePanel(): void;
  screenshot(): void;
  film(): void;
  copyLink(): void;
  compare(): void;
  note(): void;
  toggleTheme(): void;
  toggleHelp(): void;
  escape(): void;
}

/** Anything that can be put into an element. */
type Child = Node | string | false | null | undefined | Child[];

/** A page of the panel. */
interface PanelPage {
  element: HTMLElement;
  /** Redraws whatever depends on the theme or on the page's width. */
  redraw?(): void;
}

interface Window {
  /** For the tests, and for the curious. */
  scree: import("./viewer.js").Viewer;
  playground: import("./play/playground.js").Playground;
}

declare module "*.yaml" {
  const text: string;
  export default text;
}
