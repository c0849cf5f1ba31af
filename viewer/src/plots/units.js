// Units, ranges and ticks of axes, and numbers as texts. Pure.

const PREFIXES = [
  ["p", -12],
  ["n", -9],
  ["µ", -6],
  ["u", -6],
  ["m", -3],
  ["k", 3],
  ["M", 6],
  ["G", 9],
  ["T", 12],
];
// units that take prefixes, with the largest that is usual
const UNITS = [
  ["m", 0],
  ["s", 0],
  ["N", 12],
  ["J", 12],
  ["W", 12],
  ["Pa", 12],
  ["Hz", 12],
  ["rad", 0],
  ["V", 12],
  ["A", 12],
  ["C", 12],
];
const RAISED = { "-": "⁻", 0: "⁰", 1: "¹", 2: "²", 3: "³", 4: "⁴", 5: "⁵", 6: "⁶", 7: "⁷", 8: "⁸", 9: "⁹" };

/** Digits of an exponent, raised. @param {number|string} exponent */
export function raised(exponent) {
  return [...String(exponent)].map((c) => RAISED[c] ?? c).join("");
}

/** A unit for reading: "m/s^2" as "m/s²", "-" and "1" as "". @param {string} unit */
export function unitText(unit) {
  if (!unit || unit === "1" || unit === "-") return "";
  return unit.replace(/\^(-?\d+)(?![\d.])/g, (_, digits) => raised(digits)).replace(/\*/g, "·");
}

/** Prefix and unit of the first word of a unit, null if it takes no prefix ("kg", "m^2"). */
function splitUnit(unit) {
  const [word] = /^[^ */^·]*/.exec(unit);
  if (unit[word.length] === "^") return null;
  for (const [base, largest] of UNITS) {
    if (!word.endsWith(base)) continue;
    const prefix = word.slice(0, word.length - base.length);
    const found = prefix === "" ? ["", 0] : PREFIXES.find(([text]) => text === prefix);
    if (found) return { exponent: found[1], largest, rest: unit.slice(prefix.length) };
  }
  return null;
}

/**
 * The unit to show numbers up to `size` in: shown = number * factor.
 * @param {string} unit @param {number} size @returns {{factor: number, text: string}}
 */
export function chooseUnit(unit, size) {
  const exponent = size > 0 && (size < 0.1 || size >= 1000) ? 3 * Math.floor(Math.log10(size) / 3 + 1e-12) : 0;
  const parts = exponent ? splitUnit(unit || "") : null;
  if (parts) {
    const shown = Math.max(-12, Math.min(parts.largest, parts.exponent + exponent));
    const factor = 10 ** (parts.exponent - shown);
    const readable = size * factor >= 0.1 && size * factor < 1e4;
    const prefix = shown === 0 ? "" : PREFIXES.find(([, e]) => e === shown)[0];
    if (readable) return { factor, text: prefix + unitText(parts.rest) };
  }
  if (!(size > 0) || (size >= 1e-2 && size < 1e4)) return { factor: 1, text: unitText(unit) };
  return { factor: 10 ** -exponent, text: `×10${raised(exponent)} ${unitText(unit)}`.trim() };
}

/** Smallest of 1, 2 and 5 times a power of ten that is at least `least`. @param {number} least */
export function niceStep(least) {
  const power = 10 ** Math.floor(Math.log10(least));
  const part = least / power;
  return (part <= 1 + 1e-9 ? 1 : part <= 2 + 1e-9 ? 2 : part <= 5 + 1e-9 ? 5 : 10) * power;
}

/** A range with room around it; one without width gets some. @returns {[number, number]} */
export function widen(low, high, pad = 0.06) {
  if (!(low <= high)) return [0, 1];
  const size = Math.max(Math.abs(low), Math.abs(high));
  if (!(high - low > Math.max(1e-13 * size, 1e-290))) {
    const half = size > 1e-290 ? 0.1 * size : 1;
    return [low - half, high + half];
  }
  // a range that nearly begins at zero begins there
  if (low > 0 && low < 0.1 * high) low = 0;
  if (high < 0 && high > 0.1 * low) high = 0;
  const room = pad * (high - low);
  return [low - room, high + room];
}

/** @typedef {{label: string, low: number, high: number, factor: number, offset: number, log: boolean,
 *   ticks: {at: number, text: string}[]}} Axis */

/**
 * Ticks and label of an axis; on a logarithmic one low, high and ticks are powers of ten.
 * @param {{label: string, unit: string, low: number, high: number, ticks?: number, log?: boolean}} wish
 * @returns {Axis}
 */
export function planAxis({ label, unit, low, high, ticks = 6, log = false }) {
  if (log) return planLogarithmic(label, unit, low, high, ticks);
  const size = Math.max(Math.abs(low), Math.abs(high));
  let offset = 0,
    name = label,
    extent = size;
  // digits that all ticks share go into the label if they are many
  if (high - low < 1e-4 * size) {
    const coarse = 10 * niceStep((high - low) / ticks);
    offset = Math.round((low + 0.5 * (high - low)) / coarse) * coarse;
    const { factor, text } = chooseUnit(unit, Math.abs(offset));
    const number = parseFloat((Math.abs(offset) * factor).toPrecision(12));
    name = `${label} ${offset < 0 ? "+" : "−"} ${number} ${text}`.trim();
    extent = Math.max(Math.abs(low - offset), Math.abs(high - offset));
  }
  const { factor, text } = chooseUnit(unit, extent);
  const from = (low - offset) * factor,
    to = (high - offset) * factor;
  const step = niceStep((to - from) / Math.max(1, ticks));
  const decimals = Math.max(0, -Math.floor(Math.log10(step) + 1e-9));
  const list = [];
  for (let k = Math.ceil(from / step - 1e-6); k <= Math.floor(to / step + 1e-6) && list.length < 100; k++)
    list.push({ at: offset + (k * step) / factor, text: signed((k * step).toFixed(Math.min(decimals, 20))) });
  return { label: text ? `${name} [${text}]`.trim() : name, low, high, factor, offset, log, ticks: list };
}

/** A logarithmic axis: ticks at whole powers of ten. */
function planLogarithmic(label, unit, low, high, ticks) {
  const stride = Math.max(1, Math.ceil((high - low) / Math.max(1, ticks)));
  const list = [];
  for (let k = Math.ceil(low / stride - 1e-6) * stride; k <= high + 1e-6; k += stride)
    list.push({ at: k, text: "10" + raised(k) });
  const text = unitText(unit);
  return {
    label: text ? `${label} [${text}]`.trim() : label,
    low,
    high,
    factor: 1,
    offset: 0,
    log: true,
    ticks: list,
  };
}

/** A number's text with a true minus sign; one whose digits are all zero has none. */
function signed(text) {
  return text.startsWith("-") ? (/[1-9]/.test(text) ? "−" : "") + text.slice(1) : text;
}

/** A number to `digits` significant digits, with a power of ten where it is very small or large. */
export function numberText(value, digits = 5) {
  if (value === Infinity) return "∞";
  if (!Number.isFinite(value)) return "–";
  if (value === 0) return "0";
  const size = Math.abs(value);
  if (size >= 1e-3 && size < 10 ** Math.max(digits, 6))
    return signed(String(parseFloat(value.toPrecision(digits))));
  const [mantissa, exponent] = value.toExponential(digits - 1).split("e");
  return `${signed(String(parseFloat(mantissa)))}·10${raised(Number(exponent))}`;
}

/** A value with its unit and prefix, as in "3.2061 kN". */
export function valueText(value, unit, digits = 5) {
  if (!Number.isFinite(value)) return numberText(value);
  const { factor, text } = chooseUnit(unit, Math.abs(value));
  if (text.startsWith("×")) return `${numberText(value, digits)} ${unitText(unit)}`.trim();
  return `${numberText(value * factor, digits)} ${text}`.trim();
}
