/* Tables of numbers: their memory, and those of text files. */
#include "carom/table.h"
#include "read/csv.h"

#include <math.h>
#include <stdio.h>

typedef struct content {
    carom_arena arena;
    double *values;
    carom_table_column *columns;
    const char **headings;
    int *lines;
} content;

/* ---- memory ---- */

static content *content_of(carom_table *t) { return t->own; }

void carom_table_free(carom_context *ctx, carom_table *table)
{
    if (!table || !table->own)
        return;
    content *c = content_of(table);
    carom_arena_free(&c->arena);
    carom_release(ctx, c, 1, sizeof *c);
    *table = (carom_table){0};
}

carom_status carom_table_create(carom_context *ctx, size_t rows, size_t columns, carom_table *out)
{
    CAROM_NEED(ctx, ctx);
    CAROM_NEED(ctx, out);
    *out = (carom_table){0};
    content *c = carom_allocate(ctx, 1, sizeof *c);
    if (!c)
        return carom_fail_memory(ctx);
    carom_arena_init(&c->arena, ctx);
    out->own = c;
    c->columns = carom_arena_alloc(&c->arena, columns + 1, sizeof *c->columns);
    c->headings = carom_arena_alloc(&c->arena, columns + 1, sizeof *c->headings);
    c->lines = carom_arena_alloc(&c->arena, rows + 1, sizeof *c->lines);
    c->values =
        rows < SIZE_MAX / (columns + 1) ? carom_arena_alloc(&c->arena, rows * columns + 1, sizeof(double)) : NULL;
    if (!c->columns || !c->headings || !c->lines || !c->values) {
        carom_table_free(ctx, out);
        return carom_fail_memory(ctx);
    }
    for (size_t k = 0; k < columns; k++) {
        c->headings[k] = "";
        c->columns[k] = (carom_table_column){.name = "", .unit = "", .values = c->values + k * rows};
    }
    out->rows = rows;
    out->column_count = columns;
    out->columns = c->columns;
    return CAROM_OK;
}

double *carom_table_values(carom_table *table, size_t column)
{
    if (!table)
        return NULL;
    return column < table->column_count ? content_of(table)->values + column * table->rows : NULL;
}

carom_status carom_table_name(carom_context *ctx, carom_table *table, size_t column, const char *heading, size_t length)
{
    CAROM_NEED(ctx, ctx);
    CAROM_NEED(ctx, table);
    CAROM_NEED(ctx, heading);
    content *c = content_of(table);
    carom_csv_field name, unit;
    carom_csv_heading(&(carom_csv_field){heading, length}, &name, &unit);
    carom_table_column *to = &c->columns[column];
    to->name = carom_arena_text_n(&c->arena, name.text, name.length);
    to->unit = carom_arena_text_n(&c->arena, unit.text, unit.length);
    c->headings[column] = carom_arena_text_n(&c->arena, heading, length);
    return to->name && to->unit && c->headings[column] ? CAROM_OK : carom_fail_memory(ctx);
}

size_t carom_table_find(const carom_table *table, const char *name)
{
    if (!table || !name || !table->own)
        return table ? table->column_count : 0;
    const content *c = table->own;
    for (size_t k = 0; k < table->column_count; k++)
        if (strcmp(c->columns[k].name, name) == 0)
            return k;
    for (size_t k = 0; k < table->column_count; k++)
        if (strcmp(c->headings[k], name) == 0)
            return k;
    return table->column_count;
}

/* ---- text files ---- */

typedef struct source {
    carom_context *ctx;
    const char *path, *begin, *end;
    char separator;
    bool headings;
    size_t rows, columns;
    carom_csv_field fields[CAROM_CSV_COLUMNS];
} source;

static bool is_number(const carom_csv_field *f)
{
    double number;
    return carom_parse_number(f->text, f->length, &number);
}

/* Counts rows and columns: the first line tells the columns, and whether they have headings. */
static carom_status measure(source *s)
{
    const char *at = s->begin, *line;
    size_t length;
    int number = 0;
    while ((line = carom_csv_line(&at, s->end, &length, &number))) {
        if (!s->separator) {
            s->separator = carom_csv_separator(line, length);
            s->columns = carom_csv_split(line, length, s->separator, s->fields);
            s->headings = !is_number(&s->fields[0]);
            if (s->columns > CAROM_CSV_COLUMNS)
                return carom_fail(s->ctx, CAROM_ERROR_MODEL, &(carom_place){s->path, number, 1},
                                  "the table has more than %d columns", CAROM_CSV_COLUMNS);
        }
        s->rows++;
    }
    s->rows -= s->headings;
    if (s->rows == 0)
        return carom_fail(s->ctx, CAROM_ERROR_MODEL, &(carom_place){s->path, 1, 1},
                          "the table has no rows of numbers; a record has a line of headings, \"t [ms], F [N]\", and "
                          "lines of numbers");
    return CAROM_OK;
}

static carom_status name_columns(source *s, carom_table *out)
{
    for (size_t k = 0; k < s->columns; k++) {
        char number[24];
        carom_csv_field f = s->fields[k];
        if (!s->headings) {
            f.text = number;
            f.length = (size_t)snprintf(number, sizeof number, "%zu", k + 1);
        }
        CAROM_TRY(carom_table_name(s->ctx, out, k, f.text, f.length));
    }
    return CAROM_OK;
}

static carom_status read_cell(source *s, carom_table *out, size_t row, size_t column)
{
    content *c = content_of(out);
    carom_table_column *to = &c->columns[column];
    const carom_csv_field *f = &s->fields[column];
    double *value = &c->values[column * out->rows + row];
    if (carom_parse_number(f->text, f->length, value))
        return CAROM_OK;
    *value = NAN;
    if (f->length == 0 || to->text)
        return CAROM_OK;
    to->text = carom_arena_text_n(&c->arena, f->text, f->length < 80 ? f->length : 80);
    to->text_row = row;
    return to->text ? CAROM_OK : carom_fail_memory(s->ctx);
}

static carom_status read_rows(source *s, carom_table *out)
{
    const char *at = s->begin, *line;
    size_t length, row = 0;
    int number = 0;
    content *c = content_of(out);
    bool heading = s->headings;
    out->lines = c->lines;
    while ((line = carom_csv_line(&at, s->end, &length, &number))) {
        const size_t count = carom_csv_split(line, length, s->separator, s->fields);
        if (heading || (row == 0 && !s->headings))
            CAROM_TRY(name_columns(s, out));
        if (heading) {
            heading = false;
            continue;
        }
        if (count != s->columns)
            return carom_fail(s->ctx, CAROM_ERROR_MODEL, &(carom_place){s->path, number, 1},
                              "the line has %zu column%s, and the first one has %zu", count, count == 1 ? "" : "s",
                              s->columns);
        c->lines[row] = number;
        for (size_t k = 0; k < s->columns; k++)
            CAROM_TRY(read_cell(s, out, row, k));
        row++;
    }
    return CAROM_OK;
}

carom_status carom_table_read_csv(carom_context *ctx, const char *path, carom_table *out)
{
    CAROM_NEED(ctx, ctx);
    CAROM_NEED(ctx, path);
    CAROM_NEED(ctx, out);
    *out = (carom_table){0};
    carom_text text = {.ctx = ctx};
    source *s = carom_allocate(ctx, 1, sizeof *s);
    carom_status status = s ? carom_text_read(&text, path, CAROM_CSV_BYTES) : carom_fail_memory(ctx);
    if (status == CAROM_OK && text.length > CAROM_CSV_BYTES)
        status = carom_fail(ctx, CAROM_ERROR_IO, NULL, "%.1000s: cannot be read: the table is too large", path);
    if (status == CAROM_OK) {
        *s = (source){.ctx = ctx, .path = path, .end = text.data ? text.data + text.length : NULL};
        s->begin = text.data ? carom_csv_begin(text.data, text.length) : NULL;
        status = measure(s);
    }
    if (status == CAROM_OK)
        status = carom_table_create(ctx, s->rows, s->columns, out);
    if (status == CAROM_OK && (status = read_rows(s, out)) != CAROM_OK)
        carom_table_free(ctx, out);
    carom_text_clear(&text);
    carom_release(ctx, s, 1, sizeof *s);
    return status;
}
