// The pure parts of plots: decimation, ranges, units, ticks, CSV, SVG, choice of curves.
import assert from "node:assert/strict";
import { test } from "node:test";
import { decodeTexts } from "../src/data.js";
import { csvText, numberField } from "../src/plots/csv.js";
import { areSparse, decimate, lastAt, lowerBound, mergeColumns, valueAt, visible } from "../src/plots/decimate.js";
import { bandsOf, hidesImpact, lasts } from "../src/plots/bands.js";
import { contactColumns, contactNames, episodeRows, impactAt, placeAt } from "../src/plots/episodes.js";
import {
  fullColumn,
  hardestImpact,
  matching,
  splitByUnits,
  timeCurves,
} from "../src/plots/series.js";
import { pathData, svgText, xmlText } from "../src/plots/svg.js";
import { chooseUnit, niceStep, numberText, planAxis, unitText, valueText, widen } from "../src/plots/units.js";
import { matches } from "../src/plots/pick.js";
import { BlobWriter, pageTexts, sampleRun } from "./support.mjs";

async function sample(...runs) {
  const blob = new BlobWriter();
  const metas = [sampleRun(blob), ...runs.map((label) => ({ ...sampleRun(blob), label }))];
  return decodeTexts(...pageTexts(metas, blob));
}

test("searches in times", () => {
  const t = [0, 1, 1, 2];
  assert.deepEqual([lowerBound(t, 1), lowerBound(t, 3), lastAt(t, 1), lastAt(t, -1)], [1, 4, 2, -1]);
  assert.deepEqual(visible(t, 1.2, 1.5), [2, 4]);
  assert.equal(valueAt([0, 2], [0, 10], 0.5), 2.5);
  assert.ok(Number.isNaN(valueAt([0, 2], [0, 10], 3)) && valueAt([0, 2], [0, 10], 2) === 10);
});

test("decimation keeps peaks, gaps and both ends, and cuts to the view", () => {
  const count = 100000,
    x = new Float64Array(count),
    y = new Float32Array(count);
  for (let k = 0; k < count; k++) [x[k], y[k]] = [k / count, Math.sin(k / 500)];
  y[54321] = 1000;
  y[77777] = -1000;
  for (let k = 20000; k < 30000; k++) y[k] = NaN;
  const points = decimate(x, y, 0, 1, 500);
  assert.ok(points.count <= 4 * 500 + 16);
  const shown = [...points.y.subarray(0, points.count)];
  assert.ok(shown.includes(1000) && shown.includes(-1000) && shown.some(Number.isNaN));
  assert.deepEqual(
    [points.low, points.high, points.x[0], points.x[points.count - 1]],
    [-1000, 1000, 0, x[count - 1]],
  );
  for (let k = 1; k < points.count; k++) assert.ok(points.x[k] >= points.x[k - 1]);
  const near = decimate(x, y, 0.5, 0.501, 500);
  assert.ok(near.count <= 104 && near.high < 1.001);
});

test("extremes of a view between two rows are those of the line between them", () => {
  const { low, high } = decimate([0, 10], [0, 100], 2, 3, 100);
  assert.deepEqual([low, high], [20, 30]);
});

test("rows far apart are marked", () => {
  const few = decimate([0, 1, 2], [1, 2, 3], 0, 2, 500);
  assert.equal(areSparse(few, 500, 0, 2), true);
  assert.equal(areSparse(few, 40, 0, 2), false);
});

test("columns of two groups become one with rising times", () => {
  const { t, v } = mergeColumns({ t: [1, 1.5, 2], v: [10, 20, 30] }, { t: [0, 1, 3], v: [1, 2, 3] });
  assert.deepEqual(
    [[...t], [...v]],
    [
      [0, 1, 1.5, 2, 3],
      [1, 10, 20, 30, 3],
    ],
  );
});

test("units take prefixes that fit", () => {
  assert.deepEqual(chooseUnit("N", 112346), { factor: 1e-3, text: "kN" });
  assert.deepEqual(chooseUnit("m", 2e-5), { factor: 1e6, text: "µm" });
  assert.deepEqual(chooseUnit("kg", 5), { factor: 1, text: "kg" });
  assert.equal(chooseUnit("m/s^2", 2e4).text, "×10³ m/s²");
  assert.equal(chooseUnit("1", 0.7).text, "");
  assert.equal(chooseUnit("mm", 0.002).text, "µm");
  assert.equal(unitText("N/mm^1.5"), "N/mm^1.5");
  assert.equal(unitText("s^-2"), "s⁻²");
  assert.equal(valueText(112346, "N"), "112.35 kN");
  assert.equal(valueText(-6.68e-5, "s"), "−66.8 µs");
  assert.equal(valueText(1.2e-16, "J", 2), "1.2·10⁻¹⁶ J");
  assert.equal(numberText(NaN), "–");
  assert.equal(numberText(1234.5678, 6), "1234.57");
});

test("axes have few round ticks, prefixes and offsets", () => {
  assert.deepEqual(
    [niceStep(0.13), niceStep(2), niceStep(7)].map((s) => Math.round(s * 100) / 100),
    [0.2, 2, 10],
  );
  const force = planAxis({ label: "force", unit: "N", low: 0, high: 112346, ticks: 5 });
  assert.equal(force.label, "force [kN]");
  assert.deepEqual(
    force.ticks.map((t) => t.text),
    ["0", "50", "100"],
  );
  const late = planAxis({ label: "time", unit: "s", low: 43.4454, high: 43.4455, ticks: 5 });
  assert.match(late.label, /^time − 43\.4454\d* s \[µs\]$/);
  assert.ok(late.ticks.length >= 2 && late.ticks.length <= 6);
  const tiny = planAxis({ label: "residual", unit: "J", low: -2e-17, high: 3e-17, ticks: 5 });
  assert.equal(tiny.label, "residual [×10⁻¹⁸ J]");
  assert.equal(tiny.ticks[0].text, "−20");
  const log = planAxis({ label: "drift", unit: "m", low: -12.5, high: -9.5, ticks: 5, log: true });
  assert.deepEqual(
    log.ticks,
    [-12, -11, -10].map((at) => ({ at, text: "10" + { 12: "⁻¹²", 11: "⁻¹¹", 10: "⁻¹⁰" }[-at] })),
  );
  for (const [low, high] of [
    [NaN, NaN],
    [3, 3],
    [0, 0],
    [Infinity, -Infinity],
    [1e300, 1e300],
  ]) {
    const [a, b] = widen(low, high);
    assert.ok(b > a && Number.isFinite(a) && Number.isFinite(b));
  }
});

test("CSV quotes what it must and has the digits of the column", () => {
  assert.equal(
    csvText([
      { name: "time", unit: "s", values: [0.1, 0.2, 1e-7] },
      { name: 'a,"b"', unit: "N", values: [Math.fround(0.1), NaN], digits: 9 },
      { name: "contact", values: ["x,y", "z"] },
    ]),
    'time [s],"a,""b"" [N]",contact\n0.1,0.100000001,"x,y"\n0.2,nan,z\n1e-7,,\n',
  );
  assert.equal(Math.fround(Number(numberField(Math.fround(Math.PI), 9))), Math.fround(Math.PI));
  assert.deepEqual([numberField(-Infinity), numberField(1 / 3)], ["-inf", "0.3333333333333333"]);
});

test("SVG is well formed, clipped to its axes and safe with any text", () => {
  const points = (y) => ({ x: Float64Array.of(0, 1, 2), y: Float64Array.from(y), count: 3, low: 0, high: 1 });
  const axis = (label) => planAxis({ label, unit: "m", low: 0, high: 2, ticks: 4 });
  const svg = svgText({
    width: 400,
    height: 300,
    title: '<script>"&',
    x: axis("x"),
    y: [axis("left"), axis("right <")],
    curves: [
      { label: "a </svg>", color: "#123456", dash: [4, 2], axis: 0, points: points([0, NaN, 1]) },
      { label: "b", color: "#654321", dash: [], axis: 1, points: points([1, 2, 1]), base: points([0, 0, 0]) },
    ],
    bands: [
      [0.5, 0.6],
      [5, 6],
    ],
    colors: { bg: "#fff", fg: "#000", muted: "#555", line: "#ddd", accent: "#00f" },
  });
  assert.ok(
    svg.startsWith("<svg ") && svg.endsWith("</svg>\n") && !svg.includes("<script") && !svg.includes("NaN"),
  );
  const open = svg.match(/<[a-z]+[^>]*[^/]>/gi).length,
    close = svg.match(/<\/[a-z]+>/gi).length;
  assert.equal(open, close);
  assert.equal(svg.match(/fill-opacity="0.13"/g).length, 1);
  assert.ok(svg.includes('stroke-dasharray="4 2"') && svg.includes("&lt;script&gt;&quot;&amp;"));
  assert.equal(
    pathData(
      points([0, NaN, 1]),
      (x) => x,
      (y) => y,
    ),
    "M0 0h0M2 1h0",
  );
  assert.equal(xmlText("a\u0000<"), "a?&lt;");
});

test("channels of different units go to plots of at most two", () => {
  const channels = [
    ["a", "N"],
    ["b", "m"],
    ["c", "N"],
    ["d", "J"],
    ["e", "m"],
  ].map(([name, unit]) => ({ name, unit }));
  assert.deepEqual(splitByUnits(channels), [["a", "b", "c", "e"], ["d"]]);
  assert.deepEqual(splitByUnits([]), []);
});

test("a legend names what tells the curves apart", async () => {
  const [run] = await sample();
  const named = (...names) => timeCurves([run], names).curves.map((curve) => curve.label);
  assert.deepEqual(named("contact.floor.force"), ["floor"]);
  assert.deepEqual(named("body.ball.position.x", "body.ball.position.y"), ["ball, x", "ball, y"]);
  assert.deepEqual(named("contact.floor.force", "contact.floor.indentation"), ["Force F", "indentation"]);
  assert.deepEqual(timeCurves([run], ["body.ball.position.y"]).axes, [{ label: "position in y", unit: "m" }]);
});

test("curves overlay runs: steps and intervals in one, dashes by run", async () => {
  const runs = await sample("other");
  const { curves, axes } = timeCurves(runs, ["contact.floor.force", "energy.kinetic"]);
  assert.deepEqual(
    curves.map((c) => [c.label, c.axis, c.color, c.run]),
    [
      ["floor: Force F · ball.h5", 0, 0, 0],
      ["floor: Force F · other", 0, 0, 1],
      ["kinetic · ball.h5", 1, 1, 0],
      ["kinetic · other", 1, 1, 1],
    ],
  );
  assert.deepEqual(axes, [
    { label: "Force F", unit: "N" },
    { label: "kinetic", unit: "J" },
  ]);
  assert.deepEqual([...curves[0].x], [0, 1, 1.05, 1.1, 1.15, 1.2, 2, 3]);
  assert.equal(fullColumn(runs[0], "contact.floor.force"), fullColumn(runs[0], "contact.floor.force"));
  assert.deepEqual(timeCurves(runs, ["nothing"]).curves, []);
  // the motion has the rows of positions around impacts; those at the same time are one
  assert.deepEqual([...fullColumn(runs[0], "body.ball.position.x").t], [0, 1, 2, 3]);
});

test("the search goes by words in name, unit and description", async () => {
  const [run] = await sample();
  assert.deepEqual(
    matching(run.channels, "FLOOR rate").map((c) => c.name),
    ["contact.floor.indentation_rate"],
  );
  assert.equal(matching(run.channels, " ").length, run.channels.length);
  assert.deepEqual(matching(run.channels, "no such"), []);
});

test("episodes are the rows between onset and end", async () => {
  const [run] = await sample();
  assert.deepEqual(contactNames([run]), ["floor"]);
  const columns = contactColumns(run, "floor");
  const rows = episodeRows(columns, run.impacts);
  assert.deepEqual([...rows.force].slice(0, 5), [0, 50, 100, 40, 0]);
  assert.ok(Number.isNaN(rows.t[5]) && rows.t.length === 6);
  const [indentation, force] = placeAt(rows, "force", 1.025);
  assert.ok(Math.abs(force - 25) < 1e-6 && Math.abs(indentation - 5e-4) < 1e-9);
  assert.deepEqual([placeAt(rows, "force", 0.9), placeAt(rows, "force", 1.3)], [null, null]);
  // a contact that holds has no impact that ended
  assert.equal(episodeRows(columns, []).t.length, 6);
  assert.equal(impactAt([{ onset: 1 }, { onset: 2 }], 1.5).onset, 1);
  assert.equal(impactAt([], 1), null);
});

test("bands and the hardest impact", async () => {
  const [run] = await sample();
  const bands = bandsOf([
    { onset: 2, duration: 1 },
    { onset: 0, duration: 5 },
    { onset: NaN, duration: 1 },
  ]);
  assert.deepEqual(
    [[...bands.onset], [...bands.end], [...bands.reach]],
    [
      [0, 2],
      [5, 3],
      [5, 5],
    ],
  );
  // rows around an impact from 2 to 3 do not show it, rows a quarter of it apart do
  const one = bandsOf([{ onset: 2, duration: 1 }]);
  assert.deepEqual(
    [hidesImpact(one, 1.5, 3.5), hidesImpact(one, 2.25, 2.5), hidesImpact(one, 1, 2), hidesImpact(one, 3, 4)],
    [true, false, false, false],
  );
  assert.equal(hardestImpact(run), run.impacts[0]);
  assert.equal(hardestImpact({ impacts: [] }), null);
});

test("a choice of many finds options by the words of their names", () => {
  const options = Array.from({ length: 4000 }, (_, k) => [`body ${k}`, `follow ball_${k}`]);
  assert.equal(matches(options, "").length, 50);
  assert.deepEqual(matches(options, "BALL_3999 follow"), [options[3999]]);
  assert.equal(matches(options, "399", 100).length, 14);
  assert.deepEqual(matches(options, "no such"), []);
});
