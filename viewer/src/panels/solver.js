// Drift of the constraints, and step size and order of the integrator.
import { note } from "../plots/dom.js";
import { fullColumn, labelOf } from "../plots/series.js";
import { Card } from "./card.js";

const PLOTS = [
  {
    title: "Constraint drift",
    parts: [
      ["constraint.position_violation", "position"],
      ["constraint.velocity_violation", "velocity"],
    ],
    axes: [
      { label: "position", unit: "m", log: true },
      { label: "velocity", unit: "m/s", log: true },
    ],
    zero: "The constraints hold exactly throughout, or the model has none.",
  },
  {
    title: "Steps of the integrator",
    parts: [
      ["solver.step", "step"],
      ["solver.order", "order"],
    ],
    axes: [
      { label: "step", unit: "s", log: true },
      { label: "order", unit: "" },
    ],
    zero: "",
  },
];

/** Why there are no channels of these names. @param {string[]} names */
function absentSentence(names) {
  const [are, them] = names.length > 1 ? ["are", "them"] : ["is", "it"];
  return (
    `${names.join(" and ")} ${are} not recorded. Either output.channels of the model left ${them} out, ` +
    "or the run was made by an earlier version."
  );
}

/** @param {HTMLElement} section @param {import("./card.js").Context} context */
export function mountSolver(section, context) {
  const { runs } = context;
  for (const { title, parts, axes, zero } of PLOTS) {
    const curves = [];
    parts.forEach(([name, label], axis) => {
      for (const run of runs) {
        const column = fullColumn(run, name);
        if (column?.t.length)
          curves.push({
            name,
            label: labelOf(label, run, runs),
            unit: column.unit,
            type: column.type,
            x: column.t,
            y: column.v,
            axis,
            color: axis,
            run: run.index,
            description: column.description,
          });
      }
    });
    const absent = parts.map(([name]) => name).filter((name) => !runs.some((run) => run.has(name)));
    const drawable = curves.some(({ y, axis }) => !axes[axis].log || y.some((value) => value > 0));
    if (drawable) {
      const card = new Card(context, section, { title, height: 220 });
      const used = axes.map((_, k) => curves.some((c) => c.axis === k));
      // one that is alone stands on the left
      if (used[0]) card.plot.set(curves, used[1] ? axes : axes.slice(0, 1));
      else
        card.plot.set(
          curves.map((c) => ({ ...c, axis: 0 })),
          [axes[1]],
        );
    } else if (curves.length && zero) section.append(note(`${title}: ${zero}`));
    if (absent.length) section.append(note(`${title}: ${absentSentence(absent)}`));
  }
}
