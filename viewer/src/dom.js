// Elements, icons and a few controls.

/** An element with properties (on... are listeners, class, data-..., else attributes) and children. */
export function h(tag, properties = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(properties)) {
    if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
    else if (value === true) element.setAttribute(name, "");
    else if (value !== false && value !== null && value !== undefined)
      element.setAttribute(name, value);
  }
  element.append(
    ...children.flat(3).filter((child) => child !== null && child !== undefined && child !== false),
  );
  return element;
}

const paths = {
  play: "M8 5.5v13l10.5-6.5z",
  pause: "M8 5.5v13M16 5.5v13",
  first: "M6 6v12M18 6l-9 6 9 6z",
  last: "M18 6v12M6 6l9 6-9 6z",
  back: "M15 6l-7 6 7 6",
  forth: "M9 6l7 6-7 6",
  fit: "M4 9V4h5M15 4h5v5M20 15v5h-5M9 20H4v-5",
  camera: "M4 8h4l1.5-2.5h5L16 8h4v11H4zM12 16.2a3.1 3.1 0 1 0 0-6.2 3.1 3.1 0 0 0 0 6.2z",
  help: "M9.2 9.2a2.9 2.9 0 1 1 4.2 2.6c-.9.5-1.4 1-1.4 2.2M12 17.2v.2",
  panel: "M4 5h16v14H4zM14.5 5v14",
  moon: "M19 14.5A7.5 7.5 0 0 1 9.5 5a7.5 7.5 0 1 0 9.5 9.5z",
  sun: "M12 15.5a3.5 3.5 0 1 0 0-7 3.5 3.5 0 0 0 0 7zM12 3.5v2M12 18.5v2M3.5 12h2M18.5 12h2M6 6l1.4 1.4M16.6 16.6L18 18M18 6l-1.4 1.4M7.4 16.6L6 18",
  close: "M6.5 6.5l11 11M17.5 6.5l-11 11",
  loop: "M17 4l3 3-3 3M20 7H8a4 4 0 0 0-4 4M7 20l-3-3 3-3M4 17h12a4 4 0 0 0 4-4",
};

export function icon(name) {
  const space = "http://www.w3.org/2000/svg";
  const svg = document.createElementNS(space, "svg");
  svg.setAttribute("viewBox", "0 0 24 24");
  svg.setAttribute("class", name === "play" ? "icon filled" : "icon");
  svg.setAttribute("aria-hidden", "true");
  const path = document.createElementNS(space, "path");
  path.setAttribute("d", paths[name]);
  svg.append(path);
  return svg;
}

export function iconButton(name, title, onclick, extra = {}) {
  return h(
    "button",
    { class: "tool", type: "button", title, "aria-label": title, onclick, ...extra },
    icon(name),
  );
}

/** A row with a label on the left and a control on the right. */
export const field = (label, ...control) =>
  h("label", { class: "field" }, h("span", {}, label), h("span", { class: "control" }, control));

export function toggle(label, value, onchange, id) {
  const box = h("input", { type: "checkbox", id, onchange: () => onchange(box.checked) });
  box.checked = value;
  const row = h("label", { class: "field toggle" }, h("span", {}, label), box, h("i", {}));
  row.set = (on) => {
    box.checked = on;
  };
  return row;
}

export function select(options, value, onchange, id) {
  const list = h(
    "select",
    { id, onchange: () => onchange(list.value) },
    Object.entries(options).map(([key, text]) => h("option", { value: key }, text)),
  );
  list.value = value;
  return list;
}

/** Buttons of which one is pressed. */
export function segments(options, value, onchange, id) {
  const buttons = Object.entries(options).map(([key, text]) =>
    h(
      "button",
      {
        type: "button",
        "data-key": key,
        onclick: () => {
          box.set(key);
          onchange(key);
        },
      },
      text,
    ),
  );
  const box = h("div", { class: "segments", role: "group", id }, buttons);
  box.set = (key) =>
    buttons.forEach((button) =>
      button.setAttribute("aria-pressed", String(button.dataset.key === String(key))),
    );
  box.set(value);
  return box;
}

export function slider(low, high, step, value, oninput, id) {
  const range = h("input", {
    type: "range",
    min: low,
    max: high,
    step,
    id,
    oninput: () => oninput(Number(range.value)),
  });
  range.value = value;
  return range;
}
