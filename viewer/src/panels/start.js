// The plots to begin with: forces of the contacts that are loaded the most, the bodies that move the most, energies.
import { hardestImpact } from "../plots/series.js";
import { rangeOf } from "../selection.js";

const MOST_CURVES = 6,
  MOST_CONTACTS = 4,
  MOST_BODIES = 3;

/** A force or a way less than this part of the largest is not plotted. */
const SMALL = 0.02;

/** Ways below this part of the model's length are rounding. */
const ROUNDING = 1e-9;

/** Numbers that are looked at to find what moves, of many bodies of some. */
const MOST_NUMBERS = 2e6;

/** Lowest and highest of a column, and the largest magnitude. */
function extent(values) {
  let low = Infinity,
    high = -Infinity;
  for (let k = 0; k < values.length; k++) {
    if (values[k] < low) low = values[k];
    if (values[k] > high) high = values[k];
  }
  return { way: Math.max(0, high - low), size: Math.max(0, high, -low) };
}

/**
 * Channels of the forces of contacts that are loaded the most, the hardest first.
 * @param {import("../data.js").Run} run @returns {string[]}
 */
export function hardestForces(run) {
  const peaks = new Map();
  for (const { contact, peak_force: force } of [...run.impacts, ...run.rests])
    if (!(peaks.get(contact) >= force)) peaks.set(contact, force);
  const forces = run.channels
    .filter((c) => c.family === "contact" && c.quantity === "force")
    .map((c) => ({ name: c.name, size: peaks.get(c.object) ?? extent(run.column(c.name)?.v ?? []).size }))
    .filter(({ size }) => size > 0)
    .sort((a, b) => b.size - a.size);
  return forces.filter(({ size }) => size >= SMALL * forces[0].size).map(({ name }) => name);
}

/**
 * Positions of the bodies that move the most, each by the components that do, in the order of the run; where bodies only
 * turn, their angles, in space angular velocities, or orientations where none is recorded that changes, as of modes.
 * @param {import("../data.js").Run} run @param {number} most  bodies @returns {string[]}
 */
export function movingPositions(run, most) {
  let found = movingMost(run, "position", most, ROUNDING * (run.length || 0));
  for (const quantity of run.dimension === 2 ? ["angle"] : ["angular_velocity", "orientation"])
    if (!found.length) found = movingMost(run, quantity, most, ROUNDING);
  return found;
}

/** Channels of a quantity of the bodies that change it the most, by more than `least`. */
function movingMost(run, quantity, most, least) {
  const names = run.channels.filter((c) => c.family === "body" && c.quantity === quantity);
  const stride = Math.ceil((names.length * run.groups[0].rows) / MOST_NUMBERS) || 1;
  const bodies = new Map();
  for (const { name, object } of names) {
    if (!bodies.has(object)) bodies.set(object, { index: bodies.size, parts: [], way: 0 });
    const body = bodies.get(object);
    if (body.index % stride) continue;
    const { way } = extent(run.column(name, 0)?.v ?? []);
    body.parts.push({ name, way });
    body.way = Math.hypot(body.way, way);
  }
  const order = [...bodies.values()].sort((a, b) => b.way - a.way || a.index - b.index);
  const moving = order.filter(({ way }) => way > least && way >= SMALL * order[0].way).slice(0, most);
  return moving
    .sort((a, b) => a.index - b.index)
    .flatMap(({ parts, way }) => parts.filter((part) => part.way >= 0.1 * way).map(({ name }) => name));
}

/** @param {import("../data.js").Run[]} runs @returns {{names: string[], view: object|null}[]} */
export function startPlots(runs) {
  const [run] = runs,
    plots = [];
  const impact = hardestImpact(run);
  const forces = hardestForces(run).slice(0, Math.max(1, Math.floor(MOST_CONTACTS / Math.min(runs.length, 3))));
  // impacts of contacts of many shapes are shorter than the rows of their sums are apart
  const near = impact && forces[0] === `contact.${impact.contact}.force`;
  if (forces.length) plots.push({ names: forces, view: near ? rangeOf(impact) : null });
  const positions = movingPositions(run, runs.length > 1 ? 1 : MOST_BODIES).slice(0, MOST_CURVES);
  if (positions.length) plots.push({ names: positions, view: null });
  const energies = ["kinetic", "potential", "dissipated_contact", "elastic"]
    .slice(0, runs.length > 1 ? 1 : 4)
    .map((name) => `energy.${name}`)
    .filter((name) => run.column(name, 0)?.v.some((value) => value !== 0));
  if (energies.length) plots.push({ names: energies, view: null });
  if (!plots.length && run.channels.length) plots.push({ names: [run.channels[0].name], view: null });
  return plots;
}
