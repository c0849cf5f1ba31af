// Marks of the joints: rings for what turns, rails for what slides, links for what keeps a distance; and triads of
// axes.
import {
  BufferAttribute,
  BufferGeometry,
  CircleGeometry,
  CylinderGeometry,
  LineSegments,
  Mesh,
  RingGeometry,
  SphereGeometry,
  TorusGeometry,
  Vector3,
} from "three";
import { LineSegments2 } from "three/addons/lines/LineSegments2.js";
import { LineSegmentsGeometry } from "three/addons/lines/LineSegmentsGeometry.js";
import { LAYER } from "./layers.js";
import { curvePoints, hasRail, railOf, vector } from "./layout.js";

const X = new Vector3(1, 0, 0);
const UP = new Vector3(0, 1, 0);
const FRONT = new Vector3(0, 0, 1);

/** @param {import("./actor.js").Actor} actor @returns {Marks} */
export function addMarks(actor) {
  const marks = new Marks(actor);
  for (const joint of actor.run.scene.joints) marks.addJoint(joint);
  marks.addAxes();
  return marks;
}

export class Marks {
  /** @param {import("./actor.js").Actor} actor */
  constructor(actor) {
    this.actor = actor;
    /** @type {import("three").Object3D[]} */
    this.joints = [];
    /** @type {import("three").Object3D[]} */
    this.axes = [];
    this.links = [];
    this.ends = [new Vector3(), new Vector3()];
    const { size } = actor.look;
    this.disc = new CircleGeometry(0.0105 * size, 24);
    this.ring = new RingGeometry(0.0095 * size, 0.0135 * size, 24);
    this.torus = new TorusGeometry(0.022 * size, 0.006 * size, 10, 28);
    this.ball = new SphereGeometry(0.02 * size, 20, 14);
  }

  addJoint(joint) {
    const { actor } = this;
    const at = vector(joint.at[0]);
    const axis = joint.axis ? vector(joint.axis) : FRONT;
    const [mark] = (joint.drawn ?? "").split(" ");
    if (joint.curve) this.addCurve(joint);
    if (hasRail(joint)) this.addRail(joint, at, axis);
    if (mark === "bar") this.addLink(joint);
    if (mark !== "ring" && mark !== "ball") return;
    const put = (geometry, material) => {
      const mesh = new Mesh(geometry, material);
      mesh.position.copy(at);
      if (geometry === this.torus) mesh.quaternion.setFromUnitVectors(FRONT, axis);
      actor.place(joint.bodies[0], mesh, LAYER.mark);
      actor.symbols.push(mesh);
      this.joints.push(mesh);
    };
    const { opacity } = actor.look;
    if (actor.planar) {
      put(this.disc, actor.paint.solid("scene", opacity));
      put(this.ring, actor.paint.solid("fg", opacity));
    } else {
      put(joint.axis && mark === "ring" ? this.torus : this.ball, actor.paint.solid("mark", opacity));
    }
  }

  /** The curve on which the joint's point moves. */
  addCurve(joint) {
    const { actor } = this;
    const line = new LineSegments2(
      new LineSegmentsGeometry().setPositions(
        curvePoints(joint).flatMap((point, k, all) => (k ? [...all[k - 1].toArray(), ...point.toArray()] : [])),
      ),
      actor.paint.wide("muted", 2, 0.8 * actor.look.opacity),
    );
    this.joints.push(actor.place(joint.bodies[0], line, LAYER.rail));
  }

  /** A line as far as the joint slides, and a little beyond. */
  addRail(joint, at, axis) {
    const { actor } = this;
    const [low, high] = railOf(joint, actor.motion);
    const beyond = 0.06 * actor.look.size;
    const ends = [
      ...at
        .clone()
        .addScaledVector(axis, low - beyond)
        .toArray(),
      ...at
        .clone()
        .addScaledVector(axis, high + beyond)
        .toArray(),
    ];
    const line = new LineSegments2(
      new LineSegmentsGeometry().setPositions(ends),
      actor.paint.wide("muted", 1.5, 0.7 * actor.look.opacity),
    );
    this.joints.push(actor.place(joint.bodies[0], line, LAYER.rail));
  }

  /** A thin bar between the two points that keep their distance. */
  addLink(joint) {
    const { actor } = this;
    const radius = 0.006 * actor.look.size;
    const bar = new Mesh(new CylinderGeometry(radius, radius, 1, 12), actor.paint.solid("mark", actor.look.opacity));
    bar.renderOrder = 1000 * LAYER.stick;
    actor.group.add(bar);
    this.joints.push(bar);
    this.links.push({ bar, bodies: joint.bodies, at: joint.at.map(vector) });
  }

  /** Triads at the centres of mass, and the axes of the joints. */
  addAxes() {
    const { actor } = this;
    const length = 0.09 * actor.look.size;
    const along = (from, direction) =>
      new BufferGeometry().setAttribute(
        "position",
        new BufferAttribute(
          new Float32Array([...from.toArray(), ...from.clone().addScaledVector(direction, length).toArray()]),
          3,
        ),
      );
    const paint = (name) => actor.paint.over(name, actor.look.opacity);
    const members = actor.nodes.map((_, body) => ({ body, matrix: null }));
    const triad = [[X, "axis-x"], [UP, "axis-y"], actor.planar ? null : [FRONT, "axis-z"]].filter(Boolean);
    for (const [direction, name] of triad) {
      const { object } = actor.gather(along(new Vector3(), direction), paint(name), true, members, LAYER.axis);
      object.renderOrder ||= 1;
      object.visible = false;
      this.axes.push(object);
    }
    for (const joint of actor.run.scene.joints) {
      if (!joint.axis) continue;
      const line = new LineSegments(along(vector(joint.at[0]), vector(joint.axis)), paint("fg"));
      actor.place(joint.bodies[0], line, LAYER.axis).renderOrder ||= 1;
      this.axes.push(line);
    }
  }

  /** Moves what stands between bodies. */
  update() {
    const [from, to] = this.ends;
    for (const { bar, bodies, at } of this.links) {
      this.actor.world(bodies[0], at[0], from);
      this.actor.world(bodies[1], at[1], to);
      bar.position.addVectors(from, to).multiplyScalar(0.5);
      to.sub(from);
      const length = to.length();
      bar.scale.set(1, Math.max(length, 1e-12), 1);
      if (length > 0) bar.quaternion.setFromUnitVectors(UP, to.divideScalar(length));
    }
  }

  /** @param {boolean} joints @param {boolean} axes */
  show(joints, axes) {
    for (const mark of this.joints) mark.visible = joints;
    for (const axis of this.axes) axis.visible = axes;
  }
}
