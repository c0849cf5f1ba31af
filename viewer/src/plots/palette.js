// Colours of the theme, as the style sheet's variables say, and dashes of runs.

const DEFAULTS = {
  bg: "#ffffff",
  panel: "#ffffff",
  fg: "#1a1d21",
  muted: "#5b6470",
  line: "#d9dde3",
  accent: "#0b62a8",
};
// Okabe and Ito
const CURVES = ["#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#7a6a00", "#666666"];
const DASHES = [[], [7, 4], [2, 3], [9, 3, 2, 3], [14, 4], [4, 2]];

let current = null;

/** @returns {{bg: string, panel: string, fg: string, muted: string, line: string, accent: string, curves: string[]}} */
export function palette() {
  if (current) return current;
  const style = getComputedStyle(document.documentElement);
  const read = (name, other) => style.getPropertyValue(name).trim() || other;
  current = { curves: CURVES.map((color, k) => read(`--c${k}`, color)) };
  for (const [name, color] of Object.entries(DEFAULTS)) current[name] = read(`--${name}`, color);
  return current;
}

/** Calls back after each change of the theme, with the new colours in place. @param {() => void} callback */
export function onTheme(callback) {
  const changed = () => {
    current = null;
    callback();
  };
  window.addEventListener("carom-theme", changed);
  return () => window.removeEventListener("carom-theme", changed);
}

/** Colour of the curve number `k`. */
export function curveColor(k) {
  const { curves } = palette();
  return curves[k % curves.length];
}

/** Dash pattern of a run's curves. @param {number} run from 0 */
export function runDash(run) {
  return DASHES[run % DASHES.length];
}
