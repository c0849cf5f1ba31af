// What stays as it is where other runs come in the place of those that are shown: camera, tab, time, plots and more. Who
// shows something takes what was kept of it, and says what is to be kept.

export class Kept {
  /** @param {Object<string, any>} [values]  by name */
  constructor(values = {}) {
    this.values = values;
    /** @type {Map<string, {keep: () => any, ofRuns: boolean}>} */
    this.keepers = new Map();
  }

  /**
   * @param {string} name @param {() => any} keep  what is to be kept of it; undefined: what was kept before
   * @param {boolean} [ofRuns]  false: it means the same where a pose is shown
   * @returns {any} what was kept, undefined: nothing
   */
  take(name, keep, ofRuns = true) {
    this.keepers.set(name, { keep, ofRuns });
    return this.values[name];
  }

  /** For what is shown next. @param {boolean} posed  a pose is shown now, which has no time @returns {Kept} */
  next(posed) {
    const values = { ...this.values };
    for (const [name, { keep, ofRuns }] of this.keepers) {
      const value = posed && ofRuns ? undefined : keep();
      if (value !== undefined) values[name] = value;
    }
    return new Kept(values);
  }
}
