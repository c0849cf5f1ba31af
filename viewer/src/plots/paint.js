// Points of curves as paths on a canvas, and the columns that plots make of columns.
import { lastAt, lowerBound } from "./decimate.js";
import { palette } from "./palette.js";

/** The powers of ten of a column; NaN where there is none. */
export function logarithms(values) {
  const out = new Float64Array(values.length);
  for (let k = 0; k < out.length; k++) out[k] = values[k] > 0 ? Math.log10(values[k]) : NaN;
  return out;
}

/** All points of a curve over something else than time. */
export function allPoints(x, y) {
  const points = { x, y, count: Math.min(x.length, y.length), low: Infinity, high: -Infinity };
  for (let k = 0; k < points.count; k++) {
    if (!Number.isFinite(y[k]) || !Number.isFinite(x[k])) continue;
    if (y[k] < points.low) points.low = y[k];
    if (y[k] > points.high) points.high = y[k];
  }
  return points;
}

/** Measured points in x0 … x1; the extremes include their errors. @param {ArrayLike<number>|null} error */
export function markedPoints(x, y, error, x0, x1) {
  const first = lowerBound(x, x0),
    end = lastAt(x, x1) + 1;
  const cut = (values) => values && values.subarray(first, end);
  const points = { x: cut(x), y: cut(y), error: cut(error), count: end - first, low: Infinity, high: -Infinity };
  for (let k = 0; k < points.count; k++) {
    const off = points.error?.[k] > 0 ? points.error[k] : 0;
    points.low = Math.min(points.low, points.y[k] - off);
    points.high = Math.max(points.high, points.y[k] + off);
  }
  return points;
}

/** Half the width of the ends of an error bar, and the radius of a measured point [px]. */
export const CAP = 3,
  MARK = 2.75;

/** Marks measured points by circles, and their errors by bars. */
export function paintMarks(ctx, points, toX, toY, ratio) {
  ctx.setLineDash([]);
  ctx.lineWidth = 1.25 * ratio;
  ctx.beginPath();
  for (let k = 0; k < points.count; k++) {
    const x = toX(points.x[k]);
    const off = points.error?.[k];
    if (off > 0)
      for (const end of [toY(points.y[k] - off), toY(points.y[k] + off)]) {
        ctx.moveTo(x, toY(points.y[k]));
        ctx.lineTo(x, end);
        ctx.moveTo(x - CAP * ratio, end);
        ctx.lineTo(x + CAP * ratio, end);
      }
  }
  ctx.stroke();
  ctx.beginPath();
  for (let k = 0; k < points.count; k++) {
    const x = toX(points.x[k]),
      y = toY(points.y[k]);
    ctx.moveTo(x + MARK * ratio, y);
    ctx.arc(x, y, MARK * ratio, 0, 2 * Math.PI);
  }
  ctx.fillStyle = palette().panel;
  ctx.fill();
  ctx.stroke();
}

/** Strokes points; NaN lifts the pen, a point alone is a dot, steps below half a pixel are left out. */
export function paintLine(ctx, points, toX, toY, ratio) {
  let length = 0,
    lastX = 0,
    lastY = 0;
  ctx.beginPath();
  for (let k = 0; k <= points.count; k++) {
    if (k === points.count || !Number.isFinite(points.y[k])) {
      if (length === 1) ctx.lineTo(lastX, lastY + 0.01 * ratio);
      length = 0;
      continue;
    }
    const x = toX(points.x[k]),
      y = toY(points.y[k]);
    if (length && k + 1 < points.count && Math.abs(x - lastX) + Math.abs(y - lastY) < 0.5) continue;
    if (length++) ctx.lineTo(x, y);
    else ctx.moveTo(x, y);
    lastX = x;
    lastY = y;
  }
  ctx.stroke();
}

/** Fills the area between points and their base. */
export function paintArea(ctx, points, base, toX, toY) {
  ctx.beginPath();
  for (let k = 0; k < points.count; k++)
    if (Number.isFinite(points.y[k])) ctx.lineTo(toX(points.x[k]), toY(points.y[k]));
  for (let k = base.count - 1; k >= 0; k--)
    if (Number.isFinite(base.y[k])) ctx.lineTo(toX(base.x[k]), toY(base.y[k]));
  ctx.closePath();
  ctx.fill();
}

/** Marks each row by a dot: between them nothing was recorded. */
export function paintRows(ctx, points, toX, toY, ratio) {
  ctx.beginPath();
  for (let k = 0; k < points.count; k++) {
    if (!Number.isFinite(points.y[k])) continue;
    const x = toX(points.x[k]),
      y = toY(points.y[k]),
      radius = 2.5 * ratio;
    ctx.moveTo(x + radius, y);
    ctx.arc(x, y, radius, 0, 2 * Math.PI);
  }
  ctx.fill();
}
