// Bands of a plot over time: impacts, and contacts that last, which are shaded differently. Pure.
import { lowerBound } from "./decimate.js";

/** A contact that lasts so many times longer than a spring of its depth at its speed would is no blow. */
const LONG = 8;

/** @typedef {{onset: Float64Array, end: Float64Array, reach: Float64Array}} Bands */

/** True for an impact whose contact is held, as by a foot that is put down. @param {object} impact */
export function lasts({ duration, max_indentation: depth, v_in: speed }) {
  return duration > 0 && depth > 0 && speed > 0 && duration > (LONG * Math.PI * depth) / speed;
}

/**
 * Times of contacts: onsets in order, ends, and the largest end so far, which does not fall.
 * @param {{onset: number, duration: number}[]} contacts @returns {Bands}
 */
export function bandsOf(contacts) {
  const sorted = contacts.filter((i) => Number.isFinite(i.onset)).sort((a, b) => a.onset - b.onset);
  const onset = Float64Array.from(sorted, (i) => i.onset);
  const end = Float64Array.from(sorted, (i) => i.onset + (i.duration > 0 ? i.duration : 0));
  const reach = Float64Array.from(end);
  for (let k = 1; k < reach.length; k++) reach[k] = Math.max(reach[k], reach[k - 1]);
  return { onset, end, reach };
}

/**
 * The bands of all runs: of impacts, and as `rests` of contacts that last.
 * @param {import("../data.js").Run[]} runs @returns {Bands & {rests: Bands}}
 */
export function allBands(runs) {
  const impacts = runs.flatMap((run) => run.impacts);
  const rests = runs.flatMap((run) => run.rests.map(({ begin, duration }) => ({ onset: begin, duration })));
  const held = impacts.filter(lasts);
  return { ...bandsOf(impacts.filter((impact) => !lasts(impact))), rests: bandsOf([...held, ...rests]) };
}

/** Bands between x0 and x1, at most one a pixel. @param {Bands} bands @returns {[number, number][]} */
export function visibleBands(bands, x0, x1, columns) {
  const out = [],
    pixel = (x1 - x0) / columns;
  let last = -Infinity;
  for (let k = lowerBound(bands.reach, x0); k < bands.onset.length && bands.onset[k] <= x1; k++) {
    if (bands.end[k] < Math.max(x0, last)) continue;
    const from = Math.max(bands.onset[k], last),
      to = Math.max(bands.end[k], from + pixel);
    out.push([from, to]);
    last = to;
  }
  return out;
}

/**
 * True if an impact lies unseen between two neighbouring rows: they are farther apart than half of it.
 * @param {Bands} bands @param {number} from @param {number} to
 */
export function hidesImpact({ onset, end, reach }, from, to) {
  for (let k = lowerBound(reach, from); k < onset.length && onset[k] < to; k++)
    if (end[k] > from && to - from > 0.5 * (end[k] - onset[k])) return true;
  return false;
}
