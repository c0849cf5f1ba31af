// A quiet grid: beneath spatial models, behind planar ones. Its spacing is 1, 2 or 5 times a power of ten.
import { BufferAttribute, BufferGeometry, LineSegments, Vector3 } from "three";
import { niceStep } from "../plots/units.js";

/** Lines on each side of the middle at most. */
const MOST = 200;

/**
 * @param {import("three").Box3} box  what the first view shows @param {import("three").Box3} whole  where the motion is
 * @param {boolean} planar @param {import("./paint.js").Paint} paint
 */
export function makeGrid(box, whole, planar, paint) {
  const size = box.getSize(new Vector3());
  const centre = box.getCenter(new Vector3());
  const extent = Math.max(size.x, size.y, planar ? 0 : size.z);
  const step = niceStep(extent / 14);
  const reach = [whole.min, whole.max].flatMap((at) => [Math.abs(at.x - centre.x), Math.abs(at.y - centre.y)]);
  const usual = planar ? 40 : Math.ceil((1.5 * extent) / step);
  const half = Math.min(MOST, Math.max(usual, Math.ceil(Math.max(...reach) / step)));
  const x0 = Math.round(centre.x / step) * step;
  const y0 = Math.round(centre.y / step) * step;
  const z = planar ? 0 : whole.min.z;
  const ends = [];
  for (let k = -half; k <= half; k++) {
    ends.push(x0 + k * step, y0 - half * step, z, x0 + k * step, y0 + half * step, z);
    ends.push(x0 - half * step, y0 + k * step, z, x0 + half * step, y0 + k * step, z);
  }
  const geometry = new BufferGeometry().setAttribute("position", new BufferAttribute(new Float32Array(ends), 3));
  const grid = new LineSegments(geometry, paint.thin("grid", planar ? 0.7 : 1));
  grid.renderOrder = -1000;
  grid.userData.step = step;
  return grid;
}
