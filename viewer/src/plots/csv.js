// Text of CSV files: UTF-8, commas, quoted as RFC 4180 says, lines end in a newline. Pure.

/** A field, quoted if it must be. */
function field(text) {
  return /[",\n\r]/.test(text) ? `"${text.replace(/"/g, '""')}"` : text;
}

/** A number that reads back as what it was: 9 digits tell single-precision numbers apart, 17 double-precision ones. */
export function numberField(value, digits = 17) {
  if (value === undefined || value === null) return "";
  if (Number.isNaN(value)) return "nan";
  if (!Number.isFinite(value)) return value > 0 ? "inf" : "-inf";
  return digits >= 17 ? String(value) : String(parseFloat(value.toPrecision(digits)));
}

/**
 * Columns as CSV, side by side; shorter ones end in empty fields.
 * @param {{name: string, unit?: string, values: ArrayLike<number|string>, digits?: number}[]} columns
 */
export function csvText(columns) {
  const head = columns.map(({ name, unit }) => field(unit && unit !== "-" ? `${name} [${unit}]` : name)).join(",");
  const rows = columns.reduce((most, column) => Math.max(most, column.values.length), 0);
  const lines = [head];
  for (let k = 0; k < rows; k++)
    lines.push(
      columns
        .map(({ values, digits }) =>
          k >= values.length
            ? ""
            : typeof values[k] === "string"
              ? field(values[k])
              : numberField(values[k], digits),
        )
        .join(","),
    );
  return lines.join("\n") + "\n";
}
