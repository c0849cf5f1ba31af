// A page that `carom view` serves: pose and runs of a model, the joints under the mouse, news when its file is saved.
// Elsewhere nothing of this is there: the address says it.
import "./live.css";
import { element } from "../plots/dom.js";
import { ask } from "./ask.js";
import { startDrag } from "./drag.js";
import { showError } from "./error.js";
import { keep, Kept } from "./keep.js";
import { mountPose } from "./pose.js";

/** Time between two looks at how long a run takes [ms]. */
const PERIOD = 500;

/** Whether the page comes from `carom view`. */
export const isLive = /^https?:$/.test(location.protocol) && /^\/view\/[0-9a-f]{32}\/$/.test(location.pathname);

/** What was shown before the page was loaded anew; nothing in other pages. */
export const kept = isLive ? Kept.take() : new Kept({});

class Live {
  /** @param {object} carom  what the page has for scripts @param {object} scene  its controls */
  constructor(carom, scene) {
    this.carom = carom;
    this.scene = scene;
    this.show = new URLSearchParams(location.search).get("show") ?? "";
    this.state = element("span", { class: "live-state", role: "status" });
    this.pages = element("select", { "aria-label": "Analysis", hidden: "", onchange: () => this.go("run") });
    this.poseButton = element("button", { type: "button", text: "Pose", onclick: () => this.go("pose") });
    this.runButton = element("button", { type: "button", text: "Run", onclick: () => this.run() });
    this.bar = element(
      "div",
      { id: "live", role: "region", "aria-label": "Model" },
      this.poseButton,
      this.runButton,
      this.pages,
      this.state,
    );
    document.getElementById("header").after(this.bar);
    this.first = null;
    this.since = 0;
    this.listen();
  }

  /** Whether the page shows the pose. */
  get posed() {
    return this.show === "pose" || !this.first.run;
  }

  async listen() {
    try {
      // the server answers when there are news
      for (;;) this.take(await ask(this.news ? `news?since=${this.news.state}` : "news"));
    } catch {
      this.state.textContent = "carom view has ended; the page stays as it is";
      this.bar.classList.add("live-ended");
      this.news = null;
    }
  }

  /** @param {object} news */
  take(news) {
    this.news = news;
    if (!this.first) this.begin(news);
    const number = this.posed ? news.pose : news.run;
    const own = this.posed ? this.first.pose : this.first.run;
    const came = !this.first.run && news.run && this.show !== "pose";
    if (news.running && !this.since) this.since = performance.now();
    if (!news.running) this.since = 0;
    this.tell();
    showError(news.error, this.bar);
    if (number !== own || came) {
      if (this.wanted) this.go("run");
      else this.reload();
    } else if (this.wanted && news.run !== this.first.run) this.go("run");
  }

  /** Says whether the model runs, and how long. */
  tell() {
    if (!this.news) return;
    const seconds = this.since ? Math.floor((performance.now() - this.since) / 1000) : 0;
    const text = this.since ? `running${seconds ? ` ${seconds} s` : ""} …` : this.news.watch ? "runs again when the file is saved" : "";
    if (this.state.textContent !== text) this.state.textContent = text;
  }

  begin(news) {
    this.first = news;
    setInterval(() => this.tell(), PERIOD);
    this.poseButton.setAttribute("aria-pressed", String(this.posed));
    this.runButton.setAttribute("aria-pressed", String(!this.posed));
    document.documentElement.dataset.live = this.posed ? "pose" : "run";
    news.pages.forEach((name, k) => this.pages.append(element("option", { value: String(k), text: name })));
    this.pages.hidden = news.pages.length < 2 || this.posed;
    this.pages.value = new URLSearchParams(location.search).get("page") ?? "0";
    if (!this.posed) return;
    const badge = document.getElementById("status");
    badge.textContent = "start";
    badge.title = "The assembled start, before any run";
    const hand = mountPose(this.carom, this.scene);
    this.carom.drawn.then(() => startDrag(this.scene.stage(), hand));
  }

  /** Runs the model, or shows the run that there is. */
  async run() {
    if (!this.posed) return;
    if (this.first.run && this.first.watch) {
      this.go("run");
      return;
    }
    this.wanted = true;
    await ask("start", "POST");
  }

  /** @param {"pose"|"run"} show */
  go(show) {
    keep(this.carom, this.scene, this.posed ? "pose" : "run");
    const page = show === "run" && this.pages.value !== "0" ? `&page=${this.pages.value}` : "";
    location.href = `?show=${show}${page}`;
  }

  reload() {
    keep(this.carom, this.scene, this.posed ? "pose" : "run");
    location.reload();
  }
}

/** @param {object} carom @param {object} scene */
export function startLive(carom, scene) {
  if (isLive) carom.live = new Live(carom, scene);
}
