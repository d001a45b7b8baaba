// Saves the picture as it appears on screen, with the time and the colour bar.
import { listedValues } from "../data/quantities.js";
import { css, mapColour, colourOfValue } from "../draw/colours.js";
import { number, ticks, unit } from "./format.js";
import { paintNotes } from "./notes_layer.js";

const LEFT = 20;
const BAR = 220; // pixels
const FONT = "system-ui, sans-serif";

/** @typedef {{ picture: Picture, frame: number, notes: import("../control/notes.js").Notes | null }} Shown */

/**
 * @param {Shown[]} shown
 * @param {(name: string) => string} ink
 */
export function saveScreenshot(shown, ink) {
  const [{ picture, frame }] = shown;
  if (!picture.coloured) return; // no frame yet
  const { run } = picture;
  const canvas = paintAll(shown, ink);
  canvas.toBlob((blob) => {
    if (blob) save(blob, run, `-frame-${run.manifest.frames.number[frame]}.png`);
  }, "image/png");
}

/**
 * Hands a file named after the run to the user.
 * @param {Blob} blob
 * @param {Run} run
 * @param {string} ending
 */
export function save(blob, run, ending) {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(blob);
  link.download = `${run.title.replace(/\.\w+$/, "") || "scree"}${ending}`;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10000);
}

/**
 * All pictures as they lie on screen.
 * @param {Shown[]} shown
 * @param {(name: string) => string} ink
 */
export function paintAll(shown, ink) {
  const named = shown.length > 1;
  const painted = shown.map((one) => paint(one, ink, named));
  if (!named) return painted[0];
  const [first, second] = painted;
  const boxes = shown.map(({ picture }) => picture.stage.holder.getBoundingClientRect());
  const besides = boxes[1].left > boxes[0].left;
  const gap = Math.round(first.width / 400) + 1;
  const canvas = document.createElement("canvas");
  canvas.width = besides ? first.width + gap + second.width : first.width;
  canvas.height = besides ? first.height : first.height + gap + second.height;
  const pen = canvas.getContext("2d");
  if (!pen) return first;
  pen.fillStyle = ink("line");
  pen.fillRect(0, 0, canvas.width, canvas.height);
  pen.drawImage(first, 0, 0);
  pen.drawImage(second, besides ? first.width + gap : 0, besides ? 0 : first.height + gap);
  return canvas;
}

/**
 * The picture with the title, the time, what the colours mean, and notes.
 * @param {Shown} shown
 * @param {(name: string) => string} ink
 * @param {boolean} named whether the file is named, too
 */
function paint({ picture, frame, notes }, ink, named) {
  const { stage, run } = picture;
  const { width, height } = stage.view.size;
  stage.render(); // in this task: the drawing buffer is not preserved beyond it
  const canvas = document.createElement("canvas");
  canvas.width = stage.canvas.width;
  canvas.height = stage.canvas.height;
  const pen = canvas.getContext("2d");
  if (!pen) return canvas;
  pen.drawImage(stage.canvas, 0, 0);
  pen.scale(canvas.width / width, canvas.width / width);
  /**
   * @param {string} text
   * @param {number} x
   * @param {number} y
   * @param {string} colour
   * @param {string} font
   */
  const write = (text, x, y, colour, font) => {
    pen.fillStyle = ink(colour);
    pen.font = `${font} ${FONT}`;
    pen.fillText(text, x, y);
  };
  write(run.title, LEFT, 32, "ink", "600 14px");
  const which = named ? `${[run.manifest.file, ...run.manifest.overrides].join(", ")}, ` : "";
  write(`${which}time ${number(run.time(frame))}`, LEFT, 50, "muted", "12px");
  const bottom = height - 40;
  const { label, dimension, list } = picture.quantity;
  write(label, LEFT, bottom - 24, "ink", "600 12px");
  const wide = pen.measureText(label).width;
  write(unit(dimension), LEFT + wide + 8, bottom - 24, "muted", "12px");
  if (list) paintList(pen, picture, bottom, ink("muted"));
  else paintBar(pen, picture, bottom, ink("muted"));
  if (notes) paintNotes(pen, notes, picture, ink);
  return canvas;
}

/**
 * @param {CanvasRenderingContext2D} pen
 * @param {Picture} picture
 * @param {number} bottom
 * @param {string} ink
 */
function paintList(pen, { quantity, values }, bottom, ink) {
  let x = LEFT;
  for (const { value, name } of listedValues(quantity, values, 8)) {
    pen.fillStyle = css(colourOfValue(quantity, value % 256));
    pen.fillRect(x, bottom - 14, 10, 10);
    pen.fillStyle = ink;
    pen.fillText(name, x + 15, bottom - 5);
    x += 30 + pen.measureText(name).width;
  }
}

/**
 * @param {CanvasRenderingContext2D} pen
 * @param {Picture} picture
 * @param {number} bottom
 * @param {string} ink
 */
function paintBar(pen, { range: [low, high], map }, bottom, ink) {
  for (let i = 0; i < BAR; i++) {
    pen.fillStyle = css(mapColour(map, i / (BAR - 1)));
    pen.fillRect(LEFT + i, bottom - 14, 1.5, 10);
  }
  pen.fillStyle = ink;
  pen.font = `11px ${FONT}`;
  pen.textAlign = "center";
  for (const value of ticks(low, high, 4)) {
    pen.fillText(number(value, 3), LEFT + (BAR * (value - low)) / (high - low), bottom + 12);
  }
}
