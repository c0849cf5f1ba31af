// Where the contact of an impact is, and how large: what the camera goes to when the impact is chosen. The size is the
// width at which the undeformed surfaces cut each other at the deepest, of surfaces that nearly fit (a pin in its
// bore) a good part of the smaller one, so that the gap is seen.
import { Quaternion, Vector3 } from "three";
import { meshRadii } from "./layout.js";

/**
 * Width of a contact, at most and at least, in radii of the smaller surface: others than circles and lines are
 * coarse.
 */
const WIDEST = 0.8,
  LEAST = { exact: 0.02, coarse: 0.35 };

/** Width of what a corner digs into a flat surface, in its depths. */
const CORNER = 6;

/** The width at least, in extents of the motion: places are recorded with 24 bits. */
const FINEST = 5e-5;

/** Kinds of shapes that are flat. */
const FLAT = new Set(["plane", "segment", "box", "polygon", "height-field", "slot"]);

/** Kinds that are drawn as exactly as they are looked at, in the plane. */
const EXACT = new Set(["sphere", "plane", "segment"]);

const position = new Vector3();
const turn = new Quaternion();

/**
 * Bodies and shapes of an impact: those of its contact, or of a contact of many those that its name says: SET.A-B, with
 * names of bodies or shapes.
 * @param {object} scene @param {string} name
 */
export function contactOf(scene, name) {
  const index = scene.contacts.findIndex((contact) => contact.name === name);
  if (index >= 0) return { index, ...scene.contacts[index] };
  const pair = name.slice(name.indexOf(".") + 1);
  const shapeOf = (text) => {
    const own = scene.shapes.findIndex((shape) => shape.name === text);
    if (own >= 0) return own;
    const body = scene.bodies.findIndex((other) => other.name === text);
    return body < 0 ? -1 : scene.shapes.findIndex((shape) => shape.body === body);
  };
  for (let at = pair.indexOf("-"); at > 0; at = pair.indexOf("-", at + 1)) {
    const shapes = [shapeOf(pair.slice(0, at)), shapeOf(pair.slice(at + 1))];
    if (shapes.every((shape) => shape >= 0))
      return { index: -1, name, shapes, bodies: shapes.map((shape) => scene.shapes[shape].body) };
  }
  return null;
}

/** Radius of curvature of a shape, about: negative of hollow ones, infinite of flat ones. */
function radiusOf(run, radii, shape) {
  const { kind, mesh } = run.scene.shapes[shape];
  if (FLAT.has(kind)) return Infinity;
  const hollow = kind === "sphere" && run.dimension === 2 && !run.mesh(run.scene.meshes[mesh].triangles).length;
  return hollow || kind === "bore" ? -radii[mesh] : radii[mesh];
}

/** Width of a contact [m]. @param {number[]} radii  of curvature @param {number} depth  largest indentation [m] */
export function widthOf([a, b], depth, smallest, least) {
  const curvature = 1 / a + 1 / b;
  const corner = curvature === 0;
  const chord = corner ? CORNER * depth : curvature > 0 && depth > 0 ? 2 * Math.sqrt((2 * depth) / curvature) : 0;
  const wide = a < 0 || b < 0 ? WIDEST : corner ? LEAST.exact : least;
  return Math.min(Math.max(chord, wide * smallest), WIDEST * smallest);
}

/** A place of the middle between bodies of a contact of many: on the way from the round one to the other. */
function placeBetween(actor, { bodies, shapes }, radii, out, normal) {
  const { scene } = actor.run;
  const round = scene.shapes[shapes[0]].kind === "sphere" ? 0 : 1;
  const other = 1 - round;
  const centre = new Vector3().fromArray(scene.shapes[shapes[round]].at);
  centre.applyMatrix4(actor.nodes[bodies[round]].matrix);
  const { kind, at, axes, body } = scene.shapes[shapes[other]];
  const node = actor.nodes[body].matrix;
  normal.fromArray(at).applyMatrix4(node);
  if (kind === "plane") {
    // the third column of the axes is the normal of a plane in space, the second that in the plane
    const column = actor.planar ? 1 : 2;
    normal.set(axes[column], axes[3 + column], axes[6 + column]).transformDirection(node).negate();
  } else normal.sub(centre).normalize();
  return out.copy(centre).addScaledVector(normal, radii[scene.shapes[shapes[round]].mesh]);
}

/**
 * @param {import("./actor.js").Actor} actor @param {object} impact @param {number} extent  of the motion [m]
 * @returns {{body: number, bodies: number[], local: Vector3, normal: Vector3, size: number, side: Vector3|null}|null} a
 *   point of a body, in its axes, and the normal there, of the world; size: width of the contact [m]; side: from where
 *   it is best seen; null: nothing says where it is
 */
export function frameOf(actor, impact, extent) {
  const { run, motion } = actor;
  const contact = contactOf(run.scene, impact.contact);
  if (!contact) return null;
  const radii = meshRadii(run);
  const peak = impact.peak_time >= impact.onset ? impact.peak_time : impact.onset;
  actor.update(peak);
  const point = new Vector3(),
    normal = new Vector3();
  const columns = contact.index >= 0 ? motion.contacts[contact.index] : null;
  if (columns) {
    motion.vector(columns.point, point);
    motion.vector(columns.force, normal);
  } else placeBetween(actor, contact, radii, point, normal);
  if (!Number.isFinite(point.x + normal.x)) return null;
  const curvatures = contact.shapes.map((shape) => radiusOf(run, radii, shape));
  const finite = contact.shapes.map((shape) => radii[run.scene.shapes[shape].mesh]).filter((radius) => radius > 0);
  const smallest = Math.min(...finite, extent) || extent;
  const isExact = (k) => run.dimension === 2 && EXACT.has(run.scene.shapes[k].kind);
  const least = contact.shapes.every(isExact) ? LEAST.exact : LEAST.coarse;
  const size = Math.max(widthOf(curvatures, impact.max_indentation, smallest, least), FINEST * extent);
  // along with the ground, or with the first body
  const body = contact.bodies.includes(0) ? 0 : contact.bodies[0];
  if (!motion.pose(body, position, turn)) return null;
  const local = point.clone().sub(position).applyQuaternion(turn.invert());
  // seen from where the contact is on the other body, so that this does not hide it
  const seen = contact.bodies.find((other) => other !== body) ?? body;
  const side = point.clone().sub(new Vector3().setFromMatrixPosition(actor.nodes[seen].matrix));
  normal.normalize();
  side.addScaledVector(normal, -side.dot(normal));
  return { body, bodies: contact.bodies, local, normal, size, side: side.length() > 0.2 * smallest ? side : null };
}
