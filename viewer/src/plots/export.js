// What a plot shows, as CSV, SVG and PNG.
import { csvText } from "./csv.js";
import { areSparse, visible } from "./decimate.js";
import { button, download, fileName, pngOf } from "./dom.js";
import { palette } from "./palette.js";
import { svgText } from "./svg.js";

const SIZE = { width: 800, height: 460 };

/** The plot as a figure for svgText. @param {import("./plot.js").Plot} plot @param {string} title */
export function figureOf(plot, title) {
  const { width, height } = SIZE;
  const { x, y, drawn } = plot.plan(width - 120, height - 120);
  const { panel, fg, muted, line, accent } = palette();
  for (const curve of drawn) curve.rows = plot.options.time && !curve.marks && areSparse(curve.points, width, x.low, x.high);
  return {
    width,
    height,
    title,
    x,
    y,
    curves: drawn,
    bands: plot.shownBands(x.low, x.high, width).impacts,
    colors: { bg: panel, fg, muted, line, accent },
  };
}

/**
 * Columns for csvText: of each set of times one column, then those of its curves; only what is shown.
 * @param {import("./plot.js").Curve[]} curves @param {{x0: number, x1: number}|null} view
 * @param {{label: string, unit: string}} x
 */
export function columnsOf(curves, view, x, time = true) {
  const groups = new Map();
  for (const curve of curves) {
    if (!groups.has(curve.x)) groups.set(curve.x, []);
    groups.get(curve.x).push(curve);
  }
  const columns = [];
  for (const [times, group] of groups) {
    const [first, end] = view && time ? inside(times, view) : [0, times.length];
    const cut = (values) => values.subarray(first, end);
    if (!time && group[0].t) columns.push({ name: "time", unit: "s", values: cut(group[0].t) });
    columns.push({
      name: time ? x.label : group[0].xName || x.label,
      unit: x.unit,
      values: cut(times),
      digits: times instanceof Float32Array ? 9 : 17,
    });
    for (const curve of group) {
      const { label: name, unit } = curve;
      columns.push({ name, unit, values: cut(curve.values ?? curve.y), digits: curve.type === "f4" ? 9 : 17 });
      if (curve.error) columns.push({ name: `${name}, error`, unit, values: cut(curve.error) });
    }
  }
  return columns;
}

/** Rows within the view, without the neighbours that are only drawn towards. */
function inside(times, { x0, x1 }) {
  let [first, end] = visible(times, x0, x1);
  if (first < end && times[first] < x0) first++;
  if (end > first && times[end - 1] > x1) end--;
  return [first, end];
}

/** Buttons of a menu: CSV, SVG and PNG of a plot. @param {() => {plot: object, title: string, stem: string}} source */
export function exportButtons(source) {
  const files = {
    CSV: ({ plot, stem }) =>
      download(
        `${stem}.csv`,
        csvText(columnsOf(plot.curves, plot.view, plot.options.x, plot.options.time)),
        "text/csv",
      ),
    SVG: ({ plot, title, stem }) => download(`${stem}.svg`, svgText(figureOf(plot, title)), "image/svg+xml"),
    PNG: async ({ plot, title, stem }) =>
      download(`${stem}.png`, await pngOf(svgText(figureOf(plot, title)), SIZE.width, SIZE.height, 2), "image/png"),
  };
  const titles = {
    CSV: "Download the rows shown as CSV",
    SVG: "Download the plot as SVG",
    PNG: "Download the plot as PNG",
  };
  return Object.keys(files).map((kind) =>
    button(kind, titles[kind], () => {
      const made = source();
      files[kind]({ ...made, stem: fileName(made.stem) });
    }),
  );
}
