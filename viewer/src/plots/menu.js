// A button that opens a short list of others; it closes with Escape, by a click elsewhere and once one was chosen.
import { element } from "./dom.js";

/**
 * @param {string} title @param {Node[]} items  buttons
 * @returns {HTMLDetailsElement}
 */
export function menu(title, items) {
  const summary = element("summary", { class: "p-button", title, "aria-label": title, text: "⋯" });
  const list = element("div", { class: "p-items" }, ...items);
  const node = element("details", { class: "p-menu" }, summary, list);
  const away = (event) => {
    if (!node.contains(event.target)) node.open = false;
    if (!node.isConnected) document.removeEventListener("pointerdown", away);
  };
  node.addEventListener("toggle", () => {
    if (node.open) document.addEventListener("pointerdown", away);
    else document.removeEventListener("pointerdown", away);
  });
  list.addEventListener("click", () => {
    node.open = false;
  });
  node.addEventListener("keydown", (event) => {
    if (event.key !== "Escape" || !node.open) return;
    node.open = false;
    summary.focus();
    event.preventDefault();
    event.stopPropagation();
  });
  return node;
}
