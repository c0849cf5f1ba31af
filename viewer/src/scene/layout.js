// What is drawn of a model beside its shapes, found from the scene and the motion: how large all is, the sticks of
// bodies without shapes, and how far the rails of joints reach. Pure geometry, in the axes of the bodies.
import { Box3, Quaternion, Vector3 } from "three";

/** Frames that are looked at to find how far a motion reaches. */
const SAMPLES = 400;

/** Joints along whose axis something slides. */
export const RAIL_JOINTS = new Set(["translational", "cylindrical", "point-in-line"]);

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

/** Size of the smaller shape of a contact [m]. @param {import("../data.js").Run} run @param {number} contact */
export function contactSize(run, contact) {
  const radii = meshRadii(run);
  const shapes = run.scene.contacts[contact].shapes.map((k) => run.scene.shapes[k]);
  return Math.min(...shapes.map((shape) => radii[shape.mesh])) || run.length || 1;
}

/** Points of a body at which joints hold it, without repetition. @param {object} scene @param {number} body */
export function jointPoints(scene, body) {
  const found = [];
  for (const joint of scene.joints)
    joint.bodies.forEach((owner, side) => {
      const at = vector(joint.at[side]);
      if (owner === body && !found.some((other) => other.distanceTo(at) < 1e-9)) found.push(at);
    });
  return found;
}

/**
 * Box that holds the whole motion.
 * @param {import("../data.js").Run} run
 * @param {import("./motion.js").Motion} motion
 */
export function boundsOf(run, motion) {
  const { scene } = run;
  const radii = meshRadii(run);
  const box = new Box3();
  const add = (body, at, radius) => {
    point.copy(at).applyQuaternion(turn).add(position);
    box.expandByPoint(point.addScalar(radius));
    box.expandByPoint(point.addScalar(-2 * radius));
  };
  const parts = scene.bodies.map((_, body) => {
    const shapes = scene.shapes.filter((shape) => shape.body === body && !isUnbounded(shape));
    const list = shapes.map((shape) => ({ at: vector(shape.at), radius: radii[shape.mesh] }));
    for (const at of jointPoints(scene, body)) list.push({ at, radius: 0 });
    if (body > 0) list.push({ at: new Vector3(), radius: 0 });
    return list;
  });
  const addBody = (body) => {
    if (motion.pose(body, position, turn)) for (const { at, radius } of parts[body]) add(body, at, radius);
  };
  addBody(0);
  motion.sample(SAMPLES, () => {
    for (let body = 1; body < parts.length; body++) addBody(body);
  });
  if (box.isEmpty()) box.expandByPoint(point.set(0, 0, 0));
  const spread = box.getSize(point);
  if (Math.max(spread.x, spread.y, spread.z) < 1e-9) box.expandByScalar(0.5 * (run.length || 1));
  if (run.dimension === 2) box.min.z = box.max.z = 0;
  return box;
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
  const joint = scene.joints.find(({ bodies, type, axis }) => axis && RAIL_JOINTS.has(type) && bodies.includes(body));
  if (!joint) return null;
  const axis = vector(joint.axis);
  if (motion.pose(joint.bodies[0], position, turn)) axis.applyQuaternion(turn);
  if (motion.pose(body, position, turn)) axis.applyQuaternion(turn.invert());
  return axis;
}

/**
 * Straight pieces that stand for a body: between its joints, or from its centre of mass to each joint that lies outside
 * of its shapes and to each shape that lies elsewhere.
 * @param {import("../data.js").Run} run @param {number} body @param {number[]} radii  of the meshes
 * @returns {{from: Vector3, to: Vector3}[]}
 */
export function sticksOf(run, body, radii) {
  const { scene } = run;
  const shapes = scene.shapes.filter((shape) => shape.body === body);
  const centre = new Vector3();
  let points = jointPoints(scene, body);
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
