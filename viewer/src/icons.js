// Icons of the page's buttons.
import { element } from "./plots/dom.js";

const PATHS = {
  play: '<path class="solid" d="M4 2.5v11l9-5.5z"/>',
  pause: '<path d="M5 3v10M11 3v10" stroke-width="3"/>',
  next: '<path class="solid" d="M3 3v10l7-5z"/><path d="M12.5 3v10"/>',
  previous: '<path class="solid" d="M13 3v10L6 8z"/><path d="M3.5 3v10"/>',
  forward: '<path d="M6 3l5 5-5 5"/>',
  back: '<path d="M10 3L5 8l5 5"/>',
  slow: '<path d="M1 8h3l2-5 3 10 2.5-8L13 8h2"/>',
  fit: '<path d="M2 6V2h4M10 2h4v4M14 10v4h-4M6 14H2v-4"/><circle cx="8" cy="8" r="1.6" class="solid"/>',
  picture: '<path d="M8 2v8M4.5 7L8 10.5 11.5 7M2.5 13.5h11"/>',
  light:
    '<circle cx="8" cy="8" r="3"/>' +
    '<path d="M8 1v1.5M8 13.5V15M1 8h1.5M13.5 8H15M3 3l1 1M12 12l1 1M13 3l-1 1M4 12l-1 1"/>',
  dark: '<path d="M13.5 9.5A6 6 0 0 1 6.5 2.5a6 6 0 1 0 7 7z"/>',
  system: '<rect x="1.5" y="2.5" width="13" height="8.5" rx="1"/><path d="M5.5 14h5"/>',
};

/** @param {keyof typeof PATHS} name @returns {string} markup */
export function icon(name) {
  return `<svg class="icon" viewBox="0 0 16 16" aria-hidden="true">${PATHS[name]}</svg>`;
}

/** A button that shows an icon; its title is read out, too. @param {keyof typeof PATHS} name @param {string} title
 * @param {() => void} click */
export function iconButton(name, title, click, attributes = {}) {
  const label = title.replace(/ \(.*\)$/, "");
  const made = element("button", {
    type: "button",
    class: "icon",
    title,
    "aria-label": label,
    onclick: click,
    ...attributes,
  });
  made.innerHTML = icon(name);
  return made;
}
