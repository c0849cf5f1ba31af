// What is drawn of a model beside its shapes, found from the scene and the motion: how large all is, the sticks of
// bodies without shapes, and how far the rails of joints reach. Pure geometry, in the axes of the bodies.
import { Box3, Matrix4, Quaternion, Vector3 } from "three";

/** Snapshots that are looked at to find how far a motion reaches. */
const SAMPLES = 400;
const LEAST_SAMPLES = 10;
/** Places of things that are looked at for it in all. */
const PIECES = 2e5;

/** The first view shows a motion as far as so many sizes of what moves. */
const FARTHEST = 8;

/** Whether something slides along the axis of a joint. */
export const hasRail = (joint) => Boolean(joint.axis) && /\brail\b/.test(joint.drawn ?? "");

const position = new Vector3();
const turn = new Quaternion();
const point = new Vector3();

/** @param {number[]} numbers */
export function vector([x, y, z]) {
  return new Vector3(x, y, z);
}

/** True if nothing bounds a shape: it is drawn as far as the motion reaches. */
export function isUnbounded(shape) {
  return shape.kind === "plane";
}

/** Distance of a mesh's farthest point from its origin, for each mesh. @param {import("../data.js").Run} run */
export function meshRadii(run) {
  return run.scene.meshes.map(({ points }) => {
    const numbers = run.mesh(points);
    let largest = 0;
    for (let k = 0; k + 2 < numbers.length; k += 3)
      largest = Math.max(largest, Math.hypot(numbers[k], numbers[k + 1], numbers[k + 2]));
    return largest;
  });
}

/** Shapes of each body. @param {object} scene @returns {object[][]} */
export function shapesOf(scene) {
  const found = scene.bodies.map(() => []);
  for (const shape of scene.shapes) found[shape.body].push(shape);
  return found;
}

/** Size of the smaller shape of a contact [m]. @param {import("../data.js").Run} run @param {number} contact */
export function contactSize(run, contact) {
  const radii = meshRadii(run);
  const shapes = run.scene.contacts[contact].shapes.map((k) => run.scene.shapes[k]);
  return Math.min(...shapes.map((shape) => radii[shape.mesh])) || run.length || 1;
}

/** Places on the curve of a joint, in the axes of its first body; none where it has no curve. @returns {Vector3[]} */
export function curvePoints({ curve = [] }) {
  return Array.from({ length: curve.length / 3 }, (_, k) => new Vector3().fromArray(curve, 3 * k));
}

/**
 * Points of each body at which joints and loads hold it, without repetition; a curve is not held where its frame is.
 * @returns {Vector3[][]}
 */
export function heldPoints(scene) {
  const found = scene.bodies.map(() => []);
  for (const { bodies, at, curve } of [...scene.joints, ...scene.loads])
    bodies.forEach((body, side) => {
      if (curve && side === 0) return;
      const place = vector(at[side]);
      if (!found[body].some((other) => other.distanceTo(place) < 1e-9)) found[body].push(place);
    });
  return found;
}

/** Corners of the box of each mesh, in its own axes. @param {import("../data.js").Run} run */
function meshCorners(run) {
  return run.scene.meshes.map(({ points }) => {
    const box = new Box3().setFromArray(run.mesh(points));
    const { min, max } = box;
    if (box.isEmpty()) return [];
    return [min.x, max.x].flatMap((x) =>
      [min.y, max.y].flatMap((y) => [min.z, max.z].map((z) => new Vector3(x, y, z))),
    );
  });
}

/** What of a body is to be seen: balls and points, in its axes. @returns {{at: Vector3, radius: number}[][]} */
function partsOf(run) {
  const { scene } = run;
  const radii = meshRadii(run);
  const corners = meshCorners(run);
  const parts = scene.bodies.map((_, body) => (body > 0 ? [{ at: new Vector3(), radius: 0 }] : []));
  for (const shape of scene.shapes) {
    if (isUnbounded(shape)) continue;
    const place = placeOf(shape);
    if (shape.kind === "sphere") parts[shape.body].push({ at: vector(shape.at), radius: radii[shape.mesh] });
    else
      for (const corner of corners[shape.mesh])
        parts[shape.body].push({ at: corner.clone().applyMatrix4(place), radius: 0 });
  }
  for (const joint of scene.joints)
    parts[joint.bodies[0]].push(...curvePoints(joint).map((at) => ({ at, radius: 0 })));
  heldPoints(scene).forEach((points, body) => parts[body].push(...points.map((at) => ({ at, radius: 0 }))));
  return parts;
}

/**
 * Boxes of what is to be seen: at the first frame, and in the whole motion.
 * @param {import("../data.js").Run} run @param {import("./motion.js").Motion} motion
 * @returns {{first: Box3, whole: Box3}}
 */
export function boundsOf(run, motion) {
  const parts = partsOf(run);
  const whole = new Box3();
  let first = null;
  const add = (body) => {
    if (!motion.pose(body, position, turn)) return;
    for (const { at, radius } of parts[body]) {
      point.copy(at).applyQuaternion(turn).add(position);
      whole.expandByPoint(point.addScalar(radius));
      whole.expandByPoint(point.addScalar(-2 * radius));
    }
  };
  add(0);
  const pieces = parts.reduce((sum, list) => sum + list.length, 1);
  motion.sample(Math.min(SAMPLES, Math.max(LEAST_SAMPLES, PIECES / pieces)), () => {
    for (let body = 1; body < parts.length; body++) add(body);
    first ??= whole.clone();
  });
  first ??= whole.clone();
  for (const box of [first, whole]) {
    if (box.isEmpty()) box.expandByPoint(point.set(0, 0, 0));
    const spread = box.getSize(point);
    if (Math.max(spread.x, spread.y, spread.z) < 1e-9) box.expandByScalar(0.5 * (run.length || 1));
    if (run.dimension === 2) box.min.z = box.max.z = 0;
  }
  return { first, whole };
}

/**
 * What the first view shows: the whole motion, but of one that goes far only so much around where it begins that the
 * things that move are not specks.
 * @param {{first: Box3, whole: Box3}} bounds
 */
export function viewBox({ first, whole }) {
  const size = first.getSize(point).length();
  if (whole.getSize(point).length() <= FARTHEST * size) return whole.clone();
  return first
    .clone()
    .expandByScalar((FARTHEST - 1) * size)
    .intersect(whole);
}

/** Place of a shape in the axes of its body. */
export function placeOf({ at: [x, y, z], axes: [a, b, c, d, e, f, g, h, i] }) {
  return new Matrix4().set(a, b, c, x, d, e, f, y, g, h, i, z, 0, 0, 0, 1);
}

/** From where to where the second frame of a joint moves along its axis, from the origin of the first [m]. */
export function railOf(joint, motion) {
  const axis = vector(joint.axis);
  const other = vector(joint.at[1]);
  const origin = vector(joint.at[0]);
  let low = 0;
  let high = 0;
  motion.sample(SAMPLES, () => {
    if (!motion.pose(joint.bodies[1], position, turn)) return;
    point.copy(other).applyQuaternion(turn).add(position);
    if (!motion.pose(joint.bodies[0], position, turn)) return;
    const along = point.sub(position).applyQuaternion(turn.invert()).sub(origin).dot(axis);
    low = Math.min(low, along);
    high = Math.max(high, along);
  });
  return [low, high];
}

/** Direction, in the axes of a body, along which a joint lets it slide, or null. */
export function slideOf(scene, motion, body) {
  const joint = scene.joints.find((joint) => hasRail(joint) && joint.bodies.includes(body));
  if (!joint) return null;
  const axis = vector(joint.axis);
  if (motion.pose(joint.bodies[0], position, turn)) axis.applyQuaternion(turn);
  if (motion.pose(body, position, turn)) axis.applyQuaternion(turn.invert());
  return axis;
}

/**
 * Straight pieces that stand for a body: between the points that hold it, or from its centre of mass to each of them that
 * lies outside of its shapes and to each shape that lies elsewhere.
 * @param {Vector3[]} held @param {object[]} shapes  of the body @param {number[]} radii  of the meshes
 * @returns {{from: Vector3, to: Vector3}[]}
 */
export function sticksOf(held, shapes, radii) {
  const centre = new Vector3();
  let points = held;
  if (shapes.length) {
    points = points.filter((at) => shapes.every((s) => vector(s.at).distanceTo(at) > 1.001 * radii[s.mesh]));
    for (const shape of shapes) {
      const at = vector(shape.at);
      if (!isUnbounded(shape) && at.length() > 1.001 * radii[shape.mesh]) points.push(at);
    }
  } else if (points.length === 2 && isBetween(centre, points[0], points[1]))
    return [{ from: points[0], to: points[1] }];
  return points.filter((at) => at.length() > 1e-9).map((at) => ({ from: centre, to: at }));
}

/** True if `middle` lies on the way from a to b, or nearly so. */
function isBetween(middle, a, b) {
  return middle.distanceTo(a) + middle.distanceTo(b) < 1.001 * a.distanceTo(b);
}
