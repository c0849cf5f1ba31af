/* Files that a model file names: tables of numbers, which the text of the model holds afterwards under `files`, so that
   results and pages need the files no more. */
#include "read/reader.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "carom/table.h"
#include "geometry/surface/hull.h"
#include "import/mesh.h"
#include "read/csv.h"
#include "read/grid.h"

/* A mesh that fills less of its hull is not convex. */
#define CONVEX 0.99
/* Triangles that are drawn of one, at most. */
#define MOST_DRAWN 1500

/* ---- tables as text: ROWSxCOLUMNS f32|f64 and the digits of each number ---- */

static int digit_of(char c) { return c >= '0' && c <= '9' ? c - '0' : c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1; }

static bool read_bits(const char *text, int digits, uint64_t *out)
{
    *out = 0;
    for (int k = 0; k < digits; k++) {
        const int digit = digit_of(text[k]);
        if (digit < 0)
            return false;
        *out = *out << 4 | (uint64_t)digit;
    }
    return true;
}

static carom_status decode(carom_reader *r, const carom_node *node, carom_value *out)
{
    size_t rows, columns;
    int bits, used = 0;
    const char *text = node->type == CAROM_NODE_SCALAR ? node->text : "";
    const bool good = sscanf(text, "%9zux%9zu f%d %n", &rows, &columns, &bits, &used) == 3 && used > 0 && rows > 0 &&
                      columns > 0 && columns < 100000 && (bits == 32 || bits == 64) &&
                      strlen(text + used) / (size_t)(bits / 4) / columns == rows &&
                      strlen(text + used) == rows * columns * (size_t)(bits / 4);
    double *numbers = good ? carom_arena_alloc(r->arena, rows * columns, sizeof *numbers) : NULL;
    if (good && !numbers)
        return carom_fail_memory(r->ctx);
    for (size_t k = 0; good && k < rows * columns; k++) {
        uint64_t word;
        if (!read_bits(text + used + k * (size_t)(bits / 4), bits / 4, &word))
            return carom_read_fail(r, &node->place, "'files': number %zu of the table is damaged", k + 1);
        float single;
        const uint32_t half = (uint32_t)word;
        memcpy(&single, &half, sizeof single);
        memcpy(&numbers[k], &word, sizeof word);
        if (bits == 32)
            numbers[k] = single;
    }
    if (!good)
        return carom_read_fail(r, &node->place,
                               "'files' is written by Carom into results: ROWSxCOLUMNS, f32 or f64, and as many "
                               "digits; in a model file leave it out");
    *out = (carom_value){.type = CAROM_VALUE_TABLE, .size = (int)columns, .count = rows, .points = numbers};
    return CAROM_OK;
}

static void encode(carom_text *text, const carom_value *table)
{
    static const char digits[] = "0123456789abcdef";
    const size_t count = table->count * (size_t)table->size;
    bool single = true;
    for (size_t k = 0; k < count; k++)
        single = single && (double)(float)table->points[k] == table->points[k];
    const int width = single ? 8 : 16;
    carom_text_append(text, "%zux%d f%d ", table->count, table->size, single ? 32 : 64);
    for (size_t k = 0; k < count; k++) {
        char word[16];
        const float number = (float)table->points[k];
        uint32_t half;
        uint64_t bits;
        memcpy(&half, &number, sizeof half);
        memcpy(&bits, &table->points[k], sizeof bits);
        if (single)
            bits = half;
        for (int n = 0; n < width; n++)
            word[n] = digits[bits >> 4 * (width - 1 - n) & 15];
        carom_text_append_n(text, word, (size_t)width);
    }
}

/* ---- reading ---- */

const char *carom_reader_path(const carom_reader *r, const char *path)
{
    const char *slash = strrchr(r->file, '/');
    return path[0] == '/' || !slash ? carom_arena_text(r->arena, path)
                                    : carom_arena_format(r->arena, "%.*s%s", (int)(slash - r->file + 1), r->file, path);
}

/* The message of a file behind the place where the model file names it. */
static carom_status name_file(const carom_reader *r, const carom_node *node, carom_status status)
{
    char text[CAROM_ERROR_TEXT / 2];
    if (status != CAROM_ERROR_MODEL && status != CAROM_ERROR_IO)
        return status;
    snprintf(text, sizeof text, "%s", carom_context_error(r->ctx));
    return carom_read_fail(r, &node->place, "'%s': %s%s", node->key ? node->key : "file", text,
                           status == CAROM_ERROR_IO ? "; paths are seen from the folder of the model file" : "");
}

/* The corners of the hull of a mesh, and the remark where that is more than the mesh. */
static carom_status take_hull(carom_reader *r, const char *name, const carom_mesh_data *mesh, carom_value *out)
{
    carom_hull hull;
    const char *refusal;
    const double one[3] = {1, 1, 1};
    CAROM_TRY(carom_hull_make(&r->scratch, mesh->points, mesh->point_count, &hull, &refusal));
    if (refusal)
        return carom_fail(r->ctx, CAROM_ERROR_MODEL, NULL, "%s: the mesh cannot be taken: %s", name, refusal);
    if (hull.count > CAROM_POLYHEDRON_CORNERS)
        return carom_fail(r->ctx, CAROM_ERROR_MODEL, NULL,
                          "%s: the convex hull of the mesh has %d corners, and %d are taken: simplify the mesh", name,
                          hull.count, CAROM_POLYHEDRON_CORNERS);
    double *corners = carom_arena_alloc(r->arena, 3 * (size_t)hull.count, sizeof *corners);
    if (!corners)
        return carom_fail_memory(r->ctx);
    for (int k = 0; k < hull.count; k++)
        memcpy(corners + 3 * k, mesh->points + 3 * (size_t)hull.point[k], 3 * sizeof *corners);
    *out = (carom_value){.type = CAROM_VALUE_TABLE, .size = 3, .count = (size_t)hull.count, .points = corners};
    const carom_mesh_data around = {corners, (size_t)hull.count, NULL, 0};
    carom_mesh_data outside = around;
    outside.triangles = hull.triangle;
    outside.triangle_count = (size_t)hull.triangle_count;
    const carom_mesh_mass inner = carom_mesh_mass_of(mesh, one), outer = carom_mesh_mass_of(&outside, one);
    if (!inner.closed || !(inner.volume < CONVEX * outer.volume))
        return CAROM_OK;
    out->text = carom_arena_format(r->arena,
                                   "the mesh of '%s' is not convex: it fills %.0f %% of its convex hull, which takes "
                                   "its place",
                                   name, 100 * inner.volume / outer.volume);
    return out->text ? CAROM_OK : carom_fail_memory(r->ctx);
}

static carom_status read_mesh_file(carom_reader *r, const char *name, carom_value *out)
{
    carom_mesh_data mesh = {0};
    const char *path = carom_reader_path(r, name);
    if (!path)
        return carom_fail_memory(r->ctx);
    CAROM_TRY(carom_mesh_read(&r->scratch, path, &mesh));
    return take_hull(r, name, &mesh, out);
}

/* The triangles that are drawn of a mesh. */
static carom_status read_drawing(carom_reader *r, const char *name, carom_value *out)
{
    carom_mesh_data mesh = {0};
    double *points;
    size_t count;
    const char *path = carom_reader_path(r, name);
    if (!path)
        return carom_fail_memory(r->ctx);
    CAROM_TRY(carom_mesh_read(&r->scratch, path, &mesh));
    CAROM_TRY(carom_mesh_drawn(r->arena, &mesh, MOST_DRAWN, &points, &count));
    *out = (carom_value){.type = CAROM_VALUE_TABLE, .size = 3, .count = 3 * count, .points = points};
    if (mesh.triangle_count <= MOST_DRAWN)
        return CAROM_OK;
    out->text = carom_arena_format(r->arena,
                                   "the mesh of '%s' has %zu triangles, of which %zu are drawn: near points "
                                   "are joined",
                                   name, mesh.triangle_count, count);
    return out->text ? CAROM_OK : carom_fail_memory(r->ctx);
}

/* The table of a file that the model text holds, or that was read before; NULL: neither. */
static const carom_reader_file *find_read(const carom_reader *r, const char *name)
{
    for (size_t k = 0; k < r->file_count; k++)
        if (strcmp(r->read_files[k].name, name) == 0)
            return &r->read_files[k];
    return NULL;
}

static carom_status keep(carom_reader *r, const char *name, bool held, const carom_value *table)
{
    if (r->file_count == r->file_capacity) {
        const size_t capacity = r->file_capacity ? 2 * r->file_capacity : 16;
        carom_reader_file *more = carom_arena_alloc(&r->scratch, capacity, sizeof *more);
        if (!more)
            return carom_fail_memory(r->ctx);
        if (r->file_count)
            memcpy(more, r->read_files, r->file_count * sizeof *more);
        r->read_files = more;
        r->file_capacity = capacity;
    }
    r->read_files[r->file_count++] = (carom_reader_file){name, held, *table};
    return CAROM_OK;
}

static carom_status read_grid_file(carom_reader *r, const char *name, carom_value *out)
{
    carom_grid_data grid = {0};
    const char *path = carom_reader_path(r, name);
    if (!path)
        return carom_fail_memory(r->ctx);
    CAROM_TRY(carom_grid_read(r->arena, path, &grid));
    *out = (carom_value){
        .type = CAROM_VALUE_TABLE, .size = grid.columns, .count = (size_t)grid.rows, .points = grid.numbers};
    return CAROM_OK;
}

/* `as` stands before the name under which the text holds what was read of the file. */
static carom_status read_once(carom_reader *r, const carom_node *node, const char *as,
                              carom_status (*read)(carom_reader *, const char *, carom_value *), carom_value *out)
{
    const char *name;
    CAROM_TRY(carom_read_text(r, node, &name));
    const char *key = *as ? carom_arena_format(r->arena, "%s%s", as, name) : name;
    if (!key)
        return carom_fail_memory(r->ctx);
    const carom_reader_file *known = find_read(r, key);
    if (!known) {
        const carom_node *held = r->files ? carom_node_find(r->files, key) : NULL;
        CAROM_TRY(held ? decode(r, held, out) : name_file(r, node, read(r, name, out)));
        CAROM_TRY(keep(r, key, held != NULL, out));
        known = find_read(r, key);
    }
    *out = known->table;
    out->place = node->place;
    return CAROM_OK;
}

carom_status carom_read_mesh(carom_reader *r, const carom_node *node, carom_value *out)
{
    return read_once(r, node, "", read_mesh_file, out);
}

carom_status carom_read_triangles(carom_reader *r, const carom_node *node, carom_value *out)
{
    const size_t before = r->file_count;
    CAROM_TRY(read_once(r, node, "drawn:", read_drawing, out));
    if (r->file_count > before)
        r->read_files[before].table.text = NULL; /* it is told of the first shape */
    return CAROM_OK;
}

carom_status carom_read_grid_file(carom_reader *r, const carom_node *node, carom_value *out)
{
    return read_once(r, node, "", read_grid_file, out);
}

/* ---- tables of points ---- */

/* The two columns of a table of points, and where it is. */
typedef struct point_columns {
    const carom_node *node;     /* NULL: the first two */
    const carom_table *table;
    const char *path;
} point_columns;

/* The column that a heading, or its number from 1, names; column_count if there is none. */
static size_t find_column(const carom_table *table, const char *name)
{
    double number;
    const size_t named = carom_table_find(table, name);
    if (named < table->column_count)
        return named;
    if (carom_parse_number(name, strlen(name), &number) && number >= 1 && number == floor(number) &&
        number <= (double)table->column_count)
        return (size_t)number - 1;
    return table->column_count;
}

static carom_status choose_columns(carom_reader *r, const point_columns *c, size_t out[2])
{
    out[0] = 0;
    out[1] = 1;
    if (c->table->column_count < 2)
        return carom_fail(r->ctx, CAROM_ERROR_MODEL, &(carom_place){c->path, c->table->lines[0], 1},
                          "the table has one column; a point has two, x and y");
    const carom_node *part = c->node ? c->node->first : NULL;
    for (int k = 0; k < 2 && part; k++, part = part->next) {
        const char *text, *names[32];
        char hint[CAROM_SUGGESTION];
        CAROM_TRY(carom_read_text(r, part, &text));
        out[k] = find_column(c->table, text);
        if (out[k] < c->table->column_count)
            continue;
        size_t count = 0;
        for (; count < CAROM_COUNT(names) && count < c->table->column_count; count++)
            names[count] = c->table->columns[count].name;
        return carom_read_fail(r, &part->place, "'%.200s' has no column '%.63s'%s", c->path, text,
                               carom_suggest(text, names, count, hint, sizeof hint));
    }
    return CAROM_OK;
}

/* What a number of a column times gives SI, and its dimension; the heading has the unit, "a [deg]", "m (N m)". */
static carom_status unit_of_column(carom_reader *r, const point_columns *c, const carom_table_column *column,
                                   double *factor, carom_dimension *dimension)
{
    *factor = 1;
    *dimension = (carom_dimension){.kind = CAROM_DIMENSION_FREE};
    if (!*column->unit || strcmp(column->unit, "-") == 0)
        return CAROM_OK;
    CAROM_TRY(carom_csv_unit(r->ctx, &(carom_place){c->path, 1, 1}, column->name, column->unit, factor, dimension));
    dimension->kind = CAROM_DIMENSION_QUANTITY;
    return CAROM_OK;
}

static carom_status take_points(carom_reader *r, const point_columns *c, carom_value *out, carom_dimension dimension[2],
                                const int **lines)
{
    const size_t rows = c->table->rows;
    size_t columns[2];
    CAROM_TRY(choose_columns(r, c, columns));
    double *points = carom_arena_alloc(r->arena, 2 * rows, sizeof *points);
    int *numbers = carom_arena_alloc(&r->scratch, rows, sizeof *numbers);
    if (!points || !numbers)
        return carom_fail_memory(r->ctx);
    for (int k = 0; k < 2; k++) {
        const carom_table_column *column = &c->table->columns[columns[k]];
        double factor;
        CAROM_TRY(unit_of_column(r, c, column, &factor, &dimension[k]));
        for (size_t row = 0; row < rows; row++) {
            const double value = points[2 * row + (size_t)k] = factor * column->values[row];
            numbers[row] = c->table->lines[row];
            if (isnan(value) && column->text && column->text_row == row)
                return carom_fail(r->ctx, CAROM_ERROR_MODEL, &(carom_place){c->path, numbers[row], 1},
                                  "column '%.63s' has '%.63s' where a number is needed%s", column->name, column->text,
                                  carom_csv_remedy(column->text, strlen(column->text)));
            if (!isfinite(value))
                return carom_fail(r->ctx, CAROM_ERROR_MODEL, &(carom_place){c->path, numbers[row], 1},
                                  "column '%.63s' has no finite number", column->name);
        }
    }
    *out = (carom_value){.type = CAROM_VALUE_TABLE, .size = 2, .count = rows, .points = points};
    *lines = numbers;
    return CAROM_OK;
}

/* The name under which the text holds two columns of a table: "points:FILE" or "points:FILE:x,y". */
static carom_status name_columns(carom_reader *r, const carom_node *node, const carom_node *columns, const char **name,
                                 const char **key)
{
    CAROM_TRY(carom_read_text(r, node, name));
    if (columns && (columns->type != CAROM_NODE_LIST || columns->count != 2))
        return carom_read_fail(r, &columns->place, "'columns' takes a list of two headings or numbers");
    for (const carom_node *part = columns ? columns->first : NULL; part; part = part->next)
        CAROM_TRY(carom_read_scalar(r, part, "the heading or number of a column"));
    *key = columns ? carom_arena_format(r->arena, "points:%s:%s,%s", *name, columns->first->text,
                                        columns->first->next->text)
                   : carom_arena_format(r->arena, "points:%s", *name);
    return *key ? CAROM_OK : carom_fail_memory(r->ctx);
}

carom_status carom_read_point_file(carom_reader *r, const carom_node *node, const carom_node *columns,
                                   carom_value *out, carom_dimension dimension[2], const int **lines)
{
    const char *name, *key;
    CAROM_TRY(name_columns(r, node, columns, &name, &key));
    const carom_reader_file *known = find_read(r, key);
    const carom_node *held = r->files ? carom_node_find(r->files, key) : NULL;
    *lines = NULL;
    for (int k = 0; k < 2; k++)
        dimension[k] = (carom_dimension){.kind = CAROM_DIMENSION_FREE};
    if (held) {
        CAROM_TRY(decode(r, held, out));
        out->place = node->place;
        if (out->size != 2)
            return carom_read_fail(r, &held->place, "'files': a table of points has two columns");
        return known ? CAROM_OK : keep(r, key, true, out);
    }
    carom_table table = {0};
    const char *path = carom_reader_path(r, name);
    if (!path)
        return carom_fail_memory(r->ctx);
    carom_status status = carom_table_read_csv(r->ctx, path, &table);
    const point_columns c = {columns, &table, path};
    if (status == CAROM_OK)
        status = take_points(r, &c, out, dimension, lines);
    carom_table_free(r->ctx, &table);
    CAROM_TRY(name_file(r, node, status));
    out->place = node->place;
    return known ? CAROM_OK : keep(r, key, false, out);
}

/* ---- the text with what the files held ---- */

static void append_quoted(carom_text *text, const char *word)
{
    carom_text_append(text, "\"");
    for (; *word; word++) {
        if (*word == '"' || *word == '\\')
            carom_text_append(text, "\\");
        carom_text_append_n(text, word, 1);
    }
    carom_text_append(text, "\"");
}

/* Where the brace that ends the text of a model in flow style stands. */
static size_t last_brace(const char *text, size_t length)
{
    size_t end = length;
    while (end > 0) {
        size_t line = end;
        while (line > 0 && text[line - 1] != '\n')
            line--;
        size_t first = line;
        while (first < end && (text[first] == ' ' || text[first] == '\r'))
            first++;
        for (size_t k = end; k > line && !(first < end && text[first] == '#'); k--)
            if (text[k - 1] == '}')
                return k - 1;
        end = line ? line - 1 : 0;
    }
    return length;
}

carom_status carom_reader_hold_files(carom_reader *r, bool flow)
{
    carom_text text = {.ctx = r->ctx};
    const char *source = r->spec->text;
    size_t length = r->spec->text_length, count = 0;
    for (size_t k = 0; k < r->file_count; k++)
        count += !r->read_files[k].held;
    if (count == 0)
        return CAROM_OK;
    const size_t end = flow ? last_brace(source, length) : length;
    carom_text_append_n(&text, source, end);
    carom_text_append(&text, flow ? ", \"files\": {" : "%s# what the files held when the model was read\nfiles:\n",
                      length && source[length - 1] == '\n' ? "" : "\n");
    for (size_t k = 0, written = 0; k < r->file_count; k++) {
        if (r->read_files[k].held)
            continue;
        carom_text_append(&text, flow ? written++ ? ", " : "" : "  ");
        append_quoted(&text, r->read_files[k].name);
        carom_text_append(&text, ": \"");
        encode(&text, &r->read_files[k].table);
        carom_text_append(&text, flow ? "\"" : "\"\n");
    }
    if (flow)
        carom_text_append(&text, "}");
    carom_text_append_n(&text, source + end, length - end);
    char *copy = text.failed ? NULL : carom_arena_text_n(r->arena, text.data, text.length);
    r->spec->text_length = text.length;
    r->spec->text = copy;
    carom_text_clear(&text);
    if (!copy)
        return carom_fail_memory(r->ctx);
    if (r->spec->text_length > CAROM_TREE_BYTES)
        return carom_fail(r->ctx, CAROM_ERROR_MODEL, &(carom_place){r->file, 1, 1},
                          "the files of the model take %.1f MiB of its text, and %.0f are held: simplify the meshes",
                          (double)r->spec->text_length / 1048576, (double)CAROM_TREE_BYTES / 1048576);
    return CAROM_OK;
}
