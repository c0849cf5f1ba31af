// A choice of one of many: a list to open where there are few, else a field that searches.
import { choice, element } from "./dom.js";

/** Options of which a list to open has at most so many. */
const FEW = 60;
/** Matches shown at a time. */
const MOST = 50;

/**
 * Options that have all words of a text, the first of them.
 * @param {[string, string][]} options @param {string} text
 */
export function matches(options, text, most = MOST) {
  const words = text.toLowerCase().split(/\s+/).filter(Boolean);
  const found = [];
  for (const option of options) {
    const name = option[1].toLowerCase();
    if (words.every((word) => name.includes(word)) && found.push(option) === most) break;
  }
  return found;
}

/**
 * An element with a property `value`, as choice() gives.
 * @param {string} label @param {[string, string][]} options value and text @param {string} value
 * @param {(value: string) => void} onchange
 */
export function pick(label, options, value, onchange) {
  if (options.length <= FEW) return choice(label, options, value, onchange);
  return new Pick(label, options, value, onchange).node;
}

class Pick {
  constructor(label, options, value, onchange) {
    this.options = options;
    this.onchange = onchange;
    this.value = value;
    this.at = 0;
    this.list = element("div", { class: "p-matches", role: "listbox", "aria-label": label, hidden: true });
    this.field = element("input", {
      type: "search",
      class: "p-search",
      role: "combobox",
      "aria-label": label,
      "aria-expanded": "false",
      title: `${label}: search by words of the name`,
      onfocus: () => {
        this.field.select();
        this.open("");
      },
      oninput: () => this.open(this.field.value),
      onblur: () => this.close(),
      onkeydown: (event) => this.keyed(event),
    });
    this.node = element("span", { class: "p-pick" }, this.field, this.list);
    Object.defineProperty(this.node, "value", {
      get: () => this.value,
      set: (wanted) => {
        this.value = wanted;
        this.close();
      },
    });
    this.close();
  }

  /** Shows what matches. @param {string} text */
  open(text) {
    this.found = matches(this.options, text);
    this.at = 0;
    const more = this.found.length === MOST ? element("p", { class: "p-note", text: "More: add a word." }) : null;
    this.list.replaceChildren(
      ...this.found.map((option, k) =>
        element("div", {
          role: "option",
          "aria-selected": String(k === 0),
          text: option[1],
          // before the field loses the focus
          onpointerdown: (event) => {
            event.preventDefault();
            this.take(option);
          },
        }),
      ),
      ...(more ? [more] : []),
    );
    if (!this.found.length) this.list.append(element("p", { class: "p-note", text: "Nothing matches." }));
    this.list.hidden = false;
    this.field.setAttribute("aria-expanded", "true");
  }

  close() {
    this.list.hidden = true;
    this.field.setAttribute("aria-expanded", "false");
    this.field.value = this.options.find(([key]) => key === this.value)?.[1] ?? "";
  }

  take([key]) {
    const changed = key !== this.value;
    this.value = key;
    this.field.blur();
    this.close();
    if (changed) this.onchange(key);
  }

  keyed(event) {
    const move = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (move && this.found?.length) {
      this.list.children[this.at].setAttribute("aria-selected", "false");
      this.at = (this.at + move + this.found.length) % this.found.length;
      this.list.children[this.at].setAttribute("aria-selected", "true");
      this.list.children[this.at].scrollIntoView({ block: "nearest" });
    } else if (event.key === "Enter" && this.found?.[this.at]) this.take(this.found[this.at]);
    else if (event.key === "Escape") this.field.blur();
    else return;
    event.preventDefault();
    event.stopPropagation();
  }
}
