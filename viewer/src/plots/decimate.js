// Curves cut down to what a plot can show: the visible part, by pixel columns. Pure.

/** @typedef {{x: Float64Array, y: Float64Array, count: number, low: number, high: number}} Points; low > high: none */

/** First index whose time is at least `value`. @param {ArrayLike<number>} times @param {number} value */
export function lowerBound(times, value) {
  let low = 0,
    high = times.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (times[middle] < value) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** Index of the last time that is at most `value`, -1 if there is none. */
export function lastAt(times, value) {
  let low = 0,
    high = times.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (times[middle] <= value) low = middle + 1;
    else high = middle;
  }
  return low - 1;
}

/** Value between rows, linear; NaN outside and next to gaps. */
export function valueAt(times, values, t) {
  const k = lastAt(times, t);
  if (k < 0 || k >= values.length) return NaN;
  if (times[k] === t || k + 1 >= values.length) return times[k] === t ? values[k] : NaN;
  const part = (t - times[k]) / (times[k + 1] - times[k]);
  return values[k] + part * (values[k + 1] - values[k]);
}

/** Index range [first, end) of rows in x0 … x1, with one neighbour on each side. */
export function visible(times, x0, x1) {
  const first = Math.max(0, lowerBound(times, x0) - 1);
  return [first, Math.min(times.length, lastAt(times, x1) + 2)];
}

/**
 * Points of a curve over rising x between x0 and x1: all of them if they are few, else the first, lowest, highest and
 * last of each of `columns` pixel columns, in their order. NaN in y is a gap and is kept. `low` and `high` are the
 * extremes of what is visible, with the values at x0 and x1 between rows.
 * @param {ArrayLike<number>} x @param {ArrayLike<number>} y @param {number} columns @returns {Points}
 */
export function decimate(x, y, x0, x1, columns) {
  const [first, end] = visible(x, x0, x1);
  if (end - first <= 4 * columns) return allRows(x, y, first, end, x0, x1);
  const size = 4 * columns + 2;
  const points = { x: new Float64Array(size), y: new Float64Array(size), count: 0, low: Infinity, high: -Infinity };
  const inside = x[end - 1] > x1 ? end - 1 : end;
  let k = first;
  if (x[k] < x0) put(points, x[k], y[k++]);
  for (let column = 1; k < inside; column++) {
    const start = k,
      limit = column >= columns ? inside : boundFrom(x, x0 + (column / columns) * (x1 - x0), k, inside);
    let least = -1,
      most = -1,
      low = Infinity,
      high = -Infinity;
    for (; k < limit; k++) {
      const value = y[k];
      if (value < low) [low, least] = [value, k];
      if (value > high) [high, most] = [value, k];
    }
    if (k > start) putColumn(points, x, y, start, k - 1, least, most);
    if (low < points.low && low > -Infinity) points.low = low;
    if (high > points.high && high < Infinity) points.high = high;
  }
  if (inside < end) put(points, x[inside], y[inside]);
  includeEdges(points, x, y, x0, x1);
  return points;
}

/**
 * True if the rows in x0 … x1 are so far apart that each should be marked.
 * @param {Points} points @param {number} width [pixels]
 */
export function areSparse(points, width, x0, x1) {
  const { x, count } = points;
  if (count > width / 12) return false;
  let inside = 0;
  for (let k = 0; k < count; k++) if (x[k] >= x0 && x[k] <= x1) inside++;
  return inside <= width / 16;
}

/** First index from `low` on, before `high`, whose value is at least `value`. */
function boundFrom(x, value, low, high) {
  while (low < high) {
    const middle = (low + high) >> 1;
    if (x[middle] < value) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** Rows [first, end) as they are. */
function allRows(x, y, first, end, x0, x1) {
  const count = end - first;
  const points = { x: new Float64Array(count), y: new Float64Array(count), count, low: Infinity, high: -Infinity };
  for (let k = first; k < end; k++) {
    points.x[k - first] = x[k];
    points.y[k - first] = y[k];
    if (x[k] >= x0 && x[k] <= x1) include(points, y[k]);
  }
  includeEdges(points, x, y, x0, x1);
  return points;
}

/** Widens the extremes. */
function include(points, value) {
  if (!Number.isFinite(value)) return;
  if (value < points.low) points.low = value;
  if (value > points.high) points.high = value;
}

/** Widens the extremes by the values at both ends of the view, between rows. */
function includeEdges(points, x, y, x0, x1) {
  include(points, valueAt(x, y, x0));
  include(points, valueAt(x, y, x1));
}

/** Appends first, lowest, highest and last row of a pixel column; a gap shows if the column begins or ends in it. */
function putColumn(points, x, y, start, last, least, most) {
  put(points, x[start], y[start]);
  const one = Math.min(least, most),
    two = Math.max(least, most);
  if (one > start && one < last) put(points, x[one], y[one]);
  if (two > one && two > start && two < last) put(points, x[two], y[two]);
  if (last > start) put(points, x[last], y[last]);
}

function put(points, x, y) {
  points.x[points.count] = x;
  points.y[points.count++] = y;
}

/**
 * Two columns of one quantity recorded at different times, as one with rising times; of rows at the same time that of
 * `a` stays.
 * @param {{t: ArrayLike<number>, v: ArrayLike<number>}} a @param {{t: ArrayLike<number>, v: ArrayLike<number>}} b
 * @returns {{t: Float64Array, v: Float64Array}}
 */
export function mergeColumns(a, b) {
  const t = new Float64Array(a.t.length + b.t.length),
    v = new Float64Array(t.length);
  let i = 0,
    j = 0,
    count = 0;
  while (i < a.t.length || j < b.t.length) {
    const fromA = j >= b.t.length || (i < a.t.length && a.t[i] <= b.t[j]);
    const time = fromA ? a.t[i] : b.t[j];
    const same = fromA && j < b.t.length && b.t[j] === time;
    t[count] = time;
    v[count++] = fromA ? a.v[i++] : b.v[j++];
    if (same) j++;
  }
  return { t: t.subarray(0, count), v: v.subarray(0, count) };
}
