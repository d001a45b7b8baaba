// Elements and a few controls.

/**
 * Creates an element. Properties that begin with "on" become listeners, all others attributes.
 * @template {keyof HTMLElementTagNameMap} T
 * @param {T} tag
 * @param {Record<string, any>} properties
 * @param {Child[]} children
 * @returns {HTMLElementTagNameMap[T]}
 */
export function h(tag, properties = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(properties)) {
    if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
    else if (value === true) element.setAttribute(name, "");
    else if (value !== false && value !== null && value !== undefined) {
      element.setAttribute(name, value);
    }
  }
  append(element, children);
  return element;
}

/**
 * @param {Element} element
 * @param {Child} child
 */
function append(element, child) {
  if (Array.isArray(child)) for (const one of child) append(element, one);
  else if (child !== null && child !== undefined && child !== false) element.append(child);
}

const PATHS = {
  play: "M8 5.5v13l10.5-6.5z",
  pause: "M8 5.5v13M16 5.5v13",
  back: "M15 6l-7 6 7 6",
  forth: "M9 6l7 6-7 6",
  fit: "M4 9V4h5M15 4h5v5M20 15v5h-5M9 20H4v-5",
  camera: "M4 8h4l1.5-2.5h5L16 8h4v11H4zM12 16.2a3.1 3.1 0 1 0 0-6.2 3.1 3.1 0 0 0 0 6.2z",
  film: "M4 7h11v10H4zM15 10.5l5-3v9l-5-3z",
  link: "M10 13.5a4 4 0 0 0 5.7 0l3-3a4 4 0 0 0-5.7-5.7l-1 1M14 10.5a4 4 0 0 0-5.7 0l-3 3a4 4 0 0 0 5.7 5.7l1-1",
  close: "M6 6l12 12M18 6L6 18",
  compare: "M4 5h7v14H4zM13 5h7v14h-7z",
  note: "M4 5h16v11h-9l-4 4v-4H4zM8 9h8M8 12h5",
  help: "M9.2 9.2a2.9 2.9 0 1 1 4.2 2.6c-.9.5-1.4 1-1.4 2.2M12 17.2v.2",
  panel: "M4 5h16v14H4zM14.5 5v14",
  moon: "M19 14.5A7.5 7.5 0 0 1 9.5 5a7.5 7.5 0 1 0 9.5 9.5z",
  hand: "M8 12V6.5a1.5 1.5 0 0 1 3 0V11m0-5.5a1.5 1.5 0 0 1 3 0V11m0-3.5a1.5 1.5 0 0 1 3 0V15a5 5 0 0 1-5 5h-1.5a5 5 0 0 1-4-2L4.3 14a1.5 1.5 0 0 1 2.2-2L8 13.3",
  pour: "M6 4l6 4 6-4M12 11v.2M9.5 14.5v.2M14.5 14.5v.2M7 18.5v.2M12 18.5v.2M17 18.5v.2",
  wall: "M5 19L19 5",
  look: "M2.5 12S6 5.5 12 5.5 21.5 12 21.5 12 18 18.5 12 18.5 2.5 12 2.5 12zM12 14.7a2.7 2.7 0 1 0 0-5.4 2.7 2.7 0 0 0 0 5.4z",
  undo: "M9 7L4.5 11.5 9 16M5 11.5h9a5 5 0 0 1 0 10h-2",
  again: "M19.5 12a7.5 7.5 0 1 1-2.2-5.3L20 9.4M20 4.5v5h-5",
  shake: "M3 9l2 3-2 3M21 9l-2 3 2 3M8 6h8v12H8z",
  loop: "M17 4l3 3-3 3M20 7H8a4 4 0 0 0-4 4M7 20l-3-3 3-3M4 17h12a4 4 0 0 0 4-4",
};

/** @param {keyof typeof PATHS} name */
export function icon(name) {
  const space = "http://www.w3.org/2000/svg";
  const svg = document.createElementNS(space, "svg");
  svg.setAttribute("viewBox", "0 0 24 24");
  svg.setAttribute("class", name === "play" ? "icon filled" : "icon");
  svg.setAttribute("aria-hidden", "true");
  const path = document.createElementNS(space, "path");
  path.setAttribute("d", PATHS[name]);
  svg.append(path);
  return svg;
}

/**
 * @param {keyof typeof PATHS} name
 * @param {string} title
 * @param {() => void} onclick
 * @param {string} [id]
 */
export function iconButton(name, title, onclick, id) {
  const properties = { class: "tool", type: "button", title, "aria-label": title, onclick, id };
  return h("button", properties, icon(name));
}

/**
 * A titled section of a page.
 * @param {Child} title
 * @param {Child[]} content
 */
export const section = (title, ...content) => h("section", {}, h("h2", {}, title), content);

/**
 * A row with a label on the left and a control on the right.
 * @param {string} label
 * @param {Child[]} control
 */
export const field = (label, ...control) =>
  h("label", { class: "field" }, h("span", {}, label), h("span", { class: "control" }, control));

/**
 * A name and its value in a definition list.
 * @param {Child} name
 * @param {Child} value
 * @param {string} [title]
 */
export const valueRow = (name, value, title) =>
  h("div", { title }, h("dt", {}, name), h("dd", {}, value));

/**
 * A colour swatch for a legend.
 * @param {string} colour
 */
export function colourMark(colour) {
  const mark = h("i");
  mark.style.background = colour;
  return mark;
}

/**
 * A toggle switch; `click` acts as a click on it.
 * @param {string} label
 * @param {boolean} value
 * @param {(on: boolean) => void} onchange
 * @param {string} id
 */
export function toggle(label, value, onchange, id) {
  const box = h("input", { type: "checkbox", id, onchange: () => onchange(box.checked) });
  box.checked = value;
  const element = h("label", { class: "field toggle" }, h("span", {}, label), box, h("i"));
  return { element, click: () => box.click() };
}

/**
 * @template {string} K
 * @param {Record<K, string>} options
 * @param {K} value
 * @param {(key: K) => void} onchange
 * @param {string} id
 */
export function select(options, value, onchange, id) {
  const list = h(
    "select",
    { id, onchange: () => onchange(/** @type {K} */ (list.value)) },
    Object.entries(options).map(([key, text]) =>
      h("option", { value: key }, /** @type {string} */ (text)),
    ),
  );
  list.value = value;
  return list;
}

/**
 * A row of buttons, exactly one of them pressed.
 * @template {string} K
 * @param {Record<K, string>} options
 * @param {K} value
 * @param {(key: K) => void} onchange
 * @param {string} id
 */
export function segments(options, value, onchange, id) {
  const buttons = /** @type {K[]} */ (Object.keys(options)).map((key) => {
    const press = () => {
      set(key);
      onchange(key);
    };
    return h("button", { type: "button", "data-key": key, onclick: press }, options[key]);
  });
  /** @param {K} key */
  const set = (key) => {
    for (const button of buttons) {
      button.setAttribute("aria-pressed", String(button.dataset.key === key));
    }
  };
  set(value);
  return { element: h("div", { class: "segments", role: "group", id }, buttons), set };
}

/**
 * @param {{ min: number, max: number, step: number, value: number, id: string }} properties
 * @param {(value: number) => void} oninput
 */
export function slider(properties, oninput) {
  const range = h("input", {
    ...properties,
    type: "range",
    oninput: () => oninput(Number(range.value)),
  });
  return range;
}

/** Inputs for a minimum and a maximum; either may be left empty. */
export class RangeInput {
  /**
   * @param {string} id
   * @param {"change" | "input"} event on which `onchange` is called
   * @param {() => void} onchange
   */
  constructor(id, event, onchange) {
    const make = (/** @type {string} */ end, /** @type {string} */ label) => {
      const properties = { type: "number", step: "any", id: `${id}-${end}`, "aria-label": label };
      return h("input", { ...properties, [`on${event}`]: onchange });
    };
    this.low = make("low", "Minimum");
    this.high = make("high", "Maximum");
    this.element = h("div", { class: "pair" }, this.low, h("span", {}, "to"), this.high);
  }

  /** An empty end counts as infinite. */
  get value() {
    return [
      this.low.value === "" ? -Infinity : Number(this.low.value),
      this.high.value === "" ? Infinity : Number(this.high.value),
    ];
  }

  get isEmpty() {
    return this.low.value === "";
  }

  /**
   * Shows a rounded range, but leaves alone the input being edited.
   * @param {number[]} range
   */
  show(range) {
    [this.low, this.high].forEach((input, k) => {
      if (document.activeElement !== input) input.value = String(Number(range[k].toPrecision(4)));
    });
  }
}
