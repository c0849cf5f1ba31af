// The settings of measured data: columns and units of a file, the impact at whose onset they are put, and by how much they
// are moved. What is chosen is shown at once.
import { impactText } from "../focus.js";
import { button, choice, element } from "../plots/dom.js";
import { pick } from "../plots/pick.js";
import { hardestImpact } from "../plots/series.js";
import { optionText, placed, pointsOf } from "./record.js";
import { unitOf } from "./unit.js";

/** A file whose times cover so much of the run counts them as the run does. */
const WHOLE = 0.5;

/** The heading that names a quantity best: the first that matches, else column `otherwise`. */
function guess(columns, pattern, otherwise) {
  return (columns.find(({ name }) => pattern.test(name)) ?? columns[Math.min(otherwise, columns.length - 1)]).name;
}

/** What a file most likely has: times first, then values, and errors where a heading says so. */
function guessed(columns) {
  const x = guess(columns, /^(t|time|zeit)\b/i, 0);
  const rest = columns.filter(({ name, text }) => name !== x && !text);
  const isError = ({ name }) => /^(sd|sigma|std|err|error|uncertainty|±)/i.test(name);
  const values = rest.filter((column) => !isError(column));
  return {
    x,
    xUnit: "",
    y: (values[0] ?? columns[0]).name,
    unit: "",
    error: rest.find(isError)?.name ?? "",
    errorUnit: "",
    dx: 0,
    dy: 0,
  };
}

export class MeasuredCard {
  /**
   * @param {object} context what the panels share, with `measured`
   * @param {{file: string, columns: object[]|null, name?: string, settings?: object}} source  `columns`: of a file; null:
   * the points of the channel `name` are given
   * @param {(card: MeasuredCard) => void} onremove
   */
  constructor(context, { file, columns, name, settings }, onremove) {
    Object.assign(this, { context, file, columns, name });
    const { impacts } = context.runs[0];
    this.given = name ? context.measured.all.get(name) : null;
    const label = this.given?.label ?? file.replace(/\.[^.]*$/, "");
    this.settings = settings ?? { label, impact: 0, ...(columns ? guessed(columns) : { dx: 0, dy: 0 }) };
    if (this.settings.impact > impacts.length) this.settings.impact = 0;
    if (!settings && columns) this.settings.impact = this.usualImpact();
    this.said = element("p", { class: "p-note", role: "status" });
    this.option = element("code", {});
    const remove = button("Remove", `Remove ${label}`, () => {
      context.measured.remove(this.name);
      onremove(this);
    });
    const field = (text, ...inputs) => element("label", {}, `${text} `, ...inputs);
    const put = (key) => (value) => this.change(key, value);
    this.dx = this.number("Move in time", "dx");
    this.dy = this.number("Move the values", "dy");
    const parts = [field("Name", this.text("Name in the legend", "label", 14)), ...(columns ? this.columnFields(field) : [])];
    if (impacts.length)
      parts.push(
        field(
          "Onset",
          pick(
            `Onset of ${label}`,
            [["0", "as the times say"], ...impacts.map((impact, k) => [String(k + 1), `at ${impactText(impact)}`])],
            String(this.settings.impact),
            (value) => put("impact")(Number(value)),
          ),
        ),
      );
    parts.push(field("Move by", this.dx, " s, ", this.dy), remove);
    this.node = element(
      "fieldset",
      { class: "p-measured" },
      element("legend", { text: file || label }),
      element("div", { class: "p-bar p-controls" }, ...parts),
      this.said,
      columns ? element("p", { class: "p-hint" }, "As an option of carom plot and carom report: ", this.option) : null,
    );
    if (columns) this.update();
  }

  columnFields(field) {
    const names = this.columns.map(({ name }) => [name, name]);
    const column = (label, key, all) =>
      choice(label, all, this.settings[key], (value) => {
        this.change(key, value);
      });
    const unitOfColumn = (label, key) => this.text(label, key, 5);
    return [
      field("Values", column("Column of the values", "y", names), unitOfColumn("Unit of the values", "unit")),
      field("± ", column("Column of the errors", "error", [["", "none"], ...names])),
      field("over", column("Column of the times", "x", names), unitOfColumn("Unit of the times", "xUnit")),
    ];
  }

  /** A field for a text of the settings. */
  text(label, key, size) {
    const input = element("input", {
      type: "text",
      size,
      "aria-label": label,
      title: label,
      onchange: () => this.change(key, input.value.trim()),
    });
    input.value = this.settings[key];
    return input;
  }

  number(label, key) {
    const input = element("input", {
      type: "text",
      inputmode: "decimal",
      class: "p-number",
      "aria-label": `${label}, such as 0.2 ms`,
      title: `${label}, in SI or with a unit: 0.2 ms`,
      onchange: () => this.moved(key, input.value.trim()),
    });
    input.value = String(this.settings[key] || 0);
    return input;
  }

  /** A number with or without a unit. */
  moved(key, text) {
    const [, number, unit] = /^([-+]?[\d.]+(?:e[-+]?\d+)?)\s*\*?\s*(.*)$/i.exec(text) ?? [];
    const known = unitOf(unit ?? "");
    if (!Number.isFinite(Number(number)) || !known) this.say(`'${text}' is no number with a unit that is known here.`);
    else this.change(key, Number(number) * known.factor);
  }

  /** The impact at whose onset the points of a file are put: none where they cover much of the run. @returns {number} from 1 */
  usualImpact() {
    const { runs, clock, selection } = this.context;
    const impact = selection.impact ?? hardestImpact(runs[0]);
    if (!impact || !runs[0].impacts.includes(impact)) return 0;
    try {
      const { t, over } = pointsOf(this.columns, this.settings, []);
      if (over) return 0;
      if (t[t.length - 1] - t[0] > WHOLE * (clock.t1 - clock.t0)) return 0;
      placed({ ...pointsOf(this.columns, this.settings, []) }, 0, 0, 0);
      return runs[0].impacts.indexOf(impact) + 1;
    } catch {
      return 0;
    }
  }

  change(key, value) {
    this.settings[key] = value;
    this.update();
  }

  say(text) {
    this.said.textContent = text;
    this.said.classList.toggle("p-bad", Boolean(text));
  }

  /** Shows what is chosen, or says why it cannot be. */
  update() {
    const { measured, runs } = this.context;
    const { label, impact, dx, dy } = this.settings;
    this.say("");
    for (const select of this.node.querySelectorAll("input[aria-label^=Unit]")) {
      const column = this.columns?.find(({ name }) => name === this.settings[select.getAttribute("aria-label").includes("times") ? "x" : "y"]);
      select.placeholder = column?.unit || "SI";
    }
    try {
      const points = this.columns ? pointsOf(this.columns, this.settings, measured.used) : this.given.points;
      const shown = placed(points, impact ? runs[0].impacts[impact - 1].onset : NaN, dx, dy);
      this.name = measured.put({ label, file: this.file, points: shown }, this.name);
      if (this.columns) this.option.textContent = this.optionText();
    } catch (error) {
      this.say(error.message);
    }
  }

  optionText() {
    const { impact, dx, dy } = this.settings;
    const parts = [optionText(this.file, this.settings)];
    if (impact) parts.push(`--impact ${this.context.runs[0].impacts[impact - 1].index} --align onset`);
    if (dx || dy) parts.push(`--shift ${dx}${dy ? `,${dy}` : ""}`);
    return parts.join(" ");
  }
}
