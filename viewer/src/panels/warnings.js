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

/** The code at the end of a warning, and the text before it. @param {string} text */
export function codeOf(text) {
  const [, body, code] = /^(.*) \[(W\d+)\]$/s.exec(text) ?? [null, text, ""];
  return { body, code };
}

/** @param {import("../data.js").Run} run @param {import("./card.js").Context} context */
export function warningParts(run, { clock, focus }) {
  return run.warnings.map((text) => {
    const { body, code } = codeOf(text);
    const place = placeOf(text);
    const impact = impactOf(run, place);
    const go = () => {
      if (impact) focus.choose(run, impact);
      else clock.seek(place.t);
    };
    const words = impact ? `Show impact ${impact.index}` : `Go to ${valueText(place.t, "s", 6)}`;
    return element(
      "p",
      { class: "p-warning" },
      `${body} `,
      code ? element("code", { title: `carom explain ${code} says what it means`, text: code }) : null,
      Number.isFinite(place.t)
        ? element("button", { type: "button", class: "p-button p-go", text: words, onclick: go })
        : null,
    );
  });
}
