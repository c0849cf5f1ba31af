// What is wrong with the model, with the lines of its file around the place.
import { element } from "../plots/dom.js";
import { ask } from "./ask.js";

/** Lines before and behind the place. */
const AROUND = 3;

let shown = null;

/** Line and column of a message, "model.yaml:12:5: ...". @param {string} text */
function placeOf(text) {
  const found = /:(\d+):(\d+):/.exec(text);
  return found ? { line: Number(found[1]), column: Number(found[2]) } : null;
}

async function excerpt({ line, column }) {
  const lines = (await ask("model", "GET", "text")).split("\n");
  const node = element("ol", { class: "live-lines", start: String(Math.max(1, line - AROUND)) });
  for (let k = Math.max(1, line - AROUND); k <= Math.min(lines.length, line + AROUND); k++) {
    const text = lines[k - 1];
    const own = k === line;
    node.append(
      element(
        "li",
        { class: own ? "live-line" : "" },
        own ? text.slice(0, column - 1) : text,
        own ? element("mark", { text: text.slice(column - 1) || " " }) : null,
      ),
    );
  }
  return node;
}

/** Shows an error under the bar, or takes it away. @param {string|null} text @param {HTMLElement} bar */
export async function showError(text, bar) {
  if (text === shown) return;
  shown = text;
  document.getElementById("live-error")?.remove();
  if (!text) return;
  const node = element("div", { id: "live-error", role: "alert" }, element("p", { text }));
  bar.after(node);
  const place = placeOf(text);
  const lines = place ? await excerpt(place).catch(() => null) : null;
  if (lines && shown === text) node.append(lines);
}
