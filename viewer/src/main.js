// The result page: reads its data, then starts player, scene and panels on one clock. What `carom view` sends later takes
// the same way.
import "./style.css";
import { clock } from "./clock.js";
import { decode } from "./data.js";
import { fillHeader } from "./header.js";
import { startLive } from "./live/index.js";
import { startKeyboard } from "./keyboard.js";
import { Kept } from "./kept.js";
import { mountPanels } from "./panels/index.js";
import { mountPlayer } from "./player.js";
import { hasEasel, mountScene } from "./scene/index.js";
import { Focus } from "./focus.js";
import { element } from "./plots/dom.js";
import { Scope } from "./scope.js";
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
  clock.leave();
  clock.setRange(Number.isFinite(low) ? low : 0, Number.isFinite(high) ? high : 0);
  clock.seek(clock.t0);
  clock.setSnapshots(runs[0].times(runs[0].times("snapshots").length ? "snapshots" : "intervals"));
  clock.setImpacts(high > low ? runs[0].impacts : []);
}

/** Time for the first picture of plots and player before the scene is made [ms]. */
const FIRST_PICTURE = 50;

/**
 * The scene, the first one after the first picture: a browser that draws by software takes half a second for a context.
 * @param {import("./data.js").Run[]} runs @param {Selection} selection @param {Kept} kept @param {Scope} scope
 */
function mountSceneLater(runs, selection, kept, scope) {
  let scene = null;
  const shown = new Map();
  delete document.documentElement.dataset.scene;
  const mount = () => {
    scene = mountScene(document.getElementById("scene"), runs, clock, selection, kept, scope);
    shown.forEach((on, index) => scene.showRun(index, on));
    carom.calls = () => scene.calls;
    carom.seen = () => scene.seen;
    carom.place = (body) => scene.place?.(body) ?? null;
    document.documentElement.dataset.scene = "true";
  };
  return {
    /** Holds once it is drawn. */
    drawn: new Promise((done) => {
      const draw = () => {
        mount();
        done();
      };
      if (hasEasel()) queueMicrotask(draw);
      else setTimeout(draw, FIRST_PICTURE);
    }),
    fit: () => scene?.fit(),
    toggle: (key) => scene?.toggle(key),
    stage: () => (scene?.keptView ? scene : null),
    showRun(index, on) {
      shown.set(index, on);
      scene?.showRun(index, on);
    },
  };
}

/** What is shown: the scope that it ends with, its data, and what answers to keys. */
const page = { scope: null, kept: new Kept(), runs: [], scene: null, player: null, focus: null, show };

/** The elements of the page before anything was shown. @type {HTMLElement} */
let frame = null;

/**
 * Shows runs, in place of those that were shown.
 * @param {import("./data.js").Run[]} runs @param {Kept} kept
 */
async function show(runs, kept) {
  const main = document.getElementById("main");
  const before = page.scope;
  const focused = document.activeElement;
  const scope = new Scope();
  frame ??= main.cloneNode(true);
  main.replaceChildren(...frame.cloneNode(true).childNodes);
  setTimes(runs);
  const scroll = startTabs(kept);
  const selection = new Selection();
  const focus = new Focus(runs, clock, selection);
  const scene = mountSceneLater(runs, selection, kept, scope);
  const player = mountPlayer(document.getElementById("player"), clock, focus, scope);
  focus.mount(document.getElementById("scene"));
  fillHeader(runs, scene);
  mountPanels(runs, clock, focus, kept, scope);
  clock.restore(kept.take("clock", () => clock.kept()));
  scroll();
  focus.restore(kept.take("impact", () => focus.kept()));
  Object.assign(page, { scope, kept, runs, scene, player, focus });
  carom.runs = runs;
  carom.drawn = scene.drawn;
  if (!before) return;
  await scene.drawn;
  // the new scene has taken over what both use
  before.end();
  (focused?.isConnected ? focused : document.getElementById(focused?.id))?.focus({ preventScroll: true });
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
  show(runs, page.kept);
  startKeyboard(clock, page);
  startLive(carom, page);
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
