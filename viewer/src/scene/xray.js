// Surfaces that one sees through: of the bodies that are chosen, and of all but the framed ones where a contact in
// space is looked at. Those of crowds are seen through together; the framed ones step out of them.
import { Mesh } from "three";

/** What is left of a surface's opacity, and of one that stands about a framed contact. */
const SEEN_THROUGH = 0.22,
  AROUND = 0.1;

export class Xray {
  /** @param {import("./actor.js").Actor} actor */
  constructor(actor) {
    this.actor = actor;
    /** @type {{mesh: Mesh, body: number, colour: string, fill: number}[]} */
    this.surfaces = [];
    /** @type {{crowd: import("./crowd.js").Crowd, colour: string, fill: number, toned: boolean, surface: object}[]} */
    this.crowds = [];
    /** Bodies seen through by choice. @type {Set<number>} */
    this.chosen = new Set();
    this.stepped = [];
  }

  material(colour, opacity, toned, oneSided) {
    const { paint, look } = this.actor;
    if (toned) return paint.toned(colour, opacity * look.opacity);
    return paint.solid(colour, opacity * look.opacity, oneSided);
  }

  /** @param {number[]|null} framed  bodies of the contact that is looked at */
  apply(framed) {
    const { actor } = this;
    if (actor.planar) return;
    for (const { mesh, body, colour, fill, oneSided } of this.surfaces) {
      const away = framed && !framed.includes(body);
      const opacity = away ? AROUND : this.chosen.has(body) ? Math.min(fill, SEEN_THROUGH) : fill;
      mesh.material = this.material(colour, opacity, false, oneSided);
    }
    for (const mesh of this.stepped) mesh.removeFromParent();
    this.stepped = [];
    for (const { crowd, colour, fill, toned, surface } of this.crowds) {
      crowd.object.material = this.material(colour, framed ? AROUND : fill, toned);
      crowd.without = new Set([...this.chosen, ...(framed ?? [])]);
      for (const { body, matrix } of crowd.without.size ? crowd.members : []) {
        if (!crowd.without.has(body)) continue;
        const opacity = framed?.includes(body) ? fill : framed ? AROUND : SEEN_THROUGH;
        const mesh = new Mesh(surface, this.material(colour, opacity, false));
        if (matrix) mesh.applyMatrix4(matrix);
        this.stepped.push(actor.place(body, mesh, 0));
      }
    }
  }
}
