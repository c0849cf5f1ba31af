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
    /**
     * @type {{shape: object, mesh: Mesh, surface: object, lines: object|null, body: number, colour: string,
     *   fill: number}[]}
     */
    this.surfaces = [];
    /**
     * Surfaces that take the place of those of shapes, whose lines between coarse points are then left out.
     * @type {Map<object, object>}
     */
    this.fine = new Map();
    /**
     * @type {{crowd: import("./crowd.js").Crowd, shapes: object[], colour: string, fill: number, toned: boolean,
     *   surface: object}[]}
     */
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
    for (const { shape, mesh, surface, lines, body, colour, fill, oneSided } of this.surfaces) {
      mesh.geometry = this.fine.get(shape) ?? surface;
      if (lines) lines.visible = !this.fine.has(shape);
      const away = framed && !framed.includes(body);
      const opacity = away ? AROUND : this.chosen.has(body) ? Math.min(fill, SEEN_THROUGH) : fill;
      mesh.material = this.material(colour, opacity, false, oneSided);
    }
    for (const mesh of this.stepped) mesh.removeFromParent();
    this.stepped = [];
    for (const { crowd, shapes, colour, fill, toned, surface } of this.crowds) {
      crowd.object.material = this.material(colour, framed ? AROUND : fill, toned);
      crowd.without = new Set([...this.chosen, ...(framed ?? [])]);
      for (const [k, { body, matrix }] of crowd.without.size ? crowd.members.entries() : []) {
        if (!crowd.without.has(body)) continue;
        const opacity = framed?.includes(body) ? fill : framed ? AROUND : SEEN_THROUGH;
        const mesh = new Mesh(this.fine.get(shapes[k]) ?? surface, this.material(colour, opacity, false));
        if (matrix) mesh.applyMatrix4(matrix);
        this.stepped.push(actor.place(body, mesh, 0));
      }
    }
  }
}
