// One frame handler for all plots: draws those that are seen for the first time at once, as frames may be seconds apart
// without a graphics card, and redraws those that changed and are seen, a few milliseconds at a time; moves the
// line of the present time, and renews the values in the legends now and then.

const BUDGET = 5; // milliseconds of drawing in one frame
const VALUES_EVERY = 120; // milliseconds between updates of the legends

/** @type {Set<object>} plots with paint(), moveTime(t), showValues(), seen, and u once they are drawn */
const plots = new Set();
const dirty = new Set();
let scheduled = false,
  valuesAt = 0,
  valuesTimer = 0;

function frame() {
  scheduled = false;
  const start = performance.now();
  for (const plot of dirty) {
    if (plot.u && performance.now() - start > BUDGET) continue;
    dirty.delete(plot);
    if (plot.seen) plot.paint();
    else plot.stale = true;
  }
  if (dirty.size) schedule();
}

function schedule() {
  if (scheduled) return;
  scheduled = true;
  requestAnimationFrame(frame);
}

/** Asks for a new picture of a plot. */
export function repaint(plot) {
  dirty.add(plot);
  schedule();
}

/** A plot came into sight: draws what it missed. */
export function appeared(plot) {
  if (plot.stale) repaint(plot);
  plot.stale = false;
}

function showValues() {
  valuesTimer = 0;
  valuesAt = performance.now();
  for (const plot of plots) if (plot.seen) plot.showValues();
}

/** Adds a plot to those that follow the clock. */
export function follow(plot) {
  plots.add(plot);
}

export function forget(plot) {
  plots.delete(plot);
  dirty.delete(plot);
}

/**
 * Connects the plots with the page's clock.
 * @param {{subscribe: (listener: (t: number) => void) => () => void}} clock @returns {() => void} ends it
 */
export function followClock(clock) {
  return clock.subscribe((t) => {
    for (const plot of plots) if (plot.seen) plot.moveTime(t);
    if (!valuesTimer)
      valuesTimer = setTimeout(showValues, Math.max(0, VALUES_EVERY - (performance.now() - valuesAt)));
  });
}
