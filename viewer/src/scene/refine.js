// Surfaces in space that are looked at closely: near a point the triangles of a mesh become curved ones, so that no
// facets are seen: cubic in the places, with the normals of the mesh at its corners. What is flat stays as it is.
// Source: Vlachos, Peters, Boyd, Mitchell 2001, Curved PN triangles (Figs. 3 and 5).
import { BufferAttribute, BufferGeometry, Vector3 } from "three";

/** Pieces of an edge at most, and how short they shall be, in the reach. */
const MOST = 24,
  SHORT = 0.04;

/** Normals that differ by less are those of a flat triangle: 1 - cosine. */
const FLAT = 1e-7;

const corner = () => ({ at: new Vector3(), normal: new Vector3() });
const corners = [corner(), corner(), corner()];
const across = new Vector3();
const beside = new Vector3();

/** Control point of an edge, by a third of the way from one corner to the other in the tangent plane of the first. */
function control(from, to, out) {
  const rise = across.subVectors(to.at, from.at).dot(from.normal);
  return out.copy(from.at).multiplyScalar(2).add(to.at).addScaledVector(from.normal, -rise).divideScalar(3);
}

/** Place and normal of a curved triangle at weights (u, v, w) of its corners. */
function makePatch([a, b, c]) {
  const [ab, ba, bc, cb, ca, ac] = [
    [a, b],
    [b, a],
    [b, c],
    [c, b],
    [c, a],
    [a, c],
  ].map(([from, to]) => control(from, to, new Vector3()));
  const middle = [ab, ba, bc, cb, ca, ac].reduce((sum, point) => sum.addScaledVector(point, 0.25), new Vector3());
  middle.addScaledVector(a.at, -1 / 6).addScaledVector(b.at, -1 / 6).addScaledVector(c.at, -1 / 6);
  const normalOf = (from, to) => {
    across.subVectors(to.at, from.at);
    const part = (2 * across.dot(beside.addVectors(from.normal, to.normal))) / (across.lengthSq() || 1);
    return from.normal.clone().add(to.normal).addScaledVector(across, -part).normalize();
  };
  const normals = [normalOf(a, b), normalOf(b, c), normalOf(c, a)];
  return (u, v, w, at, normal) => {
    at.set(0, 0, 0).addScaledVector(a.at, u ** 3).addScaledVector(b.at, v ** 3).addScaledVector(c.at, w ** 3);
    at.addScaledVector(ab, 3 * u * u * v).addScaledVector(ba, 3 * u * v * v).addScaledVector(bc, 3 * v * v * w);
    at.addScaledVector(cb, 3 * v * w * w).addScaledVector(ca, 3 * w * w * u).addScaledVector(ac, 3 * w * u * u);
    at.addScaledVector(middle, 6 * u * v * w);
    normal.set(0, 0, 0).addScaledVector(a.normal, u * u).addScaledVector(b.normal, v * v);
    normal.addScaledVector(c.normal, w * w).addScaledVector(normals[0], u * v);
    normal.addScaledVector(normals[1], v * w).addScaledVector(normals[2], w * u);
    normal.normalize();
  };
}

/** The corners of a triangle, and how many pieces its edges take: 1 where it is flat or far. */
function take({ points, normals, triangles }, k, centre, reach) {
  corners.forEach((own, n) => own.at.fromArray(points, 3 * triangles[k + n]));
  const [a, b, c] = corners;
  const longest = Math.max(a.at.distanceTo(b.at), b.at.distanceTo(c.at), c.at.distanceTo(a.at));
  if (Math.min(...corners.map((own) => own.at.distanceTo(centre))) > reach + longest) return 1;
  corners.forEach((own, n) => own.normal.fromArray(normals, 3 * triangles[k + n]));
  const bent = Math.min(a.normal.dot(b.normal), b.normal.dot(c.normal), c.normal.dot(a.normal)) < 1 - FLAT;
  return bent ? Math.min(MOST, Math.max(2, Math.ceil(longest / (SHORT * reach)))) : 1;
}

/**
 * The surface of a mesh, of curved triangles near a point; null: nothing there is curved.
 * @param {{points: ArrayLike<number>, normals: ArrayLike<number>, triangles: ArrayLike<number>}} mesh
 * @param {Vector3} centre  in its axes @param {number} reach [m] @param {number} radius  of a sphere, 0: no sphere
 */
export function refined(mesh, centre, reach, radius) {
  const { points, normals, triangles } = mesh;
  const made = { at: [...points], normal: [...normals], index: [] };
  const at = new Vector3(),
    normal = new Vector3();
  /** Points of a grid over the triangle: row k has k + 1 of them. */
  const fill = (count, place) => {
    const first = made.at.length / 3;
    for (let row = 0; row <= count; row++)
      for (let k = 0; k <= row; k++) {
        place(1 - row / count, (row - k) / count, k / count, at, normal);
        if (radius > 0) at.setLength(radius);
        made.at.push(at.x, at.y, at.z);
        made.normal.push(normal.x, normal.y, normal.z);
      }
    for (let row = 0, above = first; row < count; row++, above += row) {
      const below = above + row + 1;
      for (let k = 0; k <= row; k++) {
        made.index.push(above + k, below + k, below + k + 1);
        if (k < row) made.index.push(above + k, below + k + 1, above + k + 1);
      }
    }
  };
  for (let k = 0; k < triangles.length; k += 3) {
    const count = take(mesh, k, centre, reach);
    if (count > 1) fill(count, makePatch(corners));
    else made.index.push(triangles[k], triangles[k + 1], triangles[k + 2]);
  }
  if (made.at.length === points.length) return null;
  const geometry = new BufferGeometry();
  geometry.setAttribute("position", new BufferAttribute(new Float32Array(made.at), 3));
  geometry.setAttribute("normal", new BufferAttribute(new Float32Array(made.normal), 3));
  return geometry.setIndex(made.index);
}
