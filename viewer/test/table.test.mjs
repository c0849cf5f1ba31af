// The table of impacts: units, order, cells.
import assert from "node:assert/strict";
import { test } from "node:test";
import { cellText, csvColumns, sortRows, tableColumns, tableRows } from "../src/panels/table.js";

const impactColumns = [
  ["contact", "", 1],
  ["contact_index", "1", 0],
  ["onset", "s", 2],
  ["duration", "s", 9],
  ["peak_force", "N", 3, "peak"],
].map(([name, unit, rank, head = name]) => ({ name, unit, head, rank, description: name }));
const impact = (index, contact, onset, duration, force) => ({
  index,
  contact,
  contact_index: 0,
  onset,
  duration,
  peak_force: force,
});
const run = {
  impactColumns,
  impacts: [impact(1, "b", 0.01, 5e-5, 3200), impact(2, "a", 0.02, NaN, 90000), impact(3, "a", 0.03, 4e-5, NaN)],
};

test("columns have units that fit the largest value", () => {
  const columns = tableColumns([run]);
  assert.deepEqual(
    columns.map((c) => [c.key, c.head, c.unit]),
    [
      ["index", "#", ""],
      ["contact", "contact", ""],
      ["onset", "onset", "ms"],
      ["peak_force", "peak", "kN"],
      ["duration", "duration", "µs"],
    ],
  );
  assert.deepEqual(
    tableColumns([run, run])
      .map((c) => c.key)
      .slice(0, 2),
    ["index", "run"],
  );
  assert.equal(tableColumns([{ impactColumns: [], impacts: [] }]).length, 1);
});

test("rows are sorted by any column; what is not there comes last", () => {
  const rows = tableRows([run], () => "");
  const order = (key, down) => sortRows(rows, key, down).map((row) => row.impact.index);
  assert.deepEqual(order("contact", false), [2, 3, 1]);
  assert.deepEqual(order("contact", true), [1, 2, 3]);
  assert.deepEqual(order("peak_force", true), [2, 1, 3]);
  assert.deepEqual(order("duration", false), [3, 1, 2]);
});

test("cells and the CSV", () => {
  const columns = tableColumns([run]),
    [row] = tableRows([run], () => "");
  assert.deepEqual(
    columns.map((column) => cellText(row, column)),
    ["1", "b", "10.000", "3.2000", "50.000"],
  );
  const csv = csvColumns(columns, [row]);
  assert.deepEqual(
    csv.map((c) => [c.name, c.unit, c.values[0]]),
    [
      ["impact", "", 1],
      ["contact", "", "b"],
      ["onset", "s", 0.01],
      ["peak_force", "N", 3200],
      ["duration", "s", 5e-5],
    ],
  );
});
