// The graph of the mechanism as a drawing: bodies are boxes, joints lines with their letters, those that close a loop are
// thick; loads are dashed and contacts dotted.
import { element } from "../plots/dom.js";
import { graphOf, graphSentence, letterOf } from "./graph.js";

const SVG = "http://www.w3.org/2000/svg";
const BOX = { width: 80, height: 26 },
  STEP = { x: 92, y: 74 },
  LETTERS = 11,
  WIDEST = 6;

/** Bodies of which a drawing is made. */
const MOST = 150;

/** @param {string} tag @param {object} attributes @param {...(Node|string)} children */
function draw(tag, attributes, ...children) {
  const node = document.createElementNS(SVG, tag);
  for (const [name, value] of Object.entries(attributes)) node.setAttribute(name, value);
  node.append(...children);
  return node;
}

/** Rows of which none has more bodies than the panel is wide: a longer one goes on below. @param {number[][]} rows */
function wrapped(rows) {
  return rows.flatMap((row) => {
    const lines = Math.ceil(row.length / WIDEST);
    const length = Math.ceil(row.length / lines);
    return Array.from({ length: lines }, (_, k) => row.slice(k * length, (k + 1) * length));
  });
}

/** Middles of the bodies' boxes, each row in the middle. @returns {Map<number, {x: number, y: number}>} */
function placesOf(rows) {
  const width = Math.max(...rows.map((row) => row.length)) * STEP.x;
  const places = new Map();
  rows.forEach((row, level) =>
    row.forEach((body, k) => {
      const x = width / 2 + (k - (row.length - 1) / 2) * STEP.x;
      places.set(body, { x, y: (level + 0.5) * STEP.y });
    }),
  );
  return places;
}

/** A line from one body to another; of several the later ones bend, as those do that would run through a box. */
function lineOf(edge, from, to, nth) {
  const far = from.y === to.y || Math.abs(from.y - to.y) > STEP.y;
  const bend = (nth === 0 ? 0 : nth % 2 ? nth + 1 : -nth) * 16 + (far ? 34 : 0);
  const length = Math.hypot(to.x - from.x, to.y - from.y) || 1;
  const middle = {
    x: (from.x + to.x) / 2 - (bend * (to.y - from.y)) / length,
    y: (from.y + to.y) / 2 + (bend * (to.x - from.x)) / length,
  };
  const path = `M${from.x} ${from.y}Q${middle.x} ${middle.y} ${to.x} ${to.y}`;
  const kind = `${edge.kind}${edge.closes ? " closes" : ""}`;
  const words = [edge.name, edge.type || edge.kind, edge.closes ? "closes a loop" : ""].filter(Boolean).join(": ");
  const line = draw("path", { d: path, class: kind }, draw("title", {}, words));
  if (edge.kind !== "joint") return [line];
  const x = (from.x + 2 * middle.x + to.x) / 4,
    y = (from.y + 2 * middle.y + to.y) / 4 + 4;
  return [line, draw("text", { x, y, class: "letter" }, draw("title", {}, words), letterOf(edge.type))];
}

/** @param {import("./graph.js").Graph} graph @param {object} scene @param {string} sentence */
function drawing(graph, scene, sentence) {
  const rows = wrapped(Array.from(graph.rows, (row) => row ?? []));
  const places = placesOf(rows);
  const counts = new Map();
  const lines = graph.edges.flatMap((edge) => {
    const [from, to] = edge.bodies.map((body) => places.get(body));
    if (!from || !to) return [];
    const key = [...edge.bodies].sort().join(" ");
    const nth = counts.get(key) ?? 0;
    counts.set(key, nth + 1);
    return lineOf(edge, from, to, nth);
  });
  const boxes = [...places].flatMap(([body, { x, y }]) => {
    const { name } = scene.bodies[body];
    const short = name.length > LETTERS ? `${name.slice(0, LETTERS - 1)}…` : name;
    const at = { x: x - BOX.width / 2, y: y - BOX.height / 2, rx: 6 };
    return [
      draw("rect", { ...at, ...BOX, class: body ? "body" : "body ground" }, draw("title", {}, name)),
      draw("text", { x, y: y + 4 }, draw("title", {}, name), short),
    ];
  });
  const width = Math.max(...rows.map((row) => row.length)) * STEP.x,
    height = rows.length * STEP.y;
  const size = { viewBox: `0 0 ${width} ${height}`, width, height };
  const names = graph.edges.map(({ name, type, kind, bodies: [a, b] }) => {
    return `${type || kind} ${name} of ${scene.bodies[a].name} and ${scene.bodies[b].name}`;
  });
  const label = `Graph of the mechanism: ${sentence}. ${names.slice(0, 40).join("; ")}`;
  return draw("svg", { ...size, class: "p-graph", role: "img", "aria-label": label }, ...lines, ...boxes);
}

/** The card of the graph, or nothing where there is none to draw. @param {import("../data.js").Run} run @returns {Node[]} */
export function mechanismParts(run) {
  const { scene } = run;
  if (!scene || !(scene.joints.length + scene.loads.length + scene.contacts.length)) return [];
  const graph = graphOf(scene);
  const sentence = graphSentence(graph, scene);
  const closed = graph.loops ? " Thick joints close a loop: cut there, the mechanism is a tree." : "";
  const shown = scene.bodies.length - graph.left <= MOST;
  const role = { class: "p-scroll", tabindex: "0", role: "group", "aria-label": "Graph of the mechanism" };
  return [
    element(
      "article",
      { class: "p-card" },
      element("div", { class: "p-bar" }, element("h2", { text: "Mechanism" })),
      element("p", { class: "p-muted", text: `${sentence[0].toUpperCase()}${sentence.slice(1)}.${closed}` }),
      shown ? element("div", role, drawing(graph, scene, sentence)) : null,
    ),
  ];
}
