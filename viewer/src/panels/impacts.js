// The table of impacts: sorted by any column, filtered by contact and run; only the rows in sight are elements.
import { button, choice, download, element, fileName, note } from "../plots/dom.js";
import { csvText } from "../plots/csv.js";
import { pick } from "../plots/pick.js";
import { hardestImpact, runText } from "../plots/series.js";
import { Columns } from "./columns.js";
import { mountRests } from "./rests.js";
import { cellText, csvColumns, sortRows, tableColumns, tableRows } from "./table.js";

const ROW = 30,
  AROUND = 8;

/** What the page says where it has not all impacts of the files. @param {import("../data.js").Run[]} runs */
function leftOut(runs) {
  const missing = runs.reduce((sum, run) => sum + run.impactsOf - run.impacts.length, 0);
  return missing > 0 ? `, the hardest; ${missing} weaker ones are in the file alone` : "";
}

/** @param {HTMLElement} section @param {import("./card.js").Context} context */
export function mountImpacts(section, context) {
  mountTable(section, context);
  mountRests(section, context);
}

function mountTable(section, context) {
  const { runs, focus, selection, stem, scope, kept } = context;
  const all = tableRows(runs, runText);
  if (!all.length) {
    section.append(note("No impact ended in this run."));
    return;
  }
  const columns = tableColumns(runs);
  const hardest = new Set(runs.map(hardestImpact));
  const state = { key: "onset", down: false, contact: "", run: "", rows: all, first: -1, last: -1 };

  const contacts = [...new Set(all.map((row) => row.impact.contact))];
  const before = kept.take("impacts", () => ({ key: state.key, down: state.down, contact: state.contact }));
  Object.assign(state, before);
  if (!columns.some((c) => c.key === state.key)) state.key = "index";
  if (!contacts.includes(state.contact)) state.contact = "";
  const filters = [];
  if (contacts.length > 1)
    filters.push(
      element(
        "label",
        {},
        "Contact ",
        pick("Contact", [["", "all"], ...contacts.map((c) => [c, c])], state.contact, (value) => {
          state.contact = value;
          update();
        }),
      ),
    );
  if (runs.length > 1)
    filters.push(
      element(
        "label",
        {},
        "Run ",
        choice("Run", [["", "all"], ...runs.map((r) => [String(r.index), runText(r)])], "", (value) => {
          state.run = value;
          update();
        }),
      ),
    );
  const count = element("span", { class: "p-muted", role: "status" });
  const csv = button("CSV", "Download the rows of this table as CSV", () =>
    download(`${fileName(stem, "impacts")}.csv`, csvText(csvColumns(columns, state.rows)), "text/csv"),
  );
  const bar = element("div", { class: "p-bar p-controls" }, ...filters, count, element("span", { class: "p-space" }));
  section.append(bar);

  const heads = columns.map((column) => {
    const head = element(
      "button",
      { type: "button", title: `Sort by ${column.head}: ${column.description}`, onclick: () => sortBy(column.key) },
      column.head,
      column.unit ? element("small", { text: column.unit }) : null,
    );
    return element("th", { scope: "col", class: column.text ? "p-text" : null }, head);
  });
  const above = element("tr", { "aria-hidden": "true" }, element("td", { colspan: columns.length }));
  const below = element("tr", { "aria-hidden": "true" }, element("td", { colspan: columns.length }));
  const body = element("tbody", {}, above, below);
  const headRow = element("tr", {}, ...heads);
  const table = element("table", { class: "p-table", "aria-label": "impacts" }, element("thead", {}, headRow), body);
  const scroller = element(
    "div",
    {
      class: "p-scroll",
      tabindex: "0",
      role: "group",
      "aria-label": "Table of impacts; arrow keys choose one, Enter plays it again",
      onscroll: () => fill(false),
      onkeydown: keyed,
    },
    table,
  );
  const fitted = new Columns(scroller, table, columns.length, scope, () => {
    headRow.replaceChildren(...heads.slice(0, fitted.shown));
    fill(true);
  });
  bar.append(fitted.button, csv);
  section.append(
    scroller,
    element("p", {
      class: "p-hint",
      text:
        "A click on a row shows the impact closely, slowly and in all plots; Esc goes back to the whole run. ★ marks " +
        "the hardest impact of a run, that of the largest force.",
    }),
  );

  function sortBy(key) {
    state.down = state.key === key ? !state.down : key !== "index" && key !== "onset" && key !== "contact";
    state.key = key;
    update();
  }

  function update() {
    const rows = all.filter(
      (row) =>
        (!state.contact || row.impact.contact === state.contact) &&
        (!state.run || String(row.run.index) === state.run),
    );
    state.rows = sortRows(rows, state.key, state.down);
    heads.forEach((head, k) =>
      head.setAttribute(
        "aria-sort",
        columns[k].key !== state.key ? "none" : state.down ? "descending" : "ascending",
      ),
    );
    count.textContent = `${state.rows.length} impact${state.rows.length === 1 ? "" : "s"}${leftOut(runs)}`;
    fitted.fit();
    fill(true);
  }

  /** Makes the rows in sight. */
  function fill(again) {
    const height = scroller.clientHeight || 400;
    const first = Math.max(0, Math.floor(scroller.scrollTop / ROW) - AROUND);
    const last = Math.min(state.rows.length, Math.ceil((scroller.scrollTop + height) / ROW) + AROUND);
    if (!again && first >= state.first && last <= state.last) return;
    const from = Math.max(0, first - 2 * AROUND),
      to = Math.min(state.rows.length, last + 2 * AROUND);
    Object.assign(state, { first: from, last: to });
    above.firstChild.style.height = `${from * ROW}px`;
    below.firstChild.style.height = `${(state.rows.length - to) * ROW}px`;
    above.hidden = from === 0;
    below.hidden = to === state.rows.length;
    while (above.nextSibling !== below) above.nextSibling.remove();
    below.before(...state.rows.slice(from, to).map(rowOf));
  }

  function rowOf(row) {
    const hard = hardest.has(row.impact);
    return element(
      "tr",
      {
        class: [hard ? "p-hard" : "", row.impact === selection.impact ? "p-selected" : ""].join(" ").trim() || null,
        "aria-selected": row.impact === selection.impact ? "true" : null,
        onclick: () => choose(row),
      },
      ...columns.slice(0, fitted.shown).map((column) =>
        element(
          "td",
          { class: column.text ? "p-text" : null },
          column.key === "index" && hard
            ? element("span", { title: "hardest impact", "aria-label": "hardest impact" }, "★ ")
            : null,
          cellText(row, column),
        ),
      ),
    );
  }

  function choose({ run, impact }) {
    focus.choose(run, impact);
  }

  function keyed(event) {
    const move = { ArrowDown: 1, ArrowUp: -1, PageDown: 10, PageUp: -10 }[event.key];
    if ((!move && event.key !== "Enter") || event.target !== scroller) return;
    event.preventDefault();
    event.stopPropagation();
    const at = state.rows.findIndex((row) => row.impact === selection.impact);
    const to = Math.min(state.rows.length - 1, Math.max(0, at + (move || 0)));
    const row = state.rows[to];
    choose(row);
    scroller.scrollTop = Math.min(Math.max(scroller.scrollTop, (to + 2) * ROW - scroller.clientHeight), to * ROW);
  }

  selection.subscribe(() => fill(true));
  scope.observeSize(scroller, () => fill(false));
  update();
}
