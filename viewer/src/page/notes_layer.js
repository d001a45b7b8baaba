// The notes over the picture, and how they are written.
import { Notes } from "../control/notes.js";
import { h } from "./dom.js";

export class NotesLayer {
  /** @type {Map<import("../control/notes.js").Note, HTMLElement>} */
  #tags = new Map();

  /**
   * @param {Notes} notes
   * @param {Picture} picture
   * @param {Selector} selector
   * @param {import("./message.js").Message} message
   */
  constructor(notes, picture, selector, message) {
    this.notes = notes;
    this.picture = picture;
    this.selector = selector;
    this.message = message;
    this.element = h("div", { class: "notes" });
    notes.changed.listen(() => this.rebuild());
    this.rebuild();
  }

  /** The next click on the picture says where a new note belongs. */
  begin() {
    const { selector, picture, notes, message } = this;
    if (selector.instead) {
      selector.instead = null;
      message.say("No note, then.");
      return;
    }
    message.say("Click on a grain, or on a place, to write a note there.");
    selector.instead = (x, y, found) => {
      selector.instead = null;
      message.element.hidden = true;
      const { view } = picture.stage;
      const body = found?.kind === "body" ? found.id : null;
      const point = picture.run.absolute(view.pointAt(x, y));
      const note = { text: "", body, point };
      notes.add(note);
      this.edit(note);
    };
  }

  rebuild() {
    this.#tags = new Map(
      this.notes.list.map((note) => {
        const open = () => this.edit(note);
        const title = "Click to change; without words it goes";
        const tag = h(
          "div",
          { class: "note-tag" },
          h("button", { type: "button", title, onclick: open }, note.text),
        );
        return [note, tag];
      }),
    );
    this.element.replaceChildren(...this.#tags.values());
    this.update();
  }

  /** Call when the camera or the grains have moved. */
  update() {
    for (const [note, tag] of this.#tags) {
      const at = Notes.place(note, this.picture);
      tag.hidden = at === null;
      if (at) tag.style.transform = `translate(${at.x}px, ${at.y}px)`;
    }
  }

  /** @param {import("../control/notes.js").Note} note */
  edit(note) {
    const tag = this.#tags.get(note);
    if (!tag) return;
    let done = false;
    const finish = (/** @type {string} */ text) => {
      if (done) return;
      done = true;
      this.notes.write(note, text);
    };
    const input = h("input", {
      type: "text",
      value: note.text,
      maxlength: 200,
      "aria-label": "Note",
      onblur: () => finish(input.value),
      onkeydown: (/** @type {KeyboardEvent} */ event) => {
        event.stopPropagation();
        if (event.key === "Enter") finish(input.value);
        if (event.key === "Escape") finish(note.text);
      },
    });
    tag.replaceChildren(input);
    input.focus();
  }
}

/** How high a note stands above its place, in pixels; the same is in the style sheet. */
const STEM = 26;

/**
 * The notes in a saved picture.
 * @param {CanvasRenderingContext2D} pen in CSS pixels
 * @param {Notes} notes
 * @param {Picture} picture
 * @param {(name: string) => string} ink
 */
export function paintNotes(pen, notes, picture, ink) {
  pen.font = "12px system-ui, sans-serif";
  pen.textAlign = "left";
  for (const note of notes.list) {
    const at = Notes.place(note, picture);
    if (!at || !note.text) continue;
    const width = pen.measureText(note.text).width;
    pen.strokeStyle = pen.fillStyle = ink("ink");
    pen.lineWidth = 1;
    pen.beginPath();
    pen.moveTo(at.x, at.y);
    pen.lineTo(at.x, at.y - STEM);
    pen.stroke();
    pen.beginPath();
    pen.arc(at.x, at.y, 2.5, 0, 2 * Math.PI);
    pen.fill();
    pen.fillStyle = ink("raised");
    pen.fillRect(at.x - 8, at.y - STEM - 20, width + 16, 20);
    pen.strokeStyle = ink("line");
    pen.strokeRect(at.x - 8, at.y - STEM - 20, width + 16, 20);
    pen.fillStyle = ink("ink");
    pen.fillText(note.text, at.x, at.y - STEM - 6);
  }
}
