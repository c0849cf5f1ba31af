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
import { element } from "./plots/dom.js";
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
 * @param {import("./data.js").Run[]} runs
 */
function mountSceneLater(runs) {
  let scene = null;
  const shown = new Map();
  carom.drawn = new Promise((done) => {
    setTimeout(() => {
      scene = mountScene(document.getElementById("scene"), runs, clock);
      shown.forEach((on, index) => scene.showRun(index, on));
      carom.calls = () => scene.calls;
      if (scene.keptView) kept.restoreView(scene);
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
  const scene = mountSceneLater(runs);
  const player = mountPlayer(document.getElementById("player"), clock);
  fillHeader(runs, scene);
  const panels = mountPanels(runs, clock, kept);
  startKeyboard(clock, scene, player);
  carom.runs = runs;
  carom.plots = panels.plots;
  kept.restore();
  startLive(carom, scene);
  return runs;
}

/**
 * For scripts: the clock, the runs, a promise of the runs that holds when the page answers, one of the scene, and how many
 * calls the last picture of it took.
 */
const carom = { clock, runs: [], ready: null, drawn: null, calls: () => 0 };
window.carom = carom;
carom.ready = start().then((runs) => {
  document.documentElement.dataset.ready = "true";
  performance.mark("carom-ready");
  return runs;
});
