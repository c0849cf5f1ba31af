// A tree of channels with a search field. Families and objects open on demand: hundreds of bodies are no burden.
import { element } from "../plots/dom.js";
import { matching } from "../plots/series.js";
import { unitText } from "../plots/units.js";

const FAMILIES = ["measured", "body", "joint", "contact", "energy", "constraint", "solver"];
const MOST = 200,
  OPEN_OBJECTS = 30;

/** Channels of all runs, each name once. @param {import("../data.js").Run[]} runs */
export function allChannels(runs) {
  const found = new Map();
  for (const run of runs)
    for (const channel of run.channels) if (!found.has(channel.name)) found.set(channel.name, channel);
  return [...found.values()];
}

/** Families in their order, those not known behind. */
function families(channels) {
  const names = [...new Set(channels.map((c) => c.family))];
  const rank = (name) => (FAMILIES.indexOf(name) + FAMILIES.length + 1) % (FAMILIES.length + 1);
  return names.sort((a, b) => rank(a) - rank(b));
}

export class Chooser {
  /**
   * @param {import("../data.js").Channel[]} channels @param {(names: string[]) => void} onchange
   */
  constructor(channels, onchange) {
    this.channels = channels;
    this.chosen = new Set();
    this.onchange = onchange;
    this.search = element("input", {
      type: "search",
      class: "p-search",
      placeholder: "Search channels, units, descriptions",
      "aria-label": "Search channels",
      title: "Words of name, unit or description",
      oninput: () => this.fill(),
    });
    this.list = element("div", { class: "p-tree", role: "group", "aria-label": "channels" });
    this.node = element("div", { class: "p-chooser" }, this.search, this.list);
  }

  /** @param {string[]} names */
  choose(names) {
    this.chosen = new Set(names);
    this.fill();
  }

  fill() {
    const text = this.search.value.trim();
    this.list.textContent = "";
    if (text) {
      const found = matching(this.channels, text);
      this.list.append(...found.slice(0, MOST).map((channel) => this.entry(channel, channel.name)));
      if (!found.length) this.list.append(element("p", { class: "p-note", text: "No channel matches." }));
      if (found.length > MOST)
        this.list.append(element("p", { class: "p-note", text: `… and ${found.length - MOST} more: add a word.` }));
      return;
    }
    for (const family of families(this.channels)) {
      const own = this.channels.filter((c) => c.family === family);
      this.list.append(this.branch(family, own, () => this.objects(own)));
    }
  }

  /** Entries of a family: by object, where there are objects. */
  objects(channels) {
    const byObject = new Map();
    for (const channel of channels) {
      if (!byObject.has(channel.object)) byObject.set(channel.object, []);
      byObject.get(channel.object).push(channel);
    }
    const shown = [...byObject].slice(0, MOST).flatMap(([object, own]) =>
      object
        ? [
            this.branch(object, own, () =>
              own.map((c) => this.entry(c, c.component ? `${c.quantity}.${c.component}` : c.quantity)),
            ),
          ]
        : own.map((c) => this.entry(c, c.quantity)),
    );
    if (byObject.size > MOST)
      shown.push(element("p", { class: "p-note", text: `… and ${byObject.size - MOST} more: search for them.` }));
    return shown;
  }

  /** A part of the tree, filled when it opens; it is open if something in it is chosen and it has few objects. */
  branch(text, channels, content) {
    const count = channels.filter((c) => this.chosen.has(c.name)).length;
    const node = element(
      "details",
      {},
      element("summary", {}, text, count ? element("span", { class: "p-count", text: String(count) }) : null),
    );
    const inside = element("div", { class: "p-branch" });
    node.append(inside);
    node.addEventListener("toggle", () => {
      if (node.open && !inside.childElementCount) inside.append(...content());
    });
    node.open = count > 0 && new Set(channels.map((c) => c.object)).size <= OPEN_OBJECTS;
    return node;
  }

  entry(channel, text) {
    const box = element("input", {
      type: "checkbox",
      onchange: () => {
        if (box.checked) this.chosen.add(channel.name);
        else this.chosen.delete(channel.name);
        this.onchange([...this.chosen]);
      },
    });
    box.checked = this.chosen.has(channel.name);
    return element(
      "label",
      { class: "p-entry", title: `${channel.name}: ${channel.description}` },
      box,
      element("span", { text }),
      element("small", { text: unitText(channel.unit) }),
    );
  }
}
