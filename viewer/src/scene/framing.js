// The camera at the contact of the impact that is chosen, and the way back to where it was.
import { Vector3 } from "three";
import { frameOf } from "./frame.js";

/** Surfaces are fine so far around a contact that is framed, in its widths: more than the picture has of them. */
const AROUND = 3;

export class Framing {
  /** @param {import("./stage.js").Stage} stage */
  constructor(stage) {
    this.stage = stage;
    /** @type {ReturnType<typeof frameOf>} */
    this.frame = null;
    this.impact = null;
    this.point = new Vector3();
    this.back = null;
  }

  /**
   * @param {{run: object|null, impact: object|null}} selection
   * @param {import("./view.js").Place} [near]  from where the contact was looked at before
   */
  select({ run, impact }, near) {
    const { stage } = this;
    this.impact = impact;
    this.actor?.coarsen();
    const member = stage.troupe.find((one) => one.run === run && one.shown);
    const frame = impact && member ? frameOf(member.actor, impact, stage.extent) : null;
    if (frame && stage.fitted) {
      this.back ??= stage.view.place;
      this.frame = frame;
      this.actor = member.actor;
      stage.view.frame(this.world(), frame.normal, frame.size, frame.side);
      if (near) stage.view.look(near);
      this.actor.refine(frame.bodies, this.point, AROUND * frame.size);
    } else this.leave();
    stage.apply();
  }

  /** Back to where the camera was. */
  leave() {
    if (this.back && this.frame) this.stage.view.place = this.back;
    this.forget();
  }

  /** The camera goes elsewhere by itself. */
  forget() {
    this.actor?.coarsen();
    this.frame = this.back = null;
  }

  /** The point that is framed, with its body where it is now. */
  world() {
    return this.actor.world(this.frame.body, this.frame.local, this.point);
  }

  /**
   * For scripts: where the contact is in the picture, its width and that of the picture there [px], and how many
   * surfaces are fine about it.
   */
  get seen() {
    if (!this.frame) return null;
    const { view } = this.stage;
    view.camera.updateMatrixWorld();
    const { x, y } = this.world().clone().project(view.camera);
    const { width, height } = view;
    const size = this.frame.size / view.fineness;
    const fine = this.actor.xray.fine.size;
    return { x: 0.5 * (1 + x) * width, y: 0.5 * (1 - y) * height, size, width, height, fine };
  }
}
