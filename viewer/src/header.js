// The page's header: title, what was run and how it ended, and the runs with their colours if there are several.
import { element } from "./plots/dom.js";
import { showSection } from "./tabs.js";
import { valueText } from "./plots/units.js";

/** How a status reads, and its colour. */
const STATUS = {
  completed: ["completed", "good"],
  "completed, inaccurate": ["completed, inaccurate", "warn"],
  interrupted: ["interrupted", "warn"],
  part: ["part of a run", "good"],
  "part, inaccurate": ["part of a run, inaccurate", "warn"],
  running: ["still running", "warn"],
  killed: ["killed", "bad"],
  failed: ["failed", "bad"],
};

/** @param {import("./data.js").Run[]} runs @param {import("./scene/index.js").SceneControls} scene */
export function fillHeader(runs, scene) {
  const [first] = runs;
  const title = runs.page?.title || first.title || first.model_name || first.file;
  document.title = `${title} – Carom`;
  document.getElementById("title").textContent = title;
  document.getElementById("subtitle").replaceChildren(describe(runs), ...warningLink(runs));
  const inaccurate = ["part, inaccurate", "completed, inaccurate"];
  const worst = ["failed", "killed", "interrupted", "running", ...inaccurate, "part", "completed"].find((s) =>
    runs.some((run) => run.status === s),
  );
  const [text, kind] = STATUS[worst] ?? [first.status, "warn"];
  const badge = document.getElementById("status");
  badge.textContent = runs.length > 1 && worst !== "completed" ? worst === "completed, inaccurate" ? `not all accurate` : `not all completed: ${text}` : text;
  badge.className = `badge ${kind}`;
  badge.title = "How the run ended";
  badge.hidden = !badge.textContent;
  if (runs.length > 1) fillLegend(runs, scene);
}

/** "slider_crank_block.h5 · 0.5 s · 3 impacts" @param {import("./data.js").Run[]} runs */
function describe(runs) {
  const [first] = runs;
  const parts = [runs.length > 1 ? `${runs.length} runs` : first.file];
  const times = first.times("intervals");
  if (times.length) parts.push(valueText(times[times.length - 1] - times[0], "s", 4));
  if (runs.length === 1) {
    const count = first.impactsOf;
    parts.push(count === 0 ? "no impact" : count === 1 ? "1 impact" : `${count} impacts`);
  }
  return parts.filter(Boolean).join(" · ");
}

/** How many warnings there are, as the way to them. @param {import("./data.js").Run[]} runs */
function warningLink(runs) {
  const count = runs.reduce((sum, run) => sum + (run.warnings?.length ?? 0), 0);
  if (!count) return [];
  const go = () => {
    showSection("model", true);
    const [first] = document.querySelectorAll("#model .p-warning");
    first?.closest("details")?.setAttribute("open", "");
    first?.scrollIntoView({ block: "start" });
  };
  const text = count === 1 ? "1 warning" : `${count} warnings`;
  return [" · ", element("button", { type: "button", class: "link", text, title: "Show the warnings", onclick: go })];
}

function fillLegend(runs, scene) {
  const legend = document.getElementById("legend");
  legend.hidden = false;
  const alone = runs.page?.one_at_a_time === true;
  runs.forEach((run, k) => {
    const name = run.label || run.file || `run ${k + 1}`;
    const button = element(
      "button",
      {
        type: "button",
        "aria-pressed": String(!alone || k === 0),
        title: alone ? `${name}: show it in the scene` : `${name}: show or hide in the scene`,
      },
      element("i", { class: "swatch", style: `--swatch: var(--c${k % 8})` }),
      element("span", { text: name }),
    );
    if (alone && k > 0) scene.showRun(k, false);
    button.addEventListener("click", () => {
      const shown = alone || button.getAttribute("aria-pressed") !== "true";
      [...legend.children].forEach((other, n) => {
        if (n !== k && !alone) return;
        other.setAttribute("aria-pressed", String(n === k && shown));
        scene.showRun(n, n === k && shown);
      });
    });
    legend.append(button);
  });
}
