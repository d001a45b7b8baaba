// The panel of what was clicked: its values, its contacts, its history.
import { h } from "./dom.js";
import { number, unit } from "./format.js";
import { Plot } from "./plots.js";

const STATES = ["open", "sticking", "sliding"];
const MOST_FRAMES = 160;

export function selectionPanel(app) {
  const panel = h("div", { class: "panel-page", id: "selection" });
  const history = new History(app);
  panel.redraw = () => history.redraw();
  panel.setCursor = (time) => history.setCursor(time);
  let round = 0;

  panel.update = async () => {
    const { selection } = app.state,
      mine = ++round;
    if (!selection) {
      panel.replaceChildren(
        h(
          "section",
          {},
          h("h2", {}, "Nothing is selected"),
          h(
            "p",
            { class: "note" },
            "Click a grain, a force or a wall to see its values and its history.",
          ),
        ),
      );
      return;
    }
    const view = describe(app, selection);
    if (!view) return;
    const list = h("dl", { class: "values" });
    fill(list, view.rows, app, view.table);
    panel.replaceChildren(
      h(
        "section",
        {},
        h(
          "h2",
          {},
          view.title,
          h("button", { class: "plain", type: "button", onclick: () => app.select(null) }, "clear"),
        ),
        view.note && h("p", { class: "note" }, view.note),
        list,
      ),
      view.extra ?? "",
      h("section", {}, h("h2", {}, "History"), history.element),
    );
    history.show(selection);
    if (view.row < 0 || !app.run.source.live) return;
    const exact = await app.run.source.exact(app.frame, view.kind, view.row).catch(() => null);
    if (!exact || mine !== round) return;
    const all = tidy(exact, app.run.flat);
    if (view.kind === "body") all.speed = Math.hypot(...exact.velocity);
    fill(list, { ...view.rows, ...all }, app, view.table, new Set(Object.keys(all)));
  };
  return panel;
}

/** Of a row with all its fields what is worth showing; in the plane without the third direction. */
function tidy(row, flat) {
  const about = ["spin", "torque", "load_torque"],
    result = {};
  for (const [name, value] of Object.entries(row)) {
    if (
      ["state", "a", "b", "feature", "present"].includes(name) ||
      (name === "opening" && value < 0)
    )
      continue;
    if (name === "torque" && value.every((x) => x === 0)) continue;
    if (flat && name === "orientation") {
      result.angle = 2 * Math.atan2(value[3], value[0]);
      continue;
    }
    const vector = Array.isArray(value) && value.length === 3;
    result[name] =
      flat && vector ? (about.includes(name) ? value.slice(2) : value.slice(0, 2)) : value;
  }
  return result;
}

/** `exact`: names of values that have all their digits; others are rounded. */
function fill(list, rows, app, table, exact = new Set()) {
  const fields = {
    ...app.run.manifest.fields.constants,
    ...app.run.manifest.fields[table],
    ...extraFields,
  };
  list.replaceChildren(
    ...Object.entries(rows)
      .filter(([, value]) => value !== undefined && value !== null)
      .map(([name, value]) => {
        const [dimension, meaning] = fields[name] ?? ["1", ""],
          digits = exact.has(name) ? 6 : name in roundedTo ? roundedTo[name] : 4;
        const text =
          typeof value === "string"
            ? value
            : Array.isArray(value)
              ? value.map((x) => number(x, digits)).join("  ")
              : number(value, digits);
        return h(
          "div",
          { title: meaning },
          h(
            "dt",
            {},
            name.replaceAll("_", " "),
            dimension === name ? null : h("small", {}, unit(dimension)),
          ),
          h("dd", {}, text),
        );
      }),
  );
}

// what is sent in 16 bits
const roundedTo = {
  velocity: 3,
  spin: 3,
  speed: 3,
  force: 3,
  gap: 3,
  force_normal: 3,
  force_tangential: 3,
  torque: 3,
  opening: 3,
};

const extraFields = {
  angle: ["1", "by which it is turned, in radians"],
  coordination: ["1", "number of active contacts"],
  force: ["force", "sum of the normal forces, without sign"],
  speed: ["length/time", "size of the velocity"],
};

/** Title, rows of values, and so on, from the frame that is shown. */
function describe(app, selection) {
  const { content } = app.picture,
    { run } = app,
    { manifest } = run;
  if (!content) return null;
  const absolute = (list) => list.map((x, k) => x + manifest.origin[k]);
  if (selection.kind === "body") {
    const i = selection.id,
      b = content.bodies;
    const rows = {
      material: manifest.materials[run.material[i]] ?? String(run.material[i]),
      radius: run.radius[i],
      mass: run.constants.mass.at(i),
      position: absolute(b.position.row(i)),
      velocity: b.velocity.row(i),
      speed: Math.hypot(...b.velocity.row(i)),
      spin: b.spin.row(i),
      coordination: b.coordination.data[i],
      force: b.force.at(i),
    };
    return {
      kind: "body",
      table: "bodies",
      title: `Grain ${i}`,
      row: i,
      rows,
      extra: contactList(app, i),
    };
  }
  if (selection.kind === "wall") {
    const i = selection.id,
      b = content.bodies,
      get = (name) => b[`w.${name}`].row(i);
    return {
      kind: "wall",
      table: "walls",
      title: `Wall ${manifest.walls[i] ?? i}`,
      row: i,
      note: b["w.present"].data[i] ? null : "It has been removed.",
      rows: {
        shape: ["plane", "segment", "block", "cylinder"][manifest.wall_constants[i].shape],
        position: absolute(get("position")),
        velocity: get("velocity"),
        spin: get("spin"),
        load: get("load"),
        load_torque: get("load_torque"),
        displacement: get("displacement"),
      },
    };
  }
  const c = content.contacts,
    row = app.picture.rowOfContact(c, selection);
  const title = `Contact ${selection.a} – ${partner(manifest, selection.b)}`;
  if (row < 0)
    return {
      kind: "contact",
      table: "contacts",
      title,
      row,
      rows: {},
      note: "The two do not touch in this frame.",
    };
  return {
    kind: "contact",
    table: "contacts",
    title,
    row: c.row ? -1 : row,
    rows: {
      state: STATES[c.state.data[row]],
      point: absolute(c.point.row(row)),
      normal: c.normal.row(row),
      gap: c.gap.at(row),
      force_normal: c.force_normal.at(row),
      force_tangential: c.force_tangential.row(row),
      torque: c.torque?.row(row),
      opening: c.opening && c.opening.at(row) >= 0 ? c.opening.at(row) : undefined,
    },
  };
}

const partner = (manifest, b) => (b >= 0 ? `${b}` : `wall ${manifest.walls[-1 - b] ?? -1 - b}`);

/** Active contacts of a body, strongest first; each leads to its own page. */
function contactList(app, body) {
  const { contacts } = app.picture.content,
    { manifest } = app.run;
  if (!contacts) return null;
  const found = [];
  for (let i = 0; i < contacts.a.rows; i++) {
    const a = contacts.a.data[i],
      b = contacts.b.data[i];
    if ((a === body || b === body) && contacts.state.data[i] !== 0)
      found.push({ i, a, b, force: contacts.force_normal.at(i) });
  }
  found.sort((p, q) => Math.abs(q.force) - Math.abs(p.force));
  return h(
    "section",
    {},
    h("h2", {}, `Contacts in this frame (${found.length})`),
    h(
      "ul",
      { class: "contacts" },
      found
        .slice(0, 24)
        .map(({ i, a, b, force }) =>
          h(
            "li",
            {},
            h(
              "button",
              {
                type: "button",
                onclick: () =>
                  app.select({ kind: "contact", a, b, feature: contacts.feature?.data[i] ?? 0 }),
              },
              h("span", {}, a === body ? partner(manifest, b) : `${a}`),
              h(
                "span",
                { class: contacts.state.data[i] === 2 ? "slip" : "stick" },
                STATES[contacts.state.data[i]],
              ),
              h("output", {}, number(force, 3)),
            ),
          ),
        ),
    ),
  );
}

/** Curves over the frames of the run, filled as the frames come. */
class History {
  constructor(app) {
    this.app = app;
    this.element = h("div", {});
    this.plots = [];
    this.key = null;
  }

  redraw() {
    for (const plot of this.plots) plot.draw();
  }

  setCursor(time) {
    for (const plot of this.plots) plot.setCursor(time);
  }

  /** What is drawn of each kind: titles, dimensions, and numbers from a frame. */
  lines(selection) {
    const { run } = this.app,
      axes = run.flat ? ["x", "y"] : ["x", "y", "z"],
      colours = ["curve1", "curve2", "curve3"];
    if (selection.kind === "body") {
      const i = selection.id;
      return [
        {
          title: "Speed",
          dimension: "length/time",
          labels: ["speed"],
          of: ({ bodies }) => [Math.hypot(...bodies.velocity.row(i))],
        },
        {
          title: "Position",
          dimension: "length",
          labels: axes,
          colours,
          of: ({ bodies }) => bodies.position.row(i).map((x, k) => x + run.manifest.origin[k]),
        },
        {
          title: "Force",
          dimension: "force",
          labels: ["force"],
          of: ({ bodies }) => [bodies.force.at(i)],
        },
        {
          title: "Coordination",
          dimension: "1",
          labels: ["contacts"],
          axis: true,
          of: ({ bodies }) => [bodies.coordination.data[i]],
        },
      ];
    }
    if (selection.kind === "wall") {
      const i = selection.id;
      return [
        {
          title: "Load",
          dimension: "force",
          labels: axes,
          colours,
          of: ({ bodies }) => bodies["w.load"].row(i).slice(0, axes.length),
        },
        {
          title: "Displacement",
          dimension: "length",
          labels: axes,
          colours,
          axis: true,
          of: ({ bodies }) => bodies["w.displacement"].row(i).slice(0, axes.length),
        },
      ];
    }
    const find = (contacts, read) => {
      const row = this.app.picture.rowOfContact(contacts, selection);
      return row < 0 ? NaN : read(row);
    };
    return [
      {
        title: "Normal force",
        dimension: "force",
        labels: ["force"],
        contacts: true,
        of: ({ contacts: c }) => [find(c, (row) => c.force_normal.at(row))],
      },
      {
        title: "Tangential force",
        dimension: "force",
        labels: ["force"],
        contacts: true,
        of: ({ contacts: c }) => [find(c, (row) => Math.hypot(...c.force_tangential.row(row)))],
      },
      {
        title: "Gap",
        dimension: "length",
        labels: ["gap"],
        contacts: true,
        axis: true,
        of: ({ contacts: c }) => [find(c, (row) => c.gap.at(row))],
      },
    ];
  }

  async show(selection) {
    const { app } = this,
      { run } = app,
      key = JSON.stringify([selection, run.frames]);
    if (key === this.key) {
      this.setCursor(run.time(app.frame));
      return;
    }
    this.key = key;
    const lines = this.lines(selection),
      seek = (time) => app.seek(run.frameAt(time));
    this.plots = lines.map(
      (line) =>
        new Plot({
          title: line.title,
          dimension: line.dimension,
          height: 72,
          axis: line.axis,
          onseek: seek,
        }),
    );
    this.element.replaceChildren(...this.plots.map((plot) => plot.element));
    const frames = run.someFrames(MOST_FRAMES),
      times = frames.map((frame) => run.time(frame));
    const values = lines.map((line) =>
      line.labels.map(() => new Float32Array(frames.length).fill(NaN)),
    );
    const range = [run.time(0), run.time(run.frames - 1)];
    const draw = () =>
      this.plots.forEach((plot, p) =>
        plot.set(
          times,
          times,
          lines[p].labels.map((label, k) => ({
            label,
            colour: lines[p].colours?.[k] ?? "curve1",
            low: values[p][k],
            high: values[p][k],
            dots: frames.length < 40,
          })),
          range,
        ),
      );
    draw();
    this.setCursor(run.time(app.frame));
    let last = performance.now();
    for (let f = 0; f < frames.length && this.key === key; f++) {
      const [bodies, contacts] = await Promise.all([
        run.bodies(frames[f]),
        lines[0].contacts ? run.contacts(frames[f]) : null,
      ]).catch(() => []);
      if (!bodies) continue;
      lines.forEach((line, p) =>
        line.of({ bodies, contacts }).forEach((value, k) => {
          values[p][k][f] = value;
        }),
      );
      if (performance.now() - last > 150) {
        draw();
        last = performance.now();
      }
    }
    if (this.key === key) draw();
  }
}
