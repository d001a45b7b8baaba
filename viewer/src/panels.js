// The panel beside the picture: how it looks, the certificate, what is selected, what the run is.
import { mapNames } from "./colours.js";
import { field, h, segments, select, slider, toggle } from "./dom.js";
import { number, unit } from "./format.js";
import { Plot } from "./plots.js";

const section = (title, ...content) => h("section", {}, h("h2", {}, title), content);

/** Colour, what is shown, filters. `change(what)` is called with "range", "colour", "look", "contacts" or "copies". */
export function lookPanel(app) {
  const { state, run, picture, change } = app;
  const dimensionNote = h("p", { class: "note" });
  const low = h("input", {
    type: "number",
    step: "any",
    id: "range-low",
    "aria-label": "Least",
    onchange: () => fix(),
  });
  const high = h("input", {
    type: "number",
    step: "any",
    id: "range-high",
    "aria-label": "Largest",
    onchange: () => fix(),
  });
  const rangeKind = select(
    { run: "of the whole run", frame: "of each frame", fixed: "as set below" },
    state.rangeOf,
    (kind) => {
      state.rangeOf = kind;
      if (kind === "fixed") fix();
      else change("range");
    },
    "range-of",
  );
  const reference = h("button", {
    type: "button",
    class: "plain",
    onclick: () => {
      state.reference = app.frame;
      change("range");
    },
  });
  const referenceRow = field("Since frame", reference);
  const mapRow = field(
    "Colours",
    select(
      mapNames,
      state.map,
      (map) => {
        state.map = map;
        change("look");
      },
      "map",
    ),
  );
  const fix = () => {
    if (low.value === "" || high.value === "" || !(Number(high.value) > Number(low.value))) return;
    state.rangeOf = rangeKind.value = "fixed";
    picture.range = [Number(low.value), Number(high.value)];
    change("colour");
  };
  const rangeRows = h(
    "div",
    {},
    field("Range", rangeKind),
    h("div", { class: "pair" }, low, h("span", {}, "to"), high),
  );
  const names = Object.fromEntries(
    Object.entries(picture.quantities).map(([key, quantity]) => [key, quantity.label]),
  );
  const colour = section(
    "Colour",
    field(
      "Grains by",
      select(
        names,
        state.colourBy,
        (key) => {
          state.colourBy = key;
          if (state.rangeOf === "fixed") state.rangeOf = rangeKind.value = "run";
          change("range");
        },
        "colour-by",
      ),
    ),
    dimensionNote,
    referenceRow,
    mapRow,
    rangeRows,
  );
  const panel = h("div", { class: "panel-page" }, colour, showSection(app), filterSection(app));
  panel.update = () => {
    const { quantity } = picture,
      dimension = unit(quantity.dimension);
    dimensionNote.textContent = [quantity.note, dimension && `in the run’s own units: ${dimension}`]
      .filter(Boolean)
      .join("; ");
    dimensionNote.hidden = dimensionNote.textContent === "";
    referenceRow.hidden = !quantity.reference;
    reference.textContent = `${state.reference} – set to this one`;
    mapRow.hidden = rangeRows.hidden = Boolean(quantity.list);
    if (document.activeElement !== low) low.value = Number(picture.range[0].toPrecision(4));
    if (document.activeElement !== high) high.value = Number(picture.range[1].toPrecision(4));
  };
  return panel;
}

function showSection(app) {
  const { state, run, change } = app,
    hasWalls = run.manifest.wall_constants.length > 0;
  const styles = {
    solid: "Solid",
    glass: run.flat ? "Pale" : "Glass",
    small: "Small",
    hidden: "None",
  };
  const style = segments(
    styles,
    state.grains,
    (key) => {
      state.grains = key;
      change("look");
    },
    "grain-style",
  );
  const keys = [h("span", { class: "stick" }, "sticking"), h("span", { class: "slip" }, "sliding")];
  const colourBy = (key) => {
    state.chainColour = key;
    keys.forEach((mark) => {
      mark.hidden = key !== "state";
    });
    change("contacts");
  };
  const options = h(
    "div",
    { class: "sub" },
    field(
      "Coloured by",
      segments({ state: "State", force: "Force" }, state.chainColour, colourBy, "chain-colour"),
    ),
    field(
      "Thickness",
      slider(
        0.2,
        3,
        0.05,
        state.thickness,
        (value) => {
          state.thickness = value;
          change("look");
        },
        "thickness",
      ),
    ),
    h("p", { class: "keys" }, keys, h("span", {}, "width by force")),
  );
  const chains = toggle(
    "Force chains",
    state.chains,
    (on) => {
      state.chains = on;
      // forces lie inside of the grains: let them be seen
      if (on && state.grains === "solid") state.grains = "glass";
      else if (!on && state.grains === "glass") state.grains = "solid";
      style.set(state.grains);
      options.hidden = !on;
      change("contacts");
    },
    "chains",
  );
  options.hidden = !state.chains;
  app.setChains = (on) => {
    chains.set(on);
    chains.querySelector("input").dispatchEvent(new Event("change"));
  };
  return section(
    "Show",
    field("Grains", style),
    run.hasContacts
      ? [
          chains,
          options,
          toggle(
            "Contact points",
            state.points,
            (on) => {
              state.points = on;
              change("contacts");
            },
            "points",
          ),
        ]
      : h(
          "p",
          { class: "note" },
          "This file holds no contacts: they were left out to keep it small.",
        ),
    hasWalls &&
      toggle(
        "Walls",
        state.walls,
        (on) => {
          state.walls = on;
          change("look");
        },
        "walls",
      ),
    toggle(
      "Turning marks",
      state.marks,
      (on) => {
        state.marks = on;
        change("marks");
      },
      "marks",
    ),
    picturePeriodic(app),
  );
}

function picturePeriodic(app) {
  const { state, run, change } = app;
  if (!run.periods.some((period) => period > 0)) return null;
  return [
    toggle(
      "Periodic cell",
      state.cell,
      (on) => {
        state.cell = on;
        change("look");
      },
      "cell",
    ),
    field(
      "Periodic copies",
      segments(
        { 0: "None", 1: "1", 2: "2" },
        state.copies,
        (key) => {
          state.copies = Number(key);
          change("copies");
        },
        "copies",
      ),
    ),
  ];
}

function filterSection(app) {
  const { state, run, picture, change } = app,
    { filter } = state;
  const count = h("p", { class: "note", id: "visible" });
  app.updateCount = () => {
    count.textContent = `${picture.visible ?? run.count} of ${run.count} grains shown`;
  };
  const low = h("input", {
    type: "number",
    step: "any",
    id: "filter-low",
    "aria-label": "Least",
    oninput: () => apply(),
  });
  const high = h("input", {
    type: "number",
    step: "any",
    id: "filter-high",
    "aria-label": "Largest",
    oninput: () => apply(),
  });
  const bounds = h("div", { class: "pair" }, low, h("span", {}, "to"), high);
  bounds.hidden = true;
  const apply = () => {
    filter.low = low.value === "" ? -Infinity : Number(low.value);
    filter.high = high.value === "" ? Infinity : Number(high.value);
    change("colour");
  };
  const byValue = toggle(
    "By the coloured value",
    filter.byValue,
    (on) => {
      filter.byValue = on;
      bounds.hidden = !on;
      if (on && low.value === "")
        [low.value, high.value] = picture.range.map((x) => Number(x.toPrecision(4)));
      apply();
    },
    "filter-value",
  );
  const materials =
    run.manifest.materials.length > 1
      ? run.manifest.materials.map((name, k) =>
          toggle(
            name,
            true,
            (on) => {
              if (on) filter.materials.delete(k);
              else filter.materials.add(k);
              change("colour");
            },
            `material-${k}`,
          ),
        )
      : null;
  const slices = (run.flat ? ["x", "y"] : ["x", "y", "z"]).map((axis, k) =>
    field(
      `Cut ${axis}`,
      h(
        "span",
        { class: "two" },
        slider(
          0,
          1,
          0.01,
          0,
          (value) => {
            filter.slice[k][0] = value;
            change("colour");
          },
          `cut-${axis}-low`,
        ),
        slider(
          0,
          1,
          0.01,
          1,
          (value) => {
            filter.slice[k][1] = value;
            change("colour");
          },
          `cut-${axis}-high`,
        ),
      ),
    ),
  );
  const contacts = run.hasContacts
    ? [
        field(
          "Forces over",
          h(
            "span",
            { class: "with-value" },
            slider(
              0,
              4,
              0.05,
              filter.force,
              (value) => {
                filter.force = value;
                app.forceText();
                change("contacts");
              },
              "filter-force",
            ),
            h("output", { id: "force-text" }),
          ),
        ),
        field(
          "Contacts",
          segments(
            { all: "All", stick: "Sticking", slip: "Sliding" },
            filter.contacts,
            (key) => {
              filter.contacts = key;
              change("contacts");
            },
            "filter-contacts",
          ),
        ),
      ]
    : null;
  const result = section(
    "Filter",
    count,
    byValue,
    bounds,
    materials,
    field(
      "Rattlers",
      segments(
        { all: "Show", without: "Hide", only: "Only" },
        filter.rattlers,
        (key) => {
          filter.rattlers = key;
          change("colour");
        },
        "rattlers",
      ),
    ),
    slices,
    contacts,
  );
  app.forceText = () => {
    const text = result.querySelector("#force-text");
    if (text) text.textContent = `${number(filter.force, 2)} × mean`;
  };
  app.forceText();
  return result;
}

// ---------------------------------------------------------------- certificate

/** Curves of all steps, linked to the slider. */
export function certificatePanel(app) {
  const seek = (time) => app.seek(app.run.frameAt(time));
  const plots = [
    new Plot({ key: "residual", title: "Residual", dimension: "1", log: true, onseek: seek }),
    new Plot({ key: "overlap", title: "Overlap", dimension: "length", log: true, onseek: seek }),
    new Plot({ key: "iterations", title: "Iterations", dimension: "1", onseek: seek }),
    new Plot({ key: "energy", title: "Energy", dimension: "energy", height: 124, onseek: seek }),
    new Plot({ key: "contacts", title: "Contacts", dimension: "1", axis: true, onseek: seek }),
  ];
  const verdict = h("p", { class: "note", id: "verdict" });
  const panel = h(
    "div",
    { class: "panel-page" },
    section(
      "Certificate of the steps",
      verdict,
      plots.map((plot) => plot.element),
      h(
        "p",
        { class: "note" },
        "Residual: how far the forces are from the exact law. Overlap: the largest, and the mean. Energy: work done and " +
          "what is lost in contacts are summed up from the start. Click to go to that time.",
      ),
    ),
  );
  const curve = (block, name, colour, label) => ({
    label,
    colour,
    low: block[`${name}.l`].data,
    high: block[`${name}.h`].data,
  });
  const columns = [
    (b) => [curve(b, "residual", "curve1", "residual")],
    (b) => [
      curve(b, "overlap_max", "curve1", "largest"),
      curve(b, "overlap_mean", "curve2", "mean"),
    ],
    (b) => [curve(b, "iterations", "curve1", "iterations")],
    (b) => [
      curve(b, "kinetic", "curve1", "kinetic"),
      work(b),
      curve(b, "dissipation", "curve3", "lost"),
    ],
    (b) => [curve(b, "active", "curve1", "active"), curve(b, "sliding", "curve3", "sliding")],
  ];
  panel.setSteps = (block) => {
    const begin = block["time.begin"].data,
      end = block["time.end"].data;
    const range = [
      app.run.time(0) ?? 0,
      Math.max(app.run.time(app.run.frames - 1) ?? 1, end[end.length - 1] ?? 0),
    ];
    plots.forEach((plot, i) => plot.set(begin, end, columns[i](block), range));
    const failed = block["failed.h"].data.reduce((sum, x) => sum + (x > 0 ? 1 : 0), 0);
    verdict.textContent =
      end.length === 0
        ? "No step was made yet."
        : failed === 0
          ? "Every step converged within the limits of the scene."
          : "Some steps did not converge within the limits of the scene.";
    verdict.classList.toggle("warn", failed > 0);
  };
  panel.setCursor = (time) => plots.forEach((plot) => plot.setCursor(time));
  panel.redraw = () => plots.forEach((plot) => plot.draw());
  return panel;
}

/** Work of gravity, forces and walls together. */
function work(block) {
  const sum = (side) =>
    block[`work_external.${side}`].data.map((x, i) => x + block[`work_walls.${side}`].data[i]);
  return { label: "work", colour: "curve2", low: sum("l"), high: sum("h") };
}

// ---------------------------------------------------------------- about

export function aboutPanel(app) {
  const panel = h("div", { class: "panel-page" });
  panel.update = () => {
    const { manifest } = app.run,
      row = (name, value) => value && h("div", {}, h("dt", {}, name), h("dd", {}, value));
    const laws = manifest.laws.map((law) =>
      h(
        "div",
        {},
        h(
          "dt",
          {},
          `${manifest.materials[law.first] ?? law.first} – ${manifest.materials[law.second] ?? law.second}`,
        ),
        h(
          "dd",
          {},
          Object.entries(law)
            .filter(
              ([key, value]) => !["first", "second"].includes(key) && value !== 0 && value !== null,
            )
            .map(([key, value]) => `${key} ${number(value)}`)
            .join(", ") || "no friction",
        ),
      ),
    );
    const thinned = [];
    if (manifest.small && manifest.frames.time.length < manifest.total_frames)
      thinned.push(`${manifest.frames.time.length} of ${manifest.total_frames} frames`);
    if (manifest.small && manifest.contact_share[0] < 0) thinned.push("no contacts");
    else if (manifest.small && manifest.contact_share[0] < 1)
      thinned.push(
        `the strongest ${Math.round(100 * manifest.contact_share[0])} % of the contacts`,
      );
    panel.replaceChildren(
      section(
        "Run",
        h(
          "dl",
          {},
          row("Scene", manifest.scene_name),
          row("State", manifest.ending),
          row("Dimensions", String(manifest.dimension[0])),
          row("Engine", manifest.engine),
          row("Grains", `${manifest.bodies}, mean radius ${number(app.run.meanRadius)}`),
          row("Materials", manifest.materials.join(", ")),
          row("Walls", manifest.walls.join(", ")),
          row(
            "Frames",
            `${manifest.frames.time.length}${manifest.frames.time.length > 0 ? `, time ${number(app.run.time(0))} to ${number(app.run.time(app.run.frames - 1))}` : ""}`,
          ),
          row("Time step", number(manifest.time_step[0])),
          row("Gravity", manifest.gravity.map((x) => number(x)).join(", ")),
          row("Set with -D", manifest.overrides.join(", ")),
          row("Made by", `scree ${manifest.program}`),
        ),
      ),
      thinned.length > 0
        ? h(
            "p",
            { class: "note warn", id: "thinned" },
            `To keep this file small it holds ${thinned.join(" and ")}.`,
          )
        : "",
      manifest.small
        ? h(
            "p",
            { class: "note" },
            "Numbers in this file are rounded to three digits; positions to a thousandth of the smallest radius.",
          )
        : "",
      laws.length > 0 ? section("Laws at the start", h("dl", {}, laws)) : "",
      section("Scene", h("pre", {}, manifest.scene_text)),
      h(
        "p",
        { class: "note" },
        "Units are those of the scene: what is called length, time, mass, force or energy is in its own.",
      ),
    );
  };
  return panel;
}
