// Decoding of a page's data: columns, groups, impacts, snapshots, and what is damaged.
import assert from "node:assert/strict";
import { test } from "node:test";
import { decodeTexts, Run, untranspose } from "../src/data.js";
import { BlobWriter, pageTexts, sampleRun } from "./support.mjs";

async function decoded() {
  const blob = new BlobWriter(),
    run = sampleRun(blob);
  return (await decodeTexts(...pageTexts([run], blob)))[0];
}

test("columns of each type come back bit for bit", () => {
  const blob = new BlobWriter();
  const numbers = { f4: [0, -1.5, 3.4e38, 1e-40], f8: [Math.PI, -1e-300, 2 ** 53], u4: [0, 1, 2 ** 32 - 1], u1: [0, 255] };
  for (const [type, values] of Object.entries(numbers)) {
    const reference = blob.add(values, type);
    const bytes = Buffer.concat(blob.parts);
    const expected = type === "f4" ? Array.from(values, Math.fround) : values;
    assert.deepEqual([...untranspose(bytes, reference)], expected);
  }
});

test("a column beyond the blob is refused, not read", () => {
  assert.equal(untranspose(new Uint8Array(10), [4, 2, "f4"]), null);
  assert.equal(untranspose(new Uint8Array(10), [-1, 1, "f4"]), null);
  assert.equal(untranspose(new Uint8Array(10), [0, 1, "f2"]), null);
});

test("a run has times, columns, channels, impacts and ledger", async () => {
  const run = await decoded();
  assert.deepEqual([...run.times(0)], [0, 1, 2, 3]);
  assert.deepEqual([...run.times("steps")], [1, 1.05, 1.1, 1.15, 1.2]);
  const y = run.column("body.ball.position.y");
  assert.deepEqual([y.unit, y.group, y.v[1], Number.isNaN(y.v[3])], ["m", 0, 0.5, true]);
  assert.equal(run.column("body.ball.position.y", 2).v[2], 5);
  // steps go before intervals
  assert.equal(run.column("contact.floor.force").v[2], 100);
  assert.equal(run.column("contact.floor.force", 0).v.length, 4);
  assert.equal(run.column("contact.floor.slip"), null);
  assert.ok(run.has("body.ball.position") && run.has("body.ball.position.x") && !run.has("body.ball.speed"));
  const names = run.channels.map((c) => c.name);
  assert.ok(names.includes("energy.kinetic") && !names.includes("contact.floor.point.x"));
  const { family, object, quantity, component } = run.channels[1];
  assert.deepEqual([family, object, quantity, component], ["body", "ball", "position", "y"]);
  assert.deepEqual([run.impacts.length, run.impactsOf], [1, 7]);
  assert.equal(run.impacts[0].index, 3);
  assert.equal(run.impacts[0].contact, "floor");
  assert.equal(run.impacts[0].peak_force, 100);
  assert.ok(Number.isNaN(run.impacts[0].e_asked));
  assert.equal(run.ledger.residual, 1e-9);
  assert.equal(run.groups[1].of, 9);
});

test("snapshots hold the motion of bodies and the forces of contacts", async () => {
  const { snapshots } = await decoded();
  assert.deepEqual([...snapshots.times], [0, 1, 3]);
  assert.deepEqual([...snapshots.bodies.ball.position[1]], [3, 4, 5]);
  assert.deepEqual([...snapshots.bodies.ball.angle], [0, 0.5, 1]);
  assert.deepEqual([...snapshots.contacts.floor.force[1]], [0, 7, 0]);
});

test("columns are decoded once", async () => {
  const run = await decoded();
  assert.equal(run.column("energy.kinetic").v, run.column("energy.kinetic").v);
});

test("a run without rows, channels and impacts is a run", () => {
  const run = new Run(
    { label: "", groups: [], channels: [], impact_columns: [], impacts: null, ledger: null },
    new Uint8Array(0),
    0,
  );
  assert.equal(run.times(2).length, 0);
  assert.deepEqual([run.channels, run.impacts, run.snapshots.bodies.x], [[], [], undefined]);
});

test("what is damaged gives a sentence", async () => {
  const blob = new BlobWriter(),
    [meta, base64] = pageTexts([sampleRun(blob)], blob);
  await assert.rejects(decodeTexts("{", base64), /damaged.*carom report/);
  await assert.rejects(decodeTexts('{"format":1,"runs":[]}', base64), /format/);
  for (const bad of [base64.slice(0, base64.length / 2), "%%%", "AAAA" + base64, ""])
    await assert.rejects(decodeTexts(meta, bad), /damaged.*carom report/);
  await assert.rejects(decodeTexts(meta.replace(/"description":\[\d+/, '"description":[999999'), base64), /damaged/);
});

test("a mesh that is another one but for its scale has its points scaled", async () => {
  const run = await decoded();
  const points = run.table.get("contact.floor.force").groups[1];
  const scaled = run.mesh([...points, 2.5]);
  assert.deepEqual([...scaled], [...run.mesh(points)].map((x) => Math.fround(x * 2.5)));
  assert.equal(scaled[2], 250);
});
