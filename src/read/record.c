/* Records of inputs: a column of a table over its first column, the time. */
#include "carom/model.h"
#include "read/csv.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

typedef carom_csv_field field;

/* Size of the text of a unit, behind the points of a record. */
#define UNIT 80

typedef struct table {
    carom_context *ctx;
    const char *path, *input, *column;
    char separator;             /* ',', ';', or ' ' for blanks and tabs */
    int line;
    field fields[CAROM_CSV_COLUMNS];
    size_t field_count;
    size_t wanted;              /* index of the column; 0: not known yet */
    double factor[2];           /* what a number of the column of times and of that of values times gives SI */
    char unit[2][UNIT];         /* the SI units that the headings give them; "": none */
    carom_place heading;        /* of the values */
    double *points;             /* t, value; in SI */
    size_t count, capacity;
} table;

static carom_status fail_at(const table *t, const field *at, const char *line, const char *text, const char *word,
                            size_t length)
{
    carom_place place = {t->path, t->line, at ? (int)(at->text - line) + 1 : 1};
    return carom_fail(t->ctx, CAROM_ERROR_MODEL, &place, text, (int)(length < 80 ? length : 80), word);
}

/* Cuts a line into fields. */
static carom_status split(table *t, const char *line, size_t length)
{
    t->field_count = carom_csv_split(line, length, t->separator, t->fields);
    return t->field_count <= CAROM_CSV_COLUMNS ? CAROM_OK
                                               : fail_at(t, NULL, line, "the line has too many columns%.*s", "", 0);
}

static bool is_word(const field *f, const char *word)
{
    return f->length == strlen(word) && memcmp(f->text, word, f->length) == 0;
}

/* Whether a heading is the name, perhaps with a unit behind it: "torque [N m]". */
static bool is_heading(const field *f, const char *name)
{
    field own, unit;
    carom_csv_heading(f, &own, &unit);
    return is_word(&own, name) || is_word(f, name);
}

/* Whether a heading without a unit that can be read may have one all the same: "t/fortnight", "time_min". */
static bool hides_unit(const field *f)
{
    static const char *const ends[] = {"_min", "_h", "_hr", " min", " h", ".min", ".h"};
    bool hides = memchr(f->text, '/', f->length) != NULL;
    for (size_t k = 0; k < CAROM_COUNT(ends); k++) {
        const size_t size = strlen(ends[k]);
        hides = hides || (f->length > size && memcmp(f->text + f->length - size, ends[k], size) == 0);
    }
    return hides;
}

/* The unit that a heading gives the times (0) or the values (1). */
static carom_status take_unit(table *t, const char *line, int which, const field *f)
{
    field own, unit;
    char name[64], text[UNIT], given[UNIT];
    const carom_place place = {t->path, t->line, (int)(f->text - line) + 1};
    carom_dimension d;
    if (which == 1)
        t->heading = place;
    carom_csv_heading(f, &own, &unit);
    snprintf(name, sizeof name, "%.*s", (int)(own.length < 60 ? own.length : 60), own.text);
    if (which == 0 && unit.length == 0 && hides_unit(&own))
        return carom_fail(t->ctx, CAROM_ERROR_MODEL, &place,
                          "the times of '%s' may have a unit that is not read; write it in brackets, `t [ms]`, or "
                          "`t [s]` if they are in seconds",
                          name);
    if (unit.length == 0 || is_word(&unit, "-"))
        return CAROM_OK;
    snprintf(text, sizeof text, "%.*s", (int)(unit.length < sizeof text ? unit.length : sizeof text - 1), unit.text);
    CAROM_TRY(carom_csv_unit(t->ctx, &place, name, text, &t->factor[which], &d));
    if (which == 0 && !carom_unit_fits("s", CAROM_UNIT_ANY, &d))
        return carom_fail(t->ctx, CAROM_ERROR_MODEL, &place,
                          "the first column of a record is the time, such as `t [ms]`, and '%s' is %s", name,
                          carom_dimension_text(&d, given, sizeof given));
    carom_dimension_unit(&d, t->unit[which], sizeof t->unit[which]);
    return CAROM_OK;
}

/* The column by the headings of the first line, or by their absence. */
static carom_status choose(table *t, const char *line, bool headings)
{
    const char *name = t->column ? t->column : t->input;
    carom_place place = {t->path, t->line, 1};
    for (size_t k = 1; headings && k < t->field_count && !t->wanted; k++)
        if (is_heading(&t->fields[k], name))
            t->wanted = k;
    if (!t->wanted && !t->column && t->field_count == 2)
        t->wanted = 1;
    if (t->wanted)
        return CAROM_OK;
    if (t->field_count < 2)
        return fail_at(t, NULL, line, "two columns are needed, time and value%.*s", "", 0);
    carom_text known = {.ctx = t->ctx};
    for (size_t k = 1; headings && k < t->field_count && k < 12; k++)
        carom_text_append(&known, "%s%.*s", k > 1 ? ", " : ": ",
                          (int)(t->fields[k].length < 60 ? t->fields[k].length : 60), t->fields[k].text);
    carom_status status =
        carom_fail(t->ctx, CAROM_ERROR_MODEL, &place, "no column '%.63s'; %s%s", name,
                   headings ? "there are" : "the table has no headings, so it must have two columns, time and value",
                   known.data && !known.failed ? known.data : "");
    carom_text_clear(&known);
    return status;
}

static carom_status no_number(const table *t, const field *f, const char *line)
{
    const carom_place place = {t->path, t->line, (int)(f->text - line) + 1};
    return carom_fail(t->ctx, CAROM_ERROR_MODEL, &place, "'%.*s' is no number%s",
                      (int)(f->length < 80 ? f->length : 80), f->text, carom_csv_remedy(f->text, f->length));
}

static carom_status add_point(table *t, const char *line)
{
    const field *cells[2] = {&t->fields[0], &t->fields[t->wanted]};
    double pair[2];
    if (t->wanted >= t->field_count)
        return fail_at(t, NULL, line, "the line has too few columns%.*s", "", 0);
    for (int k = 0; k < 2; k++) {
        if (!carom_parse_number(cells[k]->text, cells[k]->length, &pair[k]))
            return no_number(t, cells[k], line);
        pair[k] *= t->factor[k];
    }
    if (t->count && !(pair[0] > t->points[2 * t->count - 2]))
        return fail_at(t, cells[0], line, "times must ascend, and %.*s does not", cells[0]->text, cells[0]->length);
    CAROM_TRY(carom_grow(t->ctx, &t->points, &t->capacity, 2 * (t->count + 1), sizeof *t->points));
    memcpy(t->points + 2 * t->count++, pair, sizeof pair);
    return CAROM_OK;
}

static carom_status read_line(table *t, const char *line, size_t length)
{
    double number;
    if (!t->separator)
        t->separator = carom_csv_separator(line, length);
    CAROM_TRY(split(t, line, length));
    if (!t->wanted) {
        bool headings = !carom_parse_number(t->fields[0].text, t->fields[0].length, &number);
        CAROM_TRY(choose(t, line, headings));
        if (headings) {
            CAROM_TRY(take_unit(t, line, 0, &t->fields[0]));
            return take_unit(t, line, 1, &t->fields[t->wanted]);
        }
    }
    return add_point(t, line);
}

static carom_status read_lines(table *t, const carom_text *text)
{
    const char *begin = text->data ? text->data : "", *end = begin + text->length, *line;
    const char *at = carom_csv_begin(begin, text->length);
    size_t length;
    while ((line = carom_csv_line(&at, end, &length, &t->line)))
        CAROM_TRY(read_line(t, line, length));
    carom_place place = {t->path, t->line, 1};
    return t->count > 1 ? CAROM_OK
                        : carom_fail(t->ctx, CAROM_ERROR_MODEL, &place,
                                     "a record needs two points or more, and this has %zu", t->count);
}

/* Numbers that a record takes: times, values, and behind them the texts of their units. */
static size_t block_size(size_t count) { return 2 * count + 2 * UNIT / sizeof(double); }

static carom_status take_points(const table *t, carom_spline_def *out)
{
    double *block = carom_allocate(t->ctx, block_size(t->count), sizeof *block);
    if (!block)
        return carom_fail_memory(t->ctx);
    for (size_t k = 0; k < t->count; k++) {
        block[k] = t->points[2 * k];
        block[t->count + k] = t->points[2 * k + 1];
    }
    char *units = (char *)(block + 2 * t->count);
    memcpy(units, t->unit, sizeof t->unit);
    for (int k = 0; k < 2; k++)
        out->units[k] = t->unit[k][0] ? units + (size_t)k * UNIT : NULL;
    out->x = block;
    out->y = block + t->count;
    out->count = t->count;
    out->place = t->heading;
    return CAROM_OK;
}

carom_status carom_record_read(carom_context *ctx, const char *input, const char *path, const char *column,
                               carom_spline_def *out)
{
    CAROM_NEED(ctx, ctx);
    CAROM_NEED(ctx, input);
    CAROM_NEED(ctx, path);
    CAROM_NEED(ctx, out);
    *out = (carom_spline_def){.name = input, .place = {path, 1, 1}};
    table *t = carom_allocate(ctx, 1, sizeof *t);
    if (!t)
        return carom_fail_memory(ctx);
    *t = (table){.ctx = ctx, .path = path, .input = input, .column = column, .factor = {1, 1}, .heading = {path, 1, 1}};
    carom_text text = {.ctx = ctx};
    carom_status status = carom_text_read(&text, path, CAROM_CSV_BYTES);
    if (status == CAROM_OK && text.length > CAROM_CSV_BYTES)
        status = carom_fail(ctx, CAROM_ERROR_IO, NULL, "%.1000s: cannot be read: the table is too large", path);
    if (status == CAROM_OK)
        status = read_lines(t, &text);
    carom_text_clear(&text);
    if (status == CAROM_OK)
        status = take_points(t, out);
    carom_release(ctx, t->points, t->capacity, sizeof *t->points);
    carom_release(ctx, t, 1, sizeof *t);
    return status;
}

void carom_record_free(carom_context *ctx, carom_spline_def *record)
{
    if (!record || !record->x)
        return;
    carom_release(ctx, (double *)record->x, block_size(record->count), sizeof(double));
    record->x = record->y = NULL;
    record->units[0] = record->units[1] = NULL;
    record->count = 0;
}
