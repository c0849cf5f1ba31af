// One run in the scene: a node for each body with its shapes, sticks and marks, moved by the run's motion. Of what
// there is many times there are crowds instead.
import {
  BoxGeometry,
  BufferAttribute,
  BufferGeometry,
  CapsuleGeometry,
  Group,
  LineSegments,
  Mesh,
  Quaternion,
  SphereGeometry,
  Vector3,
} from "three";
import { LineSegments2 } from "three/addons/lines/LineSegments2.js";
import { LineSegmentsGeometry } from "three/addons/lines/LineSegmentsGeometry.js";
import { Crowd, MANY } from "./crowd.js";
import { LAYER } from "./layers.js";
import { Loads } from "./loads.js";
import { heldPoints, isUnbounded, meshRadii, placeOf, shapesOf, slideOf, sticksOf, vector } from "./layout.js";
import { addMarks } from "./marks.js";
import { seriesName } from "./paint.js";
import { refined } from "./refine.js";
import { roundGeometries } from "./round.js";
import { Xray } from "./xray.js";

/** Before all but the grid. */
const BEHIND = -500;

/** Kinds of shapes that run around others. */
const CAGES = new Set(["torus", "tube", "ring"]);

/** Shapes of which all are fine about a contact that is framed. */
const FEW_SHAPES = 64;

const UP = new Vector3(0, 1, 0);
const ONE = new Vector3(1, 1, 1);

export class Actor {
  /**
   * @param {import("../data.js").Run} run @param {import("./motion.js").Motion} motion
   * @param {import("./paint.js").Paint} paint
   * @param {{size: number, colour: string|null, opacity: number, order: number}} look  size: of what symbols fit [m];
   *   colour: of all bodies, or null for a colour a body; order: planar runs of a higher one are drawn above
   */
  constructor(run, motion, paint, look) {
    this.run = run;
    this.motion = motion;
    this.paint = paint;
    this.look = look;
    this.planar = run.dimension === 2;
    this.group = new Group();
    this.position = new Vector3();
    this.turn = new Quaternion();
    /** What only stands for something, and so keeps its width on the screen when one comes near. */
    this.symbols = [];
    /** Sticks keep their length and become thinner: their points as made, and half the length between the ends. */
    this.sticks = [];
    this.closeness = 1;
    /** @type {Crowd[]} */
    this.crowds = [];
    this.xray = new Xray(this);
    this.nodes = run.scene.bodies.map(() => this.addBody());
    this.marks = addMarks(this);
    this.loads = new Loads(this);
    this.geometries = run.scene.meshes.map((mesh) => geometriesOf(run, mesh, this.planar));
    this.radii = meshRadii(run);
    for (const alike of this.alike()) {
      if (alike.length >= MANY) this.addCrowd(alike);
      else for (const shape of alike) this.addShape(shape);
    }
    const shapes = shapesOf(run.scene);
    const held = heldPoints(run.scene);
    for (let body = 1; body < this.nodes.length; body++) this.addSticks(body, held[body], shapes[body]);
    this.update(motion.times[0] ?? 0);
  }

  /** Shapes that are drawn alike: mesh and colour. @returns {Iterable<object[]>} */
  alike() {
    const found = new Map();
    for (const shape of this.run.scene.shapes) {
      if (shape.hidden) continue;
      const key = `${shape.mesh} ${this.colourOf(shape)}`;
      if (!found.has(key)) found.set(key, []);
      found.get(key).push(shape);
    }
    return found.values();
  }

  /** Name of a body's colour. @param {number} body */
  colour(body) {
    if (body === 0) return "ground";
    return this.look.colour ?? seriesName(body - 1);
  }

  /** Colour of a shape: its own, or the name of its body's. @param {object} shape */
  colourOf(shape) {
    return this.look.colour ?? shape.colour ?? this.colour(shape.body);
  }

  addBody() {
    const node = new Group();
    node.matrixAutoUpdate = false;
    node.renderOrder = this.look.order;
    return node;
  }

  /** Many copies of one thing, each in a body. */
  gather(geometry, material, lines, members, layer) {
    const crowd = new Crowd(geometry, material, lines, members);
    crowd.object.renderOrder = this.planar ? 1000 * layer : 0;
    this.crowds.push(crowd);
    this.group.add(crowd.object);
    return crowd;
  }

  /** Shapes that are drawn alike. In space a crowd of balls has two tones, which show how they turn, and no lines. */
  addCrowd(shapes) {
    const { opacity } = this.look;
    const [{ mesh, body, kind, colour: own }] = shapes;
    const members = shapes.map((shape) => ({ body: shape.body, matrix: placeOf(shape) }));
    const colour = this.colourOf(shapes[0]);
    const fill = this.planar ? 0.25 : body === 0 && !own ? 0.45 : 1;
    const put = (geometry, toned) => {
      const material = toned ? this.paint.toned(colour, fill * opacity) : this.paint.solid(colour, fill * opacity);
      const crowd = this.gather(geometry, material, false, members, LAYER.fill);
      const { surface } = this.geometries[mesh];
      if (body > 0) this.xray.crowds.push({ crowd, shapes, colour, fill, toned, surface });
    };
    if (kind === "sphere" && !this.planar) {
      put(twoToneBall(this.radii[mesh]), true);
      return;
    }
    const { surface, segments } = this.geometries[mesh];
    if (surface) put(surface, false);
    const edge = this.planar ? colour : body === 0 ? "ground" : "edge";
    if (segments)
      this.gather(segments(), this.paint.thin(edge, (this.planar ? 1 : 0.5) * opacity), true, members, LAYER.edge);
  }

  /** Puts something that does not move in its body into the body's node. */
  place(body, object, layer) {
    object.updateMatrix();
    object.matrixAutoUpdate = false;
    object.renderOrder = this.planar ? 1000 * layer + body : 0;
    const node = this.nodes[body];
    if (!node.parent) this.group.add(node);
    node.add(object);
    return object;
  }

  /** Surface and lines of a shape, of circles that touch something finer ones. */
  geometryOf(shape) {
    const { scene } = this.run;
    const touches = scene.contacts.some(({ shapes }) => shapes.some((k) => scene.shapes[k] === shape));
    if (!this.planar || shape.kind !== "sphere" || !touches) return this.geometries[shape.mesh];
    return roundGeometries(this.run, scene.meshes[shape.mesh], this.radii[shape.mesh]);
  }

  /** What covers the grid behind a surface. */
  maskOf(surface, matrix) {
    const mask = new Mesh(surface, this.paint.solid("scene", 1));
    mask.applyMatrix4(matrix);
    return mask;
  }

  /** True for what runs around others that touch it, as the rings of a bearing: one sees through it. */
  isCage(shape) {
    if (!CAGES.has(shape.kind)) return false;
    const { scene } = this.run;
    return scene.contacts.filter(({ shapes }) => shapes.some((k) => scene.shapes[k] === shape)).length > 1;
  }

  addShape(shape) {
    const { opacity } = this.look;
    const colour = this.colourOf(shape);
    const geometry = this.geometryOf(shape);
    const matrix = placeOf(shape);
    const add = (object, layer) => {
      object.applyMatrix4(matrix);
      return this.place(shape.body, object, layer);
    };
    const ground = shape.body === 0;
    let entry = null;
    if (geometry.surface) {
      const fill = this.planar ? 0.25 : (ground && !shape.colour) || this.isCage(shape) ? 0.45 : 1;
      const oneSided = !this.planar && isUnbounded(shape);
      const mesh = add(new Mesh(geometry.surface, this.paint.solid(colour, fill * opacity, oneSided)), LAYER.fill);
      // the grid ends where a body begins, though one sees through the body
      if (this.planar) this.place(shape.body, this.maskOf(geometry.surface, matrix), 0).renderOrder = BEHIND;
      entry = { shape, mesh, surface: geometry.surface, lines: null, body: shape.body, colour, fill, oneSided };
      this.xray.surfaces.push(entry);
    }
    if (geometry.lines) {
      if (this.planar) add(new LineSegments2(geometry.lines, this.paint.wide(colour, 2, opacity)), LAYER.edge);
      else {
        const material = this.paint.thin(ground ? "ground" : "edge", 0.5 * opacity);
        const lines = add(new LineSegments(geometry.lines, material), LAYER.edge);
        if (entry) entry.lines = lines;
      }
    }
    if (this.planar && !geometry.surface && geometry.lines) {
      const hatch = hatchOf(this.run, this.run.scene.meshes[shape.mesh], this.look.size * 0.025);
      if (hatch) add(new LineSegments2(hatch, this.paint.wide(colour, 1, 0.6 * opacity)), LAYER.fill);
    }
  }

  /** Sticks through the joints of a body; where it has neither shape nor length a small block. */
  addSticks(body, held, shapes) {
    const { size, opacity } = this.look;
    const pieces = sticksOf(held, shapes, this.radii);
    const bare = !shapes.length;
    const material = this.paint.solid(this.colour(body), opacity);
    for (const { from, to } of pieces) {
      const length = from.distanceTo(to);
      const radius = Math.min((bare ? 0.011 : 0.006) * size, 0.2 * length);
      const stick = new Mesh(new CapsuleGeometry(radius, length, 6, 16), material);
      stick.position.addVectors(from, to).multiplyScalar(0.5);
      stick.quaternion.setFromUnitVectors(UP, to.clone().sub(from).normalize());
      this.place(body, stick, LAYER.stick);
      const { position } = stick.geometry.attributes;
      this.sticks.push({ position, base: position.array.slice(), half: 0.5 * length });
    }
    if (!bare) return;
    if (!pieces.length) {
      const block = new Mesh(new BoxGeometry(0.09 * size, 0.05 * size, 0.05 * size), material);
      const axis = slideOf(this.run.scene, this.motion, body);
      if (axis) block.quaternion.setFromUnitVectors(new Vector3(1, 0, 0), axis);
      this.symbols.push(this.place(body, block, LAYER.stick));
    } else if (pieces.length === 1 && pieces[0].from.lengthSq() === 0) {
      const ball = new Mesh(new SphereGeometry(0.019 * size, 24, 16), material);
      this.symbols.push(this.place(body, ball, LAYER.stick));
    }
  }

  /** Moves all bodies to a time. @param {number} t */
  update(t) {
    const { motion, position, turn } = this;
    motion.locate(t);
    for (let body = 1; body < this.nodes.length; body++) {
      const node = this.nodes[body];
      const known = motion.pose(body, position, turn);
      node.visible = known && !node.userData.hidden;
      if (!known) continue;
      node.matrix.compose(position, turn, ONE);
      node.matrixWorldNeedsUpdate = true;
    }
    this.marks.update();
    this.loads.update();
    for (const crowd of this.crowds) crowd.update(this.nodes);
  }

  /** Lets symbols keep their size on the screen. @param {number} closeness  of the view */
  shrink(closeness) {
    if (closeness === this.closeness) return;
    this.closeness = closeness;
    for (const symbol of this.symbols) {
      symbol.scale.setScalar(closeness);
      symbol.updateMatrix();
      symbol.matrixWorldNeedsUpdate = true;
    }
    for (const { position, base, half } of this.sticks) {
      for (let k = 0; k < base.length; k += 3) {
        const end = Math.min(Math.max(base[k + 1], -half), half);
        position.array[k] = base[k] * closeness;
        position.array[k + 1] = end + (base[k + 1] - end) * closeness;
        position.array[k + 2] = base[k + 2] * closeness;
      }
      position.needsUpdate = true;
    }
  }

  /**
   * Makes surfaces fine about a point of the world, of many shapes those of some bodies.
   * @param {number[]} bodies @param {Vector3} point @param {number} reach [m]
   */
  refine(bodies, point, reach) {
    if (this.planar) return;
    const { scene } = this.run;
    for (const shape of scene.shapes) {
      if (shape.hidden || (scene.shapes.length > FEW_SHAPES && !bodies.includes(shape.body))) continue;
      const mesh = scene.meshes[shape.mesh];
      const place = this.nodes[shape.body].matrix.clone().multiply(placeOf(shape)).invert();
      const [points, normals, triangles] = [mesh.points, mesh.normals, mesh.triangles].map((own) => this.run.mesh(own));
      const radius = shape.kind === "sphere" ? this.radii[shape.mesh] : 0;
      const surface = refined({ points, normals, triangles }, point.clone().applyMatrix4(place), reach, radius);
      if (surface) this.xray.fine.set(shape, surface);
    }
  }

  /** Takes the fine surfaces back. */
  coarsen() {
    for (const surface of this.xray.fine.values()) surface.dispose();
    this.xray.fine.clear();
  }

  /** Gives back the surfaces that stand in no node at present. */
  free() {
    this.coarsen();
    for (const { surface, lines } of this.geometries) {
      surface?.dispose();
      lines?.dispose();
    }
  }

  /** World point of a body's point in its own axes. @param {number} body @param {Vector3} at @param {Vector3} out */
  world(body, at, out) {
    return out.copy(at).applyMatrix4(this.nodes[body].matrix);
  }
}

/** A ball of few triangles, one half darker. @param {number} radius */
function twoToneBall(radius) {
  const ball = new SphereGeometry(radius, 16, 10);
  const { position } = ball.attributes;
  const tones = new Float32Array(3 * position.count);
  for (let k = 0; k < position.count; k++) tones.fill(position.getX(k) > 0 ? 1 : 0.62, 3 * k, 3 * k + 3);
  return ball.setAttribute("color", new BufferAttribute(tones, 3));
}

/** Surface and lines of a mesh as geometries, null where there are none; `segments` makes lines for a crowd. */
function geometriesOf(run, mesh, planar) {
  const points = run.mesh(mesh.points);
  const triangles = run.mesh(mesh.triangles);
  const lines = run.mesh(mesh.lines);
  const made = { surface: null, lines: null, segments: null };
  if (triangles.length) {
    made.surface = new BufferGeometry();
    made.surface.setAttribute("position", new BufferAttribute(points, 3));
    made.surface.setAttribute("normal", new BufferAttribute(run.mesh(mesh.normals), 3));
    made.surface.setIndex(new BufferAttribute(triangles, 1));
  }
  if (lines.length) {
    const ends = new Float32Array(3 * lines.length);
    lines.forEach((index, k) => ends.set(points.subarray(3 * index, 3 * index + 3), 3 * k));
    made.segments = () => new BufferGeometry().setAttribute("position", new BufferAttribute(ends, 3));
    made.lines = planar ? new LineSegmentsGeometry().setPositions(ends) : made.segments();
  }
  return made;
}

/**
 * Short strokes on the side of the material of a line without surface, as ground is drawn.
 * @param {number} size [m]
 */
function hatchOf(run, mesh, size) {
  const points = run.mesh(mesh.points);
  const normals = run.mesh(mesh.normals);
  if (points.length !== 6 || normals.length < 3) return null;
  const from = vector(points.subarray(0, 3));
  const along = vector(points.subarray(3, 6)).sub(from);
  const length = along.length();
  const count = Math.min(Math.floor(length / size), 2000);
  const stroke = along
    .clone()
    .multiplyScalar(-size / length)
    .addScaledVector(vector(normals.subarray(0, 3)), -size);
  const ends = new Float32Array(6 * count);
  for (let k = 0; k < count; k++) {
    const start = from.clone().addScaledVector(along, (k + 1) / count);
    ends.set(start.toArray(), 6 * k);
    ends.set(start.add(stroke).toArray(), 6 * k + 3);
  }
  return count ? new LineSegmentsGeometry().setPositions(ends) : null;
}
