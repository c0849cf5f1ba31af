// The name of the body under the pointer, with its mass and speed.
import { Raycaster, Vector2, Vector3 } from "three";
import { element } from "../plots/dom.js";
import { numberText, valueText } from "../plots/units.js";

/** Distance of the note from the pointer [px]. */
const AWAY = 14;

/** Distance from a stick within which it is meant [px]. */
const NEAR = 8;

const here = new Vector3();
const there = new Vector3();

/** Speed of a body's centre of mass at the present time, between two snapshots [m/s]. */
export function speedOf(motion, body) {
  const columns = motion.bodies[body];
  const { times, count } = motion;
  if (!columns || count < 2) return NaN;
  const at = (k) => (out) => out.set(columns.x[k], columns.y[k], columns.z ? columns.z[k] : 0);
  const k = Math.min(motion.k, count - 2);
  const step = times[k + 1] - times[k];
  return step > 0 ? at(k)(here).distanceTo(at(k + 1)(there)) / step : NaN;
}

/** Surfaces of an actor and what they belong to, found once. @returns {Map<object, import("./crowd.js").Crowd|number>} */
function surfacesOf(actor) {
  const found = new Map();
  for (const crowd of actor.crowds) if (!crowd.object.isLineSegments) found.set(crowd.object, crowd);
  actor.nodes.forEach((node, body) => {
    for (const part of node.children) if (body > 0 && part.isMesh && !part.isLineSegments2) found.set(part, body);
  });
  return found;
}

/** The body whose stick is near a place of the picture: bodies without a surface there are drawn as lines. */
function stickAt(stage, caster) {
  const { actor, shown } = stage.troupe[0];
  if (!shown) return null;
  actor.lines ??= new Map(
    actor.nodes.flatMap((node, body) =>
      body > 0 ? node.children.filter((part) => part.isLineSegments2).map((part) => [part, body]) : [],
    ),
  );
  caster.params.Line2 = { threshold: NEAR };
  for (const { object, pointOnLine, point } of caster.intersectObjects([...actor.lines.keys()], false)) {
    const body = actor.lines.get(object);
    if (actor.nodes[body].visible) return { actor, body, point: pointOnLine ?? point };
  }
  return null;
}

/**
 * The body at a place of the picture, of the first run that has one there, and the point that is seen.
 * @param {import("./stage.js").Stage} stage @param {Raycaster} caster @param {Vector2} place
 * @returns {{actor: import("./actor.js").Actor, body: number, point: Vector3} | null}
 */
export function bodyAt(stage, caster, place) {
  stage.scene.updateMatrixWorld();
  caster.setFromCamera(place, stage.view.camera);
  let best = null;
  for (const { actor, shown } of stage.troupe) {
    if (!shown) continue;
    actor.surfaces ??= surfacesOf(actor);
    // those of crowds move
    for (const { object } of actor.crowds) object.boundingSphere = null;
    for (const { object, distance, instanceId, point } of caster.intersectObjects([...actor.surfaces.keys()], false)) {
      const owner = actor.surfaces.get(object);
      const body = typeof owner === "number" ? owner : owner.members[owner.order[instanceId]].body;
      if (body === 0 || !actor.nodes[body].visible) continue;
      const above = stage.planar ? -object.renderOrder : distance;
      if (!best || above < best.above) best = { actor, body, above, point };
    }
    if (best) break;
  }
  return best ?? stickAt(stage, caster);
}

/** A mass in kilograms, grams or milligrams. @param {number} mass [kg] */
export function massText(mass) {
  if (mass >= 0.1) return `${numberText(mass, 4)} kg`;
  return mass >= 1e-4 ? `${numberText(mass * 1e3, 4)} g` : `${numberText(mass * 1e6, 4)} mg`;
}

/** @param {HTMLElement} home @param {HTMLCanvasElement} canvas @param {import("./stage.js").Stage} stage */
export function mountHover(home, canvas, stage) {
  const note = element("div", { class: "hover", hidden: true });
  const caster = new Raycaster();
  const place = new Vector2();
  let waiting = false;
  home.append(note);
  const show = (x, y) => {
    waiting = false;
    place.set((2 * x) / stage.view.width - 1, 1 - (2 * y) / stage.view.height);
    const found = bodyAt(stage, caster, place);
    note.hidden = !found;
    if (!found) return;
    const { name, mass } = found.actor.run.scene.bodies[found.body];
    const speed = speedOf(found.actor.motion, found.body);
    const parts = [name, mass > 0 ? massText(mass) : "", Number.isFinite(speed) ? valueText(speed, "m/s", 4) : ""];
    note.textContent = parts.filter(Boolean).join(" · ");
    const left = Math.min(x + AWAY, stage.view.width - note.offsetWidth - 4);
    note.style.transform = `translate(${Math.max(4, left)}px, ${Math.max(4, y - AWAY - note.offsetHeight)}px)`;
  };
  stage.scope.listen(canvas, "pointermove", ({ offsetX, offsetY, pointerType, buttons }) => {
    if (pointerType === "touch" || buttons || waiting) return;
    waiting = true;
    requestAnimationFrame(() => show(offsetX, offsetY));
  });
  for (const kind of ["pointerleave", "pointerdown"])
    stage.scope.listen(canvas, kind, () => {
      note.hidden = true;
    });
}
