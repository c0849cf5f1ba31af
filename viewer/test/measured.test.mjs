// Measured data: tables from text, units, errors, the onset, and the store that the plots take them from.
import assert from "node:assert/strict";
import { test } from "node:test";
import { decodeTexts } from "../src/data.js";
import { onsetOf, optionText, placed, pointsOf } from "../src/measured/record.js";
import { Store } from "../src/measured/store.js";
import { readTable } from "../src/measured/table.js";
import { learnUnits, siUnit, unitOf } from "../src/measured/unit.js";
import { columnsOf } from "../src/plots/export.js";
import { csvText } from "../src/plots/csv.js";
import { markedPoints } from "../src/plots/paint.js";
import { timeCurves } from "../src/plots/series.js";
import { BlobWriter, pageTexts, sampleRun, UNITS } from "./support.mjs";

learnUnits(UNITS.map(([name, value, ...powers]) => ({ name, value, powers })));

const close = (a, b, room = 1e-12) => assert.ok(Math.abs(a - b) <= room * Math.max(1, Math.abs(b)), `${a} is not ${b}`);

test("a table has headings with units, or columns by number", () => {
  const [t, force, text] = readTable('\ufeff# drop test\nt [ms]; "Force; F (N)";note\n0;1.5;ok\r\n\n1;;ok\n');
  assert.deepEqual([t.name, t.unit, force.name, force.unit], ["t", "ms", "Force; F", "N"]);
  assert.deepEqual([...t.values], [0, 1]);
  assert.ok(force.values[0] === 1.5 && Number.isNaN(force.values[1]) && force.text === "" && text.text === "ok");
  assert.deepEqual(readTable("1 2\n3   4e-3\n").map((c) => [c.name, ...c.values]), [["1", 1, 3], ["2", 2, 0.004]]);
  assert.throws(() => readTable("a,b\n1,2,3\n"), /Line 2 has 3 columns/);
  assert.throws(() => readTable("# nothing\n"), /no rows/);
  assert.throws(() => readTable("a,b\n"), /headings and no rows/);
});

test("units are products of those that models know", () => {
  const factor = (text) => unitOf(text)?.factor ?? null;
  close(factor("N/mm^1.5"), 1e-3 ** -1.5);
  for (const [text, value] of [["kN", 1e3], ["µs", 1e-6], ["μm", 1e-6], ["m/s²", 1], ["N m", 1], ["", 1], ["-", 1]]) close(factor(text), value);
  for (const text of ["furlong", "N/", "2*N", "constructor", "N^x"]) assert.equal(unitOf(text), null, text);
  assert.equal(unitOf("N m").key, unitOf("J").key);
  assert.notEqual(unitOf("deg").key, unitOf("").key);
  assert.equal(siUnit("kN", ["m", "N"]), "N");
  assert.equal(siUnit("mm/ms", ["N", "m/s"]), "m/s");
  assert.equal(siUnit("kN/mm", []), "kg/s^2");
  assert.equal(siUnit("rpm", []), "rad/s");
  assert.equal(siUnit("1/ms", []), "Hz");
  assert.equal(siUnit("%", []), "");
});

const halfSine = () => {
  const rows = Array.from({ length: 201 }, (_, k) => `${k * 0.01},${k < 50 ? 0 : Math.max(0, 3 * Math.sin(((k - 50) * Math.PI) / 100)) ** 1.5},0.1`);
  return readTable(`time [ms],force [kN],sd\n${rows.join("\n")}\n`);
};
const choice = { y: "force", unit: "", error: "sd", errorUnit: "", x: "time", xUnit: "" };

test("columns become points in SI, errors in the unit of the values", () => {
  const points = pointsOf(halfSine(), choice, ["N"]);
  assert.equal(points.unit, "N");
  close(points.t[200], 2e-3);
  close(points.error[0], 100);
  assert.throws(() => pointsOf(halfSine(), { ...choice, xUnit: "N" }, []), /no unit of time/);
  assert.throws(() => pointsOf(halfSine(), { ...choice, y: "fource" }, []), /no column 'fource'/);
  assert.throws(() => pointsOf(readTable("t,F\n0,a\n"), { ...choice, error: "", x: "t", y: "F" }, []), /'a' where a number/);
  const { t } = pointsOf(readTable("t,F\n2,1\n1,1\n3,\n"), { ...choice, error: "", x: "t", y: "F" }, []);
  assert.deepEqual([...t], [1, 2]);
});

test("the onset of points is where their power 2/3 begins to rise", () => {
  const points = pointsOf(halfSine(), choice, ["N"]);
  close(onsetOf(points), 0.5e-3, 1e-5);
  const shown = placed(points, 7, 1e-3, -5);
  close(shown.t[50], 7.001, 1e-5);
  close(shown.v[0], -5);
  assert.throws(() => placed({ ...points, v: points.v.map(() => 1) }, 7, 0, 0), /have no onset/);
});

test("a choice is written as the option that makes it", () => {
  assert.equal(optionText("a.csv", { ...choice, unit: "kN", xUnit: "ms" }), "--data 'a.csv:force[kN]+-sd@time[ms]'");
  assert.equal(optionText("a.csv", { ...choice, error: "" }), "--data a.csv:force@time");
});

test("measured data are channels of plots, with errors, and are exported", async () => {
  const blob = new BlobWriter();
  const runs = await decodeTexts(...pageTexts([sampleRun(blob)], blob, [
    { label: "drop", unit: "kN", t: blob.add([1, 1.1], "f8"), v: blob.add([0, 90], "f8"), error: blob.add([1, 20], "f8") },
  ]));
  const store = new Store(runs);
  const [channel] = store.channels;
  assert.deepEqual([channel.name, channel.unit], ["measured.drop", "N"]);
  const { curves, axes } = timeCurves(runs, ["contact.floor.force", channel.name], store);
  assert.deepEqual(curves.map(({ label, axis, marks }) => [label, axis, marks ?? false]), [["floor", 0, false], ["drop", 0, true]]);
  assert.deepEqual(axes, [{ label: "Force F", unit: "N" }]);
  const points = markedPoints(curves[1].x, curves[1].y, curves[1].error, 1.05, 2);
  assert.deepEqual([points.count, points.low, points.high], [1, 70, 110]);
  const text = csvText(columnsOf(curves.slice(1), null, { label: "time", unit: "s" }));
  assert.equal(text, "time [s],drop [N],\"drop, error [N]\"\n1,0,1\n1.1,90,20\n");
  assert.equal(store.put({ label: "drop", file: "", points: store.all.get(channel.name).points }), "measured.drop (2)");
  const told = [];
  store.subscribe((now, before) => told.push([now, before]));
  store.put({ label: "fall", file: "", points: store.all.get(channel.name).points }, channel.name);
  store.remove("measured.fall");
  assert.deepEqual(told, [["measured.fall", "measured.drop"], [null, "measured.fall"]]);
});

test("points over an indentation stand in loops, not over time", () => {
  const columns = readTable("indentation [mm],force [kN]\n0,0\n0.2,4\n0.1,1\n");
  const points = pointsOf(columns, { y: "force", unit: "", error: "", errorUnit: "", x: "indentation", xUnit: "" }, ["N"]);
  assert.equal(points.over, "m");
  close(points.t[2], 2e-4);
  assert.deepEqual(placed(points, 0.5, 0, 0).t, points.t, "they have no onset");
  const store = new Store([]);
  store.put({ label: "loop", file: "", points });
  assert.deepEqual(store.channels, []);
  assert.deepEqual(store.loops("N").map(({ label }) => label), ["loop"]);
  assert.deepEqual(store.loops("m/s"), []);
  assert.throws(() => pointsOf(columns, { y: "indentation", unit: "", error: "", errorUnit: "", x: "force", xUnit: "" }, []), /no unit of time/);
});
