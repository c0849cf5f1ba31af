// Tables of measurements from text files, as carom plot --data reads them: columns separated by commas, semicolons or
// blanks, lines that begin with # are passed over, headings may have units: "t [ms], F [N]". Pure.

const MOST_COLUMNS = 256;

/** A number, NaN where the text is none. @param {string} text */
function numberOf(text) {
  return /^[-+]?(\d+\.?\d*|\.\d+)(e[-+]?\d+)?$/i.test(text) ? Number(text) : NaN;
}

/** Fields of a line; one that begins with a quote ends at the next. @param {string} line @param {string} separator */
function fieldsOf(line, separator) {
  if (separator === " ") return line.trim().split(/\s+/);
  const fields = [];
  for (let at = 0; at <= line.length; ) {
    const [, lead] = /^(\s*)/.exec(line.slice(at)) ?? ["", ""];
    const from = at + lead.length;
    const quoted = line[from] === '"';
    const close = quoted ? line.indexOf('"', from + 1) : -1;
    let end = line.indexOf(separator, close > 0 ? close : at);
    if (end < 0) end = line.length;
    fields.push((quoted && close > 0 ? line.slice(from + 1, close) : line.slice(at, end)).trim());
    at = end + 1;
  }
  return fields;
}

/** Name and unit of a heading: "t [ms]", "t[ms]", "Force (N)". @param {string} text */
function headingOf(text) {
  const [, name, square, round] = /^(.*?)\s*(?:\[([^\]]*)\]|\(([^)]*)\))$/s.exec(text) ?? ["", text, "", ""];
  return name ? { name, unit: square ?? round ?? "" } : { name: text, unit: "" };
}

/**
 * @param {string} text of a file
 * @returns {{name: string, unit: string, values: Float64Array, text: string}[]} columns; `text`: the first cell that holds
 * something else than a number. Throws an Error whose message can be shown.
 */
export function readTable(text) {
  const lines = text
    .replace(/^\ufeff/, "")
    .split(/\r\n|\n|\r/)
    .map((line, k) => ({ line, number: k + 1 }))
    .filter(({ line }) => /\S/.test(line) && !/^\s*#/.test(line));
  if (!lines.length) throw new Error("The file has no rows of numbers.");
  const first = lines[0].line;
  const separator = first.includes(";") ? ";" : first.includes("\t") ? "\t" : first.includes(",") ? "," : " ";
  const heads = fieldsOf(first, separator);
  if (heads.length > MOST_COLUMNS) throw new Error(`The table has more than ${MOST_COLUMNS} columns.`);
  const headed = Number.isNaN(numberOf(heads[0]));
  const rows = headed ? lines.slice(1) : lines;
  if (!rows.length) throw new Error("The file has headings and no rows of numbers.");
  const columns = heads.map((head, k) => ({
    ...(headed ? headingOf(head) : { name: String(k + 1), unit: "" }),
    values: new Float64Array(rows.length).fill(NaN),
    text: "",
  }));
  rows.forEach(({ line, number }, row) => {
    const fields = fieldsOf(line, separator);
    if (fields.length !== heads.length)
      throw new Error(`Line ${number} has ${fields.length} columns, and the first one has ${heads.length}.`);
    fields.forEach((field, k) => {
      columns[k].values[row] = numberOf(field);
      if (field && !columns[k].text && Number.isNaN(columns[k].values[row])) columns[k].text = field;
    });
  });
  return columns;
}
