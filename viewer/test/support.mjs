// Data of a page as carom report writes it: byte-transposed columns, deflated, in base64.
import { deflateSync } from "node:zlib";

const ARRAYS = { f4: Float32Array, f8: Float64Array, u4: Uint32Array, u1: Uint8Array };

export class BlobWriter {
  constructor() {
    this.parts = [];
    this.size = 0;
  }

  /** Appends numbers and gives the reference to them. */
  add(values, type = "f4") {
    const numbers = ARRAYS[type].from(values),
      size = numbers.BYTES_PER_ELEMENT,
      count = numbers.length;
    const bytes = new Uint8Array(numbers.buffer),
      out = Buffer.alloc(count * size);
    for (let b = 0; b < size; b++) for (let k = 0; k < count; k++) out[b * count + k] = bytes[k * size + b];
    const reference = [this.size, count, type];
    this.parts.push(out);
    this.size += out.length;
    return reference;
  }

  base64() {
    return deflateSync(Buffer.concat(this.parts)).toString("base64");
  }
}

/** Parts of a channel's name as carom report writes them. */
function partsOf(name) {
  const parts = name.split(".");
  return { type: parts[0], object: parts.slice(1, -1).join("."), quantity: parts[parts.length - 1] };
}

/** A run of a ball with one impact from 1.0 s to 1.2 s, and the writer of its blob. */
export function sampleRun(blob = new BlobWriter()) {
  const intervals = [0, 1, 2, 3],
    steps = [1, 1.05, 1.1, 1.15, 1.2];
  const channel = (name, unit, group, components, ...columns) => ({
    name,
    ...partsOf(name),
    label: name.endsWith(".force") ? "Force F" : null,
    unit,
    description: `the ${name}`,
    group,
    components,
    columns: columns.map((values) => blob.add(values)),
  });
  return {
    label: "",
    file: "ball.h5",
    model_name: "ball",
    title: "A ball",
    status: "completed",
    options: "",
    version: "0.1.0",
    host: "",
    model_text: "carom: 1\n",
    dimension: 2,
    gravity: [0, -9.81, 0],
    length: 1,
    warnings: [],
    groups: [
      { name: "intervals", time: blob.add(intervals, "f8"), rows: 4, of: 4 },
      { name: "steps", time: blob.add(steps, "f8"), rows: 5, of: 9 },
      { name: "snapshots", time: blob.add([0, 1, 3], "f8"), rows: 3, of: 3 },
    ],
    channels: [
      channel("body.ball.position", "m", 0, ["x", "y"], [0, 0, 0, 0], [1, 0.5, 0.25, NaN]),
      channel("contact.floor.force", "N", 0, null, [0, 0, 0, 0]),
      channel("energy.kinetic", "J", 0, null, [0, 4, 3, 3]),
      channel("contact.floor.force", "N", 1, null, [0, 50, 100, 40, 0]),
      channel("contact.floor.indentation", "m", 1, null, [0, 1e-3, 2e-3, 1e-3, 0]),
      channel("contact.floor.indentation_rate", "m/s", 1, null, [1, 0.5, 0, -0.4, -0.8]),
      channel("body.ball.position", "m", 2, ["x", "y"], [0, 1, 2], [3, 4, 5]),
      channel("body.ball.angle", "rad", 2, null, [0, 0.5, 1]),
      channel("contact.floor.point", "m", 2, ["x", "y"], [0, 0, 0], [0, 0, 0]),
      channel("contact.floor.total_force", "N", 2, ["x", "y"], [0, 0, 0], [0, 7, 0]),
    ],
    impact_columns: [
      { name: "contact", unit: "", description: "" },
      { name: "contact_index", unit: "1", description: "" },
      { name: "onset", unit: "s", description: "located onset" },
      { name: "duration", unit: "s", description: "" },
      { name: "peak_force", unit: "N", description: "" },
      { name: "e_asked", unit: "1", description: "" },
    ],
    impacts: {
      rows: 1,
      of: 7,
      number: blob.add([3], "u4"),
      contacts: ["floor"],
      columns: [
        blob.add([0], "u4"),
        blob.add([0], "u4"),
        ...[1, 0.2, 100, NaN].map((value) => blob.add([value], "f8")),
      ],
    },
    ledger: { start: 9.81, kinetic: 3, residual: 1e-9, residual_fraction: 1e-10 },
    scene: null,
    scene_reason: "none",
  };
}

/** Some of the units that a page has from the program. */
export const UNITS = [
  ["m", 1, 1, 0, 0, 0],
  ["mm", 1e-3, 1, 0, 0, 0],
  ["um", 1e-6, 1, 0, 0, 0],
  ["s", 1, 0, 0, 1, 0],
  ["ms", 1e-3, 0, 0, 1, 0],
  ["us", 1e-6, 0, 0, 1, 0],
  ["kg", 1, 0, 1, 0, 0],
  ["N", 1, 1, 1, -2, 0],
  ["kN", 1e3, 1, 1, -2, 0],
  ["rad", 1, 0, 0, 0, 1],
  ["deg", Math.PI / 180, 0, 0, 0, 1],
  ["rpm", Math.PI / 30, 0, 0, -1, 1],
  ["Hz", 1, 0, 0, -1, 0],
  ["J", 1, 2, 1, -2, 0],
];

/** Texts of the two elements of a page. */
export function pageTexts(runs, blob, measured = undefined) {
  const units = UNITS.map(([name, value, ...powers]) => ({ name, value, powers }));
  const description = blob.add(new TextEncoder().encode(JSON.stringify({ runs, units, measured })), "u1");
  return [
    JSON.stringify({ format: 3, version: "0.1.0", title: "t", made: { tool: "carom report" }, description }),
    blob.base64(),
  ];
}
