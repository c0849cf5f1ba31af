// Light and dark: as the system says, or as chosen with the button. The choice is remembered where the browser allows
// it.
import { icon } from "./icons.js";

const KEY = "carom-theme";
const system = matchMedia("(prefers-color-scheme: dark)");

let choice = "system";

/** The theme shown: "light" or "dark". */
export function theme() {
  if (choice !== "system") return choice;
  return system.matches ? "dark" : "light";
}

/** Tells the page; listeners of "carom-theme" draw again with the colours that hold from now on. */
function apply() {
  const root = document.documentElement;
  const button = document.getElementById("theme");
  const title = `Colours: ${choice === "system" ? "as the system" : choice} (d)`;
  button.innerHTML = icon(choice);
  button.title = title;
  button.setAttribute("aria-label", title.replace(" (d)", ""));
  if (root.dataset.theme === theme()) return;
  root.dataset.theme = theme();
  window.dispatchEvent(new Event("carom-theme"));
}

/** Next of: as the system, the other than the system's, the system's own. */
export function cycleTheme() {
  const order = system.matches ? ["system", "light", "dark"] : ["system", "dark", "light"];
  choice = order[(order.indexOf(choice) + 1) % order.length];
  try {
    localStorage.setItem(KEY, choice);
  } catch {
    // a page from a file may not store anything: the choice holds while it is open
  }
  apply();
}

export function startTheme() {
  try {
    const stored = localStorage.getItem(KEY);
    if (["light", "dark"].includes(stored)) choice = stored;
  } catch {
    // see cycleTheme
  }
  document.getElementById("theme").addEventListener("click", cycleTheme);
  system.addEventListener("change", apply);
  apply();
}
