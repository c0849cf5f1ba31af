// The tabs of the right column: one section is shown at a time.
import { element } from "./plots/dom.js";

/** Shows one section; the others are hidden. @param {string} id @param {boolean} [focus] */
export function showSection(id, focus = false) {
  for (const tab of document.querySelectorAll("#tabs [role=tab]")) {
    const chosen = tab.getAttribute("aria-controls") === id;
    tab.setAttribute("aria-selected", String(chosen));
    tab.tabIndex = chosen ? 0 : -1;
    if (chosen && focus) tab.focus();
    document.getElementById(tab.getAttribute("aria-controls")).hidden = !chosen;
  }
}

/** Left and right, Home and End choose a tab, as is usual. @param {KeyboardEvent} event */
function chooseByKey(event) {
  const tabs = [...event.currentTarget.children];
  const k = tabs.indexOf(event.target);
  const next = { ArrowLeft: k - 1, ArrowRight: k + 1, Home: 0, End: tabs.length - 1 }[event.key];
  if (next === undefined || k < 0 || event.shiftKey) return;
  event.preventDefault();
  showSection(tabs[(next + tabs.length) % tabs.length].getAttribute("aria-controls"), true);
}

/** The section that is shown, and how far it is scrolled. */
function keptTab() {
  const [section] = document.querySelectorAll("#right > section:not([hidden])");
  return { id: section?.id, scroll: section?.scrollTop };
}

/** @param {import("./kept.js").Kept} kept @returns {() => void} scrolls the section to where it was, once it is filled */
export function startTabs(kept) {
  const bar = document.getElementById("tabs");
  const sections = [...document.querySelectorAll("#right > section")];
  bar.addEventListener("keydown", chooseByKey);
  for (const section of sections) {
    section.setAttribute("role", "tabpanel");
    section.setAttribute("aria-labelledby", `tab-${section.id}`);
    bar.append(
      element("button", {
        type: "button",
        role: "tab",
        id: `tab-${section.id}`,
        "aria-controls": section.id,
        text: section.dataset.name,
        onclick: () => showSection(section.id),
      }),
    );
  }
  const before = kept.take("tab", keptTab);
  const first = sections.find(({ id }) => id === before?.id) ?? sections[0];
  showSection(first.id);
  return () => {
    if (before?.id === first.id) first.scrollTop = before.scroll;
  };
}
