// What there is many times of: one object that the renderer draws once for each of many places, which move with the
// bodies.
import { DynamicDrawUsage, InstancedBufferAttribute, InstancedMesh, LineSegments, Matrix4 } from "three";

/** Shapes of one mesh and material from which on they are drawn as a crowd. */
export const MANY = 16;

/** Lines as an InstancedMesh has triangles: the renderer asks for no more than these members. */
class InstancedLines extends LineSegments {
  constructor(geometry, material, count) {
    super(geometry, material);
    this.isInstancedMesh = true;
    this.instanceMatrix = new InstancedBufferAttribute(new Float32Array(16 * count), 16);
    this.instanceColor = null;
    this.morphTexture = null;
    this.count = count;
  }
}

/** An object for `count` places. @param {boolean} lines  of lines instead of triangles */
export function makeInstanced(geometry, material, count, lines) {
  const made = new (lines ? InstancedLines : InstancedMesh)(geometry, material, count);
  made.instanceMatrix.setUsage(DynamicDrawUsage);
  made.frustumCulled = false;
  made.matrixAutoUpdate = false;
  return made;
}

const IDENTITY = new Matrix4();

export class Crowd {
  /**
   * @param {import("three").BufferGeometry} geometry @param {import("three").Material} material
   * @param {boolean} lines @param {{body: number, matrix: Matrix4|null}[]} members  matrix: in the body's axes
   */
  constructor(geometry, material, lines, members) {
    this.members = members.map(({ body, matrix }) => ({
      body,
      matrix: matrix && !matrix.equals(IDENTITY) ? matrix : null,
    }));
    this.object = makeInstanced(geometry, material, members.length, lines);
    this.world = new Matrix4();
    /** The member at each place that is taken. */
    this.order = new Uint32Array(members.length);
    /** Bodies that are drawn by themselves. @type {Set<number>} */
    this.without = new Set();
  }

  /** Moves all to where their bodies are; those that are not seen take no place. @param {object[]} nodes */
  update(nodes) {
    const { object, members, world, without } = this;
    if (!object.visible) return;
    const { array } = object.instanceMatrix;
    let count = 0;
    for (let k = 0; k < members.length; k++) {
      const { body, matrix } = members[k];
      const node = nodes[body];
      if (!node.visible || without.has(body)) continue;
      const { elements } = matrix ? world.multiplyMatrices(node.matrix, matrix) : node.matrix;
      for (let i = 0, at = 16 * count; i < 16; i++) array[at + i] = elements[i];
      this.order[count++] = k;
    }
    object.count = count;
    object.instanceMatrix.needsUpdate = true;
  }
}
