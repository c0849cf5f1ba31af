// Units of measurements: what a number in them gives SI, and what they measure. Those that expressions of models know. Pure.

// powers of metre, kilogram, second and radian
const DIMENSIONS = {
  "": [0, 0, 0, 0],
  m: [1, 0, 0, 0],
  kg: [0, 1, 0, 0],
  s: [0, 0, 1, 0],
  rad: [0, 0, 0, 1],
  N: [1, 1, -2, 0],
  Pa: [-1, 1, -2, 0],
  Hz: [0, 0, -1, 0],
  J: [2, 1, -2, 0],
  W: [2, 1, -3, 0],
  "rad/s": [0, 0, -1, 1],
};

/** Units by the one of SI that they measure. */
const UNITS = {
  "": { 1: 1, "-": 1, "%": 0.01, percent: 0.01, ppm: 1e-6 },
  m: { m: 1, km: 1e3, cm: 1e-2, mm: 1e-3, um: 1e-6, nm: 1e-9, in: 0.0254, ft: 0.3048 },
  kg: { kg: 1, gram: 1e-3, tonne: 1e3, lb: 0.45359237 },
  s: { s: 1, ms: 1e-3, us: 1e-6, min: 60, hour: 3600 },
  rad: { rad: 1, deg: Math.PI / 180, rev: 2 * Math.PI },
  N: { N: 1, mN: 1e-3, kN: 1e3, MN: 1e6, lbf: 4.4482216152605 },
  Pa: { Pa: 1, kPa: 1e3, MPa: 1e6, GPa: 1e9, psi: 6894.75729316836 },
  Hz: { Hz: 1, kHz: 1e3 },
  J: { J: 1, mJ: 1e-3, kJ: 1e3 },
  W: { W: 1, kW: 1e3 },
  "rad/s": { rpm: Math.PI / 30 },
};

/** Each unit by its name. @type {Map<string, {factor: number, powers: number[]}>} */
const known = new Map(
  Object.entries(UNITS).flatMap(([si, units]) =>
    Object.entries(units).map(([name, factor]) => [name, { factor, powers: DIMENSIONS[si] }]),
  ),
);

/** Names of the units that are known. */
export function unitNames() {
  return [...known.keys()];
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
  const powers = [0, 0, 0, 0];
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
  for (const unit of used) if (unitOf(unit)?.key === key && unitOf(unit).factor === 1) return unit;
  for (const [unit, powers] of Object.entries(DIMENSIONS)) if (powers.join(" ") === key) return unit;
  const names = ["m", "kg", "s", "rad"];
  return key
    .split(" ")
    .map((power, k) => (power === "0" ? "" : power === "1" ? names[k] : `${names[k]}^${power}`))
    .filter(Boolean)
    .join(" ");
}
