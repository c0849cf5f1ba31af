// What was run: warnings, options, version, rows, and the text of the model.
import { button, copyText, download, element, fileName, note } from "../plots/dom.js";
import { runText } from "../plots/series.js";
import { mechanismParts } from "./mechanism.js";
import { warningParts } from "./warnings.js";

const NAMES = {
  intervals: "rows at the output interval",
  steps: "rows at solver steps",
  snapshots: "snapshots of the motion",
};

/** Lines of a text that has a number and an element for each. */
const MOST_NUMBERED = 1000;

/** "1200" or "1200 of 5000" rows of each group. */
function rowFacts(run) {
  return run.groups
    .filter((group) => group.of > 0 || group.rows > 0)
    .map((group) => [
      NAMES[group.name] ?? group.name,
      group.rows < group.of ? `${group.rows} of ${group.of}` : String(group.rows),
    ]);
}

function facts(run) {
  const list = [
    ["model", run.model_name],
    ["file", run.file],
    ["status", run.status],
    ["options", run.options],
    ["integrator", run.methods],
    ["made by", run.version ? `carom ${run.version}` : ""],
    ["host", run.host],
    ...rowFacts(run),
  ];
  return element(
    "dl",
    { class: "p-facts" },
    ...list
      .filter(([, value]) => value)
      .flatMap(([name, value]) => [element("dt", { text: name }), element("dd", { text: value })]),
  );
}

function modelText(run, stem) {
  const lines = run.model_text.replace(/\r?\n$/, "").split(/\r?\n/);
  const numbered = lines.length <= MOST_NUMBERED;
  const said = element("span", { class: "p-muted", role: "status" });
  const copy = button("Copy", "Copy the model text", async () => {
    said.textContent = (await copyText(run.model_text)) ? "copied" : "the browser does not let this page copy";
  });
  const save = button("Download", "Download the model text as a YAML file", () =>
    download(`${fileName(stem)}.yaml`, run.model_text, "application/yaml"),
  );
  return element(
    "article",
    { class: "p-card" },
    element(
      "div",
      { class: "p-bar" },
      element("h2", { text: "Model text" }),
      said,
      element("span", { class: "p-space" }),
      copy,
      save,
    ),
    element(
      "pre",
      {
        class: numbered ? "p-code" : "p-code p-unnumbered",
        tabindex: "0",
        "aria-label": "model text",
        style: `--digits: ${String(lines.length).length}`,
      },
      ...(numbered ? lines : [lines.join("\n")]).map((line) => element("code", { text: line + "\n" })),
    ),
  );
}

/** What is said of one run. @param {Set<string>} shown model texts that stand on the page already */
function runParts(run, context, shown) {
  const parts = warningParts(run, context);
  parts.push(facts(run));
  if (run.groups.some((group) => group.rows < group.of))
    parts.push(
      note("This page holds a part of the rows, chosen so that peaks stay: carom export has all of them."),
    );
  if (!shown.has(run.model_text)) parts.push(...mechanismParts(run));
  if (!run.model_text) parts.push(note("The result holds no model text."));
  else if (!shown.has(run.model_text)) {
    shown.add(run.model_text);
    parts.push(modelText(run, run.model_name || context.stem));
  }
  return parts;
}

/** @param {HTMLElement} section @param {import("./card.js").Context} context */
export function mountModel(section, context) {
  const { runs } = context;
  // runs of one comparison share their text as a rule: it is shown once
  const shown = new Set();
  runs.forEach((run, k) => {
    const parts = runParts(run, context, shown);
    if (runs.length === 1) section.append(...parts);
    else {
      const warned = run.warnings.length ? ` (${run.warnings.length === 1 ? "warning" : "warnings"})` : "";
      const head = element("summary", { class: "p-run", text: runText(run) + warned });
      section.append(element("details", { open: k === 0 }, head, ...parts));
    }
  });
}
