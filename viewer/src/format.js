// Numbers of the player as texts: times with enough digits, speeds as fractions.

/** Thin space between groups of three digits. */
const THIN = "\u2009";

/**
 * How times of a run are written.
 * @param {number} largest  largest time shown [s] @param {number} resolution  smallest difference that matters [s]
 * @returns {{factor: number, unit: string, decimals: number}}
 */
export function timeStyle(largest, resolution) {
  const unit = largest >= 1 || !(largest > 0) ? "s" : largest >= 1e-3 ? "ms" : "µs";
  const factor = { s: 1, ms: 1e3, µs: 1e6 }[unit];
  const decimals = Math.ceil(-Math.log10(Math.max(resolution, 1e-12) * factor) - 1e-9);
  return { factor, unit, decimals: Math.min(Math.max(Math.ceil(decimals / 3) * 3, 3), 9) };
}

/** "12.345 678 ms" @param {number} t @param {{factor: number, unit: string, decimals: number}} style */
export function timeText(t, { factor, unit, decimals }) {
  const [whole, part] = (t * factor).toFixed(decimals).split(".");
  return `${whole}.${part.replace(/(\d{3})(?=\d)/g, "$1" + THIN)} ${unit}`;
}

/** "1/2 500" for speeds below 1, "2×" above. @param {number} speed */
export function speedText(speed) {
  if (speed >= 1) return `${Number(speed.toPrecision(2))}×`;
  const inverse = Number((1 / speed).toPrecision(2));
  return `1/${
    inverse < 10
      ? inverse
      : Math.round(inverse)
          .toString()
          .replace(/\B(?=(\d{3})+$)/g, THIN)
  }`;
}
