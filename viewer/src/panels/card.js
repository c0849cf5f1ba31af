// A plot with its heading and buttons.
import { button, element } from "../plots/dom.js";
import { exportButtons } from "../plots/export.js";
import { Plot } from "../plots/plot.js";
import { allBands } from "../plots/bands.js";
import { menu } from "../plots/menu.js";
import { hardestImpact } from "../plots/series.js";
import { rangeOf } from "../selection.js";

/** @typedef {{runs: import("../data.js").Run[], clock: object, selection: import("../selection.js").Selection,
 *   focus: import("../focus.js").Focus, scope: import("../scope.js").Scope, kept: import("../live/keep.js").Kept,
 *   stem: string, bands: () => object}} Context what the panels share */

/** How near to the band of an impact a click chooses it, and the width of a band that shows the impact itself [px]. */
const NEAR = 5,
  MARK = 24;

/** The bands of all runs, made once. @param {import("../data.js").Run[]} runs */
export function sharedBands(runs) {
  let bands = null;
  return () => (bands ??= allBands(runs));
}

export class Card {
  /**
   * @param {Context} context @param {HTMLElement} host
   * @param {{title: string, height?: number, time?: boolean, x?: object, onSeek?: Function, place?: Function,
   *   tools?: Node[], items?: Node[]}} options  items: of the menu
   */
  constructor(context, host, options) {
    this.context = context;
    const { time = true } = options;
    this.heading = element("h2", { text: options.title });
    this.node = element("article", { class: "p-card" });
    this.bar = element(
      "div",
      { class: "p-bar" },
      this.heading,
      ...(options.tools || []),
      element("span", { class: "p-space" }),
    );
    this.node.append(this.bar);
    this.body = element("div", { class: "p-body" });
    this.node.append(this.body);
    host.append(this.node);
    this.plot = new Plot(this.body, {
      clock: context.clock,
      onBand: (t, pixel) => this.chooseNear(t, pixel),
      label: options.title,
      bands: context.bands,
      ...options,
    });
    const files = exportButtons(() => ({
      plot: this.plot,
      title: this.heading.textContent,
      stem: `${context.stem}-${this.heading.textContent}`,
    }));
    const items = [...this.zoomButtons(time), ...files, ...(options.items ?? [])];
    this.bar.append(...this.viewButtons(time), menu(`More tools of ${options.title || "this plot"}`, items));
    if (time) this.link();
    this.release = context.scope.add(() => this.destroy());
  }

  /** Chooses an impact of which no more than a mark is seen. @param {number} t @param {number} pixel [s] */
  chooseNear(t, pixel) {
    let best = { far: NEAR * pixel, run: null, impact: null };
    for (const run of this.context.runs)
      for (const impact of run.impacts) {
        const far = Math.max(impact.onset - t, t - impact.onset - (impact.duration || 0));
        if (far < best.far && !(impact.duration > MARK * pixel)) best = { far, run, impact };
      }
    if (best.impact) this.context.focus.choose(best.run, best.impact);
  }

  /** Goes along with the selection: to the impact, and back to what was shown before. */
  link() {
    const { selection } = this.context;
    const { plot } = this;
    let before = null,
      near = false;
    const show = ({ impact }) => {
      if (!near) before = plot.view;
      near = Boolean(impact);
      plot.show(impact ? rangeOf(impact) : before);
    };
    this.before = () => (near ? before : plot.view);
    this.unlink = selection.subscribe(show);
    if (selection.impact) show(selection);
  }

  /** What stands beside the heading. */
  viewButtons(time) {
    const { plot, context } = this;
    const all = button("All", "Show all (double click in the plot)", () => plot.show(null));
    if (!time || !context.runs.some((run) => run.impacts.length)) return [all];
    const impact = "Zoom to the impact at the present time, else the selected or the hardest one";
    return [all, button("Impact", impact, () => this.showImpact())];
  }

  /** What stands in the menu to zoom. */
  zoomButtons(time) {
    const { plot } = this;
    const zoom = button(
      "Zoom by dragging",
      "Zoom by dragging (or drag with shift held)",
      () => {
        plot.zooming = !plot.zooming;
        zoom.setAttribute("aria-pressed", String(plot.zooming));
        plot.node.classList.toggle("p-zooming", plot.zooming);
        if (plot.u) plot.u.over.style.touchAction = plot.zooming ? "none" : "pan-y";
      },
      { "aria-pressed": "false" },
    );
    if (!time) return [zoom];
    return [button("Zoom in", "Zoom in", () => plot.zoom(0.5)), button("Zoom out", "Zoom out", () => plot.zoom(2)), zoom];
  }

  /** Zooms to the impact at the present time, else to the selected or the hardest one. */
  showImpact() {
    const { runs, clock, selection } = this.context;
    const now = runs
      .flatMap((run) => run.impacts)
      .find((i) => clock.t >= i.onset && clock.t <= i.onset + i.duration);
    const impact = now ?? selection.impact ?? hardestImpact(runs[0]);
    if (impact) this.plot.show(rangeOf(impact));
  }

  setTitle(title, more = title) {
    this.heading.textContent = title;
    this.heading.title = more;
    this.plot.options.label = title;
    this.plot.node.setAttribute("aria-label", title);
  }

  /** Takes it away before the page shows something else. */
  remove() {
    this.release();
  }

  destroy() {
    this.unlink?.();
    this.plot.destroy();
    this.node.remove();
  }
}
