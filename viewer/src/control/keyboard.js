// Keyboard shortcuts.

/** @type {{ keys: string[], shown: string, does: string, action: keyof Actions }[]} */
export const bindings = [
  { keys: [" ", "k"], shown: "Space", does: "play or pause", action: "togglePlay" },
  { keys: ["ArrowRight", "."], shown: "→", does: "next frame", action: "nextFrame" },
  { keys: ["ArrowLeft", ","], shown: "←", does: "previous frame", action: "previousFrame" },
  { keys: ["Home"], shown: "Home", does: "first frame", action: "firstFrame" },
  { keys: ["End"], shown: "End", does: "last frame", action: "lastFrame" },
  { keys: ["]"], shown: "]", does: "faster", action: "faster" },
  { keys: ["["], shown: "[", does: "slower", action: "slower" },
  { keys: ["f"], shown: "F", does: "fit to view", action: "fit" },
  { keys: ["1"], shown: "1", does: "look along x", action: "lookAlongX" },
  { keys: ["2"], shown: "2", does: "look along y", action: "lookAlongY" },
  { keys: ["3"], shown: "3", does: "look along z", action: "lookAlongZ" },
  { keys: ["0"], shown: "0", does: "look from a corner", action: "lookFromCorner" },
  { keys: ["c"], shown: "C", does: "colour by the next quantity", action: "nextQuantity" },
  { keys: ["g"], shown: "G", does: "force chains", action: "toggleChains" },
  { keys: ["j"], shown: "J", does: "bonds, if there are any", action: "toggleBonds" },
  { keys: ["p"], shown: "P", does: "panel", action: "togglePanel" },
  { keys: ["s"], shown: "S", does: "save the picture", action: "screenshot" },
  { keys: ["v"], shown: "V", does: "save a film; again: stop it", action: "film" },
  { keys: ["l"], shown: "L", does: "copy a link to this view", action: "copyLink" },
  { keys: ["n"], shown: "N", does: "write a note", action: "note" },
  { keys: ["b"], shown: "B", does: "another run beside this one", action: "compare" },
  { keys: ["d"], shown: "D", does: "light or dark", action: "toggleTheme" },
  { keys: ["?", "h"], shown: "?", does: "this list", action: "toggleHelp" },
  { keys: ["Escape"], shown: "Esc", does: "close or deselect", action: "escape" },
];

const TEXT_FIELDS = "select, textarea, input:not([type=checkbox]):not([type=range])";
const USED_BY_BUTTONS = [" ", "ArrowLeft", "ArrowRight", "Home", "End"];

/**
 * Whether the focused element needs the key itself.
 * @param {EventTarget | null} at
 * @param {string} key
 */
function isTaken(at, key) {
  if (!(at instanceof HTMLElement)) return false;
  if (at.matches(TEXT_FIELDS)) return key !== "Escape";
  return at.matches("button, input") && at.id !== "time" && USED_BY_BUTTONS.includes(key);
}

/** @param {Actions} actions */
export function listenToKeys(actions) {
  window.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || isTaken(event.target, event.key)) return;
    const key = event.key.length === 1 ? event.key.toLowerCase() : event.key;
    const found = bindings.find(({ keys }) => keys.includes(key));
    if (!found) return;
    event.preventDefault();
    actions[found.action]();
  });
}
