// Warnings of a run, each with the way to its place: the impact of its contact at its time, or the time.
import { element } from "../plots/dom.js";
import { valueText } from "../plots/units.js";

/** Time and contacts that a warning names. @param {string} text */
export function placeOf(text) {
  const time = /\bt = ([-+.\deE]+) s\b/.exec(text);
  const contacts = /^contacts? ((?:'[^']*'(?:, | and )?)+)/.exec(text)?.[1] ?? "";
  return { t: time ? Number(time[1]) : NaN, contacts: [...contacts.matchAll(/'([^']*)'/g)].map(([, name]) => name) };
}

/** The impact that is on at a time, of the contacts that are named. @param {import("../data.js").Run} run */
export function impactOf(run, { t, contacts }) {
  const near = (impact) => {
    const room = 1e-5 * Math.abs(t) + 0.01 * (impact.duration || 0);
    return t >= impact.onset - room && t <= impact.onset + (impact.duration || 0) + room;
  };
  return run.impacts.find((impact) => contacts.includes(impact.contact) && near(impact)) ?? null;
}

/**
 * The line of the model that a warning is about: that which it tells, else the first that defines what it names.
 * @param {string} text @param {string} model @returns {number} from 1; 0: none
 */
export function lineOf(text, model) {
  const lines = (model ?? "").split("\n");
  const told = Number(/(?:\bline |\.ya?ml:)(\d+)\b/.exec(text)?.[1] ?? 0);
  if (told >= 1 && told <= lines.length) return told;
  for (const [, name] of text.matchAll(/'([^']+)'/g)) {
    const at = lines.findIndex((line) => {
      const [, key] = /^\s*(?:- +)?(?:\{ *)?['"]?([^\s'":{}#][^'":{}#]*?)['"]?\s*:/.exec(line) ?? [];
      return key === name;
    });
    if (at >= 0) return at + 1;
  }
  return 0;
}

/** Scrolls to a line of the model text in the same panel, and marks it. @param {HTMLElement} from @param {number} number */
function showLine(from, number) {
  const text = from.closest("details, section").querySelector(".p-code") ?? document.querySelector(".p-code");
  const line = text?.children[number - 1];
  if (!line) return;
  for (const other of text.querySelectorAll(".p-line")) other.classList.remove("p-line");
  line.classList.add("p-line");
  line.scrollIntoView({ block: "center" });
}

/** The way to the place of a warning: an impact, a time, or a line of the model; null: it has none. */
function wayOf(run, body, { clock, focus }) {
  const place = placeOf(body);
  const impact = impactOf(run, place);
  const line = lineOf(body, run.model_text);
  const go = (text, onclick) => element("button", { type: "button", class: "p-button p-go", text, onclick });
  if (impact) return go(`Show impact ${impact.index}`, () => focus.choose(run, impact));
  if (Number.isFinite(place.t)) return go(`Go to ${valueText(place.t, "s", 6)}`, () => clock.seek(place.t));
  return line ? go(`Go to line ${line}`, (event) => showLine(event.currentTarget, line)) : null;
}

/** The code at the end of a warning, and the text before it. @param {string} text */
export function codeOf(text) {
  const [, body, code] = /^(.*) \[(W\d+)\]$/s.exec(text) ?? [null, text, ""];
  return { body, code };
}

/** A text with what stands between backticks as code. @param {string} text */
function codeParts(text) {
  return text.split("`").map((part, k) => (k % 2 ? element("code", { text: part }) : part));
}

/** @param {import("../data.js").Run} run @param {import("./card.js").Context} context */
export function warningParts(run, context) {
  return run.warnings.map((text) => {
    const { body, code } = codeOf(text);
    const remedy = run.remedies?.[code];
    return element(
      "p",
      { class: "p-warning" },
      `${body} `,
      code ? element("code", { title: `carom explain ${code} says what it means`, text: code }) : null,
      wayOf(run, body, context),
      remedy ? element("span", { class: "p-remedy" }, element("b", { text: "What to do: " }), ...codeParts(remedy)) : null,
    );
  });
}
