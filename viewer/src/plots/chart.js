// The picture of a plot: axes and grid by uPlot, bands and curves by the functions here. The scales of uPlot are 0 … 1
// throughout and stand for the planned axes: ranges of 1e-17 J or a microsecond late in a run are drawn like any.
import uPlot from "uplot";
import { areSparse } from "./decimate.js";
import { element } from "./dom.js";
import { paintArea, paintLine, paintMarks, paintRows } from "./paint.js";
import { palette } from "./palette.js";

/** Height of the strip of contacts that last [px]. */
const REST = 5;

const FONT = '12px system-ui, -apple-system, "Segoe UI", Roboto, sans-serif';

/** Size of the plotted area [pixels]. @param {uPlot} u */
export function chartSize(u) {
  return { width: u.bbox.width / uPlot.pxRatio, height: u.bbox.height / uPlot.pxRatio };
}

/** An axis of uPlot that draws the ticks of the planned one. @param {() => import("./units.js").Axis} planned */
function axisOf(planned, scale, side, grid) {
  const part = (at) => (at - planned().low) / (planned().high - planned().low);
  const width = (u, texts) => 10 + 7 * Math.max(2, ...(texts || []).map((text) => text.length));
  return {
    scale,
    side,
    font: FONT,
    labelFont: FONT,
    labelSize: 18,
    labelGap: 2,
    gap: 5,
    space: 10,
    stroke: () => palette().muted,
    grid: { show: grid, stroke: () => palette().line, width: 1 },
    ticks: { show: false },
    label: () => planned().label,
    splits: () => planned().ticks.map((tick) => part(tick.at)),
    values: () => planned().ticks.map((tick) => tick.text),
    size: side === 2 ? 24 : width,
  };
}

/**
 * Makes the picture and the marks that move over it.
 * @param {import("./plot.js").Plot} plot with planned axes
 * @returns {{u: uPlot, line: HTMLElement, cross: HTMLElement, dot: HTMLElement|null}}
 */
export function createChart(plot) {
  const two = plot.axes.length > 1;
  const fixed = () => ({ time: false, auto: false, range: [0, 1] });
  const unseen = (scale) => ({ scale, paths: () => null, points: { show: false } });
  const scales = { x: fixed(), y: fixed() };
  const axes = [axisOf(() => plot.xAxis, "x", 2, true), axisOf(() => plot.yAxes[0], "y", 3, true)];
  if (two) {
    scales.y2 = fixed();
    axes.push(axisOf(() => plot.yAxes[1] ?? plot.yAxes[0], "y2", 1, false));
  }
  const series = [{}, unseen("y"), ...(two ? [unseen("y2")] : [])];
  const options = {
    width: plot.width,
    height: plot.options.height,
    scales,
    series,
    axes,
    padding: [8, two ? 0 : 14, 0, 0],
    legend: { show: false },
    cursor: { show: false },
    hooks: { draw: [(u) => paintCurves(plot, u)] },
  };
  const u = new uPlot(
    options,
    series.map(() => [0, 1]),
    plot.node,
  );
  const line = element("div", { class: "p-now" });
  const cross = element("div", { class: "p-cross", hidden: true });
  const dot = plot.options.time ? null : element("div", { class: "p-dot" });
  u.over.append(line, cross, ...(dot ? [dot] : []));
  return { u, line, cross, dot };
}

/** Draws bands and curves into the plotted area. */
function paintCurves(plot, { ctx, bbox }) {
  const { low, high } = plot.xAxis;
  const colors = palette();
  const ratio = uPlot.pxRatio;
  const toX = (x) => bbox.left + ((x - low) / (high - low)) * bbox.width;
  ctx.save();
  ctx.beginPath();
  ctx.rect(bbox.left, bbox.top, bbox.width, bbox.height);
  ctx.clip();
  const { impacts, rests } = plot.shownBands(low, high, bbox.width);
  const fill = (bands, color, alpha, top, height) => {
    ctx.fillStyle = color;
    ctx.globalAlpha = alpha;
    for (const [from, to] of bands) ctx.fillRect(toX(from), top, Math.max(ratio, toX(to) - toX(from)), height);
  };
  fill(impacts, colors.accent, 0.14, bbox.top, bbox.height);
  // contacts that last are a strip below the curves
  fill(rests, colors.muted, 0.35, bbox.top + bbox.height - REST * ratio, REST * ratio);
  ctx.lineJoin = ctx.lineCap = "round";
  for (const { points, base, color, dash, axis, marks } of plot.drawn) {
    const y = plot.yAxes[axis] || plot.yAxes[0];
    const toY = (value) => bbox.top + bbox.height - ((value - y.low) / (y.high - y.low)) * bbox.height;
    ctx.globalAlpha = base ? 0.55 : 1;
    ctx.fillStyle = ctx.strokeStyle = color;
    ctx.lineWidth = 1.5 * ratio;
    ctx.setLineDash(dash.map((part) => part * ratio));
    if (marks) {
      paintMarks(ctx, points, toX, toY, ratio);
      continue;
    }
    if (base) paintArea(ctx, points, base, toX, toY);
    else paintLine(ctx, points, toX, toY, ratio);
    if (plot.options.time && areSparse(points, bbox.width, low, high)) paintRows(ctx, points, toX, toY, ratio);
  }
  ctx.restore();
}
