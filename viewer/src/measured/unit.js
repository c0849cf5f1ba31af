// Units of measurements: what a number in them gives SI, and what they measure. The page has those that expressions of
// models know from the program that made it. Pure.

/** What files write for a number. */
const NUMBERS = { 1: 1, "-": 1, "%": 0.01 };

/** Names of powers, and how many there are: metre, kilogram, second and radian. */
const BASE = ["m", "kg", "s", "rad"];

/** Each unit by its name. @type {Map<string, {factor: number, powers: number[]}>} */
const known = new Map();

/** Takes the units of a page. @param {{name: string, value: number, powers: number[]}[]} units */
export function learnUnits(units) {
  for (const [name, factor] of Object.entries(NUMBERS)) known.set(name, { factor, powers: BASE.map(() => 0) });
  for (const { name, value, powers } of units) known.set(name, { factor: value, powers });
}

/**
 * @param {string} text such as "kN", "N/mm^1.5", "N m", "m/s²"; "" is a number
 * @returns {{factor: number, key: string}|null} `key` is the same for units that measure the same; null: no unit
 */
export function unitOf(text) {
  const plain = text
    .trim()
    .replace(/[µμ]/g, "u")
    .replace(/²/g, "^2")
    .replace(/³/g, "^3")
    .replace(/·/g, "*");
  let factor = 1;
  const powers = BASE.map(() => 0);
  const parts = plain ? plain.replace(/\s*([*/^])\s*/g, "$1").split(/(?=[*/\s])/) : [];
  for (const part of parts) {
    const [, sign, name, power] = /^([*/\s]?)\s*([^*/\s^]+)(?:\^\(?(-?\d+(?:\.\d+)?)\)?)?$/.exec(part) ?? [];
    const unit = known.get(name);
    if (!unit) return null;
    const exponent = (sign === "/" ? -1 : 1) * (power === undefined ? 1 : Number(power));
    factor *= unit.factor ** exponent;
    unit.powers.forEach((own, k) => (powers[k] += own * exponent));
  }
  return { factor, key: powers.map((power) => Math.round(power * 1e6) / 1e6).join(" ") };
}

/**
 * The unit of SI for what a unit measures, as the channels write it.
 * @param {string} text @param {Iterable<string>} used units of channels
 */
export function siUnit(text, used) {
  const { key } = unitOf(text);
  const isIt = (unit) => unitOf(unit)?.key === key && unitOf(unit).factor === 1;
  for (const unit of used) if (isIt(unit)) return unit;
  for (const unit of known.keys()) if (!(unit in NUMBERS) && isIt(unit)) return unit;
  const powers = key.split(" ").map(Number);
  const part = (sign) => {
    const names = BASE.map((name, k) => (sign * powers[k] > 0 ? name + (Math.abs(powers[k]) === 1 ? "" : `^${Math.abs(powers[k])}`) : ""));
    return names.filter(Boolean);
  };
  const [above, below] = [part(1), part(-1)];
  if (!above.length && !below.length) return "";
  return (above.join(" ") || "1") + below.map((name) => `/${name}`).join("");
}
