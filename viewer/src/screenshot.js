// The picture as a file: as it is seen, with time and colour bar.
import { css, listColour, mapColour } from "./colours.js";
import { number, ticks, unit } from "./format.js";

/** A canvas with the picture and what belongs to it. */
export function paint(app) {
  const { stage, coloured: quantity, range } = app.picture,
    { state, run } = app;
  stage.render(); // in the same task, so that the drawing buffer still holds it
  const source = stage.canvas,
    scale = source.width / stage.size.width;
  const canvas = document.createElement("canvas");
  canvas.width = source.width;
  canvas.height = source.height;
  const pen = canvas.getContext("2d");
  pen.drawImage(source, 0, 0);
  pen.scale(scale, scale);
  const ink = getComputedStyle(document.documentElement).getPropertyValue("--ink").trim();
  const muted = getComputedStyle(document.documentElement).getPropertyValue("--muted").trim();
  const { height } = stage.size,
    left = 20;
  pen.textBaseline = "alphabetic";
  pen.fillStyle = ink;
  pen.font = "600 14px system-ui, sans-serif";
  pen.fillText(run.manifest.scene_name.split("/").pop(), left, 32);
  pen.font = "12px system-ui, sans-serif";
  pen.fillStyle = muted;
  pen.fillText(`time ${number(run.time(app.frame))}`, left, 50);
  const bottom = height - 40;
  pen.fillStyle = ink;
  pen.font = "600 12px system-ui, sans-serif";
  pen.fillText(quantity.label, left, bottom - 24);
  const wide = pen.measureText(quantity.label).width;
  pen.font = "12px system-ui, sans-serif";
  pen.fillStyle = muted;
  pen.fillText(unit(quantity.dimension), left + wide + 8, bottom - 24);
  if (quantity.list) {
    let x = left;
    [...new Set(app.picture.values)]
      .sort((a, b) => a - b)
      .slice(0, 8)
      .forEach((value) => {
        pen.fillStyle = css(listColour(value % 256));
        pen.fillRect(x, bottom - 14, 10, 10);
        pen.fillStyle = muted;
        const name = quantity.names?.[value] ?? String(value);
        pen.fillText(name, x + 15, bottom - 5);
        x += 30 + pen.measureText(name).width;
      });
  } else {
    const name = quantity.signed && state.map === "lagoon" ? "tide" : state.map;
    for (let i = 0; i < 220; i++) {
      pen.fillStyle = css(mapColour(name, i / 219));
      pen.fillRect(left + i, bottom - 14, 1.5, 10);
    }
    pen.fillStyle = muted;
    pen.font = "11px system-ui, sans-serif";
    pen.textAlign = "center";
    for (const value of ticks(range[0], range[1], 4))
      pen.fillText(
        number(value, 3),
        left + (220 * (value - range[0])) / (range[1] - range[0]),
        bottom + 12,
      );
  }
  return canvas;
}

export function save(app) {
  if (!app.picture.coloured) return Promise.resolve(null); // there is no frame yet
  const canvas = paint(app),
    base = app.run.manifest.scene_name
      .split("/")
      .pop()
      .replace(/\.\w+$/, "");
  return new Promise((done) => {
    canvas.toBlob((blob) => {
      const link = document.createElement("a");
      link.href = URL.createObjectURL(blob);
      link.download = `${base || "scree"}-frame-${app.run.manifest.frames.number[app.frame]}.png`;
      link.click();
      setTimeout(() => URL.revokeObjectURL(link.href), 10000);
      done(blob);
    }, "image/png");
  });
}
