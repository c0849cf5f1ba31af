// The data of a page: runs with their columns, decoded from the elements carom-meta (JSON) and carom-blob (base64 of a
// zlib stream of byte-transposed columns, and of the description of them). Columns are decoded on first use.

import { learnUnits } from "./measured/unit.js";

/** @typedef {[number, number, "f4"|"f8"|"u4"|"u1", number?]} Reference offset in the blob [bytes], count, type, scale
 *   of a mesh */
/** @typedef {{t: Float64Array, v: Float32Array|Float64Array, unit: string, description: string, group: number,
 *   type: string}} Column */
/** @typedef {{name: string, channel: string, family: string, object: string, quantity: string, component: string,
 *   unit: string, description: string, groups: number[]}} Channel one scalar component */

export const INTERVALS = 0,
  STEPS = 1,
  SNAPSHOTS = 2;
const GROUPS = ["intervals", "steps", "snapshots"];
const ARRAYS = { f4: Float32Array, f8: Float64Array, u4: Uint32Array, u1: Uint8Array };
const FORMAT = 3;
const NO_COLUMN = new Float64Array(0);

/**
 * Numbers of a byte-transposed column.
 * @param {Uint8Array} blob @param {Reference} reference
 * @returns {Float32Array|Float64Array|Uint32Array|null} null: the blob does not hold it
 */
export function untranspose(blob, [offset, count, type]) {
  const Numbers = ARRAYS[type];
  if (!Numbers || !(offset >= 0) || !(count >= 0)) return null;
  const size = Numbers.BYTES_PER_ELEMENT;
  if (offset + count * size > blob.length) return null;
  const out = new Numbers(count);
  const bytes = new Uint8Array(out.buffer);
  for (let b = 0; b < size; b++) {
    const from = offset + b * count;
    for (let k = 0, at = b; k < count; k++, at += size) bytes[at] = blob[from + k];
  }
  return out;
}

/** Bytes of a base64 text. @param {string} text @returns {Uint8Array} */
export function bytesOfBase64(text) {
  if (typeof Uint8Array.fromBase64 === "function") return Uint8Array.fromBase64(text);
  const characters = atob(text);
  const bytes = new Uint8Array(characters.length);
  for (let k = 0; k < bytes.length; k++) bytes[k] = characters.charCodeAt(k);
  return bytes;
}

/** Inflates a zlib stream. @param {Uint8Array} bytes @returns {Promise<Uint8Array>} */
export async function inflate(bytes) {
  if (typeof DecompressionStream !== "function")
    throw new Error("this browser cannot decompress it: one of 2023 or later can");
  const stream = new DecompressionStream("deflate");
  const writer = stream.writable.getWriter();
  const written = writer.write(bytes).then(() => writer.close());
  const [buffer] = await Promise.all([new Response(stream.readable).arrayBuffer(), written]);
  return new Uint8Array(buffer);
}

/** One run: texts of the meta data as they are (label, file, status, model_text, scene, ...) and its numbers. */
export class Run {
  /** @param {object} meta @param {Uint8Array} blob @param {number} index from 0 */
  constructor(meta, blob, index) {
    const { groups, channels, impact_columns: columns, rest_columns: restColumns, ledger_terms: terms, impacts, ...rest } = meta;
    Object.assign(this, rest);
    this.index = index;
    this.blob = blob;
    this.warnings = meta.warnings || [];
    this.ledger = meta.ledger || null;
    this.groups = GROUPS.map(
      (name) => (groups || []).find((g) => g.name === name) || { name, time: null, rows: 0, of: 0 },
    );
    this.impactColumns = columns || [];
    /** Contacts that lasted, as objects by the names of their columns, and how many of them the file has. */
    this.restColumns = restColumns || [];
    this.rests = meta.rests || [];
    this.restsOf = meta.rests_of ?? this.rests.length;
    /** Terms of the ledger: name, role, unit, head and description. */
    this.ledgerTerms = terms || [];
    this.meta = meta;
    this.cache = new Map();
    /** How many impacts the file has. */
    this.impactsOf = impacts?.of ?? 0;
    this.impacts = this.readImpacts(impacts);
    this.readChannels(channels || []);
  }

  /** Impacts as objects by the names of their columns, with `index`, their number in the file from 1. */
  readImpacts(table) {
    if (!table) return [];
    const columns = table.columns.map((reference) => this.numbers(reference));
    const number = this.numbers(table.number);
    const names = this.impactColumns.map((column) => column.name);
    return Array.from({ length: Math.min(number.length, ...columns.map((c) => c.length)) }, (_, k) => {
      const impact = { index: number[k] };
      for (let c = 0; c < names.length; c++)
        impact[names[c]] = names[c] === "contact" ? table.contacts[columns[c][k]] : columns[c][k];
      return impact;
    });
  }

  /** Fills the list of scalar components and the table from names to columns. */
  readChannels(channels) {
    /** @type {Map<string, {groups: {[group: number]: object}, info: Channel}>} */
    this.table = new Map();
    for (const channel of channels) {
      const { type, object, quantity } = channel;
      channel.columns.forEach((reference, k) => {
        const component = channel.components ? channel.components[k] : "";
        const name = component ? `${channel.name}.${component}` : channel.name;
        if (!this.table.has(name)) {
          const info = {
            name,
            channel: channel.name,
            family: type || "other",
            object,
            quantity,
            component,
            label: channel.label || "",
            unit: channel.unit || "1",
            description: channel.description || "",
            groups: [],
          };
          this.table.set(name, { groups: {}, info });
        }
        const entry = this.table.get(name);
        entry.groups[channel.group] = reference;
        entry.info.groups.push(channel.group);
      });
    }
    /** Scalar components that are recorded at the output interval or at solver steps. @type {Channel[]} */
    this.channels = [...this.table.values()].map((e) => e.info).filter((c) => c.groups.some((g) => g !== SNAPSHOTS));
  }

  /** Decoded numbers of a reference; none where the blob does not hold them. */
  numbers(reference) {
    if (!reference) return NO_COLUMN;
    const key = reference[0] + " " + reference[1] + reference[2];
    let found = this.cache.get(key);
    if (!found) this.cache.set(key, (found = untranspose(this.blob, reference) ?? NO_COLUMN));
    return found;
  }

  /** Times of a group's rows [s]. @param {number|string} group @returns {Float64Array} */
  times(group) {
    const index = typeof group === "string" ? GROUPS.indexOf(group) : group;
    return this.groups[index] ? this.numbers(this.groups[index].time) : NO_COLUMN;
  }

  /**
   * A column by the name of a scalar channel or a component; without group that of the steps, else of the intervals,
   * else of the snapshots.
   * @param {string} name @param {number} [group] @returns {Column|null} null: not recorded
   */
  column(name, group) {
    const entry = this.table.get(name);
    const at =
      entry &&
      (group ??
        [STEPS, INTERVALS, SNAPSHOTS].find((g) => entry.groups[g] && this.groups[g].rows > 0) ??
        entry.info.groups[0]);
    if (!entry || !entry.groups[at]) return null;
    const t = this.times(at),
      v = this.numbers(entry.groups[at]);
    const rows = Math.min(t.length, v.length);
    return {
      t: t.length === rows ? t : t.subarray(0, rows),
      v: v.length === rows ? v : v.subarray(0, rows),
      unit: entry.info.unit,
      info: entry.info,
      description: entry.info.description,
      group: at,
      type: entry.groups[at][2],
    };
  }

  /** True if a scalar channel, a component or a whole vector of that name is recorded. @param {string} name */
  has(name) {
    return this.table.has(name) || this.channels.some((c) => c.channel === name);
  }

  /**
   * The motion: times, for each body its columns by name, for each contact point and force on its second body.
   * @returns {{times: Float64Array, bodies: Object<string, {position: Float32Array[], angle?: Float32Array,
   *   orientation?: Float32Array[]}>, contacts: Object<string, {point: Float32Array[], force: Float32Array[]}>}}
   */
  get snapshots() {
    if (this.motion) return this.motion;
    const bodies = Object.create(null),
      contacts = Object.create(null);
    for (const { info, groups } of this.table.values()) {
      const reference = groups[SNAPSHOTS];
      const home = info.family === "body" ? bodies : info.family === "contact" ? contacts : null;
      if (!reference || !home) continue;
      const quantity = info.quantity === "total_force" ? "force" : info.quantity;
      const object = (home[info.object] ??= {});
      if (info.component) (object[quantity] ??= []).push(this.numbers(reference));
      else object[quantity] = this.numbers(reference);
    }
    this.motion = { times: this.times(SNAPSHOTS), bodies, contacts };
    return this.motion;
  }

  /** Numbers of a mesh's column; those of a mesh that is another one but for its scale have it behind their type. */
  mesh(reference) {
    const numbers = this.numbers(reference),
      scale = reference[3];
    return scale === undefined ? numbers : numbers.map((x) => x * scale);
  }
}

const DAMAGED = "The data of this page is damaged: make the page again with carom report.";

/** The numbers of a page and the description of them. @param {string} base64 @param {Reference} description */
async function unpack(base64, description) {
  const blob = await inflate(bytesOfBase64(base64.trim()));
  const text = untranspose(blob, description);
  if (!text) throw new Error("the description is not there");
  return { blob, ...JSON.parse(new TextDecoder().decode(text)) };
}

/**
 * Runs from the texts of the two elements.
 * @param {string} meta JSON @param {string} base64 @returns {Promise<Run[]>} with the properties `page`, what the page
 * says of itself, and `measured`, points to show with the curves. Throws an Error whose message can be shown if the data cannot be read.
 */
export async function decodeTexts(meta, base64) {
  let page;
  try {
    page = JSON.parse(meta);
  } catch (error) {
    throw new Error(DAMAGED, { cause: error });
  }
  if (page.format !== FORMAT || !Array.isArray(page.description))
    throw new Error(
      "The data of this page has a format that its viewer does not know: make the page again with carom report.",
    );
  try {
    const { blob, runs, measured = [], units = [] } = await unpack(base64, page.description);
    const numbers = (reference) => (reference ? untranspose(blob, reference) : null);
    learnUnits(units);
    return Object.assign(
      runs.map((run, k) => new Run(run, blob, k)),
      { page, measured: measured.map((own) => ({ ...own, t: numbers(own.t), v: numbers(own.v), error: numbers(own.error) })) },
    );
  } catch (error) {
    const old = error instanceof Error && error.message.startsWith("this browser");
    throw new Error(old ? `The data of this page is not shown: ${error.message}.` : DAMAGED, { cause: error });
  }
}

/** Runs of the document's page. @param {Document} document @returns {Promise<Run[]>} */
export async function decode(document) {
  const meta = document.getElementById("carom-meta"),
    blob = document.getElementById("carom-blob");
  if (!meta || !blob)
    throw new Error("This page has no data: pages with data are made by carom report and carom run.");
  return decodeTexts(meta.textContent, blob.textContent);
}
