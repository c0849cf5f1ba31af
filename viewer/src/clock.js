// The one clock of the page: the shown time, whether it runs, and how fast. Scene and plots follow it, and seek it.
// Near an impact it can run slower by itself, so that a contact of 50 us lasts some seconds on the screen.

/** @typedef {{onset: number, duration: number, index: number}} Impact  times in seconds */

/** Seconds on the screen that one impact lasts in slow motion: in passing, and one that was chosen. */
const SLOW_SECONDS = 3,
  CHOSEN_SECONDS = 2;

/** Of the duration of a chosen impact what is shown before and after it. */
const AROUND = 0.5;

/** Longest step of wall time taken at once [s], so that a page that slept does not jump. */
const LONGEST_STEP = 0.1;

/** An impact longer than this part of the run is no event to slow down for by itself. */
const LONG_PART = 0.1;

export class Clock {
  /** @param {(call: (now: number) => void) => number} [schedule]  calls once, before the next picture */
  constructor(schedule = (call) => requestAnimationFrame(call)) {
    this.t = 0;
    this.t0 = 0;
    this.t1 = 1;
    /** Seconds of motion a second of wall time. */
    this.speed = 1;
    this.playing = false;
    /** Slow motion at every impact while playing. */
    this.automatic = false;
    /** The impact last played. @type {Impact | null} */
    this.impact = null;
    /** @type {Impact[]} in order of onset */
    this.impacts = [];
    this.schedule = schedule;
    this.listeners = new Set();
    this.scheduled = false;
    this.last = NaN;
    this.snapshots = new Float64Array(0);
    /** Slow motion of one impact: from, to, speed. */
    this.slow = { from: 0, to: 0, speed: 0, on: false };
    /** Breaks of the automatic slow motion, and the speed from each break on (Infinity: as chosen). */
    this.breaks = new Float64Array(0);
    this.limits = new Float64Array(0);
    this.tick = this.tick.bind(this);
  }

  /** @param {number} t0 @param {number} t1 first and last time of the run(s) */
  setRange(t0, t1) {
    this.t0 = t0;
    this.t1 = t1 > t0 ? t1 : t0;
    this.t = Math.min(Math.max(this.t, this.t0), this.t1);
    this.setImpacts(this.impacts);
  }

  /** @param {ArrayLike<number>} times  the times that `step` goes through, rising */
  setSnapshots(times) {
    this.snapshots = times;
  }

  /** @param {Impact[]} impacts */
  setImpacts(impacts) {
    this.impacts = impacts.filter((impact) => Number.isFinite(impact.onset)).sort((a, b) => a.onset - b.onset);
    const longest = (this.t1 - this.t0) * LONG_PART;
    const edges = [];
    for (const { onset, duration } of this.impacts) {
      if (duration > 0 && duration <= longest) {
        const speed = duration / SLOW_SECONDS;
        edges.push({ at: onset - duration, speed, opens: true }, { at: onset + 2 * duration, speed, opens: false });
      }
    }
    edges.sort((a, b) => a.at - b.at);
    // speeds of the impacts that are open, rising
    const open = [];
    const place = (speed) => {
      let low = 0;
      let high = open.length;
      while (low < high) {
        const middle = (low + high) >> 1;
        if (open[middle] < speed) low = middle + 1;
        else high = middle;
      }
      return low;
    };
    this.breaks = new Float64Array(edges.length);
    this.limits = new Float64Array(edges.length);
    edges.forEach((edge, k) => {
      open.splice(place(edge.speed), edge.opens ? 0 : 1, ...(edge.opens ? [edge.speed] : []));
      this.breaks[k] = edge.at;
      this.limits[k] = open.length ? open[0] : Infinity;
    });
    this.changed();
  }

  /** @param {(t: number) => void} listener @returns {() => void} ends the subscription */
  subscribe(listener) {
    this.listeners.add(listener);
    this.changed();
    return () => this.listeners.delete(listener);
  }

  /** @param {number} t */
  seek(t) {
    if (!Number.isFinite(t)) return;
    this.t = Math.min(Math.max(t, this.t0), this.t1);
    if (this.slow.on && (this.t < this.slow.from || this.t > this.slow.to)) this.leave();
    this.changed();
  }

  play() {
    if (this.t >= this.t1) {
      this.leave();
      this.t = this.t0;
    }
    this.playing = true;
    this.last = NaN;
    this.changed();
  }

  pause() {
    this.playing = false;
    this.changed();
  }

  toggle() {
    if (this.playing) this.pause();
    else this.play();
  }

  /** @param {number} speed  seconds of motion a second of wall time */
  setSpeed(speed) {
    if (!(speed > 0)) return;
    this.speed = speed;
    this.slow.on = false;
    this.changed();
  }

  /** @param {boolean} on */
  setAutomatic(on) {
    this.automatic = on;
    this.changed();
  }

  /** The speed at the present time: the chosen one, or slower near an impact. */
  get rate() {
    return this.rateAt(this.t);
  }

  /** Goes to the neighbouring snapshot. @param {number} direction  +1 or -1 */
  step(direction) {
    const { snapshots } = this;
    this.pause();
    let low = 0;
    let high = snapshots.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (direction > 0 ? snapshots[middle] <= this.t : snapshots[middle] < this.t) low = middle + 1;
      else high = middle;
    }
    const k = direction > 0 ? low : low - 1;
    if (k >= 0 && k < snapshots.length) this.seek(snapshots[k]);
  }

  /**
   * The impact after (+1) or before (-1) the one last sought, or the present time; null: there is none.
   * @param {number} direction @returns {Impact | null}
   */
  neighbour(direction) {
    const { impacts } = this;
    const near = this.impact && this.t >= this.slow.from && this.t <= this.slow.to;
    let k = near ? impacts.indexOf(this.impact) + direction : -1;
    if (!near) {
      k = impacts.findIndex((impact) => impact.onset > this.t);
      if (direction < 0) k = (k < 0 ? impacts.length : k) - 1;
    }
    return impacts[k] ?? null;
  }

  /**
   * Plays one impact in slow motion, from shortly before it to shortly after, and stops; one without a duration, of
   * rigid contacts, from its onset on.
   * @param {Impact} impact
   */
  playImpact(impact) {
    const { slow } = this;
    this.recall(impact);
    slow.on = true;
    this.t = slow.from;
    this.playing = true;
    this.last = NaN;
    this.changed();
  }

  /** The impact that slow motion is of, without a move. @param {Impact} impact */
  recall(impact) {
    const duration = impact.duration > 0 ? impact.duration : 0;
    const shown = duration || (this.t1 - this.t0) * 1e-3;
    const { slow } = this;
    slow.from = Math.max(impact.onset - AROUND * duration, this.t0);
    slow.to = Math.min(impact.onset + (1 + AROUND) * shown, this.t1);
    slow.speed = shown / CHOSEN_SECONDS;
    this.impact = impact;
  }

  /** What to go back to with other runs: time, speed and whether it plays. */
  kept() {
    const { t, speed, automatic, playing } = this;
    return { t, speed, automatic, playing };
  }

  /** @param {ReturnType<Clock["kept"]>|undefined} kept */
  restore(kept) {
    if (!kept) return;
    this.setSpeed(kept.speed);
    this.automatic = kept.automatic && this.impacts.length > 0;
    this.playing = kept.playing;
    this.seek(kept.t);
  }

  // ---- inside ----

  /** Forgets the impact sought. */
  leave() {
    this.slow.on = false;
    this.impact = null;
  }

  /** Index of the last break at or before t, or -1. @param {number} t */
  breakAt(t) {
    let low = 0;
    let high = this.breaks.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (this.breaks[middle] <= t) low = middle + 1;
      else high = middle;
    }
    return low - 1;
  }

  /** @param {number} t */
  rateAt(t) {
    if (this.slow.on) return Math.min(this.speed, this.slow.speed);
    const k = this.automatic ? this.breakAt(t) : -1;
    return k < 0 ? this.speed : Math.min(this.speed, this.limits[k]);
  }

  /**
   * Moves on by wall time, stopping over at the ends of slow motion so that none is jumped.
   * @param {number} wall [s]
   */
  advance(wall) {
    while (wall > 0 && this.t < this.t1) {
      const rate = this.rateAt(this.t);
      let stop = this.t1;
      if (this.slow.on) stop = Math.min(stop, this.slow.to);
      else if (this.automatic) stop = Math.min(stop, this.breaks[this.breakAt(this.t) + 1] ?? stop);
      const reach = this.t + wall * rate;
      if (reach < stop) {
        this.t = reach;
        break;
      }
      wall -= (stop - this.t) / rate;
      this.t = stop;
      if (this.slow.on && stop >= this.slow.to) {
        this.slow.on = this.playing = false;
        break;
      }
    }
    if (this.t >= this.t1) this.playing = false;
  }

  changed() {
    if (!this.scheduled && this.listeners.size) {
      this.scheduled = true;
      this.schedule(this.tick);
    }
  }

  /** @param {number} now  [ms] */
  tick(now) {
    this.scheduled = false;
    if (this.playing) {
      if (Number.isFinite(this.last)) this.advance(Math.min((now - this.last) * 1e-3, LONGEST_STEP));
      this.last = now;
    }
    for (const listener of this.listeners) listener(this.t);
    if (this.playing) this.changed();
  }
}

export const clock = new Clock();
