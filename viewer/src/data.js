// The data of a page: runs with their columns, decoded from the elements carom-meta (JSON) and carom-blob (base64 of a
// zlib stream of byte-transposed columns). Columns are decoded on first use.

/** @typedef {[number, number, "f4"|"f8"|"u4"]} Reference offset in the blob [bytes], count, type */
/** @typedef {{t: Float64Array, v: Float32Array|Float64Array, unit: string, sentence: string, group: number,
 *   type: string}} Column */
/** @typedef {{name: string, channel: string, family: string, object: string, quantity: string, component: string,
 *   unit: string, sentence: string, groups: number[]}} Channel one scalar component */

export const INTERVALS = 0,
  STEPS = 1,
  FRAMES = 2;
const GROUPS = ["intervals", "steps", "frames"];
const ARRAYS = { f4: Float32Array, f8: Float64Array, u4: Uint32Array };
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

/** Parts of a channel's name: family.object.quantity, or family.quantity. The object may have points in its name. */
function partsOf(name) {
  const parts = name.split(".");
  const family = parts.length > 1 ? parts[0] : "other";
  return { family, object: parts.slice(1, -1).join("."), quantity: parts[parts.length - 1] };
}

/** One run: texts of the meta data as they are (label, file, status, model_text, scene, ...) and its numbers. */
export class Run {
  /** @param {object} meta @param {Uint8Array|null} blob null: damaged @param {number} index from 0 */
  constructor(meta, blob, index) {
    const { groups, channels, impact_columns: columns, impacts, ...rest } = meta;
    Object.assign(this, rest);
    this.index = index;
    this.blob = blob;
    /** @type {string|null} a sentence about what could not be decoded */
    this.problem = null;
    this.warnings = meta.warnings || [];
    this.ledger = meta.ledger || null;
    this.groups = GROUPS.map(
      (name) => (groups || []).find((g) => g.name === name) || { name, time: null, rows: 0, of: 0 },
    );
    this.impactColumns = columns || [];
    this.impacts = (impacts || []).map((row, k) => impactOf(this.impactColumns, row, k));
    this.meta = meta;
    this.cache = new Map();
    this.readChannels(channels || []);
  }

  /** Fills the list of scalar components and the table from names to columns. */
  readChannels(channels) {
    /** @type {Map<string, {groups: {[group: number]: object}, info: Channel}>} */
    this.table = new Map();
    for (const channel of channels) {
      const parts = partsOf(channel.name);
      channel.columns.forEach((reference, k) => {
        const component = channel.components ? channel.components[k] : "";
        const name = component ? `${channel.name}.${component}` : channel.name;
        if (!this.table.has(name)) {
          const info = {
            name,
            channel: channel.name,
            ...parts,
            component,
            unit: channel.unit || "1",
            sentence: channel.sentence || "",
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
    this.channels = [...this.table.values()].map((e) => e.info).filter((c) => c.groups.some((g) => g !== FRAMES));
  }

  /** Decoded numbers of a reference; NaN, with `problem` set, where the blob does not hold them. */
  numbers(reference) {
    if (!reference || !this.blob) return NO_COLUMN;
    const key = reference[0] + " " + reference[1] + reference[2];
    let found = this.cache.get(key);
    if (!found) {
      found = untranspose(this.blob, reference);
      if (!found) {
        this.problem = "Part of the data of this page is damaged: make the page anew with carom report.";
        found = NO_COLUMN;
      }
      this.cache.set(key, found);
    }
    return found;
  }

  /** Times of a group's rows [s]. @param {number|string} group @returns {Float64Array} */
  times(group) {
    const index = typeof group === "string" ? GROUPS.indexOf(group) : group;
    return this.groups[index] ? this.numbers(this.groups[index].time) : NO_COLUMN;
  }

  /**
   * A column by the name of a scalar channel or a component; without group that of the steps, else of the intervals,
   * else of the frames.
   * @param {string} name @param {number} [group] @returns {Column|null} null: not recorded
   */
  column(name, group) {
    const entry = this.table.get(name);
    const at =
      entry &&
      (group ??
        [STEPS, INTERVALS, FRAMES].find((g) => entry.groups[g] && this.groups[g].rows > 0) ??
        entry.info.groups[0]);
    if (!entry || !entry.groups[at]) return null;
    const t = this.times(at),
      v = this.numbers(entry.groups[at]);
    const rows = Math.min(t.length, v.length);
    return {
      t: t.length === rows ? t : t.subarray(0, rows),
      v: v.length === rows ? v : v.subarray(0, rows),
      unit: entry.info.unit,
      sentence: entry.info.sentence,
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
  get frames() {
    if (this.motion) return this.motion;
    const bodies = Object.create(null),
      contacts = Object.create(null);
    for (const { info, groups } of this.table.values()) {
      const reference = groups[FRAMES];
      const home = info.family === "body" ? bodies : info.family === "contact" ? contacts : null;
      if (!reference || !home) continue;
      const quantity = info.quantity === "total_force" ? "force" : info.quantity;
      const object = (home[info.object] ??= {});
      if (info.component) (object[quantity] ??= []).push(this.numbers(reference));
      else object[quantity] = this.numbers(reference);
    }
    this.motion = { times: this.times(FRAMES), bodies, contacts };
    return this.motion;
  }

  /** Numbers of a mesh's column. @param {Reference} reference */
  mesh(reference) {
    return this.numbers(reference);
  }
}

/** An impact as an object by the names of its columns, with `index` from 1; numbers that are not finite are NaN. */
function impactOf(columns, row, k) {
  const impact = { index: k + 1 };
  columns.forEach((column, c) => {
    impact[column.name] = row[c] === null ? NaN : row[c];
  });
  return impact;
}

/**
 * Runs from the texts of the two elements.
 * @param {string} meta JSON @param {string} base64 @returns {Promise<Run[]>} with the property `page`, the meta data
 * of the page. Throws an Error whose message can be shown if the meta data cannot be read; a damaged blob gives runs
 * without rows and with `problem`.
 */
export async function decodeTexts(meta, base64) {
  let page;
  try {
    page = JSON.parse(meta);
  } catch (error) {
    throw new Error("The data of this page is damaged: make the page anew with carom report.", { cause: error });
  }
  if (page.format !== 1 || !Array.isArray(page.runs))
    throw new Error(
      "The data of this page has a format that its viewer does not know: make the page anew with carom report.",
    );
  let blob = null,
    problem = null;
  try {
    blob = await inflate(bytesOfBase64(base64.trim()));
  } catch (error) {
    const reason = error instanceof Error && error.message.startsWith("this browser") ? ": " + error.message : "";
    problem = reason
      ? `The recorded rows of this page are not shown${reason}.`
      : "The recorded rows of this page are damaged: make the page anew with carom report.";
  }
  const runs = page.runs.map((run, k) => new Run(run, blob, k));
  for (const run of runs) run.problem = problem;
  runs.page = page;
  runs.problem = problem;
  return runs;
}

/** Runs of the document's page. @param {Document} document @returns {Promise<Run[]>} */
export async function decode(document) {
  const meta = document.getElementById("carom-meta"),
    blob = document.getElementById("carom-blob");
  if (!meta || !blob)
    throw new Error("This page has no data: pages with data are made by carom report and carom run.");
  return decodeTexts(meta.textContent, blob.textContent);
}
