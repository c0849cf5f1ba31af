// Pointer, wheel and touch on a plot: click or drag seeks, a click on the band of an impact chooses it; drag with
// shift or in zoom mode zooms; a double click shows all; the wheel zooms once the plot has the focus, or with ctrl, so
// that a page of plots still scrolls.
import { element } from "./dom.js";

/** A pointer that moves less clicks [px]. */
const STILL = 4;

/** @param {import("./plot.js").Plot} plot */
export function connectPointer(plot) {
  const { over } = plot.u;
  over.style.touchAction = plot.zooming ? "none" : "pan-y";
  let action = null,
    start = null;
  const box = element("div", { class: "p-zoom", hidden: true });
  over.append(box);

  /** Place of an event: parts 0 … 1 of the plotted area, and values. */
  const placeOf = (event) => {
    const frame = over.getBoundingClientRect();
    const u = Math.min(1, Math.max(0, (event.clientX - frame.left) / frame.width));
    const v = Math.min(1, Math.max(0, 1 - (event.clientY - frame.top) / frame.height));
    const {
      xAxis: x,
      yAxes: [y],
    } = plot;
    return { u, v, x: x.low + u * (x.high - x.low), y: y.low + v * (y.high - y.low) };
  };

  const showBox = (a, b) => {
    const upright = plot.options.time;
    Object.assign(box.style, {
      left: `${100 * Math.min(a.u, b.u)}%`,
      width: `${100 * Math.abs(a.u - b.u)}%`,
      top: upright ? "0" : `${100 * (1 - Math.max(a.v, b.v))}%`,
      height: upright ? "100%" : `${100 * Math.abs(a.v - b.v)}%`,
    });
    box.hidden = false;
  };

  const finishZoom = (a, b) => {
    box.hidden = true;
    if (Math.abs(a.u - b.u) < 0.01) return;
    const view = { x0: Math.min(a.x, b.x), x1: Math.max(a.x, b.x) };
    if (!plot.options.time && Math.abs(a.v - b.v) > 0.01)
      Object.assign(view, { y0: Math.min(a.y, b.y), y1: Math.max(a.y, b.y) });
    plot.show(view);
  };

  const seek = (place) => {
    if (plot.options.time) plot.clock.seek(place.x);
    else plot.options.onSeek?.(place.x, place.y, plot);
  };

  over.addEventListener("pointerdown", (event) => {
    if (event.button !== 0) return;
    plot.node.focus({ preventScroll: true });
    start = placeOf(event);
    action = event.shiftKey || plot.zooming ? "zoom" : "seek";
    // a finger that moves up or down scrolls the page, so the pointer is not held before it moves sideways
    if (event.pointerType !== "touch" || action === "zoom") over.setPointerCapture(event.pointerId);
    if (action === "seek") seek(start);
  });
  over.addEventListener("pointermove", (event) => {
    const place = placeOf(event);
    if (action === "zoom") showBox(start, place);
    else if (action === "seek" && plot.options.time) seek(place);
    if (event.pointerType === "touch" || !plot.options.time) return;
    plot.hover = place.x;
    plot.cross.hidden = false;
    plot.cross.style.transform = `translateX(${place.u * over.clientWidth}px)`;
    plot.showValues();
  });
  const end = (event) => {
    const place = placeOf(event);
    if (action === "zoom" && event.type === "pointerup") finishZoom(start, place);
    const moved = start ? Math.abs(place.u - start.u) * over.clientWidth : Infinity;
    if (action === "seek" && event.type === "pointerup" && moved < STILL)
      plot.options.onBand?.(place.x, (plot.xAxis.high - plot.xAxis.low) / over.clientWidth);
    box.hidden = true;
    action = null;
  };
  over.addEventListener("pointerup", end);
  over.addEventListener("pointercancel", end);
  over.addEventListener("pointerleave", () => {
    plot.hover = null;
    plot.cross.hidden = true;
    plot.showValues();
  });
  over.addEventListener("dblclick", () => plot.show(null));
  over.addEventListener(
    "wheel",
    (event) => {
      if (!event.ctrlKey && document.activeElement !== plot.node) return;
      if (!plot.options.time) return;
      event.preventDefault();
      const { x } = placeOf(event),
        { low, high } = plot.xAxis;
      if (Math.abs(event.deltaX) > Math.abs(event.deltaY)) {
        const shift = (event.deltaX / over.clientWidth) * (high - low);
        plot.clampView(low + shift, high + shift);
      } else plot.zoom(1.2 ** Math.sign(event.deltaY), x);
    },
    { passive: false },
  );
}
