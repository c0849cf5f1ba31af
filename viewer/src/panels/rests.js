// The table of rests: contacts that lasted, below the impacts.
import { Columns } from "./columns.js";
import { button, download, element, fileName } from "../plots/dom.js";
import { csvText } from "../plots/csv.js";
import { runText } from "../plots/series.js";
import { chooseUnit, numberText } from "../plots/units.js";

/** Columns that the page shows, with units that fit the largest value. @param {import("../data.js").Run[]} runs */
function columnsOf(runs) {
  const fields = runs.find((run) => run.rests.length).restColumns;
  const columns = fields.filter(({ rank }) => rank).map(({ name, unit, head, description }) => {
    const values = runs.flatMap((run) => run.rests.map((rest) => rest[name]));
    const text = values.some((value) => typeof value === "string");
    const largest = text ? 0 : Math.max(0, ...values.map((value) => Math.abs(value)).filter(Number.isFinite));
    const shown = text ? { factor: 1, text: "" } : chooseUnit(unit || "", largest);
    return { name, head, description, text, unit: shown.text, factor: shown.factor, raw: unit || "" };
  });
  if (runs.length > 1)
    columns.unshift({ name: "", head: "run", description: "run", text: true, unit: "", factor: 1, raw: "" });
  return columns;
}

function textOf(row, column) {
  const value = column.name ? row.rest[column.name] : row.label;
  if (column.text) return String(value);
  const duration = column.name === "duration" && !row.rest.ended ? "≥ " : "";
  return value === null ? "–" : duration + numberText(value * column.factor, 5);
}

/** @param {HTMLElement} section @param {import("./card.js").Context} context */
export function mountRests(section, { runs, clock, stem, scope }) {
  const rows = runs.flatMap((run) => run.rests.map((rest) => ({ rest, label: runText(run) })));
  if (!rows.length) return;
  const columns = columnsOf(runs);
  const missing = runs.reduce((sum, run) => sum + run.restsOf - run.rests.length, 0);
  const csv = button("CSV", "Download the rests as CSV", () =>
    download(
      `${fileName(stem, "rests")}.csv`,
      csvText(
        columns.map((column) => ({
          name: column.name || column.head,
          unit: column.raw === "1" ? "" : column.raw,
          values: rows.map((row) => (column.name ? row.rest[column.name] : row.label)),
        })),
      ),
      "text/csv",
    ),
  );
  const headOf = (column) =>
    element(
      "th",
      { scope: "col", class: column.text ? "p-text" : null, title: column.description },
      column.head,
      column.unit ? element("small", { text: column.unit }) : null,
    );
  const rowOf = (row, shown) =>
    element(
      "tr",
      { onclick: () => clock.seek(row.rest.begin) },
      ...shown.map((column) => element("td", { class: column.text ? "p-text" : null }, textOf(row, column))),
    );
  const head = element("tr"),
    body = element("tbody");
  const table = element("table", { class: "p-table p-rests", "aria-label": "rests" }, element("thead", {}, head), body);
  const role = { class: "p-scroll", tabindex: "0", role: "group", "aria-label": "Table of rests" };
  const scroller = element("div", role, table);
  const fitted = new Columns(scroller, table, columns.length, scope, () => {
    const shown = columns.slice(0, fitted.shown);
    head.replaceChildren(...shown.map(headOf));
    body.replaceChildren(...rows.map((row) => rowOf(row, shown)));
  });
  const count = `${rows.length} rest${rows.length === 1 ? "" : "s"}`;
  section.append(
    element(
      "div",
      { class: "p-bar p-controls" },
      element("h2", { text: "Rests" }),
      element("span", { class: "p-muted", text: missing ? `${count}; ${missing} later ones are in the file alone` : count }),
      element("span", { class: "p-space" }),
      fitted.button,
      csv,
    ),
    scroller,
    element("p", {
      class: "p-hint",
      text: "Contacts that lasted: the force is a load that is carried, not a blow. ≥: in contact still as the run ended.",
    }),
  );
  fitted.changed();
}
