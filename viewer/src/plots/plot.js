// One plot: what it shows, which range, and where the present time is in it.
import { visibleBands } from "./bands.js";
import { decimate } from "./decimate.js";
import { planAxis, valueText, widen } from "./units.js";
import { curveColor, onTheme, runDash } from "./palette.js";
import { element } from "./dom.js";
import { appeared, follow, forget, repaint } from "./ticker.js";
import { Legend } from "./legend.js";
import { chartSize, createChart } from "./chart.js";
import { connectPointer } from "./pointer.js";
import { allPoints, logarithms, markedPoints } from "./paint.js";

/** @typedef {{name: string, label: string, unit: string, type: string, x: ArrayLike<number>, y: ArrayLike<number>,
 *   axis: number, color: number, run: number, base?: ArrayLike<number>|null, raw?: ArrayLike<number>,
 *   t?: ArrayLike<number>, marks?: boolean, error?: ArrayLike<number>|null}} Curve
 * `base`: the lower edge of an area; `raw`: the values that y was made of; `t`: the times of a curve over no time;
 * `marks`: measured points over time, each marked, with their errors */
/** @typedef {{label: string, unit: string, log?: boolean}} AxisWish */

/** The largest magnitude of a column. */
function largest(values) {
  let size = 0;
  for (let k = 0; k < values.length; k++) if (Math.abs(values[k]) > size) size = Math.abs(values[k]);
  return Number.isFinite(size) ? size : 0;
}

export class Plot {
  /**
   * @param {HTMLElement} host
   * @param {{clock: object, label: string, height?: number, time?: boolean, x?: AxisWish,
   *   onSeek?: (x: number, y: number) => void, onBand?: (t: number, pixel: number) => void,
   *   place?: (t: number) => [number, number]|null,
   *   bands?: () => import("./bands.js").Bands}} options
   */
  constructor(host, options) {
    this.options = { height: 220, time: true, x: { label: "time", unit: "s" }, ...options };
    this.clock = options.clock;
    /** @type {Curve[]} */
    this.curves = [];
    /** @type {AxisWish[]} */
    this.axes = [{ label: "", unit: "" }];
    /** Shown range, null: all. @type {{x0: number, x1: number, y0?: number, y1?: number}|null} */
    this.view = null;
    this.hover = null;
    this.zooming = false;
    this.seen = false;
    this.stale = true;
    this.node = element("div", { class: "p-plot", role: "img", tabindex: "-1", "aria-label": options.label });
    this.legend = new Legend(this);
    host.append(this.node, this.legend.node);
    this.resizing = new ResizeObserver(() => this.resized());
    this.resizing.observe(this.node);
    this.seeing = new IntersectionObserver(
      (entries) => {
        this.seen = entries[entries.length - 1].isIntersecting;
        if (this.seen) {
          appeared(this);
          this.moveTime(this.clock.t);
          this.showValues();
        }
      },
      { rootMargin: "100px" },
    );
    this.seeing.observe(this.node);
    this.themed = onTheme(() => {
      this.legend.fill();
      repaint(this);
    });
    follow(this);
  }

  destroy() {
    forget(this);
    this.resizing.disconnect();
    this.seeing.disconnect();
    this.themed();
    this.u?.destroy();
    this.node.remove();
    this.legend.node.remove();
  }

  /** @param {Curve[]} curves @param {AxisWish[]} axes one or two, left and right */
  set(curves, axes) {
    this.curves = curves.map((curve) => ({
      ...curve,
      values: curve.raw ?? curve.y,
      nothing: axes[curve.axis]?.log ? 0 : 1e-12 * largest(curve.raw ?? curve.y),
      y: axes[curve.axis]?.log ? logarithms(curve.y) : curve.y,
    }));
    if (axes.length !== this.axes.length && this.u) {
      this.u.destroy();
      this.u = null;
    }
    this.axes = axes;
    this.legend.fill();
    repaint(this);
  }

  /** @param {{x0: number, x1: number, y0?: number, y1?: number}|null} view null: all */
  show(view) {
    this.view = view && view.x1 > view.x0 ? view : null;
    this.node.dataset.view = this.view ? `${this.view.x0} ${this.view.x1}` : "all";
    repaint(this);
  }

  /** Zooms about the middle or a place. @param {number} factor below 1: closer */
  zoom(factor, at = NaN) {
    const { low, high } = this.xAxis || { low: 0, high: 1 };
    const centre = Number.isFinite(at)
      ? at
      : this.options.time && this.clock.t > low && this.clock.t < high
        ? this.clock.t
        : (low + high) / 2;
    const x0 = centre - (centre - low) * factor,
      x1 = centre + (high - centre) * factor;
    if (x1 - x0 > 1e-12 * Math.max(Math.abs(x0), Math.abs(x1), 1e-30)) this.clampView(x0, x1);
  }

  /** Shows a range, moved into what there is; all of it shows all. */
  clampView(x0, x1) {
    const [low, high] = this.fullRange();
    const width = x1 - x0;
    if (width >= (high - low) * (1 - 1e-9)) return this.show(null);
    const from = Math.min(Math.max(x0, low), high - width);
    return this.show({ x0: from, x1: from + width });
  }

  // ---- geometry ----

  /** Range of x of all curves. @returns {[number, number]} */
  fullRange() {
    let low = Infinity,
      high = -Infinity;
    for (const { x } of this.curves) {
      if (this.options.time) {
        if (x.length) {
          low = Math.min(low, x[0]);
          high = Math.max(high, x[x.length - 1]);
        }
      } else
        for (let k = 0; k < x.length; k++) {
          if (x[k] < low) low = x[k];
          if (x[k] > high) high = x[k];
        }
    }
    return this.options.time && high > low ? [low, high] : widen(low, high, 0.04);
  }

  /** Range of x that is shown: of a view over time the part that there is. @returns {[number, number]} */
  shownRange() {
    const [low, high] = this.fullRange();
    if (!this.view) return [low, high];
    const { x0, x1 } = this.view;
    if (!this.options.time || x1 <= low || x0 >= high) return [x0, x1];
    return [Math.max(x0, low), Math.min(x1, high)];
  }

  /** Points of the curves, planned axes. @param {number} width @param {number} height of the plotted area */
  plan(width, height) {
    const [x0, x1] = this.shownRange();
    const columns = Math.max(50, Math.round(width));
    const lows = [Infinity, Infinity],
      highs = [-Infinity, -Infinity];
    // the upper edge of an area is the base of the next
    const made = new Map();
    const pointsOf = (x, y) => {
      if (!made.has(y)) made.set(y, this.options.time ? decimate(x, y, x0, x1, columns) : allPoints(x, y));
      return made.get(y);
    };
    const drawn = this.curves.map((curve) => {
      const points = curve.marks
          ? markedPoints(curve.x, curve.y, curve.error, x0, x1)
          : pointsOf(curve.x, curve.y),
        base = curve.base ? pointsOf(curve.x, curve.base) : null;
      lows[curve.axis] = Math.min(lows[curve.axis], points.low, base ? base.low : Infinity);
      highs[curve.axis] = Math.max(highs[curve.axis], points.high, base ? base.high : -Infinity);
      return {
        curve,
        points,
        base,
        label: curve.label,
        color: curveColor(curve.color),
        dash: runDash(curve.run),
        axis: curve.axis,
        marks: curve.marks,
      };
    });
    const ticks = Math.min(10, Math.max(2, Math.floor(height / 24)));
    const y = this.axes.map(({ label, unit, log }, side) => {
      let [low, high] = widen(lows[side], highs[side]);
      if (log && high - low < 1)
        [low, high] = [Math.floor(low), Math.floor(low) + Math.max(1, Math.ceil(high - Math.floor(low)))];
      if (this.view?.y1 > this.view?.y0 && side === 0) [low, high] = [this.view.y0, this.view.y1];
      return planAxis({ label, unit, low, high, ticks, log });
    });
    const x = planAxis({ ...this.options.x, low: x0, high: x1, ticks: Math.max(2, Math.floor(width / 60)) });
    return { x, y, drawn, empty: !lows.some(Number.isFinite) };
  }

  /** Bands of impacts and of contacts that last, between x0 and x1. @returns {{impacts: object[], rests: object[]}} */
  shownBands(x0, x1, columns) {
    const bands = this.options.bands && this.options.time ? this.options.bands() : null;
    if (!bands) return { impacts: [], rests: [] };
    return { impacts: visibleBands(bands, x0, x1, columns), rests: visibleBands(bands.rests, x0, x1, columns) };
  }

  // ---- drawing ----

  resized() {
    const width = Math.floor(this.node.clientWidth);
    if (!width || width === this.width) return;
    this.width = width;
    if (this.u) this.u.setSize({ width, height: this.options.height });
    repaint(this);
  }

  paint() {
    if (!this.width) return;
    const size = this.u ? chartSize(this.u) : { width: this.width - 80, height: this.options.height - 50 };
    const plan = this.plan(size.width, size.height);
    this.xAxis = plan.x;
    this.yAxes = plan.y;
    this.drawn = plan.drawn;
    this.node.classList.toggle("p-empty", plan.empty);
    if (this.u) this.u.redraw(false, true);
    else {
      this.node.textContent = "";
      Object.assign(this, createChart(this));
      connectPointer(this);
    }
    this.moveTime(this.clock.t);
    this.showValues();
    this.tellRange();
  }

  /** Says to a screen reader what is shown. */
  tellRange() {
    const { low, high } = this.xAxis;
    const { label, unit } = this.options.x;
    const [from, to] = [low, high].map((value) => valueText(value, unit, 8));
    this.node.setAttribute("aria-label", `${this.options.label}: ${label} from ${from} to ${to}`);
  }

  // ---- present time ----

  /** Moves the line of the present time, or the dot on a curve over something else. @param {number} t */
  moveTime(t) {
    if (!this.u) return;
    if (this.dot) {
      this.moveDot(t);
      return;
    }
    const part = (t - this.xAxis.low) / (this.xAxis.high - this.xAxis.low);
    const inside = part >= 0 && part <= 1;
    if (this.line.hidden !== !inside) this.line.hidden = !inside;
    if (inside) this.line.style.transform = `translateX(${part * chartSize(this.u).width}px)`;
  }

  moveDot(t) {
    const at = this.options.place?.(t);
    const part = (value, { low, high }) => (value - low) / (high - low);
    const x = at ? part(at[0], this.xAxis) : NaN;
    const y = at ? part(at[1], this.yAxes[0]) : NaN;
    const inside = x >= 0 && x <= 1 && y >= 0 && y <= 1;
    this.dot.hidden = !inside;
    this.line.hidden = true;
    const { width, height } = chartSize(this.u);
    if (inside) this.dot.style.transform = `translate(${x * width}px, ${(1 - y) * height}px)`;
  }

  showValues() {
    this.legend.values(this.hover ?? this.clock.t, this.hover !== null);
  }
}
