// Rows of contacts in their episodes, for loops and phase portraits. Pure.
import { INTERVALS, STEPS } from "../data.js";
import { lastAt, lowerBound } from "./decimate.js";

/** @typedef {{t: Float64Array, indentation: Float64Array, rate: Float64Array, force: Float64Array}} Rows NaN rows part
 * episodes */

/** Names of the contacts of all runs, in the order of the recorded channels, then of the impacts. */
export function contactNames(runs) {
  const names = new Set();
  for (const run of runs) {
    for (const channel of run.channels) if (channel.family === "contact") names.add(channel.object);
    for (const impact of run.impacts) names.add(impact.contact);
  }
  return [...names];
}

/** The impacts of one contact in order of onset. */
export function impactsOf(run, contact) {
  return run.impacts.filter((impact) => impact.contact === contact).sort((a, b) => a.onset - b.onset);
}

/**
 * Rows of a contact at solver steps, or at the output interval where only these are recorded.
 * @param {import("../data.js").Run} run @param {string} contact
 */
export function contactColumns(run, contact) {
  const names = ["indentation", "indentation_rate", "force"].map((quantity) => `contact.${contact}.${quantity}`);
  for (const group of [STEPS, INTERVALS]) {
    const [indentation, rate, force] = names.map((name) => run.column(name, group));
    if (indentation?.t.length && (rate || force)) return { indentation, rate, force };
  }
  return null;
}

/**
 * Rows of the given impacts; without impacts, as for a contact that holds, all rows with an indentation.
 * @param {{indentation: object, rate: object|null, force: object|null}} columns @param {object[]} impacts
 * @returns {Rows}
 */
export function episodeRows(columns, impacts) {
  const times = columns.indentation.t,
    ranges = [];
  for (const { onset, duration } of impacts) {
    const end = onset + (duration > 0 ? duration : 0),
      slack = 1e-9 * Math.max(duration, 1e-9);
    const first = lowerBound(times, onset - slack),
      last = lastAt(times, end + slack);
    if (last >= first) ranges.push([first, last]);
  }
  if (!impacts.length) {
    let first = -1;
    for (let k = 0; k <= times.length; k++) {
      const open = k < times.length && columns.indentation.v[k] >= 0;
      if (open && first < 0) first = k;
      if (!open && first >= 0) {
        ranges.push([first, k - 1]);
        first = -1;
      }
    }
  }
  const size = ranges.reduce((sum, [first, last]) => sum + last - first + 2, 0);
  const rows = {};
  for (const name of ["t", "indentation", "rate", "force"]) rows[name] = new Float64Array(size).fill(NaN);
  let at = 0;
  for (const [first, last] of ranges) {
    for (let k = first; k <= last; k++, at++) {
      rows.t[at] = times[k];
      rows.indentation[at] = columns.indentation.v[k];
      if (columns.rate) rows.rate[at] = columns.rate.v[k];
      if (columns.force) rows.force[at] = columns.force.v[k];
    }
    at++;
  }
  return rows;
}

/** The impact that is on at a time, else the last before it, else the first. @param {object[]} impacts in order */
export function impactAt(impacts, t) {
  let low = 0;
  let high = impacts.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (impacts[middle].onset <= t) low = middle + 1;
    else high = middle;
  }
  return impacts[Math.max(0, low - 1)] ?? null;
}

/** Place on a curve at a time, between its rows; null outside and between episodes. @param {Rows} rows */
export function placeAt(rows, quantity, t) {
  const { t: times } = rows;
  let low = 0,
    high = times.length - 1;
  // times rise but for the NaN between episodes, which stand for the row before them
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    const time = times[middle] === times[middle] ? times[middle] : times[middle - 1];
    if (time <= t) low = middle;
    else high = middle - 1;
  }
  if (!(times[low] <= t)) return null;
  const next = low + 1 < times.length && times[low + 1] === times[low + 1] ? low + 1 : low;
  if (next === low && t > times[low]) return null;
  const part = next > low ? (t - times[low]) / (times[next] - times[low] || 1) : 0;
  const mix = (values) => values[low] + part * (values[next] - values[low]);
  return [mix(rows.indentation), mix(rows[quantity])];
}
