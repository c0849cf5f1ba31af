// The energy ledger: what the energy is at each time against what came in, the residual, and the table of the end.
import { choice, element, note } from "../plots/dom.js";
import { fullColumn, labelOf, runText } from "../plots/series.js";
import { numberText, valueText } from "../plots/units.js";
import { Card } from "./card.js";

/** Roles of the terms whose areas are stacked, and of those that the table leaves out where they are 0. */
const PARTS = new Set(["stored", "dissipated"]),
  RARE = new Set(["part", "vanished"]);
/** Roles of what came in, which the table has first. */
const INFLOW = new Set(["start", "work"]);
const HEADS = { potential: "potential above its lowest" };

const MOST_SENTENCES = 4;

/** The smallest value of a column. */
function least(values) {
  let low = Infinity;
  for (let k = 0; k < values.length; k++) if (values[k] < low) low = values[k];
  return Number.isFinite(low) ? low : 0;
}

/** Stacked areas of a run's energies and the line of what came in; null if a part was not recorded. */
export function stackedEnergies(run) {
  const columns = run.ledgerTerms
    .filter(({ role }) => PARTS.has(role))
    .map(({ name, head, role }) => ({
      key: name,
      role,
      label: HEADS[name] ?? head,
      column: fullColumn(run, `energy.${name}`),
    }))
    .filter((p) => p.column?.t.length);
  const kinetic = columns.find((p) => p.key === "kinetic"),
    potential = columns.find((p) => p.key === "potential");
  if (!kinetic || !potential) return null;
  const { t } = kinetic.column,
    lowest = least(potential.column.v);
  let base = new Float64Array(t.length);
  const curves = [];
  columns.forEach(({ key, role, label, column }, color) => {
    if (column.t.length !== t.length) return;
    const raw = new Float64Array(t.length),
      top = new Float64Array(t.length);
    for (let k = 0; k < raw.length; k++) {
      raw[k] = key === "potential" ? column.v[k] - lowest : column.v[k];
      top[k] = base[k] + raw[k];
    }
    // a kind of loss that this run has not takes no place in the legend
    if (role === "dissipated" && !raw.some((value) => value !== 0)) return;
    curves.push({
      name: `energy.${key}`,
      label,
      unit: "J",
      type: column.type,
      x: t,
      y: top,
      base,
      raw,
      axis: 0,
      color,
      run: 0,
    });
    base = top;
  });
  const line = broughtIn(run, t, curves, lowest);
  if (line) curves.push(line);
  return curves;
}

/** Energy at the start and work until each time, on the scale of the areas. */
function broughtIn(run, t, curves, lowest) {
  const work = fullColumn(run, "energy.work");
  if (!work || work.t.length !== t.length || !t.length) return null;
  const start = Number.isFinite(run.ledger?.start)
    ? run.ledger.start - lowest
    : curves[curves.length - 1].y[0] - work.v[0];
  return {
    name: "energy.work",
    label: "start and work",
    unit: "J",
    type: "f4",
    x: t,
    y: Float64Array.from(work.v, (value) => start + value),
    axis: 0,
    color: 7,
    run: 1,
  };
}

/** How large the residual is. */
function residualSentence(run, runs) {
  const name = runs.length > 1 ? `${runText(run)}: ` : "";
  const { ledger } = run;
  if (!ledger || !Number.isFinite(ledger.residual)) return `${name}The run wrote no ledger (status ${run.status}).`;
  const fraction = ledger.residual_fraction;
  const share = Number.isFinite(fraction)
    ? `, ${numberText(Math.abs(fraction), 2)} of the largest energy turned over`
    : "";
  return `${name}What the ledger does not account for is ${valueText(ledger.residual, "J", 3)}${share}.`;
}

/** The runs to say a sentence of: all, or of many the one with the largest residual; the table has the others. */
function mostNotable(runs) {
  if (runs.length <= MOST_SENTENCES) return runs;
  const size = (run) => Math.abs(run.ledger?.residual_fraction ?? NaN) || 0;
  return [runs.reduce((worst, run) => (size(run) > size(worst) ? run : worst))];
}

function ledgerTable(runs) {
  const { ledgerTerms: terms } = runs.find((run) => run.ledgerTerms.length) ?? runs[0];
  const shown = terms.filter(({ name, role }) =>
    runs.some((run) => Number.isFinite(run.ledger?.[name]) && (run.ledger[name] !== 0 || !RARE.has(role))),
  );
  const rows = [...shown.filter(({ role }) => INFLOW.has(role)), ...shown.filter(({ role }) => !INFLOW.has(role))];
  const cell = (run, { name, unit }) => {
    const value = run.ledger?.[name] ?? NaN;
    return element("td", { text: unit === "1" ? numberText(value, 3) : valueText(value, unit, 6) });
  };
  return element(
    "div",
    { class: "p-scroll" },
    element(
      "table",
      { class: "p-table p-ledger" },
      element(
        "thead",
        {},
        element(
          "tr",
          {},
          element("th", { class: "p-text", scope: "col", text: "ledger at the end" }),
          ...runs.map((run) => element("th", { scope: "col", text: runs.length > 1 ? runText(run) : "energy" })),
        ),
      ),
      element(
        "tbody",
        {},
        ...rows.map((term) =>
          element(
            "tr",
            {},
            element("th", { class: "p-text", scope: "row", title: term.description, text: term.head }),
            ...runs.map((run) => cell(run, term)),
          ),
        ),
      ),
    ),
  );
}

/** @param {HTMLElement} section @param {import("./card.js").Context} context */
export function mountEnergy(section, context) {
  const { runs } = context;
  for (const run of mostNotable(runs))
    section.append(element("p", { class: "p-lead", text: residualSentence(run, runs) }));
  const areas = runs.map(stackedEnergies);
  const first = areas.findIndex(Boolean);
  if (first >= 0) {
    const tools = [];
    if (runs.length > 1)
      tools.push(
        choice(
          "Run",
          runs.map((run) => [String(run.index), runText(run)]),
          String(first),
          (value) => show(Number(value)),
        ),
      );
    const card = new Card(context, section, { title: "Energy", height: 250, tools });
    const show = (k) => card.plot.set(areas[k] ?? [], [{ label: "energy", unit: "J" }]);
    show(first);
  } else section.append(note("The energies were not recorded: output.channels of the model left energy out."));
  const residuals = runs
    .map((run) => ({ run, column: fullColumn(run, "energy.residual") }))
    .filter((r) => r.column?.t.length);
  if (residuals.length) {
    const card = new Card(context, section, { title: "Residual", height: 170 });
    card.plot.set(
      residuals.map(({ run, column }) => ({
        name: "energy.residual",
        label: labelOf("energy.residual", run, runs),
        unit: "J",
        type: column.type,
        x: column.t,
        y: column.v,
        axis: 0,
        color: run.index,
        run: run.index,
      })),
      [{ label: "residual", unit: "J" }],
    );
  } else if (first >= 0)
    section.append(note("The residual was not recorded: output.channels of the model left energy.residual out."));
  if (runs.some((run) => run.ledger)) section.append(ledgerTable(runs));
}
