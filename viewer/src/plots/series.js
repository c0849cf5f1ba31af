// Curves of channels: which columns, axes and colours. Pure.
import { SNAPSHOTS, INTERVALS, STEPS } from "../data.js";
import { mergeColumns } from "./decimate.js";

/** @typedef {import("../data.js").Run} Run */

const kept = new WeakMap();

/**
 * All rows of a channel in one: those at solver steps, at the output interval and of the motion, so that an impact is
 * dense and the time between impacts is there.
 * @param {Run} run @param {string} name of a scalar channel or component
 * @returns {{t: Float64Array, v: ArrayLike<number>, unit: string, description: string, type: string}|null}
 */
export function fullColumn(run, name) {
  let columns = kept.get(run);
  if (!columns) kept.set(run, (columns = new Map()));
  if (!columns.has(name)) columns.set(name, joined(run, name, columns));
  return columns.get(name);
}

function joined(run, name, columns) {
  const parts = [STEPS, INTERVALS, SNAPSHOTS].map((group) => run.column(name, group)).filter(Boolean);
  const filled = parts.filter((part) => part.t.length);
  if (filled.length < 2) return filled[0] ?? parts[0] ?? null;
  const rows = filled.slice(1).reduce((all, part) => mergeColumns(all, part), filled[0]);
  // channels with rows of the same groups share their times
  const key = "times " + filled.map((part) => part.group).join(" ");
  if (!columns.has(key)) columns.set(key, rows.t);
  return { ...filled[0], t: columns.get(key), v: rows.v };
}

/** Units that share an axis: the text, without a difference between "" and "1" and "-". */
export function unitKey(unit) {
  return unit === "1" || unit === "-" ? "" : unit || "";
}

/**
 * Distributes names over plots of at most two units each: as many as fit go to the first.
 * @param {{name: string, unit: string}[]} channels @returns {string[][]}
 */
export function splitByUnits(channels) {
  const plots = [];
  for (const { name, unit } of channels) {
    const key = unitKey(unit);
    let plot = plots.find((p) => p.units.includes(key)) ?? plots.find((p) => p.units.length < 2);
    if (!plot) plots.push((plot = { units: [], names: [] }));
    if (!plot.units.includes(key)) plot.units.push(key);
    plot.names.push(name);
  }
  return plots.map((plot) => plot.names);
}

/** The quantity of a channel as an engineer writes it, else its own name in words. @param {import("../data.js").Channel} info */
export function quantityOf({ label, quantity }) {
  return label || quantity.replace(/_/g, " ");
}

/** What the channels of an axis have in common: their quantity, else that of their unit. @param {object[]} infos */
function sharedLabel(infos, unit) {
  const quantities = new Set(infos.map(quantityOf)),
    components = new Set(infos.map((info) => info.component));
  const [component] = components.size === 1 ? components : [""];
  if (quantities.size === 1) return [...quantities][0] + (component ? ` in ${component}` : "");
  return (
    {
      m: "length",
      "m/s": "velocity",
      "m/s^2": "acceleration",
      N: "force",
      "N m": "moment",
      J: "energy",
      rad: "angle",
      "rad/s": "angular velocity",
      "rad/s^2": "angular acceleration",
      s: "time",
    }[unit] ?? ""
  );
}

/**
 * The names of curves in a legend: what tells them apart, the body or contact, its quantity, or both, and the component.
 * @param {import("../data.js").Channel[]} infos @returns {string[]}
 */
export function curveNames(infos) {
  const one = (key) => new Set(infos.map(key)).size === 1;
  const sameQuantity = one((info) => `${info.family} ${info.quantity}`) && infos.every((info) => info.object),
    sameObject = one((info) => `${info.family} ${info.object}`);
  return infos.map((info) => {
    const { object, component } = info;
    if (sameQuantity) return component ? `${object}, ${component}` : object;
    return wholeName(sameObject ? { ...info, object: "" } : info);
  });
}

/** What a channel is by itself: "wrist: Force F". @param {import("../data.js").Channel} info */
export function wholeName(info) {
  const quantity = quantityOf(info) + (info.component ? ` in ${info.component}` : "");
  return info.object ? `${info.object}: ${quantity}` : quantity;
}

/**
 * Curves and axes of channels for a plot over time. Dashes go by run, colours by channel, or by run if there is one
 * channel.
 * @param {Run[]} runs @param {string[]} names @param {import("../measured/store.js").Store} [measured] points by names
 * @returns {{curves: object[], axes: {label: string, unit: string}[]}} curves with the property `axis` 0 or 1
 */
export function timeCurves(runs, names, measured) {
  const curves = [],
    units = [],
    byUnit = [];
  const infos = names.map((name) => runs.map((run) => run.column(name)).find(Boolean)?.info);
  const labels = curveNames(infos.filter(Boolean));
  const axisOf = (unit) => {
    const axis = units.indexOf(unitKey(unit));
    return axis < 0 ? units.push(unitKey(unit)) - 1 : axis;
  };
  names.forEach((name, color) => {
    const own = measured?.all.get(name);
    if (own) {
      curves.push({ ...markedCurve(own, name), axis: axisOf(own.points.unit), color });
      return;
    }
    const label = infos[color] && labels[infos.slice(0, color).filter(Boolean).length];
    for (const run of runs) {
      const column = fullColumn(run, name);
      if (!column) continue;
      const axis = axisOf(column.unit);
      if (axis > 1) continue;
      (byUnit[axis] ??= []).push(column.info);
      curves.push({
        name,
        label: labelOf(label, run, runs),
        unit: column.unit,
        type: column.type,
        x: column.t,
        y: column.v,
        axis,
        color: names.length > 1 ? color : run.index,
        run: run.index,
        description: column.description,
      });
    }
  });
  const axes = units.slice(0, 2).map((unit, k) => ({ label: sharedLabel(byUnit[k] ?? [], unit), unit }));
  return { curves: curves.filter(({ axis }) => axis < 2), axes: axes.length ? axes : [{ label: "", unit: "" }] };
}

/** Measured points as a curve. */
export function markedCurve({ label, points, channel }, name) {
  const { t: x, v: y, error, unit } = points;
  return { name, label, unit, type: "f8", x, y, error, marks: true, run: 0, description: channel.description };
}

/** The name of a curve, and the run where there are several. */
export function labelOf(name, run, runs) {
  return runs.length > 1 ? `${name} · ${runText(run)}` : name;
}

/** The name of a run. */
export function runText(run) {
  return run.label || run.file || `run ${run.index + 1}`;
}

/**
 * Channels that match all words of a text, in name, unit or description; no words: all.
 * @template {{name: string, unit: string, description: string}} C
 * @param {C[]} channels @param {string} text @returns {C[]}
 */
export function matching(channels, text) {
  const words = text.toLowerCase().split(/\s+/).filter(Boolean);
  if (!words.length) return channels;
  return channels.filter((channel) => {
    channel.searched ??= `${channel.name} ${channel.unit} ${channel.description}`.toLowerCase();
    return words.every((word) => channel.searched.includes(word));
  });
}

/** The impact with the largest force, null if there is none. @param {Run} run */
export function hardestImpact(run) {
  let hardest = null;
  for (const impact of run.impacts) if (impact.peak_force > (hardest ? hardest.peak_force : 0)) hardest = impact;
  return hardest ?? run.impacts[0] ?? null;
}
