// Loads between two frames: coils, dampers and lines from one to the other, spirals and rings at the first.
import { Vector3 } from "three";
import { LineSegments2 } from "three/addons/lines/LineSegments2.js";
import { LineSegmentsGeometry } from "three/addons/lines/LineSegmentsGeometry.js";
import { LAYER } from "./layers.js";
import { vector } from "./layout.js";

const UP = new Vector3(0, 1, 0);
const FRONT = new Vector3(0, 0, 1);

const COILS = 7;
/** Length of each straight end of a coil. */
const END = 0.12;

/** Pairs of points of a line through all. @param {number[][]} points */
function chain(points) {
  return points.slice(1).flatMap((to, k) => [...points[k], ...to]);
}

/** A coil of radius 1 from the origin to (0, 1, 0); in the plane a zigzag. @param {boolean} planar */
export function coil(planar) {
  const points = [[0, 0, 0]];
  const pieces = COILS * (planar ? 4 : 24);
  for (let k = 0; k <= pieces; k++) {
    const angle = (2 * Math.PI * COILS * k) / pieces;
    const y = END + ((1 - 2 * END) * k) / pieces;
    if (!planar) points.push([Math.cos(angle), y, Math.sin(angle)]);
    else if (k % 2 === 1) points.push([k % 4 === 1 ? 1 : -1, y, 0]);
    else if (k === 0 || k === pieces) points.push([0, y, 0]);
  }
  points.push([0, 1, 0]);
  return chain(points);
}

/** A cylinder, cut open, with its piston, of half width 1 from the origin to (0, 1, 0). */
const DASHPOT = [
  ...chain([
    [0, 0, 0],
    [0, 0.3, 0],
  ]),
  ...chain([
    [-1, 0.7, 0],
    [-1, 0.3, 0],
    [1, 0.3, 0],
    [1, 0.7, 0],
  ]),
  ...chain([
    [-0.8, 0.55, 0],
    [0.8, 0.55, 0],
  ]),
  ...chain([
    [0, 0.55, 0],
    [0, 1, 0],
  ]),
];

const LINE = [0, 0, 0, 0, 1, 0];

/** A curve about z whose radius goes from one to another. */
function spiral(turns, from, to) {
  const pieces = Math.ceil(turns * 28);
  return chain(
    Array.from({ length: pieces + 1 }, (_, k) => {
      const angle = (2 * Math.PI * turns * k) / pieces;
      const radius = from + ((to - from) * k) / pieces;
      return [radius * Math.cos(angle), radius * Math.sin(angle), 0];
    }),
  );
}

export class Loads {
  /** @param {import("./actor.js").Actor} actor */
  constructor(actor) {
    this.actor = actor;
    /** @type {import("three").Object3D[]} */
    this.objects = [];
    /** What reaches from one frame to the other. */
    this.spans = [];
    this.ends = [new Vector3(), new Vector3()];
    const { size } = actor.look;
    const between = { coil: coil(actor.planar), dashpot: DASHPOT, line: LINE, bushing: LINE };
    const around = { spiral: spiral(2.5, 0.004 * size, 0.028 * size), bushing: spiral(1, 0.02 * size, 0.02 * size) };
    for (const load of actor.run.scene.loads) {
      if (between[load.drawn]) this.addSpan(load, between[load.drawn]);
      if (around[load.drawn]) this.addSymbol(load, around[load.drawn]);
    }
  }

  /** @param {number[]} points  pairs of ends */
  make(points) {
    const { paint, look } = this.actor;
    const made = new LineSegments2(
      new LineSegmentsGeometry().setPositions(points),
      paint.wide("fg", 1.6, 0.75 * look.opacity),
    );
    this.objects.push(made);
    return made;
  }

  addSpan(load, points) {
    const object = this.make(points);
    object.frustumCulled = false;
    object.renderOrder = this.actor.planar ? 1000 * LAYER.mark : 0;
    this.actor.group.add(object);
    this.spans.push({ object, bodies: load.bodies, at: load.at.map(vector) });
  }

  addSymbol(load, points) {
    const object = this.make(points);
    object.position.copy(vector(load.at[0]));
    object.quaternion.setFromUnitVectors(FRONT, vector(load.axis));
    this.actor.symbols.push(this.actor.place(load.bodies[0], object, LAYER.mark));
  }

  /** Moves what reaches between bodies. */
  update() {
    const { actor } = this;
    const [from, to] = this.ends;
    const width = 0.018 * actor.look.size * actor.closeness;
    for (const { object, bodies, at } of this.spans) {
      actor.world(bodies[0], at[0], from);
      actor.world(bodies[1], at[1], to);
      object.position.copy(from);
      to.sub(from);
      const length = to.length();
      object.scale.set(width, Math.max(length, 1e-12), width);
      if (length > 0) object.quaternion.setFromUnitVectors(UP, to.divideScalar(length));
    }
  }

  /** @param {boolean} shown */
  show(shown) {
    for (const object of this.objects) object.visible = shown;
  }
}
