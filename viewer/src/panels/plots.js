// The panel of plots: those to start with, and more; plots are added and removed, and each takes any channels.
import { button, element, note } from "../plots/dom.js";
import { mountMeasured } from "../measured/panel.js";
import { isMeasured } from "../measured/store.js";
import { splitByUnits, timeCurves, unitKey, wholeName } from "../plots/series.js";
import { Card } from "./card.js";
import { allChannels, Chooser } from "./chooser.js";
import { startPlots } from "./start.js";

/** The title of a plot: its channel, or what its channels share. @param {string[]} names @param {object[]} channels all */
function titleOf(names, channels) {
  const only = names.length === 1 && channels.find((channel) => channel.name === names[0]);
  if (names.length === 1) return only ? wholeName(only) : names[0];
  const of = names.filter((name) => !isMeasured(name));
  if (of.length === 1) return titleOf(of, channels);
  if (!of.length) return names.length ? "measured data" : "empty plot";
  const parts = of.map((name) => name.split(".").filter((part) => !/^[wxyz]$/.test(part)));
  const same = (index) => new Set(parts.map((p) => p.at(index))).size === 1;
  const family = parts[0][0],
    quantity = parts[0].at(-1);
  if (same(0) && same(-1)) return `${family} ${quantity}`.replace(/_/g, " ");
  if (same(0) && same(1) && parts.every((p) => p.length > 2)) return `${family} ${parts[0][1]}`;
  return same(0) ? family : `${of[0]} and ${of.length - 1} more`;
}

class ChannelPlot {
  constructor(panel, names, view) {
    this.panel = panel;
    const { context } = panel;
    this.chooser = new Chooser(panel.channels, (chosen) => this.changed(chosen));
    this.chooser.node.hidden = true;
    this.toggle = button(
      "Channels",
      "Choose the channels of this plot",
      () => this.open(this.chooser.node.hidden),
      { "aria-expanded": "false" },
    );
    const remove = button("Remove this plot", "Remove this plot", () => panel.remove(this));
    this.card = new Card(context, panel.list, { title: "", tools: [this.toggle], items: [remove] });
    this.card.body.before(this.chooser.node);
    this.card.plot.show(view);
    this.set(names);
  }

  open(open) {
    this.chooser.node.hidden = !open;
    this.toggle.setAttribute("aria-expanded", String(open));
    if (!open) return;
    this.chooser.fill();
    this.chooser.search.focus();
  }

  set(names) {
    this.names = names;
    this.chooser.chosen = new Set(names);
    const { curves, axes } = timeCurves(this.panel.context.runs, names, this.panel.context.measured);
    this.card.setTitle(names.length ? titleOf(names, this.panel.channels) : "empty plot", names.join(", "));
    this.card.plot.set(curves, axes);
  }

  /** What fits on two axes stays, the rest gets plots of its own. */
  changed(chosen) {
    const units = new Map(this.panel.channels.map((c) => [c.name, c.unit]));
    const [own = [], ...others] = splitByUnits(chosen.map((name) => ({ name, unit: units.get(name) })));
    this.set(own);
    if (!others.length) return;
    this.chooser.choose(own);
    for (const names of others) this.panel.add(names, null, this);
    this.panel.say("A plot has at most two units: the other channels have a new plot below.");
  }
}

/**
 * The force of the contact whose impact is chosen, which no plot shows, stands with those of other contacts as long as it is
 * chosen. Returns the names of a plot without it.
 */
function showChosenForce(context, plots, channels) {
  let shown = { plot: null, name: "" };
  const own = (plot) => plot.names.filter((name) => plot !== shown.plot || name !== shown.name);
  context.selection.subscribe(({ impact }) => {
    const before = shown.plot;
    if (plots.includes(before)) before.set(own(before));
    shown = { plot: null, name: impact ? `contact.${impact.contact}.force` : "" };
    if (!channels.has(shown.name) || plots.some((plot) => plot.names.includes(shown.name))) return;
    const isForce = (name) => /^contact\..*\.force$/.test(name);
    shown.plot = plots.find(({ names }) => names.length && names.every(isForce)) ?? null;
    shown.plot?.set([...shown.plot.names, shown.name]);
  });
  return own;
}

/** Data that cover less of a plot than this are zoomed to, with so much around. */
const SHORT = 0.2;

/** Shows measured data where their unit is drawn, else in a plot of their own. */
function placeMeasured(panel, plots, { points, channel }) {
  if (points.over) {
    panel.say("Points over an indentation stand in the loops of the contacts.");
    return;
  }
  if (plots.some(({ names }) => names.includes(channel.name))) return;
  const unit = unitKey(points.unit);
  const drawsIt = (plot) => plot.card.plot.axes.some((axis) => plot.names.length && unitKey(axis.unit) === unit);
  const found = plots.find(drawsIt);
  const plot = found ?? panel.add([], null, null);
  plot.set([...plot.names, channel.name]);
  const { t } = points,
    length = t[t.length - 1] - t[0],
    [low, high] = plot.card.plot.fullRange();
  if (length > 0 && length < SHORT * (high - low))
    plot.card.plot.show({ x0: t[0] - SHORT * length, x1: t[t.length - 1] + SHORT * length });
}

/** Plots follow the measured data. @param {number} own  number of channels of the runs */
function followMeasured(panel, plots, own) {
  const { measured } = panel.context;
  for (const data of measured.all.values()) placeMeasured(panel, plots, data);
  measured.subscribe((now, before) => {
    panel.channels.splice(own, Infinity, ...measured.channels);
    const shown = now && !measured.all.get(now).points.over ? now : null;
    for (const plot of plots.filter(({ names }) => names.includes(before)))
      plot.set(plot.names.map((name) => (name === before ? shown : name)).filter(Boolean));
    if (now && !plots.some(({ names }) => names.includes(now)) && (shown || !before)) placeMeasured(panel, plots, measured.all.get(now));
    for (const { chooser } of plots) if (!chooser.node.hidden) chooser.fill();
  });
}

/** Plots that were kept, with those of their channels that there are; null: none of them. @param {Set<string>} all */
function ofChannels(plots, all) {
  const found = (plots ?? []).map((plot) => ({ ...plot, names: plot.names.filter((name) => all.has(name)) }));
  return found.some((plot) => plot.names.length) ? found.filter((plot) => plot.names.length) : null;
}

/** @param {HTMLElement} section @param {import("./card.js").Context} context */
export function mountPlots(section, context) {
  const { measured, kept } = context;
  const said = element("p", { class: "p-note", role: "status" });
  const say = (text) => {
    said.textContent = text;
  };
  const files = mountMeasured(context, say);
  const channels = allChannels(context.runs);
  const own = channels.length;
  channels.push(...measured.channels);
  const list = element("div", { class: "p-list" });
  const plots = [];
  const panel = {
    context,
    channels,
    list,
    say,
    add(names, view, after) {
      const plot = new ChannelPlot(panel, names, view);
      if (after) after.card.node.after(plot.card.node);
      plots.push(plot);
      return plot;
    },
    remove(plot) {
      plot.card.remove();
      plots.splice(plots.indexOf(plot), 1);
    },
  };
  if (!own) {
    section.append(note("This run recorded no channels."));
    return;
  }
  const add = button("Add plot", "Add an empty plot and choose its channels", () => {
    const plot = panel.add([], null, null);
    plot.open(true);
    plot.card.node.scrollIntoView({ block: "nearest" });
  });
  section.append(list, element("div", { class: "p-bar" }, add, files.button, said), files.node);
  const all = new Set(channels.map((channel) => channel.name));
  const before = ofChannels(kept.take("plots", keptPlots), all);
  const usual = startPlots(context.runs);
  for (const { names, view } of before ?? usual) panel.add(names, view, null);
  followMeasured(panel, plots, own);
  const lasting = showChosenForce(context, plots, all);
  // plots as they were at first are chosen anew
  function keptPlots() {
    const now = plots.map((plot) => ({ names: lasting(plot), view: plot.card.before() }));
    return JSON.stringify(now) === JSON.stringify(usual) ? null : now;
  }
}
