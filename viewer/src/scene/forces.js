// Arrows of the contact forces of one run: from the contact point along the force on the second body, and on the
// first.
import { ConeGeometry, CylinderGeometry, Group, Mesh, Quaternion, Vector3 } from "three";

const UP = new Vector3(0, 1, 0);

export class Forces {
  /**
   * @param {import("./actor.js").Actor} actor @param {number} largest  force of the longest arrow [N]
   * @param {number} span  of the motion [m]
   */
  constructor(actor, largest, span) {
    this.actor = actor;
    this.largest = largest;
    this.both = false;
    /** Length grows with the force ("linear") or with its root ("root"). */
    this.law = "root";
    this.group = new Group();
    const { opacity } = actor.look;
    this.longest = 0.3 * span;
    this.head = 0.035 * span;
    this.width = 0.0055 * span;
    const shaft = new CylinderGeometry(1, 1, 1, 12).translate(0, 0.5, 0);
    const head = new ConeGeometry(1, 1, 20).translate(0, 0.5, 0);
    const material = actor.paint.flat("force", opacity);
    const make = (geometry) => {
      const mesh = new Mesh(geometry, material);
      mesh.matrixAutoUpdate = false;
      mesh.frustumCulled = false;
      mesh.renderOrder = 100000;
      mesh.matrix.makeScale(0, 0, 0);
      this.group.add(mesh);
      return mesh;
    };
    this.arrows = actor.motion.contacts.map(
      (contact) => contact && [0, 1].map(() => ({ shaft: make(shaft), head: make(head) })),
    );
    this.point = new Vector3();
    this.force = new Vector3();
    this.turn = new Quaternion();
    this.scale = new Vector3();
    this.headScale = new Vector3();
  }

  /** To the time at which the actor's motion stands. */
  update() {
    const { motion } = this.actor;
    for (let k = 0; k < this.arrows.length; k++) {
      const pair = this.arrows[k];
      if (!pair) continue;
      motion.vector(motion.contacts[k].point, this.point);
      motion.vector(motion.contacts[k].force, this.force);
      this.draw(pair[0], true);
      this.force.negate();
      this.draw(pair[1], this.both);
    }
  }

  draw({ shaft, head }, wanted) {
    const force = this.force.length();
    const shown = wanted && force > 1e-9 * this.largest && Number.isFinite(force + this.point.x);
    shaft.visible = shown;
    head.visible = shown;
    if (!shown) return;
    const part = force / this.largest;
    const { closeness } = this.actor;
    const length = closeness * this.longest * (this.law === "root" ? Math.sqrt(part) : part);
    const tip = Math.min(closeness * this.head, 0.5 * length);
    const width = this.width * Math.min(closeness, tip / this.head + 0.2 * closeness);
    this.turn.setFromUnitVectors(UP, this.scale.copy(this.force).divideScalar(force));
    shaft.matrix.compose(this.point, this.turn, this.scale.set(width, length - tip, width));
    // the head stands at the end of the shaft
    this.scale
      .set(0, length - tip, 0)
      .applyQuaternion(this.turn)
      .add(this.point);
    head.matrix.compose(this.scale, this.turn, this.headScale.set(0.4 * tip, tip, 0.4 * tip));
    shaft.matrixWorldNeedsUpdate = true;
    head.matrixWorldNeedsUpdate = true;
  }
}
