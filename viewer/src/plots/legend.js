// The legend below a plot: a swatch, channel and run, and the value at the pointer or at the present time.
import { valueAt } from "./decimate.js";
import { curveColor, runDash } from "./palette.js";
import { element } from "./dom.js";
import { valueText } from "./units.js";

const SVG = "http://www.w3.org/2000/svg";

/** A short line as the curve is drawn. */
export function swatch(color, dash, filled) {
  const svg = document.createElementNS(SVG, "svg"),
    line = document.createElementNS(SVG, "line");
  const set = (node, attributes) =>
    Object.entries(attributes).forEach(([name, value]) => node.setAttribute(name, value));
  set(svg, { width: 26, height: 10, viewBox: "0 0 26 10", "aria-hidden": "true" });
  set(line, { x1: 1, y1: 5, x2: 25, y2: 5, stroke: color, "stroke-width": filled ? 9 : 2 });
  if (dash.length) line.setAttribute("stroke-dasharray", dash.join(" "));
  if (filled) line.setAttribute("stroke-opacity", "0.55");
  svg.append(line);
  return svg;
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
          { title: curve.sentence || null },
          swatch(curveColor(curve.color), runDash(curve.run), curve.base),
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
    this.plot.curves.forEach((curve, k) => {
      const value = valueAt(curve.x, curve.values, t);
      const text = Number.isFinite(value) ? valueText(value, curve.unit) : "";
      if (text !== this.texts[k]) this.items[k].textContent = this.texts[k] = text;
    });
  }
}
