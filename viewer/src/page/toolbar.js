// The title and the buttons over the picture.
import { h, iconButton } from "./dom.js";

/** @param {Run} run */
export function titleCard(run) {
  const round = run.flat ? "disks" : "spheres";
  const kind = run.shapes.length > 0 ? "grains" : round;
  const facts = `${run.count.toLocaleString("en")} ${kind}, ${run.manifest.engine}`;
  const which = [run.manifest.file, ...run.manifest.overrides].join(", ");
  return h(
    "header",
    { class: "title-card" },
    h("h1", {}, run.title),
    h("p", { class: "which" }, which),
    h("p", {}, facts),
  );
}

/**
 * @param {Run} run
 * @param {Actions} actions
 */
export function toolbar(run, actions) {
  /** @type {[string, () => void][]} */
  const views = run.flat
    ? []
    : [
        ["x", actions.lookAlongX],
        ["y", actions.lookAlongY],
        ["z", actions.lookAlongZ],
      ];
  const letters = views.map(([axis, onclick]) => {
    const title = `Look along ${axis}`;
    return h(
      "button",
      { class: "tool letter", type: "button", title, id: `look-${axis}`, onclick },
      axis,
    );
  });
  return h(
    "nav",
    { class: "tools", "aria-label": "View" },
    iconButton("fit", "Fit to view (F)", run.flat ? actions.fit : actions.lookFromCorner, "fit"),
    letters,
    iconButton("camera", "Save the picture (S)", actions.screenshot, "screenshot"),
    iconButton("film", "Save a film (V)", actions.film, "film"),
    iconButton("note", "Write a note on the picture (N)", actions.note, "note"),
    iconButton("link", "Copy a link to this view (L)", actions.copyLink, "link"),
    iconButton("compare", "Another run beside this one (B)", actions.compare, "compare"),
    iconButton("moon", "Light or dark (D)", actions.toggleTheme, "theme"),
    iconButton("help", "Keys (?)", actions.toggleHelp, "help"),
    iconButton("panel", "Panel (P)", actions.togglePanel, "panel-toggle"),
  );
}
