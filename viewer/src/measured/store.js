// The measured data of a page: those that it was made with, and those of files that were opened in it. They are offered
// among the channels, by names of their own.
import { sorted } from "./record.js";
import { siUnit, unitOf } from "./unit.js";

/** The family of their channels. */
export const MEASURED = "measured";

/** Whether a channel is one of measured data. @param {string} name */
export function isMeasured(name) {
  return name.startsWith(`${MEASURED}.`);
}

/** @typedef {{label: string, file: string, points: import("./record.js").Points, channel: object}} Measured */

export class Store {
  /** @param {import("../data.js").Run[]} runs */
  constructor(runs) {
    this.used = new Set(runs.flatMap((run) => run.channels.map((channel) => channel.unit)));
    /** @type {Map<string, Measured>} by the names of their channels */
    this.all = new Map();
    this.listeners = new Set();
    for (const own of runs.measured ?? []) {
      const known = unitOf(own.unit);
      const unit = known ? siUnit(own.unit, this.used) : own.unit;
      this.put({ label: own.label, file: own.file, points: sorted({ t: own.t, v: own.v, error: own.error, unit, over: own.over }) });
    }
  }

  /**
   * Adds data, in place of those of the same channel.
   * @param {{label: string, file: string, points: object}} data @param {string} [name] of the channel that they had
   */
  put({ label, file, points }, name) {
    const wanted = label || file || MEASURED;
    let own = wanted;
    for (let k = 2; this.all.has(`${MEASURED}.${own}`) && `${MEASURED}.${own}` !== name; k++) own = `${wanted} (${k})`;
    const channel = {
      name: `${MEASURED}.${own}`,
      channel: `${MEASURED}.${own}`,
      family: MEASURED,
      object: "",
      quantity: own,
      component: "",
      label: own,
      unit: points.unit,
      description: `${points.t.length} points${file ? ` of ${file}` : ""}`,
      groups: [],
    };
    if (name && name !== channel.name) this.all.delete(name);
    this.all.set(channel.name, { label: own, file, points, channel });
    this.tell(channel.name, name);
    return channel.name;
  }

  /** @param {string} name of a channel */
  remove(name) {
    if (this.all.delete(name)) this.tell(null, name);
  }

  /** @param {string|null} now name of the channel that has changed @param {string} [before] its name before */
  tell(now, before) {
    for (const listener of this.listeners) listener(now, before);
  }

  /** Points over indentations of a unit. @param {string} unit @returns {Measured[]} */
  loops(unit) {
    const { key } = unitOf(unit);
    return [...this.all.values()].filter(({ points }) => points.over === "m" && unitOf(points.unit)?.key === key);
  }

  /** @param {(now: string|null, before?: string) => void} listener */
  subscribe(listener) {
    this.listeners.add(listener);
  }

  /** What plots over time may show. */
  get channels() {
    return [...this.all.values()].filter(({ points }) => !points.over).map(({ channel }) => channel);
  }
}
