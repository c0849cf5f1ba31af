// Circles of planar contacts, finer than their meshes: a contact is looked at from so near that corners would be seen.
import { BufferAttribute, BufferGeometry } from "three";
import { LineSegmentsGeometry } from "three/addons/lines/LineSegmentsGeometry.js";

/** Pieces of which one of the mesh is made. */
const PIECES = 16;

/** Points on the arc about the origin from one to another, both on it. @returns {number[][]} */
function arc([x, y, z], [u, v]) {
  const radius = Math.hypot(x, y);
  const from = Math.atan2(y, x);
  const turn = Math.atan2(x * v - y * u, x * u + y * v);
  return Array.from({ length: PIECES + 1 }, (_, k) => {
    const angle = from + (turn * k) / PIECES;
    return [radius * Math.cos(angle), radius * Math.sin(angle), z];
  });
}

/**
 * Surface and lines of a circle's mesh, null where it has none.
 * @param {import("../data.js").Run} run @param {object} mesh @param {number} radius [m]
 */
export function roundGeometries(run, mesh, radius) {
  const points = run.mesh(mesh.points);
  const at = (index) => points.subarray(3 * index, 3 * index + 3);
  const isOn = (index) => Math.abs(Math.hypot(...at(index)) - radius) < 1e-4 * radius;
  const split = (a, b) => (isOn(a) && isOn(b) ? arc(at(a), at(b)) : [[...at(a)], [...at(b)]]);
  const lines = run.mesh(mesh.lines);
  const ends = [];
  for (let k = 0; k < lines.length; k += 2) {
    const way = split(lines[k], lines[k + 1]);
    for (let n = 1; n < way.length; n++) ends.push(...way[n - 1], ...way[n]);
  }
  const triangles = run.mesh(mesh.triangles);
  const corners = [];
  for (let k = 0; k < triangles.length; k += 3) {
    const own = [...triangles.subarray(k, k + 3)];
    const tip = own.findIndex((index) => !isOn(index));
    const [a, b, c] = tip < 0 ? own : [own[tip], own[(tip + 1) % 3], own[(tip + 2) % 3]];
    const way = tip < 0 ? [[...at(b)], [...at(c)]] : split(b, c);
    for (let n = 1; n < way.length; n++) corners.push(...at(a), ...way[n - 1], ...way[n]);
  }
  const made = { surface: null, lines: ends.length ? new LineSegmentsGeometry().setPositions(ends) : null };
  if (!corners.length) return made;
  made.surface = new BufferGeometry().setAttribute("position", new BufferAttribute(new Float32Array(corners), 3));
  return made;
}
