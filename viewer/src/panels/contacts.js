// Force-indentation loops and phase portraits of the episodes of a contact, all runs in one plot.
import { button, choice, element, note } from "../plots/dom.js";
import { contactColumns, contactNames, episodeRows, impactAt, impactsOf, placeAt } from "../plots/episodes.js";
import { pick } from "../plots/pick.js";
import { hardestImpact, markedCurve, quantityOf, runText } from "../plots/series.js";
import { Card } from "./card.js";

const KINDS = [
  { title: "Force over indentation", quantity: "force", channel: "force", unit: "N" },
  { title: "Rate over indentation", quantity: "rate", channel: "indentation_rate", unit: "m/s" },
];

/** How an axis names a quantity of contacts. @param {import("../data.js").Run[]} runs */
function labelIn(runs, quantity) {
  const of = (run) => run.channels.find((channel) => channel.family === "contact" && channel.quantity === quantity);
  return quantityOf(runs.map(of).find(Boolean) ?? { quantity });
}

/** @param {HTMLElement} section @param {import("./card.js").Context} context */
export function mountContacts(section, context) {
  const { runs, clock, selection, scope, kept, measured } = context;
  const names = contactNames(runs);
  if (!names.length) {
    section.append(note("This model has no contacts, or none of them was recorded."));
    return;
  }
  const state = { contact: hardestImpact(runs[0])?.contact ?? names[0], mode: "this", number: 1, rows: [] };
  const before = kept.take("contacts", () => ({ contact: state.contact, mode: state.mode, number: state.number }));
  if (names.includes(before?.contact)) Object.assign(state, before);
  const contactChoice = pick(
    "Contact",
    names.map((name) => [name, name]),
    state.contact,
    (value) => {
      state.contact = value;
      update();
    },
  );
  const modeChoice = choice(
    "Episodes",
    [
      ["this", "episode at the present time"],
      ["one", "episode number"],
      ["all", "all episodes"],
    ],
    state.mode,
    (value) => {
      state.mode = value;
      update();
    },
  );
  const number = element("input", {
    type: "number",
    min: "1",
    step: "1",
    "aria-label": "Number of the episode",
    title: "Number of the episode",
    class: "p-number",
    oninput: () => {
      state.number = Math.max(1, Math.round(number.valueAsNumber) || 1);
      update();
    },
  });
  const count = element("span", { class: "p-muted" });
  const go = button("Go to onset", "Set the present time to the onset of the episode", () => {
    if (state.shown) clock.seek(state.shown.onset);
  });
  const missing = note("");
  section.append(
    element(
      "div",
      { class: "p-bar p-controls" },
      element("label", {}, "Contact ", contactChoice),
      element("label", {}, "Show ", modeChoice),
      number,
      count,
      go,
    ),
    missing,
  );

  const cards = KINDS.map(
    (kind) =>
      new Card(context, section, {
        title: kind.title,
        time: false,
        height: 260,
        x: { label: labelIn(runs, "indentation"), unit: "m" },
        onSeek: (x, y, plot) => seekNearest(plot, kind.quantity, x, y),
        place: (t) => state.rows[0] && placeAt(state.rows[0], kind.quantity, t),
      }),
  );

  /** The time of the shown row nearest to a place in a plot. */
  function seekNearest(plot, quantity, x, y) {
    const rows = state.rows[0];
    if (!rows) return;
    const [width, height] = [plot.xAxis, plot.yAxes[0]].map((axis) => axis.high - axis.low);
    let best = Infinity,
      time = NaN;
    for (let k = 0; k < rows.t.length; k++) {
      const d = ((rows.indentation[k] - x) / width) ** 2 + ((rows[quantity][k] - y) / height) ** 2;
      if (d < best) [best, time] = [d, rows.t[k]];
    }
    clock.seek(time);
  }

  /** The impacts to show of a run, by the choice; the first run's decides which. */
  function shownImpacts(run, position) {
    const impacts = impactsOf(run, state.contact);
    if (state.mode === "all") return impacts;
    return impacts[position] ? [impacts[position]] : [];
  }

  function update() {
    const own = impactsOf(runs[0], state.contact);
    const position =
      state.mode === "one"
        ? Math.min(state.number, Math.max(1, own.length)) - 1
        : own.indexOf(impactAt(own, clock.t));
    state.shown = state.mode === "all" ? null : (own[position] ?? null);
    if (document.activeElement !== number) number.value = String(position + 1 || 1);
    number.hidden = state.mode !== "one";
    count.textContent = !own.length
      ? "no ended episode"
      : state.mode === "all"
        ? `${own.length} episodes`
        : `episode ${position + 1} of ${own.length}`;
    go.hidden = !state.shown;
    const found = runs.map((run) => {
      const columns = contactColumns(run, state.contact),
        impacts = shownImpacts(run, position);
      // a contact that holds has rows, but no episode that ended
      const holds = !impactsOf(run, state.contact).length;
      return columns && (impacts.length || holds) ? { run, columns, rows: episodeRows(columns, impacts) } : null;
    });
    state.rows = found.map((f) => f && f.rows);
    const any = found.some((f) => f && f.rows.t.length);
    missing.textContent = any ? "" : missingSentence();
    missing.hidden = any;
    cards.forEach((card, k) => {
      card.node.hidden = !any;
      if (any) showKind(card, KINDS[k], found);
    });
  }

  /** Why there is nothing to show of the chosen contact. */
  function missingSentence() {
    if (runs.some((run) => run.has(`contact.${state.contact}.indentation`)))
      return `Contact ${state.contact} has no rows in an episode.`;
    return `The indentation of contact ${state.contact} was not recorded: output.channels of the model left it out.`;
  }

  function showKind(card, { quantity, channel, unit }, found) {
    const label = labelIn(runs, channel);
    const curves = found
      .filter((f) => f && f.columns[quantity])
      .map(({ run, rows, columns }) => ({
        name: quantity,
        label: runs.length > 1 ? `${state.contact} · ${runText(run)}` : state.contact,
        unit,
        type: columns[quantity].type,
        x: rows.indentation,
        xName: "indentation",
        y: rows[quantity],
        t: rows.t,
        axis: 0,
        color: run.index,
        run: run.index,
      }));
    measured.loops(unit).forEach((own, k) => {
      curves.push({ ...markedCurve(own, own.channel.name), axis: 0, color: runs.length + k });
    });
    card.plot.show(null);
    card.plot.set(curves, [{ label, unit }]);
  }

  /** Follows the present time to another episode. */
  function follow(t) {
    if (state.mode !== "this") return;
    const own = state.own?.contact === state.contact ? state.own.list : impactsOf(runs[0], state.contact);
    state.own = { contact: state.contact, list: own };
    if (impactAt(own, t) !== state.shown) update();
  }

  selection.subscribe(({ impact }) => {
    if (!impact || (impact.contact === state.contact && state.mode !== "one")) return;
    state.contact = contactChoice.value = impact.contact;
    if (state.mode === "one") state.number = impactsOf(selection.run, impact.contact).indexOf(impact) + 1;
    update();
  });
  measured.subscribe(() => update());
  update();
  scope.add(clock.subscribe(follow));
}
