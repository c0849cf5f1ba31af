// Fills the sections of the page with plots and tables of the runs.
import "uplot/dist/uPlot.min.css";
import "../plots/plots.css";
import "../panels.css";
import { followClock } from "../plots/ticker.js";
import { sharedBands } from "./card.js";
import { Store } from "../measured/store.js";
import { mountContacts } from "./contacts.js";
import { mountEnergy } from "./energy.js";
import { mountImpacts } from "./impacts.js";
import { mountModel } from "./model.js";
import { mountPlots } from "./plots.js";
import { mountSolver } from "./solver.js";

const PANELS = {
  plots: mountPlots,
  impacts: mountImpacts,
  contacts: mountContacts,
  energy: mountEnergy,
  solver: mountSolver,
  model: mountModel,
};

/**
 * Fills the sections #plots, #impacts, #contacts, #energy, #solver and #model.
 * @param {import("../data.js").Run[]} runs @param {object} clock @param {import("../focus.js").Focus} focus
 * @param {import("../live/keep.js").Kept} kept  of what was shown before @param {import("../scope.js").Scope} scope
 */
export function mountPanels(runs, clock, focus, kept, scope) {
  const context = {
    runs,
    clock,
    selection: focus.selection,
    focus,
    kept,
    scope,
    measured: new Store(runs),
    stem: runs[0]?.model_name || "carom",
    bands: sharedBands(runs),
  };
  for (const [id, mount] of Object.entries(PANELS)) {
    const section = document.getElementById(id);
    if (!section) continue;
    section.classList.add("p-panel");
    mount(section, context);
  }
  scope.add(followClock(clock));
  return context;
}
