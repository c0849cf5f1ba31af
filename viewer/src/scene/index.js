// The scene: decides what can be drawn, and says it in a sentence where nothing can.
import { setConsoleFunction, SRGBColorSpace, WebGLRenderer } from "three";
import "./scene.css";
import { element } from "../plots/dom.js";
import { Stage } from "./stage.js";

/**
 * @typedef {{fit(): void, toggle(key: "labels"|"trails"): void, showRun(index: number, shown: boolean): void, calls: number,
 *   seen: object|null}} SceneControls
 */

/** @type {SceneControls} */
const NOTHING = { fit() {}, toggle() {}, showRun() {}, calls: 0, seen: null };

const NO_WEBGL = "This browser has no WebGL, so the motion is not drawn; plots and tables work.";
const LOST =
  "The browser took the drawing context away, so the motion is not drawn for the moment; plots and tables work.";

/** A drawing context, or null. @param {HTMLCanvasElement} canvas */
function contextOf(canvas) {
  try {
    return canvas.getContext("webgl2", { antialias: true, alpha: false, stencil: false });
  } catch {
    return null;
  } finally {
    // the context that index.html began in a worker has done its part
    window.caromWarm?.terminate();
  }
}

/**
 * What draws all scenes of the page, one after the other; null: nothing can.
 * @type {WebGLRenderer|null|undefined}
 */
let easel;

/** Whether there is a drawing context already. */
export function hasEasel() {
  return easel !== undefined;
}

function makeEasel() {
  const canvas = element("canvas", { tabindex: "0", role: "img", "aria-label": "The motion of the model" });
  const context = contextOf(canvas);
  if (!context) return null;
  // a lost context is told in the page, not in the console
  setConsoleFunction(() => {});
  const made = new WebGLRenderer({ canvas, context, antialias: true });
  made.outputColorSpace = SRGBColorSpace;
  made.debug.checkShaderErrors = false;
  return made;
}

/**
 * @param {HTMLElement} home @param {import("../data.js").Run[]} runs @param {import("../clock.js").Clock} clock
 * @param {import("../selection.js").Selection} selection @param {import("../kept.js").Kept} kept
 * @param {import("../scope.js").Scope} scope @returns {SceneControls}
 */
export function mountScene(home, runs, clock, selection, kept, scope) {
  const say = (sentence) => {
    const notice = element("p", { class: "notice", text: sentence });
    home.append(notice);
    return notice;
  };
  const drawn = runs.filter((run) => run.scene && run.snapshots.times.length);
  if (!drawn.length) {
    const [first] = runs;
    say(
      first.scene
        ? "This result has no recorded motion to draw: run the model again. Plots and tables work."
        : first.scene_reason || "There is no model to draw. Plots and tables work.",
    );
    return NOTHING;
  }
  easel ??= makeEasel();
  if (!easel) {
    say(NO_WEBGL);
    return NOTHING;
  }
  const canvas = easel.domElement;
  home.append(canvas);
  const stage = new Stage(home, easel, runs, clock, scope);
  const before = kept.take("view", () => stage.keptView(), false);
  if (before) stage.takeView(before);
  stage.resize();
  selection.subscribe((chosen) => stage.framing.select(chosen));
  if (selection.impact) stage.framing.select(selection, before?.planar === stage.planar ? before.near : null);
  const lost = say(LOST);
  lost.hidden = true;
  scope.listen(canvas, "webglcontextlost", () => {
    lost.hidden = false;
  });
  scope.listen(canvas, "webglcontextrestored", () => {
    lost.hidden = true;
    stage.redraw();
  });
  stage.redraw();
  return stage;
}
