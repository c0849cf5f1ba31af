// Columns, order and filter of the table of impacts. Pure.
import { chooseUnit, numberText } from "../plots/units.js";

const HIDDEN = new Set(["contact_index"]);

/** The columns by rank, as far as a narrow page shows them; the others follow in the order of the file.
 * @param {{rank: number}[]} columns */
function ordered(columns) {
  const place = ({ rank }) => rank || Infinity;
  return [...columns].sort((a, b) => (place(a) < place(b) ? -1 : place(a) > place(b) ? 1 : 0));
}

/**
 * Columns of the table: number, run where there are several, then those of impacts, with units that fit the largest.
 * @param {import("../data.js").Run[]} runs
 * @returns {{key: string, head: string, unit: string, factor: number, text: boolean, description: string, raw: string}[]}
 */
export function tableColumns(runs) {
  const columns = [
    { key: "index", head: "#", unit: "", factor: 1, text: false, description: "number of the impact", raw: "" },
  ];
  if (runs.length > 1)
    columns.push({ key: "run", head: "run", unit: "", factor: 1, text: true, description: "run", raw: "" });
  for (const { name, unit, head, description } of ordered(runs.find((run) => run.impactColumns.length)?.impactColumns ?? [])) {
    if (HIDDEN.has(name)) continue;
    let largest = 0,
      text = name === "contact";
    for (const run of runs)
      for (const impact of run.impacts) {
        if (typeof impact[name] === "string") text = true;
        else if (Math.abs(impact[name]) > largest && Number.isFinite(impact[name]))
          largest = Math.abs(impact[name]);
      }
    const shown = text ? { factor: 1, text: "" } : chooseUnit(unit || "", largest);
    columns.push({
      key: name,
      head,
      unit: shown.text,
      factor: shown.factor,
      text,
      description: description || "",
      raw: unit || "",
    });
  }
  return columns;
}

/** Rows of the table. @returns {{run: object, label: string, impact: object}[]} */
export function tableRows(runs, label) {
  return runs.flatMap((run) => run.impacts.map((impact) => ({ run, label: label(run), impact })));
}

/** The value of a row in a column. */
export function cellValue(row, key) {
  return key === "run" ? row.label : row.impact[key];
}

/** Orders rows by a column; what is not there comes last either way. */
export function sortRows(rows, key, down) {
  const sign = down ? -1 : 1;
  return [...rows].sort((a, b) => {
    const x = cellValue(a, key),
      y = cellValue(b, key);
    if (typeof x === "string" || typeof y === "string")
      return sign * String(x).localeCompare(String(y)) || a.impact.onset - b.impact.onset;
    if (Number.isNaN(x) || Number.isNaN(y)) return Number(Number.isNaN(x)) - Number(Number.isNaN(y));
    return sign * (x - y) || a.impact.onset - b.impact.onset;
  });
}

/** The text of a cell: five digits, zeros kept, so that a column stands in line. */
export function cellText(row, { key, factor, text }) {
  const value = cellValue(row, key);
  if (text || key === "index") return String(value);
  const shown = value * factor,
    size = Math.abs(shown);
  return size >= 1e-3 && size < 99999 ? shown.toPrecision(5).replace("-", "−") : numberText(shown, 5);
}

/** Columns for csvText, in base units and full digits. */
export function csvColumns(columns, rows) {
  return columns.map(({ key, head, raw }) => ({
    name: key === "index" ? "impact" : key === "run" ? head : key,
    unit: raw === "1" ? "" : raw,
    values: rows.map((row) => cellValue(row, key)),
  }));
}
