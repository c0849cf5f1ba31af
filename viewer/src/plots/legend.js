// The legend below a plot: a swatch, channel and run, and the value at the pointer or at the present time.
import { lastAt, valueAt } from "./decimate.js";
import { curveColor, runDash } from "./palette.js";
import { element } from "./dom.js";
import { hidesImpact } from "./bands.js";
import { valueText } from "./units.js";

const SVG = "http://www.w3.org/2000/svg";

/** Said of values that are marked by "≈". */
const ROUGH = "on the straight line between two rows, which do not show the impact between them";

/** True if a curve has no row of an impact at `t`, only before and after. */
function isRough(curve, bands, t) {
  const k = bands ? lastAt(curve.x, t) : -1;
  return k >= 0 && k + 1 < curve.x.length && curve.x[k] < t && hidesImpact(bands, curve.x[k], curve.x[k + 1]);
}

/** A short line as the curve is drawn, or the mark of measured points. */
export function swatch(color, dash, filled, marks = false) {
  const svg = document.createElementNS(SVG, "svg"),
    line = document.createElementNS(SVG, "line");
  const set = (node, attributes) =>
    Object.entries(attributes).forEach(([name, value]) => node.setAttribute(name, value));
  set(svg, { width: 26, height: 10, viewBox: "0 0 26 10", "aria-hidden": "true" });
  set(line, { x1: 1, y1: 5, x2: 25, y2: 5, stroke: color, "stroke-width": filled ? 9 : 2 });
  if (dash.length) line.setAttribute("stroke-dasharray", dash.join(" "));
  if (filled) line.setAttribute("stroke-opacity", "0.55");
  if (marks) {
    const circle = document.createElementNS(SVG, "circle");
    set(circle, { cx: 13, cy: 5, r: 3, fill: "none", stroke: color, "stroke-width": 1.5 });
    svg.append(circle);
  } else svg.append(line);
  return svg;
}

/** The value of the measured point nearest to `t`, NaN before the first and behind the last. */
function nearest({ x, values }, t) {
  const k = lastAt(x, t);
  if (k < 0 || t > x[x.length - 1]) return NaN;
  return values[k + 1 < x.length && x[k + 1] - t < t - x[k] ? k + 1 : k];
}

export class Legend {
  /** @param {import("./plot.js").Plot} plot */
  constructor(plot) {
    this.plot = plot;
    this.node = element("ul", { class: "p-legend", "aria-label": "curves" });
    this.texts = [];
  }

  /** One entry a curve. */
  fill() {
    this.node.textContent = "";
    const items = this.plot.curves.map((curve) => {
      const value = element("span", { class: "p-value" });
      this.node.append(
        element(
          "li",
          { title: curve.description || null },
          swatch(curveColor(curve.color), runDash(curve.run), curve.base, curve.marks),
          element(
            "span",
            { class: "p-name" },
            curve.label,
            curve.axis ? element("small", { text: " (right axis)" }) : null,
          ),
          value,
        ),
      );
      return value;
    });
    this.items = items;
    this.texts = items.map(() => "");
  }

  /** Values of curves over time at `t`. @param {number} t @param {boolean} hovering */
  values(t, hovering) {
    if (!this.plot.options.time || !this.items) return;
    this.node.classList.toggle("p-hovering", hovering);
    const bands = this.plot.options.bands?.();
    this.plot.curves.forEach((curve, k) => {
      const exact = curve.marks ? nearest(curve, t) : valueAt(curve.x, curve.values, t);
      // what is rounding beside the largest value reads as zero
      const value = Math.abs(exact) < curve.nothing ? 0 : exact;
      const rough = value !== 0 && !curve.marks && isRough(curve, bands, t);
      const text = Number.isFinite(value) ? (rough ? "≈ " : "") + valueText(value, curve.unit) : "";
      if (text === this.texts[k]) return;
      this.items[k].textContent = this.texts[k] = text;
      this.items[k].title = rough ? ROUGH : "";
    });
  }
}
