// How many columns of a table fit where it stands; the others follow at the touch of a button.
import { button } from "../plots/dom.js";

const LEAST = 3;

export class Columns {
  /**
   * @param {HTMLElement} scroller @param {HTMLTableElement} table @param {number} count of all columns
   * @param {import("../scope.js").Scope} scope @param {() => void} changed  makes the table again, with `shown` columns
   */
  constructor(scroller, table, count, scope, changed) {
    this.scroller = scroller;
    this.table = table;
    this.count = count;
    this.changed = changed;
    this.all = false;
    this.shown = count;
    this.width = 0;
    this.button = button("All columns", `Show all ${count} columns, or those that fit`, () => {
      this.all = !this.all;
      this.button.setAttribute("aria-pressed", String(this.all));
      this.fit();
    });
    this.button.setAttribute("aria-pressed", "false");
    scope.observeSize(scroller, () => {
      if (scroller.clientWidth !== this.width) this.fit();
    });
  }

  /** Shows as many columns as have room. */
  fit() {
    const { scroller, table } = this;
    this.width = scroller.clientWidth;
    if (!this.width) return;
    this.shown = this.count;
    this.changed();
    const width = () => table.getBoundingClientRect().width;
    const short = width() > this.width;
    this.button.hidden = !short && !this.all;
    while (!this.all && width() > this.width + 0.5 && this.shown > LEAST) {
      // the last columns that do not fit, as they stand now
      const heads = [...table.tHead.rows[0].cells];
      const end = table.getBoundingClientRect().left + this.width + 0.5;
      const fitting = heads.filter((head) => head.getBoundingClientRect().right <= end).length;
      this.shown = Math.max(LEAST, Math.min(this.shown - 1, fitting));
      this.changed();
    }
  }
}
