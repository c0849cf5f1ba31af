// The graph of a mechanism: bodies in rows by how many joints they are away from the ground, joints, loads and contacts
// between them, and which joints close a loop. Pure.

/** @typedef {{kind: "joint"|"load"|"contact", name: string, type: string, bodies: [number, number], closes: boolean}} Edge */
/** @typedef {{rows: number[][], edges: Edge[], loops: number, parts: number, left: number}} Graph  rows of bodies; parts
 *   that no joint connects; left: bodies without anything */

/** Edges between two bodies. @returns {Edge[]} */
function edgesOf({ joints, loads, contacts }) {
  const edge = (kind) => ({ name, type = "", bodies }) => ({ kind, name, type, bodies, closes: false });
  return [...joints.map(edge("joint")), ...loads.map(edge("load")), ...contacts.map(edge("contact"))].filter(
    ({ bodies: [from, to] }) => from !== to,
  );
}

/** Orders a row by where the neighbours in the row before stand. */
function order(row, before, neighbours) {
  const place = new Map(before.map((body, k) => [body, k / Math.max(1, before.length - 1)]));
  const centre = (body) => {
    const known = neighbours[body].filter((other) => place.has(other)).map((other) => place.get(other));
    return known.length ? known.reduce((sum, at) => sum + at, 0) / known.length : 1;
  };
  const centres = new Map(row.map((body) => [body, centre(body)]));
  return [...row].sort((a, b) => centres.get(a) - centres.get(b) || a - b);
}

/** @param {object} scene  of a run @returns {Graph} */
export function graphOf(scene) {
  const edges = edgesOf(scene);
  const count = scene.bodies.length;
  const neighbours = Array.from({ length: count }, () => []);
  const held = Array.from({ length: count }, () => []);
  for (const edge of edges)
    edge.bodies.forEach((body, side) => {
      neighbours[body].push(edge.bodies[1 - side]);
      if (edge.kind === "joint") held[body].push(edge);
    });
  const depth = new Array(count).fill(-1);
  const rows = [];
  let parts = 0,
    tree = 0;
  const found = new Set();
  for (let root = 0; root < count; root++) {
    if (depth[root] >= 0 || (root > 0 && !neighbours[root].length)) continue;
    // parts that no joint connects with the ground stand below it
    depth[root] = root === 0 ? 0 : 1;
    if (held[root].length) parts++;
    const queue = [root];
    for (let body = queue.shift(); body !== undefined; body = queue.shift()) {
      (rows[depth[body]] ??= []).push(body);
      for (const edge of held[body]) {
        const other = edge.bodies[0] === body ? edge.bodies[1] : edge.bodies[0];
        if (found.has(edge)) continue;
        found.add(edge);
        edge.closes = depth[other] >= 0;
        if (edge.closes) continue;
        tree++;
        depth[other] = depth[body] + 1;
        queue.push(other);
      }
    }
  }
  const joints = edges.filter(({ kind }) => kind === "joint");
  for (let k = 1; k < rows.length; k++) rows[k] = order(rows[k] ?? [], rows[k - 1] ?? [], neighbours);
  return { rows, edges, loops: joints.length - tree, parts, left: depth.filter((at) => at < 0).length };
}

const LETTERS = { revolute: "R", translational: "P", cylindrical: "C", spherical: "S", universal: "U", planar: "E" };

/** The letter of a joint in the names of mechanisms. @param {string} type */
export function letterOf(type) {
  return LETTERS[type] ?? type.slice(0, 4);
}

/** "4 bodies, 4 joints, 1 loop, 1 contact" @param {Graph} graph @param {object} scene */
export function graphSentence({ loops }, { bodies, joints, loads, contacts }) {
  const many = (count, word) => `${count || "no"} ${word}${count === 1 ? "" : "s"}`;
  const count = bodies.length - 1;
  const parts = [`${count} ${count === 1 ? "body" : "bodies"}`, many(joints.length, "joint"), many(loops, "loop")];
  if (contacts.length) parts.push(many(contacts.length, "contact"));
  if (loads.length) parts.push(many(loads.length, "load"));
  return parts.join(", ");
}
