// What a page's elements are to each other in place: runs in the page, and returns a sentence for each that is cut off or
// covers another.

/** Elements that must be seen whole, and do not overlap. */
export const PARTS = "button, select, summary, input, [role=tab], h1, h2, #subtitle, .badge, .p-plot, .p-legend, .p-scroll, .p-hint, " +
  ".p-warning, #scene .corner > div, #scene .focus > span";

/** @param {string} selector */
export function misplaced(selector) {
  const SLACK = 1.5;
  const found = [];
  const nameOf = (node) => {
    const text = (node.getAttribute("aria-label") || node.textContent || node.className).trim().replace(/\s+/g, " ");
    return `${node.tagName.toLowerCase()} '${text.slice(0, 40)}'`;
  };
  /** The part of an element that its ancestors let through, and whether one that does not scroll cuts it off. */
  const clipped = (node) => {
    const { left, right, top, bottom } = node.getBoundingClientRect();
    const rect = { left, right, top, bottom };
    let cut = false;
    for (let other = node.parentElement; other && other !== document.body; other = other.parentElement) {
      const style = getComputedStyle(other), frame = other.getBoundingClientRect();
      for (const [axis, low, high] of [["overflowX", "left", "right"], ["overflowY", "top", "bottom"]]) {
        if (style[axis] === "visible") continue;
        if (style[axis] === "hidden" && (rect[low] < frame[low] - SLACK || rect[high] > frame[high] + SLACK)) cut = true;
        rect[low] = Math.max(rect[low], frame[low]);
        rect[high] = Math.min(rect[high], frame[high]);
      }
    }
    return { ...rect, cut };
  };
  /** What stays in sight while the page is scrolled under it, and so covers parts of it. */
  const stuck = (node) => {
    let other = node;
    while (other && getComputedStyle(other).position !== "sticky") other = other.parentElement;
    return other;
  };
  const parts = [];
  for (const node of document.querySelectorAll(selector)) {
    if (!node.checkVisibility({ visibilityProperty: true })) continue;
    const rect = clipped(node);
    if (rect.right - rect.left < 1 || rect.bottom - rect.top < 1) continue;
    if (rect.cut) found.push(`${nameOf(node)} is cut off`);
    if (rect.left < -SLACK || rect.right > innerWidth + SLACK) found.push(`${nameOf(node)} reaches out of the screen`);
    const style = getComputedStyle(node);
    if (node.matches("button, summary, h1") && style.textOverflow !== "ellipsis" && node.scrollWidth > node.clientWidth + SLACK)
      found.push(`${nameOf(node)} has ${node.scrollWidth} px of text in ${node.clientWidth}`);
    parts.push({ node, rect, layer: scrollY > 0 ? stuck(node) : null });
  }
  parts.forEach(({ node, rect, layer }, k) => {
    for (const { node: other, rect: place, layer: above } of parts.slice(k + 1)) {
      if (node.contains(other) || other.contains(node) || layer !== above) continue;
      const width = Math.min(rect.right, place.right) - Math.max(rect.left, place.left);
      const height = Math.min(rect.bottom, place.bottom) - Math.max(rect.top, place.top);
      if (width > SLACK && height > SLACK) found.push(`${nameOf(node)} covers ${nameOf(other)}`);
    }
  });
  return found;
}
