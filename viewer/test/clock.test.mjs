// The clock: playing by wall time, slow motion near impacts, steps through snapshots.
import assert from "node:assert/strict";
import test from "node:test";
import { Clock } from "../src/clock.js";

const IMPACT = { onset: 0.5, duration: 3e-5, index: 1 };
const LATER = { onset: 0.8, duration: 6e-5, index: 2 };

/** A clock whose pictures are made by hand: `run(seconds)` makes them, 10 ms apart. */
function clockByHand() {
  let pending = null;
  let now = 0;
  const clock = new Clock((call) => {
    pending = call;
  });
  const next = (step) => {
    const call = pending;
    pending = null;
    now += step;
    call?.(now);
  };
  const run = (seconds) => {
    for (let k = 0; k < Math.round(seconds * 100); k++) next(10);
  };
  return { clock, run, next, idle: () => pending === null };
}

test("one listener call a picture, and none while nothing changes", () => {
  const { clock, next, idle } = clockByHand();
  const calls = [];
  clock.subscribe((t) => calls.push(t));
  next(10);
  clock.seek(0.2);
  clock.seek(0.3);
  next(10);
  next(10);
  assert.deepEqual(calls, [0, 0.3]);
  assert.ok(idle());
});

test("plays with its speed, stops at the end and starts over", () => {
  const { clock, run } = clockByHand();
  clock.subscribe(() => {});
  clock.setRange(1, 2);
  clock.setSpeed(0.5);
  clock.play();
  run(1.01);
  assert.ok(Math.abs(clock.t - 1.5) < 1e-9, `${clock.t}`);
  run(3);
  assert.equal(clock.t, 2);
  assert.equal(clock.playing, false);
  clock.play();
  assert.equal(clock.t, 1);
});

test("seeking stays within the run", () => {
  const { clock } = clockByHand();
  clock.setRange(0, 2);
  clock.seek(5);
  assert.equal(clock.t, 2);
  clock.seek(-1);
  assert.equal(clock.t, 0);
  clock.seek(NaN);
  assert.equal(clock.t, 0);
});

test("a chosen impact takes two seconds, with half of it before and after, and stops", () => {
  const { clock, run } = clockByHand();
  clock.subscribe(() => {});
  clock.setImpacts([LATER, IMPACT]);
  clock.setSpeed(0.01);
  clock.playImpact(clock.neighbour(1));
  assert.equal(clock.impact.index, 1);
  assert.ok(Math.abs(clock.t - (0.5 - 1.5e-5)) < 1e-12);
  assert.ok(clock.playing);
  assert.ok(Math.abs(clock.rate - 1.5e-5) < 1e-18);
  // one second of it is half of the duration
  run(1.01);
  assert.ok(Math.abs(clock.t - 0.5) < 1e-10, `${clock.t}`);
  run(3.5);
  assert.equal(clock.playing, false);
  assert.ok(Math.abs(clock.t - (0.5 + 4.5e-5)) < 1e-12, `${clock.t}`);
  assert.equal(clock.neighbour(1).index, 2);
  // and the rest at the chosen speed
  clock.play();
  assert.equal(clock.rate, 0.01);
  run(1);
  assert.ok(clock.t > 0.505 && clock.t < 0.52);
  clock.playImpact(clock.neighbour(1));
  assert.equal(clock.impact.index, 2);
  assert.equal(clock.neighbour(1), null);
  assert.equal(clock.neighbour(-1).index, 1);
});

test("automatic slow motion misses no impact, however fast the clock", () => {
  const { clock, run } = clockByHand();
  const seen = [];
  clock.subscribe((t) => {
    if (t > IMPACT.onset && t < IMPACT.onset + IMPACT.duration) seen.push(t);
  });
  clock.setImpacts([IMPACT, LATER]);
  clock.setSpeed(10);
  clock.setAutomatic(true);
  clock.play();
  run(25);
  assert.ok(seen.length > 250, `${seen.length} pictures of the impact`);
  assert.equal(clock.t, 1);
});

test("a long contact is no reason to slow down, and odd impacts do no harm", () => {
  const { clock } = clockByHand();
  clock.setImpacts([
    { onset: 0.2, duration: 0.5, index: 1 },
    { onset: 0.3, duration: NaN, index: 2 },
    { onset: NaN, duration: 1, index: 3 },
  ]);
  clock.setAutomatic(true);
  clock.seek(0.25);
  assert.equal(clock.rate, 1);
  clock.playImpact(clock.neighbour(-1));
  assert.equal(clock.impact.index, 1);
});

test("an impact without a duration, of rigid contacts, is shown from its onset on, before the next", () => {
  const { clock, run } = clockByHand();
  clock.setImpacts([
    { onset: 0.4998, duration: 0, index: 1 },
    { onset: 0.5, duration: 0, index: 2 },
  ]);
  clock.subscribe(() => {});
  clock.playImpact(clock.neighbour(1));
  assert.equal(clock.t, 0.4998);
  clock.playImpact(clock.neighbour(1));
  assert.equal(clock.t, 0.5);
  run(0.5);
  assert.ok(clock.t > 0.5 && clock.t < 0.501, `${clock.t}`);
});

test("steps go through the snapshots", () => {
  const { clock } = clockByHand();
  clock.setSnapshots(Float64Array.of(0, 0.1, 0.25, 1));
  clock.seek(0.1);
  clock.step(1);
  assert.equal(clock.t, 0.25);
  clock.step(-1);
  assert.equal(clock.t, 0.1);
  clock.seek(0.2);
  clock.step(-1);
  assert.equal(clock.t, 0.1);
  clock.seek(1);
  clock.step(1);
  assert.equal(clock.t, 1);
});
