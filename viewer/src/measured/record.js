// Measured points over time: the columns of a table in SI, put at the onset of an impact or moved. Pure.
import { siUnit, unitOf } from "./unit.js";

/** @typedef {{y: string, unit: string, error: string, errorUnit: string, x: string, xUnit: string}} Choice columns by
 *   their names, and units; "": no column of errors, the unit of the heading */
/** @typedef {{t: Float64Array, v: Float64Array, error: Float64Array|null, unit: string, over: ""|"m"}} Points in SI;
 *   times, or with `over` indentations, that rise */

const FOOT = 0.1, // of the peak
  KNEE = 0.3;

/** A column in SI. @param {object[]} columns @param {string} name @param {string} unit */
function taken(columns, name, unit) {
  const column = columns.find((c) => c.name === name);
  if (!column) throw new Error(`There is no column '${name}'.`);
  if (column.text) throw new Error(`Column '${name}' has '${column.text}' where a number is needed.`);
  const text = unit || column.unit;
  const known = unitOf(text);
  if (!known) throw new Error(`'${text}' is no unit that is known here.`);
  return { values: column.values.map((value) => value * known.factor), unit: text, key: known.key };
}

/**
 * @param {object[]} columns of readTable() @param {Choice} choice @param {Iterable<string>} used units of channels
 * @returns {Points}
 */
export function pointsOf(columns, choice, used) {
  const y = taken(columns, choice.y, choice.unit),
    x = taken(columns, choice.x, choice.xUnit || (columns.find((c) => c.name === choice.x)?.unit ?? "") || "s");
  const over = x.key === unitOf("m").key ? "m" : "";
  if (!over && x.key !== unitOf("s").key) throw new Error(`'${x.unit}' is no unit of time, and none of an indentation.`);
  // errors without a unit of their own have that of the values
  const own = columns.find(({ name }) => name === choice.error)?.unit;
  const error = choice.error ? taken(columns, choice.error, choice.errorUnit || choice.unit || own || y.unit) : null;
  return sorted({ t: x.values, v: y.values, error: error?.values ?? null, unit: siUnit(y.unit, used), over });
}

/** The same points with rising times, without those that have none. @param {Points} points @returns {Points} */
export function sorted({ t, v, error, unit, over = "" }) {
  const order = [...t.keys()].filter((k) => Number.isFinite(t[k]) && Number.isFinite(v[k])).sort((a, b) => t[a] - t[b]);
  const pick = (values) => values && Float64Array.from(order, (k) => values[k]);
  if (!order.length) throw new Error("There is no row with both numbers.");
  return { t: pick(t), v: pick(v), error: pick(error), unit, over };
}

/** The first time at which v is off its first value by a level; NaN: never. */
function crossing({ t, v }, level) {
  for (let k = 1; k < t.length; k++) {
    const before = Math.abs(v[k - 1] - v[0]),
      now = Math.abs(v[k] - v[0]);
    if (now >= level && before < level) return t[k - 1] + ((t[k] - t[k - 1]) * (level - before)) / (now - before);
  }
  return NaN;
}

/**
 * Onset of measured data: a force of contact begins as the indentation to the power 3/2, so that its power 2/3 rises along
 * a line, which 10 and 30 % of the peak give. @param {Points} points @returns {number} NaN: they do not rise
 */
export function onsetOf(points) {
  let peak = 0;
  for (const value of points.v) peak = Math.max(peak, Math.abs(value - points.v[0]));
  const foot = crossing(points, FOOT * peak),
    knee = crossing(points, KNEE * peak);
  const low = Math.cbrt(FOOT * FOOT),
    high = Math.cbrt(KNEE * KNEE);
  return foot - ((knee - foot) * low) / (high - low);
}

/**
 * Points where they are shown.
 * @param {Points} points @param {number} onset of an impact at which theirs is put; NaN: they stay
 * @param {number} dx @param {number} dy in SI @returns {Points}
 */
export function placed(points, onset, dx, dy) {
  if (points.over) onset = NaN;
  const begins = Number.isFinite(onset) ? onsetOf(points) : 0;
  if (Number.isNaN(begins)) throw new Error("The points do not rise from their first value: they have no onset.");
  const by = dx + (Number.isFinite(onset) ? onset - begins : 0);
  return { ...points, t: points.t.map((t) => t + by), v: points.v.map((v) => v + dy) };
}

/** The choice as carom plot and carom report take it. @param {string} file @param {Choice} choice */
export function optionText(file, { y, unit, error, errorUnit, x, xUnit }) {
  const column = (name, own) => (own ? `${name}[${own}]` : name);
  const text = `${file}:${column(y, unit)}${error ? `+-${column(error, errorUnit)}` : ""}@${column(x, xUnit)}`;
  return `--data ${/[^\w./:@[\]+=-]/.test(text) || /[[\]]/.test(text) ? `'${text}'` : text}`;
}
