// Choosing an impact, from wherever: it is selected, so that scene and plots go to it, and it is played slowly. And the
// way back to the whole run, which stands above the scene as long as there is a selection.
import { element } from "./plots/dom.js";
import { valueText } from "./plots/units.js";

/** "impact 3 · hit · 112 kN, indented 0.48 mm" @param {object} impact */
export function impactText({ index, contact, peak_force: force, max_indentation: depth }) {
  const parts = [`impact ${index}`, contact];
  if (force > 0) parts.push(valueText(force, "N", 3) + (depth > 0 ? `, indented ${valueText(depth, "m", 3)}` : ""));
  return parts.join(" · ");
}

/** The impacts of a contact. @param {import("./data.js").Run} run @param {string} contact */
function ofContact(run, contact) {
  return run.impacts.filter((impact) => impact.contact === contact);
}

export class Focus {
  /**
   * @param {import("./data.js").Run[]} runs @param {import("./clock.js").Clock} clock
   * @param {import("./selection.js").Selection} selection
   */
  constructor(runs, clock, selection) {
    this.runs = runs;
    this.clock = clock;
    this.selection = selection;
  }

  /** @param {import("./data.js").Run} run @param {object} impact one of its impacts */
  choose(run, impact) {
    this.clock.playImpact(impact);
    this.selection.select(run, impact);
  }

  /** The next (+1) or previous (-1) impact of the first run. @param {number} direction */
  next(direction) {
    const impact = this.clock.neighbour(direction);
    if (impact) this.choose(this.runs[0], impact);
  }

  /** Back to the whole run, at the time that is shown. */
  clear() {
    if (!this.selection.impact) return;
    this.clock.pause();
    this.clock.leave();
    this.selection.select(null, null);
  }

  /** Which impact is chosen, and where the time is in it. */
  kept() {
    const { run, impact } = this.selection;
    if (!impact) return null;
    const number = ofContact(run, impact.contact).indexOf(impact);
    const { clock } = this;
    return { run: run.index, contact: impact.contact, number, after: clock.t - impact.onset, slow: clock.slow.on };
  }

  /** Chooses the impact of the same number of its contact, if there is one. @param {ReturnType<Focus["kept"]>|undefined} kept */
  restore(kept) {
    const run = this.runs[kept?.run];
    const impact = run && ofContact(run, kept.contact)[kept.number];
    if (!impact) return;
    this.clock.seek(impact.onset + kept.after);
    this.clock.recall(impact);
    this.clock.slow.on = kept.slow;
    this.selection.select(run, impact);
  }

  /** The sentence with the way back. @param {HTMLElement} home */
  mount(home) {
    const text = element("span", { role: "status" });
    const back = element("button", {
      type: "button",
      text: "Whole run",
      title: "Back to the whole run (Esc)",
      onclick: () => this.clear(),
    });
    const node = element("div", { class: "focus", hidden: true }, text, back);
    home.append(node);
    this.selection.subscribe(({ impact }) => {
      node.hidden = !impact;
      document.documentElement.toggleAttribute("data-impact", Boolean(impact));
      // a number stays beside its unit where the line is broken
      if (impact) text.textContent = text.title = impactText(impact).replace(/(?<=[\d⁰-⁹]) (?=[^·])/g, "\u00a0");
    });
  }
}
