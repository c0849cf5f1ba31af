// Trails of the bodies' centres of mass: the whole way faintly, the way up to the present time clearly.
import { BufferAttribute, BufferGeometry, Group, Line } from "three";

/** Points of a trail at most. */
const MOST = 4000;

export class Trails {
  /** @param {import("./actor.js").Actor} actor */
  constructor(actor) {
    this.actor = actor;
    this.group = new Group();
    this.group.visible = false;
    /** @type {({past: Line, whole: Line}|null)[]} one entry a body; made when first shown */
    this.trails = actor.motion.bodies.map(() => null);
    /** @type {Set<number>} */
    this.chosen = new Set();
    const { times, count } = actor.motion;
    const stride = Math.max(1, Math.ceil(count / MOST));
    this.rows = [];
    for (let k = 0; k < count; k += stride) this.rows.push(k);
    if (count && this.rows[this.rows.length - 1] !== count - 1) this.rows.push(count - 1);
    this.times = Float64Array.from(this.rows, (k) => times[k]);
  }

  /** @param {number} body @param {boolean} shown */
  choose(body, shown) {
    if (shown) this.chosen.add(body);
    else this.chosen.delete(body);
    this.prepare();
  }

  /** @param {boolean} shown */
  show(shown) {
    this.group.visible = shown;
    this.prepare();
  }

  prepare() {
    if (!this.group.visible) return;
    this.trails.forEach((trail, body) => {
      const shown = this.chosen.has(body);
      if (shown && !trail) trail = this.trails[body] = this.make(body);
      if (trail) trail.past.visible = trail.whole.visible = shown;
    });
  }

  make(body) {
    const columns = this.actor.motion.bodies[body];
    if (!columns) return null;
    const points = new Float32Array(3 * this.rows.length);
    this.rows.forEach((k, n) => {
      points[3 * n] = columns.x[k];
      points[3 * n + 1] = columns.y[k];
      points[3 * n + 2] = columns.z ? columns.z[k] : 0;
    });
    const { paint, look } = this.actor;
    const line = (opacity, room) => {
      const values = new Float32Array(points.length + room);
      values.set(points);
      const geometry = new BufferGeometry().setAttribute("position", new BufferAttribute(values, 3));
      const made = new Line(geometry, paint.thin(this.actor.colour(body), opacity * look.opacity));
      made.renderOrder = -10;
      made.frustumCulled = false;
      this.group.add(made);
      return made;
    };
    return { past: line(0.95, 3), whole: line(0.25, 0), points, head: -1 };
  }

  /** Lets the clear part end where the bodies are. @param {number} t */
  update(t) {
    if (!this.group.visible) return;
    const { times } = this;
    let low = 0;
    let high = times.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (times[middle] <= t) low = middle + 1;
      else high = middle;
    }
    for (const body of this.chosen) {
      const trail = this.trails[body];
      if (!trail) continue;
      const attribute = trail.past.geometry.attributes.position;
      // the point after the last row passed is where the body is; the one moved before gets its row back
      if (trail.head >= 0 && trail.head < this.rows.length)
        attribute.array.set(trail.points.subarray(3 * trail.head, 3 * trail.head + 3), 3 * trail.head);
      const { elements } = this.actor.nodes[body].matrix;
      attribute.setXYZ(low, elements[12], elements[13], elements[14]);
      attribute.needsUpdate = true;
      trail.head = low;
      trail.past.geometry.setDrawRange(0, low + 1);
    }
  }
}
