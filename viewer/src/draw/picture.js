// The picture of a frame: coloured grains, forces, walls, the periodic cell and a ring around the
// selection.
import { rowOf } from "../data/contacts.js";
import { quantities, rangeOf } from "../data/quantities.js";
import { Cell } from "./cell.js";
import { colourTable, mapColour, mapFor, colourOfValue } from "./colours.js";
import { ContactMarks } from "./contacts.js";
import { bothVisible, contactFilter, hideGrains } from "./filter.js";
import { Grains } from "./grains.js";
import { OutlinedGrains } from "./outlines.js";
import { measureRegion } from "./region.js";
import { Ring } from "./ring.js";
import { SolidGrains } from "./solids.js";
import { Stage } from "./stage.js";
import { unitBox } from "./vectors.js";
import { chooseSides } from "./wall_sides.js";
import { Walls } from "./walls.js";

export class Picture {
  /** @type {Grains} */
  grains;
  /** Grains that are not round. @type {OutlinedGrains | SolidGrains | null} */
  shaped;
  /** What they are drawn by. @type {Layer[]} */
  grainLayers;

  /**
   * @param {HTMLElement} holder
   * @param {Run} run
   * @param {Settings} settings
   */
  constructor(holder, run, settings) {
    this.run = run;
    this.settings = settings;
    this.quantities = quantities(run);
    this.stage = new Stage(holder, run);
    settings.shadows = this.stage.lamp?.on ?? false;
    const made = this.makeGrains();
    this.grains = made.grains;
    this.shaped = made.shaped;
    this.grainLayers = made.grainLayers;
    this.contacts = new ContactMarks(this.stage, run);
    this.walls = new Walls(this.stage, run);
    this.ring = new Ring(this.stage);
    this.cell = run.isPeriodic ? new Cell(this.stage, run) : null;
    /** The periodic cell of the frame on screen. */
    this.lattice = this.stage.lattice;
    this.region = unitBox();
    /** Of the colours. @type {[number, number]} */
    this.range = [0, 1];
    /** The frame on screen. @type {FrameContent | null} */
    this.content = null;
    /** What the grains on screen are coloured by. @type {Quantity | null} */
    this.coloured = null;
    /** @type {Float32Array | null} */
    this.values = null;
    this.visible = run.count;
    /** The force of the widest bar. */
    this.strong = 1;
  }

  makeGrains() {
    const { stage, run } = this;
    const before = stage.layers.length;
    const grains = new Grains(stage, run);
    const Shaped = run.flat ? OutlinedGrains : SolidGrains;
    const shaped = run.shapes.length > 0 ? new Shaped(stage, run, grains) : null;
    return { grains, shaped, grainLayers: stage.layers.slice(before) };
  }

  /**
   * Takes up grains that have been added to the run.
   * @param {(name: string) => string} ink
   */
  grow(ink) {
    const old = this.grainLayers;
    Object.assign(this, this.makeGrains()); // first: shaders that are in use are kept
    this.stage.remove(old);
    this.setLook(ink);
  }

  /** What the grains are to be coloured by. */
  get quantity() {
    return this.quantities[this.settings.colourBy];
  }

  /** The map they are coloured with. */
  get map() {
    return mapFor(this.quantity, this.settings.map);
  }

  /** Finds the region of interest from a few frames. */
  async measure() {
    const frames = this.run.someFrames(5);
    this.region = await measureRegion(this.run, frames);
    chooseSides(this.run, await Promise.all(frames.map((k) => this.run.bodies(k))));
    this.cell?.draw(this.region, this.lattice);
    this.stage.view.region = this.region;
  }

  /** The region with its periodic copies. */
  get wholeRegion() {
    const whole = this.region.clone();
    for (const shift of this.stage.shifts) whole.union(this.region.clone().translate(shift));
    return whole;
  }

  /**
   * Chooses the range of the colours by the current rule.
   * @param {number} frame
   */
  async chooseRange(frame) {
    const { settings, run, quantity } = this;
    if (settings.rangeOf === "fixed") return;
    const single = quantity.constant || settings.rangeOf === "frame";
    const reference = await this.loadReference();
    const lists = [];
    for (const k of single ? [frame] : run.someFrames(9)) {
      lists.push(quantity.of({ bodies: await run.bodies(k), reference }));
    }
    this.range = rangeOf(lists, quantity);
  }

  async loadReference() {
    const { settings, run, quantity } = this;
    return quantity.reference ? run.bodies(Math.min(settings.reference, run.frames - 1)) : null;
  }

  /** @returns {boolean} */
  get needsContacts() {
    const { chains, bonds, points, selection } = this.settings;
    return chains || bonds || points || selection?.kind === "contact" || selection?.kind === "body";
  }

  /**
   * @param {number} frame
   * @returns {Promise<FrameContent>}
   */
  async load(frame) {
    const [bodies, contacts, reference] = await Promise.all([
      this.run.bodies(frame),
      this.needsContacts ? this.run.contacts(frame) : null,
      this.loadReference(),
    ]);
    return { frame, bodies, contacts, reference };
  }

  /**
   * Draws what load() returned.
   * @param {FrameContent} content
   */
  show(content) {
    this.content = content;
    const { bodies } = content;
    this.showCell(this.run.lattice(bodies));
    bodies.position.into(this.grains.places, 3);
    if (bodies.radius) this.grains.resized(this.run, this.run.radii(bodies));
    const turning = this.settings.marks || this.shaped;
    this.grains.moved(turning ? bodies.orientation.values() : null);
    this.walls.set(bodies, this.region);
    this.colour();
    this.showContacts();
    this.showSelection();
  }

  /** @param {Lattice} lattice */
  showCell(lattice) {
    if (lattice.equals(this.lattice)) return;
    this.lattice = lattice;
    this.stage.setLattice(lattice);
    this.cell?.draw(this.region, lattice);
  }

  /** Colours and filters the grains. */
  colour() {
    if (!this.content) return;
    const { quantity, run, content, region } = this;
    const { hues, places } = this.grains;
    const values = quantity.of(content);
    const [low, high] = this.range;
    const scale = 1 / (high - low || 1);
    for (let i = 0; i < run.count; i++) {
      if (!(places[3 * i] < Infinity))
        hues[i] = -1; // not there
      else if (quantity.list) hues[i] = values[i] % 256;
      else hues[i] = Math.min(1, Math.max(0, (values[i] - low) * scale));
    }
    const coordination = content.bodies.coordination.data;
    const grains = { hues, places, values, material: run.material, coordination, region };
    hideGrains(this.settings.filter, grains);
    this.visible = hues.reduce((sum, hue) => sum + (hue >= 0 ? 1 : 0), 0);
    this.values = values;
    this.coloured = quantity;
    this.grains.coloured();
    this.shaped?.update();
    this.stage.redraw();
  }

  showContacts() {
    const { settings, grains } = this;
    const contacts = this.content?.contacts;
    if (contacts && (settings.chains || settings.points)) {
      const forces = contacts.force_normal.values().map(Math.abs);
      const acting = forces.filter((force) => force > 0).sort();
      const mean = acting.reduce((sum, force) => sum + force, 0) / Math.max(1, acting.length);
      // the force of the widest bar; only one in 200 is stronger
      const strong = acting[Math.floor(0.995 * (acting.length - 1))] ?? 1;
      this.strong = strong;
      const visible = contactFilter(settings.filter, contacts, grains.hues, mean);
      const byState = settings.chainColour === "state";
      this.contacts.set(contacts, grains.places, this.lattice, visible, strong, byState);
    } else {
      this.contacts.clear();
    }
    if (contacts && settings.bonds) {
      const seen = bothVisible(contacts, grains.hues);
      this.contacts.setBonds(contacts, grains.places, this.lattice, seen);
    }
    this.stage.redraw();
  }

  showSelection() {
    const { run, content, walls, ring } = this;
    const { selection } = this.settings;
    ring.hide();
    const chosen = selection?.kind === "wall" ? selection.id : -1;
    if (walls.chosen !== chosen) {
      walls.chosen = chosen;
      if (content) walls.set(content.bodies, this.region);
    }
    if (selection?.kind === "body" && selection.id < run.count) {
      const at = 3 * selection.id;
      const place = this.grains.places.subarray(at, at + 3);
      if (place.every(Number.isFinite)) {
        const radius = content ? run.radii(content.bodies)[selection.id] : run.radius[selection.id];
        ring.show(place, radius);
      }
    } else if (selection?.kind === "contact" && content?.contacts) {
      const row = rowOf(content.contacts, selection);
      if (row >= 0) ring.show(content.contacts.point.row(row), 0.35 * run.meanRadius);
    }
    this.stage.redraw();
  }

  /**
   * Applies the settings and the theme.
   * @param {(name: string) => string} ink a colour of the theme
   */
  setLook(ink) {
    const { settings, stage, quantity, map } = this;
    stage.paper.set(ink("paper"));
    if (stage.lamp) stage.lamp.on = settings.shadows;
    const listed = Boolean(quantity.list);
    this.grains.setLook({ style: settings.grains, marks: settings.marks, listed });
    if (this.shaped instanceof SolidGrains) this.shaped.setGlass(settings.grains === "glass");
    this.contacts.setLook({
      bars: settings.chains,
      bonds: settings.bonds,
      points: settings.points,
      byState: settings.chainColour === "state",
      thickness: settings.thickness,
      stick: ink("stick"),
      slip: ink("slip"),
    });
    this.walls.setLook({
      shown: settings.walls,
      ink: ink("wall"),
      band: ink("band"),
      panel: ink("panel"),
      metal: ink("metal"),
      accent: ink("accent"),
    });
    this.ring.setLook(ink("slip"));
    this.cell?.setLook(settings.cell, ink("muted"));
    const colour = quantity.list
      ? (/** @type {number} */ i) => colourOfValue(quantity, i)
      : (/** @type {number} */ i) => mapColour(map, i / 255);
    stage.setTable(stage.table, colourTable(colour));
    stage.setTable(
      stage.forceTable,
      colourTable((i) => mapColour("ember", i / 255)),
    );
    stage.setTable(
      stage.bondTable,
      colourTable((i) => mapColour("strain", i / 255)),
    );
    stage.redraw();
  }
}
