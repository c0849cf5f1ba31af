// What is selected on the page: an impact of a run, or nothing. Scene, player and panels follow it.

export class Selection {
  constructor() {
    /** @type {object|null} */
    this.impact = null;
    /** @type {import("./data.js").Run|null} */
    this.run = null;
    this.listeners = new Set();
  }

  /** @param {import("./data.js").Run|null} run @param {object|null} impact one of its impacts; null: the whole run */
  select(run, impact) {
    if (!impact && !this.impact) return;
    this.run = impact ? run : null;
    this.impact = impact;
    for (const listener of this.listeners) listener(this);
  }

  /** @param {(selection: Selection) => void} listener @returns {() => void} ends the subscription */
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
