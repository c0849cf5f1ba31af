// The keys of the page. They do nothing while one types, or where an element takes the key itself.
import { element } from "./plots/dom.js";
import { cycleTheme } from "./theme.js";

const KEYS = [
  [["space"], "play, pause"],
  [["←", "→"], "frame back, forward"],
  [["shift ←", "shift →"], "a tenth of the run back, forward"],
  [["n", "p"], "next, previous impact: closely, and in slow motion"],
  [["Esc"], "back to the whole run"],
  [["+", "-"], "faster, slower"],
  [["f"], "fit the view to the motion"],
  [["l"], "names of the bodies"],
  [["t"], "trails of the bodies"],
  [["d"], "light or dark"],
  [["?"], "this list"],
];

/** True if the element takes keys for itself. @param {EventTarget | null} target @param {string} key */
function takesKeys(target, key) {
  if (!(target instanceof HTMLElement)) return false;
  if (target.isContentEditable || target.matches("textarea, select")) return true;
  if (target instanceof HTMLInputElement)
    return target.type === "range" ? false : target.type === "checkbox" ? key === " " : true;
  return key === " " && target.matches("button, summary, a");
}

/** Fills the overlay that lists the keys. @param {HTMLDialogElement} dialog */
function fillKeys(dialog) {
  const list = element("dl");
  for (const [keys, sentence] of KEYS)
    list.append(
      element("dt", {}, ...keys.map((key) => element("kbd", { text: key }))),
      element("dd", { text: sentence }),
    );
  dialog.append(
    element("h2", { id: "keys-title", text: "Keys" }),
    list,
    element("p", {
      text:
        "Scene: drag to turn (planar models: to move), drag with the right button or two fingers to " +
        "move, wheel or pinch to zoom.",
    }),
    element("p", {
      text:
        "Plots: click or drag to set the time, click the band of an impact to see it closely, drag with shift to " +
        "zoom, double click to show all.",
    }),
    element(
      "form",
      { method: "dialog", style: "text-align: right; margin-top: 12px" },
      element("button", { text: "Close" }),
    ),
  );
}

/**
 * @param {import("./clock.js").Clock} clock
 * @param {{scene: import("./scene/index.js").SceneControls, player: {faster(direction: number): void},
 *   focus: import("./focus.js").Focus}} page  what is shown now
 */
export function startKeyboard(clock, page) {
  const dialog = /** @type {HTMLDialogElement} */ (document.getElementById("keys"));
  fillKeys(dialog);
  const help = () => (dialog.open ? dialog.close() : dialog.showModal());
  document.getElementById("help").addEventListener("click", help);

  const arrow = (direction) => (event) => {
    if (!event.shiftKey) clock.step(direction);
    else clock.seek(clock.t + direction * 0.1 * (clock.t1 - clock.t0));
  };
  const actions = {
    " ": () => clock.toggle(),
    ArrowLeft: arrow(-1),
    ArrowRight: arrow(1),
    n: () => page.focus.next(1),
    p: () => page.focus.next(-1),
    "+": () => page.player.faster(1),
    "=": () => page.player.faster(1),
    "-": () => page.player.faster(-1),
    f: () => page.scene.fit(),
    l: () => page.scene.toggle("labels"),
    t: () => page.scene.toggle("trails"),
    d: cycleTheme,
    "?": help,
    Escape: () => page.focus.clear(),
  };

  window.addEventListener("keydown", (event) => {
    if (
      event.defaultPrevented ||
      event.ctrlKey ||
      event.metaKey ||
      event.altKey ||
      takesKeys(event.target, event.key)
    )
      return;
    const action = Object.hasOwn(actions, event.key) ? actions[event.key] : null;
    if (!action || (dialog.open && action !== help)) return;
    event.preventDefault();
    action(event);
  });
}
