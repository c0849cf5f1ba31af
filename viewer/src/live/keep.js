// What a page shows is kept while it is loaded anew: camera, tab, time, plots. In the browser's memory of this tab.
import { clock } from "../clock.js";
import { showSection } from "../tabs.js";

const KEY = "carom-view";

/** What was kept of the page before. */
export class Kept {
  /** @param {object} values */
  constructor(values) {
    this.values = values;
  }

  static take() {
    try {
      return new Kept(JSON.parse(sessionStorage.getItem(KEY) ?? "{}"));
    } catch {
      return new Kept({});
    }
  }

  /** Plots of the page before, if it showed runs; only those of channels that there are. @param {Set<string>} names */
  plots(names) {
    const { plots } = this.values;
    const found = (plots ?? []).map((plot) => ({ ...plot, names: plot.names.filter((name) => names.has(name)) }));
    return found.some((plot) => plot.names.length) ? found.filter((plot) => plot.names.length) : null;
  }

  /** Before the first picture. */
  restore() {
    const { tab, time } = this.values;
    if (tab && document.getElementById(tab)) showSection(tab);
    if (Number.isFinite(time)) clock.seek(Math.min(Math.max(time, clock.t0), clock.t1));
  }

  /** Once the scene is there. @param {object} stage */
  restoreView(stage) {
    if (this.values.view) stage.takeView(this.values.view);
  }
}

/** @param {object} carom @param {object} scene @param {"pose"|"run"} kind  of the page */
export function keep(carom, scene, kind) {
  const before = Kept.take().values;
  const values = {
    view: scene.stage()?.keptView() ?? before.view,
    tab: document.querySelector('#tabs [aria-selected="true"]')?.getAttribute("aria-controls"),
    time: kind === "run" ? clock.t : before.time,
    plots: kind === "run" ? carom.plots?.() : before.plots,
  };
  try {
    sessionStorage.setItem(KEY, JSON.stringify(values));
  } catch {
    // without that memory the page begins anew
  }
}
