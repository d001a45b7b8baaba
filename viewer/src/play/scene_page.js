// The scene as text: to read, to change, to load and to save.
import { h, section } from "../page/dom.js";

/**
 * @param {string} text
 * @param {string} name
 */
function download(text, name) {
  const link = h("a", { href: URL.createObjectURL(new Blob([text])), download: name });
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10000);
}

export class ScenePage {
  /**
   * @param {string} text
   * @param {string} name
   * @param {{ onrun: (text: string) => void, onstate: () => void }} actions
   */
  constructor(text, name, { onrun, onstate }) {
    this.name = name;
    this.text = h("textarea", { id: "scene-text", spellcheck: "false", "aria-label": "Scene" });
    this.text.value = text;
    this.fault = h("pre", { class: "fault", id: "fault", hidden: true });
    const file = h("input", { type: "file", accept: ".yaml,.yml,.json", hidden: true, id: "file" });
    file.addEventListener("change", async () => {
      const chosen = file.files?.[0];
      if (!chosen) return;
      this.name = chosen.name;
      this.text.value = await chosen.text();
      onrun(this.text.value);
    });
    const button = (/** @type {string} */ label, /** @type {() => void} */ onclick, id = "") =>
      h("button", { type: "button", class: "follow", onclick, id }, label);
    this.element = h(
      "div",
      { class: "panel-page" },
      section(
        "The scene, in YAML",
        h(
          "div",
          { class: "row" },
          button("Run it", () => onrun(this.text.value), "run-scene"),
          button("Open…", () => file.click()),
          button("Save", () => download(this.text.value, this.name), "save-scene"),
          button("Save state", onstate, "save-state"),
          file,
        ),
        this.fault,
        this.text,
        h(
          "p",
          { class: "note" },
          "The same text runs with “scree run”, and any scene without other files runs here. “Save state” writes " +
            "every grain and wall as it is now.",
        ),
      ),
    );
  }

  /** @param {string} state */
  saveState(state) {
    download(state, this.name.replace(/(\.\w+)?$/, "-state.yaml"));
  }

  /** @param {string} text what is wrong; nothing: all is well */
  say(text) {
    this.fault.hidden = text === "";
    this.fault.textContent = text;
  }
}
