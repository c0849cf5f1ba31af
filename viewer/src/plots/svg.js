// A plot as SVG: axes, bands, curves and legend as vectors. Pure.
import { CAP, MARK } from "./paint.js";

/** @typedef {import("./units.js").Axis} Axis */
/** @typedef {import("./decimate.js").Points} Points */
/** @typedef {{label: string, color: string, dash: number[], axis: number, points: Points,
 *   base?: Points|null, rows?: boolean, marks?: boolean}} Drawn `rows`: each row is marked; `marks`: measured points,
 *   with `error` in `points` */
/** @typedef {{width: number, height: number, title: string, x: Axis, y: Axis[], curves: Drawn[],
 *   bands: [number, number][],
 *   colors: {bg: string, fg: string, muted: string, line: string, accent: string}}} Figure */

const FONT = 12,
  LINE = 17,
  CHARACTER = 6.7;

const escapes = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" };
/** Text for XML, without the characters that it cannot hold. */
export function xmlText(text) {
  return String(text)
    .replace(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g, "?")
    .replace(/[&<>"]/g, (c) => escapes[c]);
}

const round = (value) => String(Math.round(value * 100) / 100);

/** Legend entries in lines of the given width. */
function legendLines(curves, width) {
  const lines = [[]];
  let used = 0;
  for (const curve of curves) {
    const size = 34 + curve.label.length * CHARACTER;
    if (used > 0 && used + size > width) {
      lines.push([]);
      used = 0;
    }
    lines[lines.length - 1].push({ curve, at: used });
    used += size;
  }
  return curves.length ? lines : [];
}

/** Path data of points; NaN lifts the pen, a point alone is a dot. @param {Points} points */
export function pathData(points, toX, toY) {
  let text = "",
    length = 0;
  for (let k = 0; k <= points.count; k++) {
    const y = k < points.count ? points.y[k] : NaN;
    if (Number.isFinite(y)) {
      text += `${length ? "L" : "M"}${round(toX(points.x[k]))} ${round(toY(y))}`;
      length++;
    } else {
      if (length === 1) text += "h0";
      length = 0;
    }
  }
  return text;
}

/** Path data of a dot at each row. */
function dotData(points, toX, toY) {
  let text = "";
  for (let k = 0; k < points.count; k++)
    if (Number.isFinite(points.y[k])) text += `M${round(toX(points.x[k]))} ${round(toY(points.y[k]))}h0`;
  return text;
}

/** Path data of the area between a curve and its base. */
function areaData(points, base, toX, toY) {
  const edge = [];
  const add = (list, k) =>
    Number.isFinite(list.y[k]) && edge.push(`${round(toX(list.x[k]))} ${round(toY(list.y[k]))}`);
  for (let k = 0; k < points.count; k++) add(points, k);
  for (let k = base.count - 1; k >= 0; k--) add(base, k);
  return edge.length > 2 ? `M${edge.join("L")}Z` : "";
}

/** An element; numbers are rounded to a hundredth of a pixel. */
function tag(name, attributes, content) {
  const list = Object.entries(attributes).filter(([, value]) => value !== null && value !== "");
  const text = list.map(([key, value]) => ` ${key}="${typeof value === "number" ? round(value) : value}"`).join("");
  return content === undefined ? `<${name}${text}/>` : `<${name}${text}>${content}</${name}>`;
}

/** Width of the texts beside an axis. @param {Axis} axis */
function textWidth(axis) {
  return CHARACTER * Math.max(2, ...axis.ticks.map((tick) => tick.text.length));
}

/** @param {Figure} figure @returns {string} */
export function svgText(figure) {
  const { width, height, colors, x, y } = figure;
  const left = 14 + LINE + textWidth(y[0]);
  const right = y[1] ? 14 + LINE + textWidth(y[1]) : 18;
  const legend = legendLines(figure.curves, width - left - right);
  const top = 10 + (figure.title ? LINE + 4 : 0) + legend.length * LINE + 4;
  const box = { x: left, y: top, width: width - left - right, height: Math.max(40, height - top - 2 * LINE - 14) };
  const toX = (value) => box.x + ((value - x.low) / (x.high - x.low)) * box.width;
  const toY = (axis) => (value) => box.y + box.height - ((value - axis.low) / (axis.high - axis.low)) * box.height;
  const out = [tag("rect", { width, height, fill: colors.bg }), tag("clipPath", { id: "box" }, tag("rect", box))];
  if (figure.title) out.push(tag("text", { x: left, y: 10 + FONT, "font-weight": "600" }, xmlText(figure.title)));
  legend.forEach((line, k) => {
    const middle = top - 4 - (legend.length - k - 0.5) * LINE;
    for (const { curve, at } of line) out.push(...legendEntry(curve, left + at, middle));
  });
  out.push(...axisParts(figure, box, toX, toY));
  const inside = figure.bands
    .filter(([from, to]) => to >= x.low && from <= x.high)
    .map(([from, to]) => band(box, toX(Math.max(from, x.low)), toX(Math.min(to, x.high)), colors.accent));
  for (const curve of figure.curves) inside.push(...curveParts(curve, toX, toY(y[curve.axis] || y[0])));
  out.push(tag("g", { "clip-path": "url(#box)" }, "\n" + inside.join("\n") + "\n"));
  out.push(tag("rect", { ...box, fill: "none", stroke: colors.muted }));
  const root = {
    xmlns: "http://www.w3.org/2000/svg",
    width,
    height,
    viewBox: `0 0 ${width} ${height}`,
    "font-family": "system-ui, sans-serif",
    "font-size": FONT,
    fill: colors.fg,
  };
  return tag("svg", root, "\n" + out.join("\n") + "\n") + "\n";
}

function band(box, from, to, color) {
  return tag("rect", {
    x: from,
    y: box.y,
    width: Math.max(1, to - from),
    height: box.height,
    fill: color,
    "fill-opacity": "0.13",
  });
}

/** A curve or an area, with a dot at each row where these are far apart. */
function curveParts(curve, toX, toY) {
  if (curve.marks) return markParts(curve, toX, toY);
  const stroke = { fill: "none", stroke: curve.color, "stroke-linejoin": "round", "stroke-linecap": "round" };
  const out = [];
  if (curve.base) {
    const d = areaData(curve.points, curve.base, toX, toY);
    out.push(tag("path", { d, fill: curve.color, "fill-opacity": "0.55" }));
  } else {
    const d = pathData(curve.points, toX, toY);
    out.push(tag("path", { d, ...stroke, "stroke-width": 1.5, "stroke-dasharray": curve.dash.join(" ") }));
  }
  if (curve.rows) out.push(tag("path", { d: dotData(curve.points, toX, toY), ...stroke, "stroke-width": 5 }));
  return out;
}

/** Measured points with their errors. */
function markParts({ points, color }, toX, toY) {
  const out = [];
  let bars = "";
  for (let k = 0; k < points.count; k++) {
    const x = toX(points.x[k]);
    const off = points.error?.[k];
    if (!(off > 0)) continue;
    const [low, high] = [toY(points.y[k] - off), toY(points.y[k] + off)];
    bars += `M${round(x)} ${round(low)}V${round(high)}`;
    for (const end of [low, high]) bars += `M${round(x - CAP)} ${round(end)}h${2 * CAP}`;
  }
  if (bars) out.push(tag("path", { d: bars, fill: "none", stroke: color, "stroke-width": 1.25 }));
  for (let k = 0; k < points.count; k++) out.push(markAt(toX(points.x[k]), toY(points.y[k]), color));
  return out;
}

function markAt(x, y, color) {
  return tag("circle", { cx: x, cy: y, r: MARK, fill: "none", stroke: color, "stroke-width": 1.25 });
}

function legendEntry(curve, x, y) {
  if (curve.marks) return [markAt(x + 11, y, curve.color), tag("text", { x: x + 27, y: y + 4 }, xmlText(curve.label))];
  const line = { x1: x, y1: y, x2: x + 22, y2: y, stroke: curve.color, "stroke-width": curve.base ? 9 : 2 };
  return [
    tag("line", { ...line, "stroke-dasharray": curve.dash.join(" ") }),
    tag("text", { x: x + 27, y: y + 4 }, xmlText(curve.label)),
  ];
}

/** Grid, ticks and labels of all axes. */
function axisParts({ x, y, colors }, box, toX, toY) {
  const out = [];
  const bottom = box.y + box.height;
  for (const { at, text } of x.ticks) {
    const px = toX(at);
    out.push(tag("line", { x1: px, y1: box.y, x2: px, y2: bottom, stroke: colors.line }));
    out.push(tag("text", { x: px, y: bottom + LINE, "text-anchor": "middle", fill: colors.muted }, xmlText(text)));
  }
  const middle = box.x + box.width / 2;
  out.push(tag("text", { x: middle, y: bottom + 2 * LINE + 2, "text-anchor": "middle" }, xmlText(x.label)));
  y.forEach((axis, side) => out.push(...sideParts(axis, side, colors, box, toY(axis))));
  return out;
}

/** The axis on the left (0), with the grid, or the right (1). */
function sideParts(axis, side, colors, box, toY) {
  const out = [];
  const right = box.x + box.width;
  const place = side ? { x: right + 6, "text-anchor": "start" } : { x: box.x - 6, "text-anchor": "end" };
  for (const { at, text } of axis.ticks) {
    const py = toY(at);
    if (!side) out.push(tag("line", { x1: box.x, y1: py, x2: right, y2: py, stroke: colors.line }));
    out.push(tag("text", { ...place, y: py + 4, fill: colors.muted }, xmlText(text)));
  }
  const at = side ? right + 6 + textWidth(axis) + LINE : FONT + 2;
  const transform = `translate(${round(at)} ${round(box.y + box.height / 2)}) rotate(-90)`;
  out.push(tag("text", { transform, "text-anchor": "middle" }, xmlText(axis.label)));
  return out;
}
