// The force of the longest arrow: the largest one about the present time, rounded up, so that what rests is seen as
// well as what hits.
import { niceStep } from "../plots/units.js";

/** Seconds on the screen before and after the present time in which forces are looked at. */
const AROUND = 0.75;

/** Snapshots of which the largest force is kept together. */
const BLOCK = 64;

/** Sizes of the contact forces of a run: the largest of each snapshot, and of each block of them. */
function sizesOf({ contacts, count }) {
  const sizes = new Float64Array(count);
  for (const contact of contacts)
    for (let k = 0; contact && k < count; k++) {
      const { x, y, z } = contact.force;
      const size = Math.hypot(x[k], y[k], z ? z[k] : 0);
      if (size > sizes[k]) sizes[k] = size;
    }
  const blocks = new Float64Array(Math.ceil(count / BLOCK));
  for (let k = 0; k < count; k++) blocks[(k / BLOCK) | 0] = Math.max(blocks[(k / BLOCK) | 0], sizes[k]);
  return { sizes, blocks };
}

/** Index of the first time that is at least t. */
function firstFrom(times, t) {
  let low = 0,
    high = times.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (times[middle] < t) low = middle + 1;
    else high = middle;
  }
  return low;
}

export class Reference {
  /** @param {import("./motion.js").Motion[]} motions */
  constructor(motions) {
    this.runs = motions.map((motion) => ({ times: motion.times, ...sizesOf(motion) }));
    /** The largest force of all [N]. */
    this.largest = Math.max(0, ...this.runs.flatMap(({ blocks }) => [...blocks]));
  }

  /** The largest force between two times, and at the snapshots next to them. */
  between(from, to) {
    let largest = 0;
    for (const { times, sizes, blocks } of this.runs) {
      const end = Math.min(firstFrom(times, to) + 1, times.length);
      for (let k = Math.max(0, firstFrom(times, from) - 1); k < end; ) {
        const whole = k % BLOCK === 0 && k + BLOCK <= end;
        largest = Math.max(largest, whole ? blocks[k / BLOCK] : sizes[k]);
        k += whole ? BLOCK : 1;
      }
    }
    return largest;
  }

  /**
   * Force of the longest arrow at a time [N]; 0: there is none. @param {number} t @param {number} speed  of the clock
   */
  at(t, speed) {
    const found = this.between(t - AROUND * speed, t + AROUND * speed) || this.largest;
    return found > 0 ? niceStep(found) : 0;
  }
}
