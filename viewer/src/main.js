// The result page: reads its data, then starts player, scene and panels on one clock.
import "./style.css";
import { clock } from "./clock.js";
import { decode } from "./data.js";
import { fillHeader } from "./header.js";
import { kept, startLive } from "./live/index.js";
import { startKeyboard } from "./keyboard.js";
import { mountPanels } from "./panels/index.js";
import { mountPlayer } from "./player.js";
import { mountScene } from "./scene/index.js";
import { Focus } from "./focus.js";
import { element } from "./plots/dom.js";
import { Selection } from "./selection.js";
import { startTabs } from "./tabs.js";
import { startTheme } from "./theme.js";

/**
 * First and last time of all runs, and the times the frame keys step through.
 * @param {import("./data.js").Run[]} runs
 */
function setTimes(runs) {
  let low = Infinity;
  let high = -Infinity;
  for (const run of runs) {
    for (const group of ["intervals", "steps", "snapshots"]) {
      const times = run.times(group);
      if (times.length) {
        low = Math.min(low, times[0]);
        high = Math.max(high, times[times.length - 1]);
      }
    }
  }
  clock.setRange(Number.isFinite(low) ? low : 0, Number.isFinite(high) ? high : 0);
  clock.seek(clock.t0);
  clock.setSnapshots(runs[0].times(runs[0].times("snapshots").length ? "snapshots" : "intervals"));
  clock.setImpacts(high > low ? runs[0].impacts : []);
}

/** Time for the first picture of plots and player before the scene is made [ms]. */
const FIRST_PICTURE = 50;

/**
 * The scene, made after the first picture: a browser that draws by software takes half a second for a context.
 * @param {import("./data.js").Run[]} runs @param {Selection} selection
 */
function mountSceneLater(runs, selection) {
  let scene = null;
  const shown = new Map();
  carom.drawn = new Promise((done) => {
    setTimeout(() => {
      scene = mountScene(document.getElementById("scene"), runs, clock, selection);
      shown.forEach((on, index) => scene.showRun(index, on));
      carom.calls = () => scene.calls;
      if (scene.keptView) kept.restoreView(scene);
      carom.seen = () => scene.seen;
      carom.place = (body) => scene.place?.(body) ?? null;
      document.documentElement.dataset.scene = "true";
      done();
    }, FIRST_PICTURE);
  });
  return {
    fit: () => scene?.fit(),
    toggle: (key) => scene?.toggle(key),
    stage: () => (scene?.keptView ? scene : null),
    showRun(index, on) {
      shown.set(index, on);
      scene?.showRun(index, on);
    },
  };
}

async function start() {
  startTheme();
  let runs;
  try {
    runs = await decode(document);
    if (!runs.length) throw new Error("This page has no run.");
  } catch (error) {
    document.getElementById("main").replaceChildren(element("p", { class: "notice bad", text: error.message }));
    return [];
  }
  setTimes(runs);
  startTabs();
  const selection = new Selection();
  const focus = new Focus(runs, clock, selection);
  const scene = mountSceneLater(runs, selection);
  const player = mountPlayer(document.getElementById("player"), clock, focus);
  focus.mount(document.getElementById("scene"));
  fillHeader(runs, scene);
  const panels = mountPanels(runs, clock, focus, kept);
  startKeyboard(clock, scene, player, focus);
  carom.runs = runs;
  carom.plots = panels.plots;
  kept.restore();
  startLive(carom, scene);
  return runs;
}

/**
 * For scripts: the clock, the runs, a promise of the runs that holds when the page answers, one of the scene, how many
 * calls the last picture of it took, and where in it the contact of the chosen impact and a body
 * are.
 */
const carom = { clock, runs: [], ready: null, drawn: null, calls: () => 0, seen: () => null, place: () => null };
window.carom = carom;
carom.ready = start().then((runs) => {
  document.documentElement.dataset.ready = "true";
  performance.mark("carom-ready");
  return runs;
});
