/* Keys of joints, shapes, loads, normal forces and constraint methods that are parameters of the kinds they name. */
#include "read/reader.h"
#include "law/normal_law.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* ---- kinds by name ---- */

carom_status carom_read_kind(carom_reader *r, carom_family family, const carom_node *node, const carom_kind **out)
{
    const char *name, *what = carom_family_name(family);
    char expected[64], hint[CAROM_SUGGESTION];
    snprintf(expected, sizeof expected, "the name of a kind (%s)", what);
    CAROM_TRY(carom_read_scalar(r, node, expected));
    CAROM_TRY(carom_read_text(r, node, &name));
    *out = carom_kind_find(r->ctx, family, name);
    if (*out)
        return CAROM_OK;
    const carom_reader_parameter *p = carom_reader_parameter_find(r, name);
    if (p && p->is_word)
        return carom_read_fail(r, &node->place, "no %s '%.63s'; did you mean '$%s', the value of the parameter?", what,
                               name, name);
    size_t count;
    const char *const *names = carom_kind_names(r->ctx, family, &count);
    carom_suggest(name, names, count, hint, sizeof hint);
    if (hint[0])
        return carom_read_fail(r, &node->place, "no %s '%.63s'%s", what, name, hint);
    return carom_read_fail(r, &node->place, "no %s '%.63s'; `carom list %s` names them all", what, name, what);
}

/* ---- tables ---- */

static void add_rows(carom_param_tables *tables, const carom_param_row *rows, size_t count)
{
    if (count > 0 && tables->tables < (int)CAROM_COUNT(tables->rows)) {
        tables->rows[tables->tables] = rows;
        tables->counts[tables->tables++] = count;
    }
}

static void add_kind(const carom_reader *r, carom_param_tables *tables, carom_family family, const char *name)
{
    const carom_kind *kind = name ? carom_kind_find(r->ctx, family, name) : NULL;
    if (kind)
        add_rows(tables, kind->params, (size_t)kind->param_count);
}

const carom_param_row *carom_tables_find(const carom_param_tables *tables, const char *name)
{
    if (tables->normal && strcmp(name, CAROM_DAMPING_CONSTANT) == 0)
        name = "damping";
    for (int t = 0; t < tables->tables; t++)
        for (size_t k = 0; k < tables->counts[t]; k++)
            if (strcmp(tables->rows[t][k].name, name) == 0)
                return &tables->rows[t][k];
    return NULL;
}

/* In the plane an axis that does not lie in it is z. */
static carom_status add_axes(const carom_reader *r, const carom_node *node, bool has_axis, bool in_plane, bool second,
                             carom_param_tables *out)
{
    size_t count;
    const carom_param_row *rows = carom_axis_params(&count);
    const carom_node *axis = carom_node_find(node, "axis");
    if (!has_axis)
        return CAROM_OK;
    if (r->spec->dimension == 2 && !in_plane) {
        if (axis)
            return carom_read_fail(r, &axis->key_place, "in the plane the axis of a %s is z; remove 'axis'",
                                   out->owner);
        return CAROM_OK;
    }
    add_rows(out, rows, second ? count : 1);
    return CAROM_OK;
}

/* The law, its parts or those given in their place, and what every normal force takes. */
static carom_status normal_tables(carom_reader *r, const carom_node *node, const carom_place *place,
                                  carom_param_tables *out)
{
    const carom_kind *law = NULL, *elastic = NULL, *damping = NULL;
    const carom_node *law_node = carom_node_find(node, "law"), *elastic_node = carom_node_find(node, "elastic");
    const carom_node *damping_node = carom_node_find(node, "damping");
    if (law_node)
        CAROM_TRY(carom_read_kind(r, CAROM_FAMILY_LAW, law_node, &law));
    if (elastic_node)
        CAROM_TRY(carom_read_kind(r, CAROM_FAMILY_ELASTIC, elastic_node, &elastic));
    out->owner = law ? law->name : "normal force";
    out->normal = true;
    const carom_law_kind *named = (const carom_law_kind *)law;
    out->exponent = named && !elastic ? named->exponent : (double)NAN;
    if (elastic) {
        add_rows(out, elastic->params, (size_t)elastic->param_count);
    } else if (named) {
        add_kind(r, out, CAROM_FAMILY_ELASTIC, named->elastic);
        add_kind(r, out, CAROM_FAMILY_ELASTIC, named->elastic_without_stiffness);
    }
    /* a number under `damping` is the parameter of that name, if the law's damping part has one */
    bool number = damping_node && damping_node->type == CAROM_NODE_SCALAR && *damping_node->text;
    if (number && damping_node->text[0] == '$') {
        const carom_reader_parameter *p = carom_reader_parameter_find(r, damping_node->text + 1);
        number = p && !p->is_word;
    } else if (number) {
        number = !carom_reader_is_word(r, damping_node->text);
    }
    if (damping_node && !number)
        CAROM_TRY(carom_read_kind(r, CAROM_FAMILY_DAMPING, damping_node, &damping));
    if (damping)
        add_rows(out, damping->params, (size_t)damping->param_count);
    else if (named)
        add_kind(r, out, CAROM_FAMILY_DAMPING, named->damping);
    out->damping_is_param = number && carom_tables_find(out, "damping");
    if (number && !out->damping_is_param)
        return carom_read_fail(r, &damping_node->place,
                               "'damping' names the damping part, such as kelvin-voigt, whose constant is "
                               "'" CAROM_DAMPING_CONSTANT "'; %s has no parameter 'damping'",
                               law ? law->name : "a normal force without law");
    const carom_node *constant = carom_node_find(node, CAROM_DAMPING_CONSTANT);
    if (constant && out->damping_is_param)
        return carom_read_fail(r, &constant->key_place,
                               "'" CAROM_DAMPING_CONSTANT "' and the number under 'damping' are the same; remove one");
    if (!law && !(elastic && damping))
        return carom_read_fail(r, place, "missing key 'law' (or both 'elastic' and 'damping')");
    size_t count;
    const carom_param_row *rows = carom_normal_params(&count);
    add_rows(out, rows, count);
    return CAROM_OK;
}

carom_status carom_reader_tables(carom_reader *r, carom_object object, const carom_node *node, const carom_place *place,
                                 carom_param_tables *out)
{
    memset(out, 0, sizeof *out);
    const carom_object_row *row = carom_object_get(object);
    if (object == CAROM_OBJECT_NORMAL)
        return normal_tables(r, node, place, out);
    if (!row->has_family)
        return CAROM_OK;
    if (row->kind) {
        out->owner = row->kind;
        add_kind(r, out, row->family, row->kind);
        return CAROM_OK;
    }
    const char *key = row->kind_key ? row->kind_key : "type";
    const carom_node *type = carom_node_find(node, key);
    if (!type) {
        char hint[CAROM_SUGGESTION] = "";
        for (const carom_node *n = node->first; n && !hint[0]; n = n->next)
            if (!carom_key_find(object, n->key) && carom_nearest_name(n->key, &key, 1))
                snprintf(hint, sizeof hint, "; is '%.60s' meant for it?", n->key);
        return carom_read_fail(r, place, "missing key '%s'%s", key, hint);
    }
    const carom_kind *kind;
    CAROM_TRY(carom_read_kind(r, row->family, type, &kind));
    out->owner = kind->name;
    add_rows(out, kind->params, (size_t)kind->param_count);
    if (row->family == CAROM_FAMILY_JOINT) {
        const carom_joint_kind *joint = (const carom_joint_kind *)kind;
        return add_axes(r, node, joint->has_axis, joint->axis_in_plane, joint->axis2_on_j, out);
    }
    if (row->family == CAROM_FAMILY_LOAD)
        return add_axes(r, node, ((const carom_load_kind *)kind)->has_axis, false, false, out);
    return CAROM_OK;
}

/* ---- values ---- */

/* Refuses a spline whose points have other units than the row, "spline of m to N"; one that is not there is told when
   the model is compiled. */
static carom_status check_spline(const carom_reader *r, const carom_param_row *row, const carom_node *node,
                                 const char *name)
{
    char units[2][32] = {"", ""}, wanted[160], given[160];
    const carom_reader_spline *spline = carom_reader_find_spline(r, name);
    if (!spline || sscanf(row->unit, "spline of %31[^ ] to %31[^\n]", units[0], units[1]) != 2)
        return CAROM_OK;
    for (int k = 0; k < 2; k++)
        if (!carom_unit_fits(units[k], CAROM_UNIT_ANY, &spline->dimension[k]))
            return carom_read_fail(r, &node->place,
                                   "'%s': %s is needed for the %s of spline '%s', and its points have %s", row->name,
                                   carom_unit_text(units[k], CAROM_UNIT_ANY, wanted, sizeof wanted),
                                   k ? "y" : "x", name,
                                   carom_dimension_text(&spline->dimension[k], given, sizeof given));
    return CAROM_OK;
}

/* A word out of the choices that the row names instead of its unit, "world|body"; the name of a spline or frame is
   looked up when the model is compiled. */
static carom_status read_word_param(carom_reader *r, const carom_param_row *row, const carom_node *node,
                                    carom_value *out)
{
    const char *text, *names[16];
    char words[256], hint[CAROM_SUGGESTION];
    size_t count = 0;
    CAROM_TRY(carom_read_text(r, node, &text));
    if (row->flags & CAROM_PARAM_SPLINE)
        CAROM_TRY(check_spline(r, row, node, text));
    if (row->flags & (CAROM_PARAM_SPLINE | CAROM_PARAM_FRAME)) {
        *out = carom_value_text(text);
        out->place = node->place;
        return CAROM_OK;
    }
    snprintf(words, sizeof words, "%s", row->unit);
    const bool is_truth = strcmp(row->unit, "false|true") == 0;
    const char *known = !is_truth                   ? text
                        : strcmp(text, "yes") == 0 ? "true"
                        : strcmp(text, "no") == 0  ? "false"
                                                   : text;
    for (char *word = words; word && count < CAROM_COUNT(names);) {
        char *bar = strchr(word, '|');
        if (bar)
            *bar = '\0';
        names[count++] = word;
        if (strcmp(word, known) == 0) {
            *out = carom_value_text(known);
            out->place = node->place;
            return CAROM_OK;
        }
        word = bar ? bar + 1 : NULL;
    }
    return carom_read_fail(r, &node->place, "'%s' is one of %s, not '%.63s'%s", row->name, row->unit, text,
                           carom_suggest(text, names, count, hint, sizeof hint));
}

static carom_status read_point_list(carom_reader *r, const carom_param_row *row, const carom_node *node,
                                    carom_value *out)
{
    *out = (carom_value){.type = CAROM_VALUE_POINTS, .count = node->count, .place = node->place};
    return carom_read_points(r, node, row->unit, &out->points);
}

/* A list of points, in space or in the plane of the model. */
static carom_status read_corners(carom_reader *r, const carom_param_row *row, const carom_node *node,
                                 carom_value *out)
{
    const int n = r->spec->dimension;
    *out = (carom_value){.type = CAROM_VALUE_TABLE, .size = n, .count = node->count, .place = node->place};
    if (node->type != CAROM_NODE_LIST || node->count == 0)
        return carom_read_fail(r, &node->place,
                               n == 3 ? "'%s' takes a list of points in space, [[x, y, z], [x, y, z], ...]"
                                      : "'%s' takes a list of points, [[x, y], [x, y], ...]",
                               node->key);
    double *points = carom_arena_alloc(r->arena, (size_t)n * node->count, sizeof *points);
    if (!points)
        return carom_fail_memory(r->ctx);
    out->points = points;
    for (const carom_node *part = node->first; part; part = part->next, points += n) {
        if (part->type != CAROM_NODE_LIST)
            return carom_read_fail(r, &part->place,
                                   n == 3 ? "'%s' takes a list of points in space, each [x, y, z]"
                                          : "'%s' takes a list of points, each [x, y]",
                                   node->key);
        CAROM_TRY(carom_read_vector(r, part, row->unit, n, points));
    }
    return CAROM_OK;
}

/* Expressions of the parameter of a curve; they are compiled where they are used. */
static carom_status read_curve(carom_reader *r, const carom_node *node, carom_value *out)
{
    const int n = r->spec->dimension;
    *out = (carom_value){.type = CAROM_VALUE_VECTOR, .size = n, .place = node->place};
    if (node->type != CAROM_NODE_LIST || node->count != (size_t)n)
        return carom_read_fail(r, &node->place, "'%s' takes a list of %d expressions of u, %s", node->key, n,
                               n == 3 ? "[cos(u), sin(u), 0.1*u]" : "[cos(u), sin(u)]");
    carom_place *places = carom_arena_alloc(r->arena, (size_t)n, sizeof *places);
    if (!places)
        return carom_fail_memory(r->ctx);
    out->places = places;
    int k = 0;
    for (const carom_node *part = node->first; part; part = part->next, k++) {
        places[k] = part->place;
        CAROM_TRY(carom_read_text(r, part, &out->expression[k]));
    }
    return CAROM_OK;
}

/* Rows of as many numbers each. */
static carom_status read_grid(carom_reader *r, const carom_param_row *row, const carom_node *node, carom_value *out)
{
    *out = (carom_value){.type = CAROM_VALUE_TABLE, .count = node->count, .place = node->place};
    const carom_node *part = node->first;
    if (node->type != CAROM_NODE_LIST || !part || part->type != CAROM_NODE_LIST || part->count > CAROM_TABLE_COLUMNS)
        return carom_read_fail(r, &node->place, "'%s' takes a list of rows of numbers, [[1, 2, ...], [3, 4, ...], ...]",
                               node->key);
    out->size = (int)part->count;
    double *numbers = carom_arena_alloc(r->arena, node->count * part->count, sizeof *numbers);
    if (!numbers)
        return carom_fail_memory(r->ctx);
    out->points = numbers;
    for (size_t line = 1; part; part = part->next, line++) {
        if (part->type != CAROM_NODE_LIST || part->count != (size_t)out->size)
            return carom_read_fail(r, &part->place, "'%s': row %zu has not as many numbers as the first, %d", node->key,
                                   line, out->size);
        for (const carom_node *number = part->first; number; number = number->next)
            CAROM_TRY(carom_read_number(r, number, row->unit, numbers++));
    }
    return CAROM_OK;
}

/* An expression of x and y at the places of a grid about the origin; `shape` has its size and its lines. */
carom_status carom_read_graph(carom_reader *r, const carom_param_tables *tables, const carom_param_row *row,
                              const carom_node *shape, const carom_node *node, carom_value *out)
{
    double length[2], lines[2];
    const carom_node *given[2] = {carom_node_find(shape, "size"), carom_node_find(shape, "lines")};
    const carom_param_row *count = carom_tables_find(tables, "lines");
    static const char *const names[2] = {"x", "y"};
    if (!given[0])
        return carom_read_fail(r, &node->place, "'%s' needs the 'size' of the grid", node->key);
    CAROM_TRY(carom_read_vector(r, given[0], "m", 2, length));
    lines[0] = lines[1] = count->default_value;
    if (given[1])
        CAROM_TRY(carom_read_vector(r, given[1], "-", 2, lines));
    for (int k = 0; k < 2; k++) {
        if (!(lines[k] >= 2 && lines[k] <= count->high && lines[k] == floor(lines[k])))
            return carom_read_fail(r, &(given[1] ? given[1] : node)->place, "'lines' are whole numbers from 2 to %g",
                                   count->high);
        if (carom_reader_parameter_find(r, names[k]))
            return carom_read_fail(r, &node->place,
                                   "in '%s' %s is the place; give the parameter of that name another one", node->key,
                                   names[k]);
    }
    const int columns = (int)lines[0], rows = (int)lines[1];
    double *numbers = carom_arena_alloc(r->arena, (size_t)columns * (size_t)rows, sizeof *numbers);
    carom_names_scope former[2];
    const carom_dimension any = {.kind = CAROM_DIMENSION_FREE};
    if (!numbers)
        return carom_fail_memory(r->ctx);
    *out = (carom_value){
        .type = CAROM_VALUE_TABLE, .size = columns, .count = (size_t)rows, .points = numbers, .place = node->place};
    CAROM_TRY(carom_reader_add_name(r, "x", any, &former[0]));
    carom_status status = carom_reader_add_name(r, "y", any, &former[1]);
    const bool both = status == CAROM_OK;
    for (int k = 0; k < columns * rows && status == CAROM_OK; k++) {
        r->values[r->count - 2] = length[0] * ((double)(k % columns) / (columns - 1) - 0.5);
        r->values[r->count - 1] = length[1] * ((double)(k / columns) / (rows - 1) - 0.5);
        status = carom_read_number(r, node, row->unit, &numbers[k]);
    }
    if (both)
        carom_reader_remove_name(r, &former[1]);
    carom_reader_remove_name(r, &former[0]);
    return status;
}

/* One number for all three. */
static carom_status read_even(carom_reader *r, const carom_param_row *row, const carom_node *node, carom_value *out)
{
    double number;
    CAROM_TRY(carom_read_number(r, node, row->unit, &number));
    *out = carom_value_vector(3, (const double[]){number, number, number});
    out->place = node->place;
    return CAROM_OK;
}

/* `inner_stiffness` has the exponent `inner_exponent`. That of a law which the file does not give is the law's. */
double carom_reader_exponent(carom_reader *r, const carom_param_tables *tables, const carom_param_row *row,
                             const carom_node *node)
{
    char name[64];
    const char *word = strstr(row->name, "stiffness");
    if (!word)
        return (double)NAN;
    snprintf(name, sizeof name, "%.*sexponent", (int)(word - row->name), row->name);
    const carom_param_row *exponent = carom_tables_find(tables, name);
    const carom_node *given = carom_node_find(node, name);
    double number = (double)NAN;
    if (given)
        return carom_read_number(r, given, NULL, &number) == CAROM_OK ? number : (double)NAN;
    if (!exponent || (exponent->flags & (CAROM_PARAM_REQUIRED | CAROM_PARAM_OPTIONAL)))
        return (double)NAN;
    return strcmp(name, "exponent") == 0 && !isnan(tables->exponent) ? tables->exponent : exponent->default_value;
}

carom_status carom_read_param(carom_reader *r, const carom_param_row *row, const carom_node *node, carom_value *out)
{
    bool time = (row->flags & CAROM_PARAM_TIME) != 0;
    bool planar = r->spec->dimension == 2;
    if (row->flags & CAROM_PARAM_POINTS)
        return read_point_list(r, row, node, out);
    if (row->flags & CAROM_PARAM_MESH)
        return carom_read_mesh(r, node, out);
    if (row->flags & CAROM_PARAM_TRIANGLES)
        return carom_read_triangles(r, node, out);
    if (row->flags & CAROM_PARAM_GRID_FILE)
        return carom_read_grid_file(r, node, out);
    if (row->flags & CAROM_PARAM_GRID)
        return read_grid(r, row, node, out);
    if (row->flags & CAROM_PARAM_CORNERS)
        return read_corners(r, row, node, out);
    if (row->flags & CAROM_PARAM_CURVE)
        return read_curve(r, node, out);
    if ((row->flags & CAROM_PARAM_EVEN) && node->type == CAROM_NODE_SCALAR)
        return read_even(r, row, node, out);
    if (row->flags & CAROM_PARAM_TEXT)
        return read_word_param(r, row, node, out);
    if (row->size == 1 || (planar && (row->flags & CAROM_PARAM_AXIAL))) {
        if (time)
            return carom_read_time_value(r, node, row->unit, !(row->flags & CAROM_PARAM_RATE), out);
        double number;
        CAROM_TRY(carom_read_number(r, node, row->unit, &number));
        *out = carom_value_number(number);
        out->place = node->place;
        return CAROM_OK;
    }
    int size = row->size == 3 && planar ? 2 : row->size;
    if ((row->flags & CAROM_PARAM_UP_TO) && node->type == CAROM_NODE_LIST && node->count < (size_t)size)
        size = (int)node->count;
    return carom_read_vector_value(r, node, row->unit, size < CAROM_VALUE_SIZE ? size : CAROM_VALUE_SIZE, time, out);
}
