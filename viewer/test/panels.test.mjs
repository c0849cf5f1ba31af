// What the panels decide without a browser: plots to begin with, places of warnings, bands of contacts that last.
import assert from "node:assert/strict";
import { test } from "node:test";
import { graphOf, graphSentence, letterOf } from "../src/panels/graph.js";
import { hardestForces, movingPositions } from "../src/panels/start.js";
import { codeOf, impactOf, lineOf, placeOf } from "../src/panels/warnings.js";
import { allBands, lasts } from "../src/plots/bands.js";

/** A run of scalar channels. @param {Object<string, number[]>} columns */
function runOf(columns, impacts = [], rests = []) {
  const channels = Object.keys(columns).map((name) => {
    const [family, object, quantity] = name.split(".");
    return { name, family, object, quantity };
  });
  const rows = Object.values(columns)[0]?.length ?? 0;
  return { channels, impacts, rests, groups: [{ rows }], column: (name) => ({ v: columns[name] }) };
}

test("the hardest contacts come first, and those that carry next to nothing are left out", () => {
  const zeros = { "contact.a.force": [0, 0], "contact.c.force": [0, 0] };
  const columns = { ...zeros, "contact.b.force": [0, 3], "contact.d.force": [1] };
  const impacts = [{ contact: "a", peak_force: 900 }, { contact: "a", peak_force: 20 }];
  const rests = [{ contact: "d", peak_force: 1000 }];
  assert.deepEqual(hardestForces(runOf(columns, impacts, rests)), ["contact.d.force", "contact.a.force"]);
  assert.deepEqual(hardestForces(runOf({ "contact.c.force": [0, 0] })), []);
});

test("the bodies that move the most, by the components that do", () => {
  const columns = {
    "body.slow.position.x": [0, 0.5],
    "body.far.position.x": [0, 9],
    "body.far.position.y": [0, 0.1],
    "body.near.position.y": [0, -4],
    "body.still.position.x": [7, 7],
  };
  assert.deepEqual(movingPositions(runOf(columns), 2), ["body.far.position.x", "body.near.position.y"]);
});

test("of bodies that only turn the angles are shown", () => {
  const run = runOf({ "body.gear.position.x": [1e-20, 9e-20], "body.gear.angle": [0, 3], "body.base.angle": [0, 0] });
  assert.deepEqual(movingPositions({ ...run, dimension: 2, length: 0.1 }, 2), ["body.gear.angle"]);
});

test("a warning has its code at its end", () => {
  assert.deepEqual(codeOf("contact 'hit': deep (t = 1 s) [W16]"), { body: "contact 'hit': deep (t = 1 s)", code: "W16" });
  assert.deepEqual(codeOf("no code [kN]"), { body: "no code [kN]", code: "" });
});

test("a warning has the place that it names", () => {
  const one = placeOf("contact 'wrist': the indentation 7.23e-05 m is large (t = 0.000227294 s); see validity");
  assert.deepEqual(one, { t: 0.000227294, contacts: ["wrist"] });
  const many = placeOf("contacts 'B', 'C' and 'D': something (t = 1e-3 s)");
  assert.deepEqual(many, { t: 1e-3, contacts: ["B", "C", "D"] });
  assert.deepEqual(placeOf("the energy does not hold").contacts, []);
  const impacts = [{ contact: "B", onset: 0, duration: 1e-4 }, { contact: "C", onset: 9e-4, duration: 2e-4 }];
  assert.equal(impactOf({ impacts }, many), impacts[1]);
  assert.equal(impactOf({ impacts }, { ...many, t: 5e-4 }), null);
});

test("a contact that is held is no blow", () => {
  const blow = { onset: 1, duration: 1.4e-3, max_indentation: 1.5e-3, v_in: 3.4 };
  const held = { onset: 2, duration: 1.03, max_indentation: 8.6e-4, v_in: 0.098 };
  assert.deepEqual([lasts(blow), lasts(held), lasts({ ...held, v_in: 0 })], [false, true, false]);
  const bands = allBands([runOf({}, [blow, held], [{ begin: 5, duration: 2 }])]);
  assert.deepEqual([[...bands.onset], [...bands.rests.onset], [...bands.rests.end]], [[1], [2, 5], [2 + 1.03, 7]]);
});

test("the graph of a four-bar has one loop, which one joint closes", () => {
  const joint = (name, ...bodies) => ({ name, type: "revolute", bodies });
  const bodies = ["ground", "crank", "coupler", "rocker", "free"].map((name) => ({ name }));
  const joints = [joint("A", 0, 1), joint("B", 1, 2), joint("C", 2, 3), joint("D", 0, 3)];
  const scene = { bodies, joints, loads: [], contacts: [{ name: "hit", bodies: [1, 3] }] };
  const graph = graphOf(scene);
  assert.deepEqual(graph.rows, [[0], [1, 3], [2]]);
  assert.deepEqual([graph.loops, graph.left, graph.edges.length], [1, 1, 5]);
  assert.equal(graph.edges.filter(({ closes }) => closes).length, 1);
  assert.equal(graphSentence(graph, scene), "4 bodies, 4 joints, 1 loop, 1 contact");
  assert.deepEqual([letterOf("revolute"), letterOf("screw")], ["R", "scre"]);
  // a chain that floats has no loop, and stands below the ground
  const chain = graphOf({ ...scene, joints: [joint("B", 1, 2)], contacts: [{ name: "hit", bodies: [0, 2] }] });
  assert.deepEqual([chain.rows, chain.loops, chain.left], [[[0], [1], [2]], 0, 2]);
});

test("a warning without a time leads to the line of the model that it tells, or that defines what it names", () => {
  const model = "carom: 1\nbodies:\n  crank: {mass: 1}\njoints:\n  'pin': {type: revolute}\n  - x: 2\n";
  assert.equal(lineOf("line 4: parameter 'x': not used", model), 4);
  assert.equal(lineOf("a.yaml:23:7: nothing", model), 0);
  assert.equal(lineOf("a.yaml:2:7: nothing", model), 2);
  assert.equal(lineOf("joint 'pin' is redundant", model), 5);
  assert.equal(lineOf("body 'rod' and 'crank'", model), 3);
  assert.equal(lineOf("the energy does not hold", model), 0);
  assert.equal(lineOf("'crank'", null), 0);
});
