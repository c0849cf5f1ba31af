/* Aligned tables and numbers for people. */
#include "support/table.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "support/cli.h"
#include "support/terminal.h"

/* ---- units ---- */

const unit_scale units_none[] = {{"", 1, 0}, {NULL, 0, 0}};
const unit_scale units_time[] = {{"ms", 1e-3, 0}, {"s", 1, 10}, {NULL, 0, 0}};
const unit_scale units_short_time[] = {{"us", 1e-6, 0}, {"ms", 1e-3, 1e-2}, {"s", 1, 10}, {NULL, 0, 0}};
const unit_scale units_speed[] = {{"m/s", 1, 0}, {NULL, 0, 0}};
const unit_scale units_force[] = {{"mN", 1e-3, 0}, {"N", 1, 0.1}, {"kN", 1e3, 1e3}, {"MN", 1e6, 1e6}, {NULL, 0, 0}};
const unit_scale units_length[] = {{"um", 1e-6, 0}, {"mm", 1e-3, 1e-3}, {"m", 1, 1}, {NULL, 0, 0}};
const unit_scale units_energy[] = {{"nJ", 1e-9, 0},  {"uJ", 1e-6, 1e-6}, {"mJ", 1e-3, 1e-3}, {"J", 1, 1},
                                   {"kJ", 1e3, 1e3}, {"MJ", 1e6, 1e6},   {NULL, 0, 0}};
const unit_scale units_mass[] = {{"g", 1e-3, 0}, {"kg", 1, 0.1}, {NULL, 0, 0}};

const unit_scale *unit_for(const unit_scale *units, double magnitude)
{
    const unit_scale *best = units;
    for (const unit_scale *u = units; u->name; u++)
        if (magnitude == 0 ? u->size == 1 : magnitude >= u->from) /* NaN: the first */
            best = u;
    return best;
}

/* ---- numbers ---- */

/* 1e-08 becomes 1e-8, 1e+05 becomes 1e5, and "1234." loses its point. */
static void shorten_exponent(char *text, int length)
{
    if (length > 0 && text[length - 1] == '.')
        text[length - 1] = '\0';
    char *exponent = strchr(text, 'e');
    if (!exponent)
        return;
    char *from = exponent + 1, *to = exponent + 1;
    if (*from == '-')
        to++;
    from++;
    while (*from == '0' && from[1] != '\0')
        from++;
    memmove(to, from, strlen(from) + 1);
}

const char *short_number(char *text, double value, int digits)
{
    shorten_exponent(text, snprintf(text, 32, "%.*g", digits, value));
    return text;
}

/* Decimals of a column: the smallest number has `digits` significant digits, with many digits the largest; -1 if the
   numbers differ too much for that. */
static int common_decimals(const double *values, size_t count, double size, int digits)
{
    double largest = 0, smallest = HUGE_VAL;
    for (size_t k = 0; k < count; k++) {
        double magnitude = fabs(values[k]) / size;
        if (!isfinite(magnitude) || magnitude == 0)
            continue;
        largest = fmax(largest, magnitude);
        smallest = fmin(smallest, magnitude);
    }
    if (largest == 0 || digits == 0)
        return 0;
    if (largest >= 1e7 || largest < 1e-4 || smallest < 1e-2 * largest * pow(10, 4 - digits))
        return -1;
    int decimals = digits - 1 - (int)floor(log10(digits > 4 ? largest : smallest));
    return decimals < 0 ? 0 : decimals;
}

/* ---- tables ---- */

/* Opens a column; NULL when there is no memory. */
static char **add_column(table *t, char *header, bool right)
{
    char **cells = calloc(t->rows + 1, sizeof *cells);
    if (!header || !cells || t->columns == TABLE_COLUMNS) {
        free(header);
        free(cells);
        t->failed = true;
        return NULL;
    }
    t->column[t->columns].header = header;
    t->column[t->columns].cells = cells;
    t->column[t->columns].right = right;
    t->columns++;
    return cells;
}

void table_texts(table *t, const char *header, bool right, const char *const *texts)
{
    char **cells = add_column(t, format_text("%s", header), right);
    for (size_t k = 0; cells && k < t->rows; k++)
        if (!(cells[k] = format_text("%s", texts[k] ? texts[k] : "-")))
            t->failed = true;
}

/* Writes one number of a column; decimals < 0: with `digits` significant digits. */
static void format_cell(char *text, size_t size, double value, int decimals, int digits)
{
    if (isnan(value))
        snprintf(text, size, "-");
    else if (isinf(value))
        snprintf(text, size, value > 0 ? "inf" : "-inf");
    else if (value == 0)
        snprintf(text, size, "0");
    else if (decimals >= 0)
        snprintf(text, size, "%.*f", decimals, value);
    else
        shorten_exponent(text, snprintf(text, size, "%#.*g", digits, value));
}

/* Length of what follows the units digit, for aligning decimal points; texts such as "-" have none. */
static size_t tail_length(const char *text)
{
    size_t lead = strspn(text, "-0123456789");
    return lead > 0 ? strlen(text + lead) : 0;
}

void table_numbers(table *t, const char *name, const unit_scale *units, int digits, const double *values)
{
    double largest = 0;
    bool some = false; /* a column of dashes has no unit */
    for (size_t k = 0; k < t->rows; k++) {
        if (isfinite(values[k]))
            largest = fmax(largest, fabs(values[k]));
        some |= !isnan(values[k]);
    }
    const unit_scale *unit = some ? unit_for(units, largest) : units_none;
    int decimals = common_decimals(values, t->rows, unit->size, digits);
    char **cells =
        add_column(t, *unit->name ? format_text("%s [%s]", name, unit->name) : format_text("%s", name), true);
    size_t tail = 0;
    for (size_t k = 0; cells && k < t->rows; k++) {
        char text[64];
        format_cell(text, sizeof text, values[k] / unit->size, decimals, digits);
        if (!(cells[k] = format_text("%s", text)))
            t->failed = true;
        tail = tail_length(text) > tail ? tail_length(text) : tail;
    }
    for (size_t k = 0; cells && !t->failed && k < t->rows; k++) {
        char *padded = format_text("%s%*s", cells[k], (int)(tail - tail_length(cells[k])), "");
        if (!padded) {
            t->failed = true;
            return;
        }
        free(cells[k]);
        cells[k] = padded;
    }
}

/* A part of a table: its first columns, and those from `first` to before `end`. */
typedef struct table_part {
    size_t keys, first, end;
} table_part;

/* Prints one row; row < 0 is the header. */
static void print_row(const table *t, FILE *file, const size_t *width, const table_part *part, ptrdiff_t row)
{
    size_t pending = 0; /* blanks are written only before something, so that no line ends in them */
    fputs(row < 0 ? paint_begin(file, PAINT_HEADING) : "", file);
    for (size_t k = 0; k < part->end; k++) {
        if (k >= part->keys && k < part->first)
            continue;
        const char *text = row < 0 ? t->column[k].header : t->column[k].cells[row];
        size_t blanks = width[k] - display_width(text), length = strlen(text);
        pending += k > 0 ? 2 : 0;
        if (t->column[k].right)
            pending += blanks;
        while (length > 0 && text[length - 1] == ' ')
            length--;
        if (length > 0) {
            fprintf(file, "%*s%.*s", (int)pending, "", (int)length, text);
            pending = strlen(text) - length;
        } else {
            pending += strlen(text);
        }
        if (!t->column[k].right)
            pending += blanks;
    }
    fprintf(file, "%s\n", row < 0 ? paint_end(file) : "");
}

static void print_part(const table *t, FILE *file, const size_t *width, const table_part *part)
{
    print_row(t, file, width, part, -1);
    for (size_t row = 0; row < t->rows; row++) {
        print_row(t, file, width, part, (ptrdiff_t)row);
        if (t->gap_after && row + 1 == t->gap_after)
            fprintf(file, "%s\n", t->gap_text);
    }
}

/* The part that begins with a column: at least this one, and what fits; the first columns stay together. */
static table_part next_part(const table *t, const size_t *width, size_t first, size_t available)
{
    size_t keys = t->keys > 1 && t->keys <= t->columns ? t->keys : 1, taken = 0;
    table_part part = {.keys = keys, .first = first, .end = first < keys ? keys : first + 1};
    for (size_t k = 0; k < part.end; k++)
        taken += k < keys || k >= first ? width[k] + 2 : 0;
    while (part.end < t->columns && (available == 0 || taken + width[part.end] <= available))
        taken += width[part.end++] + 2;
    return part;
}

void table_print(const table *t, FILE *file)
{
    if (t->failed) {
        print_error("out of memory: a table is left out");
        return;
    }
    size_t width[TABLE_COLUMNS], available = t->whole ? 0 : terminal_columns(file);
    for (size_t k = 0; k < t->columns; k++) {
        width[k] = display_width(t->column[k].header);
        for (size_t row = 0; row < t->rows; row++) {
            size_t cell = display_width(t->column[k].cells[row]);
            width[k] = cell > width[k] ? cell : width[k];
        }
    }
    for (size_t first = 0; first < t->columns;) {
        table_part part = next_part(t, width, first, available);
        if (first > 0)
            fputc('\n', file);
        print_part(t, file, width, &part);
        first = part.end;
    }
}

void table_free(table *t)
{
    for (size_t k = 0; k < t->columns; k++) {
        for (size_t row = 0; row < t->rows; row++)
            free(t->column[k].cells[row]);
        free(t->column[k].cells);
        free(t->column[k].header);
    }
    *t = (table){0};
}
