// What is selected on the page: an impact of a run. Panels follow it.

export class Selection {
  constructor() {
    /** @type {object|null} */
    this.impact = null;
    /** @type {import("../data.js").Run|null} */
    this.run = null;
    this.listeners = new Set();
  }

  /** @param {import("../data.js").Run} run @param {object|null} impact one of its impacts */
  select(run, impact) {
    if (this.run === run && this.impact === impact) return;
    this.run = run;
    this.impact = impact;
    for (const listener of this.listeners) listener(this);
  }

  /** @param {(selection: Selection) => void} listener */
  subscribe(listener) {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  }
}

/** The range of time of an impact, with half its duration around. @param {object} impact */
export function rangeOf(impact) {
  const duration = impact.duration > 0 ? impact.duration : 1e-4;
  return { x0: impact.onset - 0.5 * duration, x1: impact.onset + 1.5 * duration };
}
