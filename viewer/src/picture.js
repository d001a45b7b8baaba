// What is drawn of a frame: colours, filters, forces, walls, the cell, the ring about what is selected.
import * as THREE from "three";
import { colourTable } from "./colours.js";
import { Contacts } from "./contacts.js";
import { common } from "./glsl.js";
import { Grains, STYLE } from "./grains.js";
import { quantities, rangeOf } from "./quantities.js";
import { ShapedGrains } from "./shapes.js";
import { Stage } from "./stage.js";
import { Walls } from "./walls.js";

const ringVertex = /* glsl */ `${common}
in vec2 corner;
uniform vec3 place;
uniform float radius, unit;
out vec2 seen;
flat out float pixel;
void main() {
  vec3 c = (modelViewMatrix * vec4(place, 1.0)).xyz;
  pixel = ortho ? unit : -c.z * unit;
  seen = corner * (radius + 9.0 * pixel);
  gl_Position = projectionMatrix * vec4(c + vec3(seen, 0.0), 1.0);
}`;

const ringFragment = /* glsl */ `${common}
in vec2 seen;
flat in float pixel;
uniform float radius;
uniform vec3 accent, halo;
out vec4 result;
void main() {
  // a ring with a lighter one to each side, so that it stands out on any ground
  float off = abs(length(seen) - radius - 4.0 * pixel) / pixel;
  float cover = clamp(4.0 - off, 0.0, 1.0);
  if (cover <= 0.0) discard;
  result = vec4(mix(halo, accent, clamp(2.2 - off, 0.0, 1.0)), cover);
}`;

export class Picture {
  constructor(holder, run, state) {
    this.run = run;
    this.state = state;
    this.stage = new Stage(holder, { flat: run.flat, up: run.up, periods: run.periods });
    this.quantities = quantities(run);
    this.grains = new Grains(this.stage, run.radius, (i) => run.shapeOf(i) >= 0);
    this.shaped =
      run.shapes.length > 0
        ? new ShapedGrains(this.stage, this.grains, run.shapes, (i) => run.shapeOf(i))
        : null;
    this.contacts = new Contacts(this.stage, run.meanRadius);
    this.walls = new Walls(this.stage, run.manifest.wall_constants, run.manifest.walls);
    this.makeRing();
    this.makeCell();
    this.places = this.grains.place.array; // written in place: nothing is copied on the way to the GPU
    this.shown = this.grains.value.array;
    this.range = [0, 1];
    this.region = new THREE.Box3(new THREE.Vector3(-1, -1, -1), new THREE.Vector3(1, 1, 1));
  }

  makeRing() {
    const geometry = new THREE.BufferGeometry();
    geometry.setAttribute("corner", this.grains.geometry.getAttribute("corner"));
    geometry.setAttribute("position", new THREE.Float32BufferAttribute(new Float32Array(12), 3));
    geometry.setIndex([0, 1, 2, 0, 2, 3]);
    const material = this.stage.material({
      vertexShader: ringVertex,
      fragmentShader: ringFragment,
      uniforms: {
        place: { value: new THREE.Vector3() },
        radius: { value: 0 },
        accent: { value: new THREE.Color() },
        halo: { value: this.stage.paper },
      },
    });
    material.transparent = true;
    material.depthTest = false;
    this.ring = this.stage.addOne(new THREE.Mesh(geometry, material), 20);
    this.ring.shown = false;
  }

  /** The periodic cell: its box, or its sides along the directions that repeat. */
  makeCell() {
    const { manifest, flat } = this.run;
    this.cell = null;
    if (!this.run.periods.some((period) => period > 0)) return;
    this.cell = this.stage.addOne(
      new THREE.LineSegments(
        new THREE.BufferGeometry(),
        new THREE.LineBasicMaterial({ transparent: true, opacity: 0.7 }),
      ),
      12,
    );
    this.cellAxes = [0, 1, 2].filter((k) => this.run.periods[k] > 0 && !(flat && k === 2));
    this.cellLow = manifest.cell_min.map((x, k) => x - manifest.origin[k]);
    this.cellHigh = manifest.cell_max.map((x, k) => x - manifest.origin[k]);
  }

  drawCell() {
    if (!this.cell) return;
    const low = this.region.min.toArray(),
      high = this.region.max.toArray();
    for (const k of this.cellAxes) [low[k], high[k]] = [this.cellLow[k], this.cellHigh[k]];
    if (this.run.flat) low[2] = high[2] = 0;
    const lines = [];
    for (let k = 0; k < 8; k++) {
      for (let axis = 0; axis < 3; axis++) {
        if (k & (1 << axis) || (this.run.flat && (axis === 2 || k & 4))) continue;
        for (const corner of [k, k | (1 << axis)])
          lines.push(...[0, 1, 2].map((c) => (corner & (1 << c) ? high[c] : low[c])));
      }
    }
    this.cell.geometry.dispose();
    this.cell.geometry.setAttribute("position", new THREE.Float32BufferAttribute(lines, 3));
  }

  // ---------------------------------------------------------------- region and range

  /** The box about the grains in a few frames, with the walls near it: what is looked at. */
  async measure(frames) {
    const box = new THREE.Box3();
    for (const frame of frames) {
      const bodies = await this.run.bodies(frame);
      if (this.run.count > 0) {
        const [low, high] = this.run.box(bodies);
        box.expandByPoint(new THREE.Vector3(...low)).expandByPoint(new THREE.Vector3(...high));
      }
      this.includeWalls(box, bodies);
    }
    if (box.isEmpty()) box.set(new THREE.Vector3(-1, -1, -1), new THREE.Vector3(1, 1, 1));
    if (this.run.flat) {
      box.min.z = 0;
      box.max.z = 0;
    }
    const size = box.getSize(new THREE.Vector3());
    const least = 0.02 * Math.max(size.x, size.y, size.z, this.run.meanRadius);
    for (const axis of this.run.flat ? ["x", "y"] : ["x", "y", "z"]) {
      if (size[axis] >= least) continue;
      box.min[axis] -= least;
      box.max[axis] += least;
    }
    this.region = box;
    this.drawCell();
  }

  /** Walls of finite size, and planes that lie across an axis not far off. */
  includeWalls(box, bodies) {
    const point = bodies["w.point"].values(),
      normal = bodies["w.normal"].values(),
      end = bodies["w.end"].values();
    const size = box.isEmpty() ? 1 : box.getSize(new THREE.Vector3()).length();
    this.run.manifest.wall_constants.forEach((wall, i) => {
      if (!bodies["w.present"].data[i]) return;
      const at = new THREE.Vector3(...point.slice(3 * i, 3 * i + 3)),
        n = normal.slice(3 * i, 3 * i + 3);
      if (wall.shape === 1)
        box.expandByPoint(at).expandByPoint(new THREE.Vector3(...end.slice(3 * i, 3 * i + 3)));
      if (wall.shape === 2 && Math.hypot(...wall.half) < 4 * size) {
        const reach = Math.hypot(...wall.half);
        box
          .expandByPoint(at.clone().subScalar(reach * 0.8))
          .expandByPoint(at.clone().addScalar(reach * 0.8));
      }
      if (wall.shape === 3 && wall.radius < 4 * size)
        this.includeCylinder(box, wall, at, bodies["w.axis"].row(i));
      if (wall.shape === 0) {
        ["x", "y", "z"].forEach((axis, k) => {
          if (Math.abs(n[k]) < 0.999 || box.isEmpty()) return;
          if (at[axis] < box.min[axis] && at[axis] > box.min[axis] - 0.6 * size)
            box.min[axis] = at[axis];
          if (at[axis] > box.max[axis] && at[axis] < box.max[axis] + 0.6 * size)
            box.max[axis] = at[axis];
        });
      }
    });
  }

  includeCylinder(box, wall, at, axis) {
    const length = wall.length > 0 ? wall.length : 0;
    ["x", "y", "z"].forEach((name, k) => {
      const reach =
        wall.radius * Math.sqrt(Math.max(0, 1 - axis[k] ** 2)) + (length / 2) * Math.abs(axis[k]);
      box.min[name] = Math.min(box.min[name], at[name] - reach);
      box.max[name] = Math.max(box.max[name], at[name] + reach);
    });
  }

  get quantity() {
    return this.quantities[this.state.colourBy];
  }

  /** Range of the colours by the chosen rule. */
  async chooseRange(frame) {
    const { state, run, quantity } = this;
    if (state.rangeOf === "fixed") return;
    const frames = quantity.constant || state.rangeOf === "frame" ? [frame] : run.someFrames(9);
    const reference = quantity.reference
      ? await run.bodies(Math.min(state.reference, run.frames - 1))
      : null;
    const lists = [];
    for (const k of frames) {
      const bodies = await run.bodies(k);
      lists.push(quantity.of({ bodies, reference }));
    }
    this.range = rangeOf(lists, quantity);
  }

  // ---------------------------------------------------------------- a frame

  async load(frame) {
    const { state, run, quantity } = this;
    const wanted =
      state.chains ||
      state.points ||
      state.selection?.kind === "contact" ||
      state.selection?.kind === "body";
    const [bodies, contacts, reference] = await Promise.all([
      run.bodies(frame),
      wanted ? run.contacts(frame) : null,
      quantity.reference ? run.bodies(Math.min(state.reference, run.frames - 1)) : null,
    ]);
    return { frame, bodies, contacts, reference };
  }

  /** Shows what load() gave. */
  show(content) {
    this.content = content;
    const { bodies } = content;
    bodies.position.into(this.places, 3);
    const turning = this.state.marks || this.shaped;
    this.grains.moved(turning ? bodies.orientation.values() : null);
    this.walls.set(bodies, this.region);
    this.colour();
    this.showContacts();
    this.showSelection();
  }

  /** Colours and filters. */
  colour() {
    if (!this.content) return;
    const { quantity, state, run } = this,
      values = quantity.of(this.content),
      [low, high] = this.range;
    const { shown } = this,
      scale = 1 / (high - low || 1),
      { count } = run;
    if (quantity.list) for (let i = 0; i < count; i++) shown[i] = values[i] % 256;
    else
      for (let i = 0; i < count; i++)
        shown[i] = Math.min(1, Math.max(0, (values[i] - low) * scale));
    this.visible = count - this.hide(values, state.filter);
    this.values = values;
    this.coloured = quantity;
    this.grains.coloured();
    this.shaped?.update();
    this.stage.redraw();
  }

  /** Hides what the filters leave out; how many that are. */
  hide(values, filter) {
    const box = this.filterBox(),
      { shown, run, places } = this,
      { material } = run,
      coordination = this.content.bodies.coordination.data;
    const without = filter.rattlers === "without",
      only = filter.rattlers === "only",
      some = filter.materials.size > 0;
    if (!box && !filter.byValue && !some && !without && !only) return 0;
    let hidden = 0;
    for (let i = 0; i < run.count; i++) {
      if (
        (filter.byValue && (values[i] < filter.low || values[i] > filter.high)) ||
        (some && filter.materials.has(material[i])) ||
        (without && coordination[i] < 2) ||
        (only && coordination[i] >= 2) ||
        (box && outside(places, i, box))
      ) {
        shown[i] = -1;
        hidden++;
      }
    }
    return hidden;
  }

  /** The box of the filter in the picture's coordinates; null when it leaves all. */
  filterBox() {
    const { slice } = this.state.filter;
    if (!slice.some(([a, b]) => a > 0 || b < 1)) return null;
    const low = this.region.min.toArray(),
      high = this.region.max.toArray();
    return slice.map(([a, b], k) => [
      a > 0 ? low[k] + a * (high[k] - low[k]) : -Infinity,
      b < 1 ? low[k] + b * (high[k] - low[k]) : Infinity,
    ]);
  }

  /** The force that makes the widest bar: few are stronger. */
  strongest(contacts) {
    const forces = contacts.force_normal
      .values()
      .map(Math.abs)
      .filter((f) => f > 0)
      .sort();
    this.meanForce = forces.length > 0 ? forces.reduce((sum, f) => sum + f, 0) / forces.length : 0;
    return forces.length > 0 ? forces[Math.floor(0.995 * (forces.length - 1))] : 1;
  }

  showContacts() {
    const { contacts } = this.content ?? {},
      { state, shown } = this;
    if (!contacts || !(state.chains || state.points)) {
      this.contacts.clear();
      this.stage.redraw();
      return;
    }
    const strong = this.strongest(contacts),
      least = state.filter.force * this.meanForce,
      only = state.filter.contacts;
    const { a, b, force_normal: force, state: kind } = contacts;
    this.contacts.set(
      contacts,
      this.places,
      this.run.nearest,
      (i) => {
        if (kind.data[i] === 0 && !state.candidates) return false;
        if (Math.abs(force.at(i)) < least) return false;
        if ((only === "slip" && kind.data[i] !== 2) || (only === "stick" && kind.data[i] !== 1))
          return false;
        return shown[a.data[i]] >= 0 && (b.data[i] < 0 || shown[b.data[i]] >= 0);
      },
      strong,
      state.chainColour === "state",
    );
    this.stage.redraw();
  }

  /** Row in the frame's contacts of the pair that is selected, or -1. */
  rowOfContact(contacts, { a, b, feature }) {
    if (!contacts) return -1;
    for (let i = 0; i < contacts.a.rows; i++) {
      if (
        contacts.a.data[i] === a &&
        contacts.b.data[i] === b &&
        (contacts.feature?.data[i] ?? 0) === feature
      )
        return i;
    }
    return -1;
  }

  showSelection() {
    const { selection } = this.state,
      { place, radius } = this.ring.material.uniforms;
    this.ring.shown = false;
    const chosen = selection?.kind === "wall" ? selection.id : -1;
    if (this.walls.chosen !== chosen) {
      this.walls.chosen = chosen;
      if (this.content) this.walls.set(this.content.bodies, this.region);
    }
    if (selection?.kind === "body" && selection.id < this.run.count) {
      place.value.set(...this.places.slice(3 * selection.id, 3 * selection.id + 3));
      radius.value = this.run.radius[selection.id];
      this.ring.shown = true;
    } else if (selection?.kind === "contact") {
      const row = this.rowOfContact(this.content?.contacts, selection);
      if (row >= 0) {
        const [x, y, z = 0] = this.content.contacts.point.row(row);
        place.value.set(x, y, z);
        radius.value = 0.35 * this.run.meanRadius;
        this.ring.shown = true;
      }
    }
    this.stage.redraw();
  }

  // ---------------------------------------------------------------- looks

  /** Takes over switches and theme. `ink(name)` gives a colour of the theme. */
  setLook(ink) {
    const { state, stage } = this;
    stage.paper.set(ink("paper"));
    this.grains.setLook({
      style: STYLE[state.grains],
      marks: state.marks,
      listed: this.quantity.list,
    });
    this.contacts.setLook({
      bars: state.chains,
      points: state.points,
      byState: state.chainColour === "state",
      thickness: state.thickness,
      stick: ink("stick"),
      slip: ink("slip"),
    });
    this.walls.setLook({
      shown: state.walls,
      ink: ink("wall"),
      band: ink("band"),
      accent: ink("accent"),
    });
    this.ring.material.uniforms.accent.value.set(ink("slip"));
    if (this.cell) {
      this.cell.shown = state.cell;
      this.cell.material.color.set(ink("muted"));
    }
    stage.setTable(
      stage.table,
      colourTable(
        this.quantity.signed && state.map === "lagoon" ? "tide" : state.map,
        this.quantity.list ? 256 : 0,
      ),
    );
    stage.setTable(stage.forceTable, colourTable("ember"));
    stage.redraw();
  }
}

function outside(places, i, box) {
  for (let k = 0; k < 3; k++) {
    const x = places[3 * i + k];
    if (x < box[k][0] || x > box[k][1]) return true;
  }
  return false;
}
