// A page that `carom view` serves: pose and runs of a model, the joints under the mouse, news when its file is saved.
// Elsewhere nothing of this is there: the address says it.
import "./live.css";
import { decode } from "../data.js";
import { element } from "../plots/dom.js";
import { ask } from "./ask.js";
import { startDrag } from "./drag.js";
import { showError } from "./error.js";
import { mountPose } from "./pose.js";

/** Time between two looks at how long a run takes [ms]. */
const PERIOD = 500;

/** Whether the page comes from `carom view`. */
const isLive = /^https?:$/.test(location.protocol) && /^\/view\/[0-9a-f]{32}\/$/.test(location.pathname);

class Live {
  /** @param {object} carom  what the page has for scripts @param {object} page  what is shown, and show() for others */
  constructor(carom, page) {
    this.carom = carom;
    this.page = page;
    const address = new URLSearchParams(location.search);
    /** What is asked for: "pose", "run", or "" for the run once there is one. */
    this.wish = address.get("show") ?? "";
    /** What is shown: numbers of pose or run, and of the analysis. */
    this.shown = null;
    this.wanted = address.get("page") ?? "0";
    this.state = element("span", { class: "live-state", role: "status" });
    this.pages = element("select", { "aria-label": "Analysis", hidden: "", onchange: () => this.choose("run") });
    this.poseButton = element("button", { type: "button", text: "Pose", onclick: () => this.choose("pose") });
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
    this.since = 0;
    this.listen();
  }

  async listen() {
    try {
      // the server answers when there are news
      for (;;) await this.take(await ask(this.news ? `news?since=${this.news.state}` : "news"));
    } catch {
      this.state.textContent = "carom view has ended; the page stays as it is";
      this.bar.classList.add("live-ended");
      this.news = null;
    }
  }

  /** Whether a pose is what should be seen. */
  get poses() {
    return this.wish === "pose" || !this.news.run;
  }

  /** @param {object} news */
  async take(news) {
    this.news = news;
    if (!this.shown) this.begin();
    if (news.running && !this.since) this.since = performance.now();
    if (!news.running) this.since = 0;
    this.tell();
    showError(news.error, this.bar);
    if (this.waiting && news.run !== this.waiting.run) {
      this.wish = "run";
      this.waiting = null;
    }
    await this.queue();
  }

  /** Says whether the model runs, and how long. */
  tell() {
    if (!this.news) return;
    const seconds = this.since ? Math.floor((performance.now() - this.since) / 1000) : 0;
    const text = this.since ? `running${seconds ? ` ${seconds} s` : ""} …` : this.news.watch ? "runs again when the file is saved" : "";
    if (this.state.textContent !== text) this.state.textContent = text;
  }

  /** What the page came with. */
  begin() {
    setInterval(() => this.tell(), PERIOD);
    this.shown = this.served(document);
    this.dress();
  }

  /** What a page or its data are, which the server writes into them. @param {Document} from */
  served(from) {
    const [kind, number] = from.documentElement.dataset.served.split(" ");
    const poses = kind === "pose";
    return { poses, number: Number(number), page: poses ? "0" : this.wanted };
  }

  /** What should be shown by the last news. */
  aim() {
    const { poses, news } = this;
    if (Number(this.wanted) >= news.pages.length) this.wanted = "0";
    return { poses, number: poses ? news.pose : news.run, page: poses ? "0" : this.wanted };
  }

  /** One exchange after the other. */
  queue() {
    this.changing = (this.changing ?? Promise.resolve()).catch(() => {}).then(() => this.follow());
    return this.changing;
  }

  /** Shows what should be, if something else is shown. */
  async follow() {
    const aim = this.aim();
    if (JSON.stringify(aim) === JSON.stringify(this.shown)) return;
    const query = `show=${aim.poses ? "pose" : "run"}${aim.page === "0" ? "" : `&page=${aim.page}`}`;
    const answer = await ask(`data?${query}`, "GET", "text");
    const { page } = this;
    const data = new DOMParser().parseFromString(answer, "text/html");
    const runs = await decode(data);
    const kept = page.kept.next(this.shown.poses);
    this.shown = this.served(data);
    const done = page.show(runs, kept);
    this.dress();
    // so that the address shows the same when it is loaded anew
    if (this.wish) history.replaceState(null, "", `?${query}`);
    await done;
    requestAnimationFrame(() => performance.mark("carom-exchanged"));
  }

  /** Shows which of all is shown, and lets a pose be moved. */
  dress() {
    const { poses, number } = this.shown;
    this.poseButton.setAttribute("aria-pressed", String(poses));
    this.runButton.setAttribute("aria-pressed", String(!poses));
    document.documentElement.dataset.live = poses ? "pose" : "run";
    document.documentElement.dataset.liveNumber = String(number);
    this.pages.replaceChildren(...this.news.pages.map((name, k) => element("option", { value: String(k), text: name })));
    this.pages.hidden = this.news.pages.length < 2 || poses;
    this.pages.value = this.wanted;
    if (!poses) return;
    const badge = document.getElementById("status");
    badge.textContent = "start";
    badge.title = "The assembled start, before any run";
    const { scene, scope } = this.page;
    const hand = mountPose(scene, scope);
    scene.drawn.then(() => startDrag(scene.stage(), hand));
  }

  /** Runs the model, or shows the run that there is. */
  async run() {
    if (!this.shown?.poses || !this.news) return;
    if (this.news.run && this.news.watch) {
      this.choose("run");
      return;
    }
    this.waiting = { run: this.news.run };
    await ask("start", "POST");
  }

  /** @param {"pose"|"run"} wish */
  choose(wish) {
    if (!this.news) return;
    this.wish = wish;
    this.wanted = this.pages.value || "0";
    // the bar says it if the server has ended
    this.queue().catch(() => {});
  }
}

/** @param {object} carom @param {object} page */
export function startLive(carom, page) {
  if (isLive) carom.live = new Live(carom, page);
}
