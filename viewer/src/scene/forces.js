// Arrows of the contact forces of one run: from the contact point into the body that is pushed, the one that is not the
// ground, of two bodies the second; or on both. The longest arrow is a force that suits what is shown:
// forces.longest().
import { ConeGeometry, CylinderGeometry, Group, Matrix4, Quaternion, Vector3 } from "three";
import { makeInstanced } from "./crowd.js";

const UP = new Vector3(0, 1, 0);

export class Forces {
  /**
   * @param {import("./actor.js").Actor} actor @param {number} span  of the motion [m]
   */
  constructor(actor, span) {
    this.actor = actor;
    /** Force of the longest arrow [N]. */
    this.largest = 0;
    this.both = false;
    /** Length grows with the force ("linear") or with its root ("root"). */
    this.law = "root";
    this.onGround = actor.run.scene.contacts.map(({ bodies }) => bodies[1] === 0);
    this.group = new Group();
    const { opacity } = actor.look;
    this.longest = 0.3 * span;
    this.head = 0.035 * span;
    this.width = 0.0055 * span;
    const shaft = new CylinderGeometry(1, 1, 1, 12).translate(0, 0.5, 0);
    const head = new ConeGeometry(1, 1, 20).translate(0, 0.5, 0);
    const material = actor.paint.flat("force", opacity);
    const make = (geometry) => {
      const made = makeInstanced(geometry, material, Math.max(1, 2 * actor.motion.contacts.length), false);
      made.renderOrder = 100000;
      this.group.add(made);
      return made;
    };
    this.shafts = make(shaft);
    this.heads = make(head);
    this.matrix = new Matrix4();
    this.point = new Vector3();
    this.force = new Vector3();
    this.turn = new Quaternion();
    this.scale = new Vector3();
    this.headScale = new Vector3();
  }

  /** To the time at which the actor's motion stands. */
  update() {
    const { motion } = this.actor;
    this.shafts.count = 0;
    for (let k = 0; k < motion.contacts.length; k++) {
      const contact = motion.contacts[k];
      if (!contact) continue;
      motion.vector(contact.force, this.force);
      if (this.force.lengthSq() === 0) continue;
      motion.vector(contact.point, this.point);
      if (this.onGround[k]) this.force.negate();
      this.draw();
      this.force.negate();
      if (this.both) this.draw();
    }
    this.heads.count = this.shafts.count;
    this.shafts.instanceMatrix.needsUpdate = true;
    this.heads.instanceMatrix.needsUpdate = true;
  }

  /** Adds an arrow. */
  draw() {
    const force = this.force.length();
    if (!(force > 1e-9 * this.largest && Number.isFinite(force + this.point.x))) return;
    const k = this.shafts.count++;
    const part = Math.min(1, force / this.largest);
    const { closeness } = this.actor;
    const length = closeness * this.longest * (this.law === "root" ? Math.sqrt(part) : part);
    const tip = Math.min(closeness * this.head, 0.5 * length);
    const width = this.width * Math.min(closeness, tip / this.head + 0.2 * closeness);
    this.turn.setFromUnitVectors(UP, this.scale.copy(this.force).divideScalar(force));
    this.matrix.compose(this.point, this.turn, this.scale.set(width, length - tip, width));
    this.matrix.toArray(this.shafts.instanceMatrix.array, 16 * k);
    // the head stands at the end of the shaft
    this.scale
      .set(0, length - tip, 0)
      .applyQuaternion(this.turn)
      .add(this.point);
    this.matrix.compose(this.scale, this.turn, this.headScale.set(0.4 * tip, tip, 0.4 * tip));
    this.matrix.toArray(this.heads.instanceMatrix.array, 16 * k);
  }
}
