// The player below the scene: play, steps, impacts, the slider of time and the speed.
import { speedText, timeStyle, timeText } from "./format.js";
import { icon, iconButton } from "./icons.js";
import { lowerBound } from "./plots/decimate.js";
import { choice, element } from "./plots/dom.js";

/** Speeds to choose from, the last ones for runs of nanoseconds. */
const SPEEDS = [10, 5, 2, 1];
for (let decade = 1; decade < 1e9; decade *= 10) SPEEDS.push(1 / (2 * decade), 1 / (5 * decade), 1 / (10 * decade));

/** Seconds that a shorter run takes on the screen at first, about. */
const SCREEN_SECONDS = 5;

/** The speed of the list that is nearest, by their ratio. @param {number} speed */
function nearestSpeed(speed) {
  const distance = (other) => Math.abs(Math.log(other / speed));
  return SPEEDS.reduce((best, other) => (distance(other) < distance(best) ? other : best));
}

/** The speed at first. @param {import("./clock.js").Clock} clock */
function firstSpeed(clock) {
  const length = clock.t1 - clock.t0;
  return SPEEDS.find((speed) => speed <= 1 && length / speed >= SCREEN_SECONDS * 0.6) ?? 1;
}

/** How times are written: finer than the shortest impact. @param {import("./clock.js").Clock} clock */
function styleOf(clock) {
  let finest = (clock.t1 - clock.t0) * 1e-4;
  for (const { duration } of clock.impacts) if (duration > 0) finest = Math.min(finest, duration / 100);
  return timeStyle(Math.max(Math.abs(clock.t0), Math.abs(clock.t1)), finest);
}

/** Marks where impacts are above the slider. @param {HTMLCanvasElement} canvas */
function drawMarks(canvas, clock) {
  const ratio = Math.min(devicePixelRatio, 2);
  const { clientWidth: width, clientHeight: height } = canvas;
  canvas.width = width * ratio;
  canvas.height = height * ratio;
  const pen = canvas.getContext("2d");
  pen.fillStyle = getComputedStyle(canvas).getPropertyValue("--force");
  const scale = canvas.width / (clock.t1 - clock.t0 || 1);
  let last = -Infinity;
  for (const { onset } of clock.impacts) {
    const x = Math.round((onset - clock.t0) * scale);
    if (x - last >= ratio) {
      pen.fillRect(x - ratio, 0, 2 * ratio, canvas.height);
      last = x;
    }
  }
}

/** How near to a mark a click must be [px]. */
const NEAR = 8;

class Player {
  /**
   * @param {HTMLElement} home @param {import("./clock.js").Clock} clock @param {import("./focus.js").Focus} focus
   * @param {import("./scope.js").Scope} scope
   */
  constructor(home, clock, focus, scope) {
    this.clock = clock;
    this.focus = focus;
    this.style = styleOf(clock);
    this.shown = { t: NaN, playing: null, speed: NaN, automatic: null, rate: NaN };
    this.slider = element("input", {
      ...{ type: "range", min: "0", max: "1", step: "any", value: "0", title: "Time", "aria-label": "Time" },
      oninput: () => this.drag(),
    });
    this.marks = element("canvas", {
      class: "marks",
      "aria-hidden": "true",
      title: clock.impacts.length ? "Impacts: click one to see it closely" : null,
      onclick: (event) => this.mark(event.offsetX),
    });
    this.play = iconButton("play", "Play (space)", () => clock.toggle(), { class: "icon play" });
    this.time = element("output", { class: "time", title: "Time shown" });
    this.time.style.minWidth = `${timeText(clock.t1, this.style).length * 0.92}ch`;
    this.rate = element("span", { class: "rate", title: "Slow motion: speed at present" });
    this.slow = iconButton("slow", "Slow motion at every impact", () => clock.setAutomatic(!clock.automatic), {
      "aria-pressed": "false",
      disabled: !clock.impacts.length,
    });
    const speeds = SPEEDS.map((value) => [String(value), speedText(value)]);
    this.speed = choice("Speed (+ and -)", speeds, "1", (value) => clock.setSpeed(Number(value)));
    home.append(element("div", { class: "track" }, this.marks, this.slider), this.row());
    clock.setSpeed(firstSpeed(clock));
    scope.add(clock.subscribe((t) => this.show(t)));
    const redraw = () => drawMarks(this.marks, clock);
    scope.observeSize(this.marks, redraw);
    scope.listen(window, "carom-theme", redraw);
  }

  /** The row of buttons. */
  row() {
    const { clock, focus, style } = this;
    const disabled = !clock.impacts.length;
    const end = Number((clock.t1 * style.factor).toPrecision(4));
    return element(
      "div",
      { class: "row" },
      iconButton("previous", "Previous impact (p)", () => focus.next(-1), { disabled }),
      iconButton("back", "Frame back (left)", () => clock.step(-1)),
      this.play,
      iconButton("forward", "Frame forward (right)", () => clock.step(1)),
      iconButton("next", "Next impact, in slow motion (n)", () => focus.next(1), { disabled }),
      this.time,
      element("span", { class: "end", text: `of ${end} ${style.unit}` }),
      element("span", { class: "space" }),
      this.rate,
      this.slow,
      this.speed,
    );
  }

  /** Chooses the impact whose mark is nearest, if it is near. @param {number} x [px] */
  mark(x) {
    const { clock, focus, marks } = this;
    const scale = marks.clientWidth / (clock.t1 - clock.t0 || 1);
    const onsets = clock.impacts.map(({ onset }) => onset);
    const t = clock.t0 + x / scale;
    const k = lowerBound(onsets, t);
    const found = [k - 1, k].filter((n) => clock.impacts[n] && Math.abs(onsets[n] - t) * scale <= NEAR);
    found.sort((a, b) => Math.abs(onsets[a] - t) - Math.abs(onsets[b] - t));
    if (found.length) focus.choose(focus.runs[0], clock.impacts[found[0]]);
  }

  drag() {
    const { clock } = this;
    clock.pause();
    clock.seek(clock.t0 + Number(this.slider.value) * (clock.t1 - clock.t0));
  }

  /** Shows the clock; only what changed is written. @param {number} t */
  show(t) {
    const { clock, shown } = this;
    if (t !== shown.t) {
      shown.t = t;
      this.time.textContent = timeText(t, this.style);
      this.slider.value = String((t - clock.t0) / (clock.t1 - clock.t0 || 1));
    }
    if (clock.playing !== shown.playing) {
      shown.playing = clock.playing;
      const title = clock.playing ? "Pause" : "Play";
      this.play.innerHTML = icon(clock.playing ? "pause" : "play");
      this.play.title = `${title} (space)`;
      this.play.setAttribute("aria-label", title);
    }
    if (clock.speed !== shown.speed) {
      shown.speed = clock.speed;
      this.speed.value = String(nearestSpeed(clock.speed));
    }
    if (clock.automatic !== shown.automatic) {
      shown.automatic = clock.automatic;
      this.slow.setAttribute("aria-pressed", String(clock.automatic));
    }
    const { rate } = clock;
    const slow = clock.playing && rate < clock.speed ? rate : 0;
    if (slow !== shown.rate) {
      shown.rate = slow;
      this.rate.textContent = slow ? `slow ${speedText(slow)}` : "";
    }
  }

  /** Takes the neighbouring speed. @param {number} direction  +1: faster, -1: slower */
  faster(direction) {
    const k = SPEEDS.indexOf(nearestSpeed(this.clock.speed)) - direction;
    if (SPEEDS[k]) this.clock.setSpeed(SPEEDS[k]);
  }
}

/**
 * @param {HTMLElement} home @param {import("./clock.js").Clock} clock @param {import("./focus.js").Focus} focus
 * @param {import("./scope.js").Scope} scope @returns {{faster(direction: number): void}}
 */
export function mountPlayer(home, clock, focus, scope) {
  return new Player(home, clock, focus, scope);
}
