// The motion of one run: poses of bodies and contact forces at any time, between the recorded snapshots. Nothing is
// allocated after construction.
import { Quaternion } from "three";

/** @typedef {{x: ArrayLike<number>, y: ArrayLike<number>, z: ArrayLike<number>|null}} Columns */
/** @typedef {Columns & {angle: ArrayLike<number>|null, turns: Float32Array|null}} BodyColumns */

/** Columns of a vector, or null. @param {ArrayLike<number>[]|undefined} columns @returns {Columns|null} */
function vectorOf(columns) {
  return columns?.length >= 2 ? { x: columns[0], y: columns[1], z: columns[2] ?? null } : null;
}

/** Orientations w, x, y, z as one array x, y, z, w a frame. @param {ArrayLike<number>[]} columns */
function packTurns([w, x, y, z]) {
  const packed = new Float32Array(4 * w.length);
  for (let k = 0; k < w.length; k++) {
    packed[4 * k] = x[k];
    packed[4 * k + 1] = y[k];
    packed[4 * k + 2] = z[k];
    packed[4 * k + 3] = w[k];
  }
  return packed;
}

export class Motion {
  /** @param {import("../data.js").Run} run  with a scene */
  constructor(run) {
    const { times, bodies, contacts } = run.snapshots;
    this.times = times;
    this.count = times.length;
    /**
     * One entry a body of the scene; null for the ground and where no pose is recorded.
     * @type {(BodyColumns|null)[]}
     */
    this.bodies = run.scene.bodies.map(({ name }) => {
      const columns = bodies[name];
      const position = vectorOf(columns?.position);
      if (!position || !this.count) return null;
      return {
        ...position,
        angle: columns.angle ?? null,
        turns: columns.orientation ? packTurns(columns.orientation) : null,
      };
    });
    /** One entry a contact of the scene. @type {({point: Columns, force: Columns}|null)[]} */
    this.contacts = run.scene.contacts.map(({ name }) => {
      const point = vectorOf(contacts[name]?.point);
      const force = vectorOf(contacts[name]?.force);
      return point && force && this.count ? { point, force } : null;
    });
    this.k = 0;
    this.f = 0;
    this.scratch = new Float32Array(4);
  }

  /** Goes to a time: the frame at or before it, and the fraction of the way to the next. @param {number} t */
  locate(t) {
    const { times, count } = this;
    if (count < 2 || t <= times[0]) {
      this.k = 0;
      this.f = 0;
      return;
    }
    let { k } = this;
    if (!(times[k] <= t && (k + 1 >= count || t < times[k + 1]))) {
      if (k + 2 < count && times[k + 1] <= t && t < times[k + 2]) {
        k++;
      } else {
        let low = 0;
        let high = count;
        while (high - low > 1) {
          const middle = (low + high) >> 1;
          if (times[middle] <= t) low = middle;
          else high = middle;
        }
        k = low;
      }
    }
    if (k + 1 >= count) {
      k = count - 2;
      this.f = 1;
    } else {
      const step = times[k + 1] - times[k];
      this.f = step > 0 ? (t - times[k]) / step : 0;
    }
    this.k = k;
  }

  /** @param {Columns} columns @param {import("three").Vector3} out */
  vector({ x, y, z }, out) {
    const { k, f } = this;
    const n = f > 0 ? k + 1 : k;
    out.set(x[k] + f * (x[n] - x[k]), y[k] + f * (y[n] - y[k]), z ? z[k] + f * (z[n] - z[k]) : 0);
    return out;
  }

  /**
   * Pose of a body at the present time; the ground is at rest.
   * @param {number} body @param {import("three").Vector3} position @param {Quaternion} turn
   * @returns {boolean} false: not recorded here, and both are as before
   */
  pose(body, position, turn) {
    const held = this.held?.[body];
    if (held) {
      position.copy(held.position);
      turn.copy(held.turn);
      return true;
    }
    const columns = this.bodies[body];
    const { k, f } = this;
    if (!columns) {
      position.set(0, 0, 0);
      turn.set(0, 0, 0, 1);
      return body === 0;
    }
    if (!Number.isFinite(columns.x[k])) return false;
    this.vector(columns, position);
    if (columns.turns) {
      Quaternion.slerpFlat(this.scratch, 0, columns.turns, 4 * k, columns.turns, 4 * (f > 0 ? k + 1 : k), f);
      turn.fromArray(this.scratch).normalize();
    } else if (columns.angle) {
      const half = 0.5 * (columns.angle[k] + f * (columns.angle[f > 0 ? k + 1 : k] - columns.angle[k]));
      turn.set(0, 0, Math.sin(half), Math.cos(half));
    } else {
      turn.set(0, 0, 0, 1);
    }
    return true;
  }

  /** Calls with snapshots spread over the run, at most `most`; the motion stands at each in turn. */
  sample(most, call) {
    const stride = Math.max(1, Math.ceil(this.count / most));
    for (let k = 0; k < this.count; k += stride) {
      this.k = Math.min(k, Math.max(this.count - 2, 0));
      this.f = k > this.k ? 1 : 0;
      call();
    }
    this.k = 0;
    this.f = 0;
  }
}
