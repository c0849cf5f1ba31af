// The panel of the pose: a slider for each coordinate of a joint. The server answers with the poses of all bodies.
import { button, element, note } from "../plots/dom.js";
import { showSection } from "../tabs.js";
import { ask } from "./ask.js";

const TURN = Math.PI;

/** A number in a field of the panel. @param {number} value */
const short = (value) => String(Number(value.toPrecision(6)));

/** One question at a time; of those that wait the last one is asked. */
class Questions {
  /** @param {(answer: object) => void} take */
  constructor(take) {
    this.take = take;
    this.busy = false;
    this.next = null;
  }

  async ask(query) {
    if (this.busy) {
      this.next = query;
      return;
    }
    this.busy = true;
    try {
      this.take(await ask(`pose?${query}`, "POST"));
    } catch {
      // the bar says that the server has ended
    }
    this.busy = false;
    if (this.next) {
      const waiting = this.next;
      this.next = null;
      await this.ask(waiting);
    }
  }
}

class Row {
  constructor(joint, length, set) {
    this.unit = joint.unit;
    this.field = element("input", { type: "number", step: "any", "aria-label": `${joint.name} [${joint.unit}]` });
    const reach = joint.unit === "m" ? length : TURN;
    this.slider = element("input", {
      type: "range",
      min: String(joint.value - reach),
      max: String(joint.value + reach),
      step: String(reach / 500),
      "aria-label": joint.name,
      oninput: () => set(this.slider.value),
    });
    this.field.addEventListener("change", () => set(this.field.value));
    this.node = element(
      "tr",
      {},
      element("th", { scope: "row", text: joint.name }),
      element("td", {}, this.slider),
      element("td", {}, this.field, ` ${joint.unit}`),
    );
    this.set(joint.value);
  }

  set(value) {
    if (document.activeElement !== this.field) this.field.value = short(value);
    if (document.activeElement !== this.slider) this.slider.value = String(value);
  }
}

/**
 * The panel, in a tab of its own, and what the mouse uses of it.
 * @param {object} scene @param {import("../scope.js").Scope} scope @returns {{draw(body: string, point: number[], target: number[]): void}}
 */
export function mountPose(scene, scope) {
  const section = element("section", { id: "pose", "data-name": "Pose", role: "tabpanel", class: "p-panel" });
  const said = element("p", { class: "p-note", role: "status" });
  const table = element("table", { class: "live-joints" });
  const rows = new Map();
  const questions = new Questions((answer) => {
    said.textContent = answer.error ?? "";
    for (const joint of answer.joints ?? []) {
      if (!rows.has(joint.name)) {
        const row = new Row(joint, answer.length, (value) =>
          questions.ask(`joint=${encodeURIComponent(joint.name)}&value=${value}`),
        );
        rows.set(joint.name, row);
        table.append(row.node);
      }
      rows.get(joint.name).set(joint.value);
    }
    if (answer.bodies) scene.stage()?.hold(answer.bodies);
  });
  section.append(
    note("Move the joints, or draw a body with the mouse: the others follow. Prescribed motions are left out."),
    table,
    element("div", { class: "p-bar" }, button("Start", "Back to the assembled start", () => questions.ask("reset=1"))),
    said,
  );
  document.getElementById("right").append(section);
  const tab = element("button", {
    type: "button",
    role: "tab",
    id: "tab-pose",
    "aria-controls": "pose",
    text: "Pose",
    onclick: () => showSection("pose"),
  });
  section.setAttribute("aria-labelledby", "tab-pose");
  document.getElementById("tabs").prepend(tab);
  showSection("pose");
  questions.ask("reset=1");
  return {
    draw: (body, point, target) =>
      questions.ask(
        [`body=${encodeURIComponent(body)}`, ...["x", "y", "z"].map((axis, k) => `p${axis}=${point[k]}&t${axis}=${target[k]}`)].join("&"),
      ),
  };
}
