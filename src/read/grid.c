/* Grids of heights in files. Rows of numbers are separated by blanks, commas, semicolons or tabs; what follows a # is
   left out. */
#include "read/grid.h"

#define MOST_BYTES ((size_t)1 << 29)

static bool divides(char c) { return c == ' ' || c == '\t' || c == ',' || c == ';' || c == '\r'; }

typedef struct table {
    double *numbers;
    size_t count, capacity;
} table;

/* The numbers of a line, behind those before; returns how many in `found`. */
static carom_status read_line(carom_context *ctx, const carom_place *place, const char *at, const char *end, table *t,
                              size_t *found)
{
    *found = 0;
    while (at < end && *at != '#') {
        if (divides(*at)) {
            at++;
            continue;
        }
        const char *word = at;
        while (at < end && !divides(*at) && *at != '#')
            at++;
        CAROM_TRY(carom_grow(ctx, &t->numbers, &t->capacity, t->count + 1, sizeof *t->numbers));
        if (!carom_parse_number(word, (size_t)(at - word), &t->numbers[t->count]))
            return carom_fail(ctx, CAROM_ERROR_MODEL, place,
                              "'%.*s' is not a finite number; a file of heights has rows of numbers",
                              (int)(at - word < 40 ? at - word : 40), word);
        t->count++;
        ++*found;
    }
    return CAROM_OK;
}

static carom_status read_numbers(carom_arena *arena, const char *path, const char *bytes, size_t size,
                                 carom_grid_data *out, table *t)
{
    carom_place place = {path, 0, 1};
    for (const char *at = bytes, *end = bytes + size; at < end; at++) {
        const char *line = at;
        size_t found;
        while (at < end && *at != '\n')
            at++;
        place.line++;
        CAROM_TRY(read_line(arena->ctx, &place, line, at, t, &found));
        if (found == 0)
            continue;
        if (out->rows > 0 && found != (size_t)out->columns)
            return carom_fail(arena->ctx, CAROM_ERROR_MODEL, &place, "%zu numbers stand here, and %d in the first row",
                              found, out->columns);
        if (found > CAROM_GRID_LINES || out->rows == CAROM_GRID_LINES)
            return carom_fail(arena->ctx, CAROM_ERROR_MODEL, &place, "a grid has at most %d rows and columns",
                              CAROM_GRID_LINES);
        out->columns = (int)found;
        out->rows++;
    }
    if (out->rows == 0)
        return carom_fail(arena->ctx, CAROM_ERROR_MODEL, NULL, "%s: there are no numbers in the file", path);
    out->numbers = carom_arena_alloc(arena, t->count, sizeof *out->numbers);
    if (!out->numbers)
        return carom_fail_memory(arena->ctx);
    memcpy(out->numbers, t->numbers, t->count * sizeof *out->numbers);
    return CAROM_OK;
}

/* The lowest row of an image comes first. */
static void turn_over(carom_grid_data *grid)
{
    for (int r = 0; r < grid->rows / 2; r++)
        for (int c = 0; c < grid->columns; c++) {
            double *a = &grid->numbers[r * grid->columns + c];
            double *b = &grid->numbers[(grid->rows - 1 - r) * grid->columns + c];
            const double t = *a;
            *a = *b;
            *b = t;
        }
}

carom_status carom_grid_read(carom_arena *arena, const char *path, carom_grid_data *out)
{
    carom_text text = {.ctx = arena->ctx};
    table t = {NULL, 0, 0};
    *out = (carom_grid_data){NULL, 0, 0};
    carom_status status = carom_text_read(&text, path, MOST_BYTES);
    if (status == CAROM_OK && text.length > MOST_BYTES)
        status = carom_fail(arena->ctx, CAROM_ERROR_MODEL, NULL, "%s: is larger than 512 MiB", path);
    if (status == CAROM_OK && text.length >= 8 && memcmp(text.data, "\x89PNG\r\n\x1a\n", 8) == 0) {
        status = carom_png_read(arena, path, (const unsigned char *)text.data, text.length, out);
        if (status == CAROM_OK)
            turn_over(out);
    } else if (status == CAROM_OK) {
        status = read_numbers(arena, path, text.data ? text.data : "", text.length, out, &t);
    }
    carom_release(arena->ctx, t.numbers, t.capacity, sizeof *t.numbers);
    carom_text_clear(&text);
    return status;
}
