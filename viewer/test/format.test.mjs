// Numbers of the player as texts.
import assert from "node:assert/strict";
import test from "node:test";
import { speedText, timeStyle, timeText } from "../src/format.js";

test("times have a unit that fits the run and digits that fit its shortest event", () => {
  const style = timeStyle(0.1, 5e-7);
  assert.deepEqual(style, { factor: 1e3, unit: "ms", decimals: 6 });
  assert.equal(timeText(0.012345678, style), "12.345\u2009678 ms");
  assert.equal(timeText(1.5, timeStyle(6, 1e-3)), "1.500 s");
  assert.equal(timeText(2e-5, timeStyle(2e-4, 1e-8)), "20.000 µs");
});

test("a resolution of a power of ten takes that many digits", () => {
  assert.equal(timeStyle(10, 1e-3).decimals, 3);
  assert.equal(timeStyle(10, 1e-6).decimals, 6);
  assert.equal(timeStyle(10, 0).decimals, 9);
});

test("speeds are fractions", () => {
  assert.equal(speedText(2), "2×");
  assert.equal(speedText(0.5), "1/2");
  assert.equal(speedText(1 / 2500), "1/2\u2009500");
  assert.equal(speedText(1e-6), "1/1\u2009000\u2009000");
});
