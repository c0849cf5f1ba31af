/* Parameters with their overrides, and splines. */
#include "read/reader.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#define SPLINE_POINTS 100000 /* most points of a function */

/* ---- parameters ---- */

static carom_status list_parameters(carom_reader *r, const carom_node *node)
{
    if (node->type != CAROM_NODE_MAPPING)
        return carom_read_fail(r, &node->place, "'parameters' is a mapping, `name: value`");
    if (node->count > CAROM_READER_PARAMETERS)
        return carom_read_fail(r, &node->key_place, "%zu parameters; at most %d are allowed", node->count,
                               CAROM_READER_PARAMETERS);
    r->parameters = carom_arena_alloc(r->arena, node->count + 1, sizeof *r->parameters);
    r->names = carom_arena_alloc(r->arena, node->count + 1, sizeof *r->names);
    r->all_names = carom_arena_alloc(r->arena, node->count + 1, sizeof *r->all_names);
    r->values = carom_arena_alloc(r->arena, node->count + 1, sizeof *r->values);
    r->dimensions = carom_arena_alloc(r->arena, node->count + 1, sizeof *r->dimensions);
    if (!r->parameters || !r->names || !r->all_names || !r->values || !r->dimensions)
        return carom_fail_memory(r->ctx);
    for (const carom_node *n = node->first; n; n = n->next) {
        CAROM_TRY(carom_check_expression_name(r, "parameter", n));
        CAROM_TRY(carom_read_scalar(r, n, "a number, an expression or a word"));
        r->all_names[r->parameter_count] = n->key;
        r->parameters[r->parameter_count++] = (carom_reader_parameter){
            .name = n->key, .place = n->key_place, .text = n->text, .text_place = n->place, .file_text = n->text};
    }
    return CAROM_OK;
}

static bool is_number_text(const carom_reader *r, const char *text)
{
    return text[0] != '$' && !carom_reader_is_word(r, text);
}

/* Keys of a run that `carom run` has options for. */
static bool has_option(const char *key)
{
    return strcmp(key, "until") == 0 || strcmp(key, "tolerance") == 0 || strcmp(key, "integrator") == 0;
}

#define NAMES_LISTED 12

/* Tells the nearest parameter, or those that the model has. */
static carom_status fail_unknown(const carom_reader *r, const char *override, const char *name)
{
    char hint[CAROM_SUGGESTION];
    carom_text list = {.ctx = r->ctx};
    const char *suggestion = carom_suggest(name, r->all_names, r->parameter_count, hint, sizeof hint);
    const carom_key *key = carom_key_find(CAROM_OBJECT_RUN, name);
    if (key && has_option(name))
        suggestion = "; it is a key of `run`, which the option of its name replaces";
    else if (key)
        suggestion = "; it is a key of `run`: change it there, or make it an expression of a parameter";
    else if (!suggestion[0] && !r->parameter_count)
        suggestion = "; it has no parameters";
    else if (!suggestion[0]) {
        for (size_t k = 0; k < r->parameter_count && k < NAMES_LISTED; k++)
            carom_text_append(&list, "%s%.63s", k ? ", " : "; it has ", r->all_names[k]);
        if (r->parameter_count > NAMES_LISTED)
            carom_text_append(&list, " and %zu more", r->parameter_count - NAMES_LISTED);
        suggestion = list.failed ? "" : list.data;
    }
    carom_status status = carom_fail(r->ctx, CAROM_ERROR_USAGE, NULL, "'%.200s': the model has no parameter '%.63s'%s",
                                     override, name, suggestion);
    carom_text_clear(&list);
    return status;
}

/* One `name=value`. */
static carom_status apply_override(carom_reader *r, const char *override)
{
    const char *equals = override ? strchr(override, '=') : NULL;
    if (!equals || equals == override || !equals[1])
        return carom_fail(r->ctx, CAROM_ERROR_USAGE, NULL, "override '%.200s' is not of the form name=value",
                          override ? override : "");
    char *name = carom_arena_text_n(r->arena, override, (size_t)(equals - override));
    char *file = carom_arena_format(r->arena, "override '%.200s'", override);
    const char *value = equals + 1;
    if (!name || !file)
        return carom_fail_memory(r->ctx);
    for (size_t n = strlen(name); n > 0 && name[n - 1] == ' '; n--)
        name[n - 1] = '\0';
    while (*name == ' ')
        name++;
    while (*value == ' ')
        value++;
    carom_reader_parameter *p = (carom_reader_parameter *)carom_reader_parameter_find(r, name);
    if (!p)
        return fail_unknown(r, override, name);
    if (!*value)
        return carom_fail(r->ctx, CAROM_ERROR_USAGE, NULL, "override '%.200s' has no value", override);
    p->text = carom_arena_text(r->arena, value);
    if (!p->text)
        return carom_fail_memory(r->ctx);
    p->text_place = (carom_place){file, 0, 0};
    p->overridden = true;
    if (p->file_text[0] == '$' || value[0] == '$')
        return CAROM_OK;
    bool number = is_number_text(r, value);
    if (number != is_number_text(r, p->file_text))
        return carom_fail(r->ctx, CAROM_ERROR_USAGE, NULL,
                          "override '%.200s': parameter '%s' is a %s in the model ('%.80s'), "
                          "and '%.80s' is a %s",
                          override, name, number ? "word" : "number", p->file_text, value, number ? "number" : "word");
    return CAROM_OK;
}

/* Gives a parameter its value; those before it have theirs. */
static carom_status evaluate(carom_reader *r, carom_reader_parameter *p)
{
    carom_node node = {.type = CAROM_NODE_SCALAR,
                       .quoted = true,
                       .text = p->text,
                       .place = p->text_place,
                       .key = p->name,
                       .key_place = p->place};
    if (p->text[0] == '$') {
        const carom_reader_parameter *other = carom_reader_parameter_find(r, p->text + 1);
        if (other) {
            CAROM_TRY(carom_check_order(r, other, &p->text_place, p));
            if (other->failed)
                return carom_fail_behind(r->ctx);
            p->is_word = other->is_word;
            p->word = other->word;
            p->number = other->number;
            p->dimension = other->dimension;
            return CAROM_OK;
        }
    } else if (carom_reader_is_word(r, p->text)) {
        p->is_word = true;
        p->word = p->text;
        return CAROM_OK;
    } else {
        double number;
        if (!carom_parse_number(p->text, strlen(p->text), &number))
            CAROM_TRY(carom_check_identifiers(r, p->text, &p->text_place, p));
    }
    CAROM_TRY(carom_read_quantity(r, &node, &p->number, &p->dimension));
    /* where it is used, a parameter without unit may stand for anything */
    p->dimension.kind =
        carom_dimension_is_known(&p->dimension) ? CAROM_DIMENSION_QUANTITY : CAROM_DIMENSION_FREE;
    return CAROM_OK;
}

/* The numbers among the parameters, for the compile step. */
static carom_status publish(carom_reader *r)
{
    carom_parameter_def *defs = carom_arena_alloc(r->arena, r->count + 1, sizeof *defs);
    if (!defs)
        return carom_fail_memory(r->ctx);
    for (size_t k = 0; k < r->count; k++) {
        char unit[96];
        const char *text = carom_dimension_unit(&r->dimensions[k], unit, sizeof unit);
        defs[k] = (carom_parameter_def){.name = r->names[k], .value = r->values[k]};
        if (text && !(defs[k].unit = carom_arena_text(r->arena, text)))
            return carom_fail_memory(r->ctx);
    }
    r->spec->parameters = defs;
    r->spec->parameter_count = r->count;
    return CAROM_OK;
}

carom_status carom_read_parameters(carom_reader *r, const carom_node *node)
{
    if (node)
        CAROM_TRY(list_parameters(r, node));
    for (size_t k = 0; k < r->override_count; k++)
        CAROM_TRY(apply_override(r, r->overrides[k]));
    for (; r->defined < r->parameter_count; r->defined++) {
        carom_reader_parameter *p = &r->parameters[r->defined];
        carom_status status = evaluate(r, p);
        if (status == CAROM_ERROR_MODEL && p->overridden)
            return CAROM_ERROR_USAGE;
        p->failed = status != CAROM_OK;
        CAROM_TRY_ON(r->ctx, status);
        if (!p->is_word && !p->failed) {
            r->names[r->count] = p->name;
            r->dimensions[r->count] = p->dimension;
            r->values[r->count++] = p->number;
        }
    }
    return publish(r);
}

/* ---- splines ---- */

carom_status carom_read_coordinate(carom_reader *r, const char *what, const char *name, const carom_node *node,
                                   double *out, carom_dimension *dimension)
{
    carom_dimension own, both;
    char first[96], second[96];
    CAROM_TRY(carom_read_quantity(r, node, out, &own));
    if (!carom_dimension_is_known(&own))
        return CAROM_OK;
    own.kind = CAROM_DIMENSION_QUANTITY;
    if (carom_dimension_is_known(dimension) && !carom_dimension_sum(own, *dimension, &both))
        return carom_read_fail(r, &node->place,
                               "%s '%s': '%.60s' is %s, and the same coordinate of a point before %s", what, name,
                               node->text, carom_dimension_text(&own, first, sizeof first),
                               carom_dimension_text(dimension, second, sizeof second));
    *dimension = own;
    return CAROM_OK;
}

/* The points [x, y] of a spline, x ascending. */
static carom_status read_points(carom_reader *r, const char *name, const carom_node *node, double *x, double *y,
                                carom_dimension dimension[2])
{
    size_t k = 0;
    for (const carom_node *point = node->first; point; point = point->next, k++) {
        double pair[2];
        if (point->type != CAROM_NODE_LIST || point->count != 2)
            CAROM_TRY(carom_read_vector(r, point, NULL, 2, pair));
        CAROM_TRY(carom_read_coordinate(r, "spline", name, point->first, &pair[0], &dimension[0]));
        CAROM_TRY(carom_read_coordinate(r, "spline", name, point->first->next, &pair[1], &dimension[1]));
        x[k] = pair[0];
        y[k] = pair[1];
        if (k > 0 && !(x[k] > x[k - 1]))
            return carom_read_fail(r, &point->place, "spline '%s': x must ascend, and %g follows %g", name, x[k],
                                   x[k - 1]);
    }
    return CAROM_OK;
}

/* `ends`, `slopes` and `between` of the mapping {points, ends, slopes, between}. */
static carom_status read_ends(carom_reader *r, const carom_node *node, carom_spline_def *def)
{
    static const char *const keys[] = {"points", "ends", "slopes", "between", "value", "from", "to", "copies", "file",
                                       "columns"};
    static const char *const words[] = {"natural", "clamped", "periodic"}, *const ways[] = {"smooth", "monotone"};
    char hint[CAROM_SUGGESTION];
    const carom_node *ends = carom_node_find(node, "ends"), *slopes = carom_node_find(node, "slopes");
    const carom_node *between = carom_node_find(node, "between");
    for (const carom_node *n = node->first; n; n = n->next) {
        size_t key = 0;
        while (key < CAROM_COUNT(keys) && strcmp(n->key, keys[key]) != 0)
            key++;
        if (key == CAROM_COUNT(keys))
            return carom_read_fail(r, &n->key_place,
                                   "spline '%s': unknown key '%.63s'%s; there are points, ends, slopes, between, "
                                   "value, from, to, copies, file, columns",
                                   node->key, n->key,
                                   carom_suggest(n->key, keys, CAROM_COUNT(keys), hint, sizeof hint));
    }
    if (ends) {
        size_t word = 0;
        CAROM_TRY(carom_read_text(r, ends, &def->ends));
        while (word < CAROM_COUNT(words) && strcmp(words[word], def->ends) != 0)
            word++;
        if (word == CAROM_COUNT(words))
            return carom_read_fail(r, &ends->place, "spline '%s': ends are natural, clamped or periodic, not '%.63s'%s",
                                   node->key, def->ends, carom_suggest(def->ends, words, 3, hint, sizeof hint));
    }
    if (between) {
        CAROM_TRY(carom_read_text(r, between, &def->between));
        if (strcmp(def->between, ways[0]) != 0 && strcmp(def->between, ways[1]) != 0)
            return carom_read_fail(r, &between->place,
                                   "spline '%s': between its points it is smooth or monotone, not '%.63s'%s", node->key,
                                   def->between, carom_suggest(def->between, ways, 2, hint, sizeof hint));
    }
    if (!slopes)
        return CAROM_OK;
    if (!def->ends || strcmp(def->ends, "clamped") != 0)
        return carom_read_fail(r, &slopes->key_place, "spline '%s': 'slopes' are for 'ends: clamped'", node->key);
    return carom_read_vector(r, slopes, NULL, 2, def->slopes);
}

/* `points` of a spline through points of a function: their number. */
static carom_status read_point_count(carom_reader *r, const carom_node *node, size_t *count)
{
    static const char *const needed[] = {"points", "from", "to"};
    double number;
    for (size_t k = 0; k < CAROM_COUNT(needed); k++)
        if (!carom_node_find(node, needed[k]))
            return carom_read_fail(r, &node->key_place,
                                   "spline '%s': missing key '%s'; through points of a function it is {value: f(x), "
                                   "from: a, to: b, points: n}",
                                   node->key, needed[k]);
    const carom_node *points = carom_node_find(node, "points");
    CAROM_TRY(carom_read_number(r, points, "-", &number));
    if (!(number >= 4 && number <= SPLINE_POINTS) || number != floor(number))
        return carom_read_fail(r, &points->place,
                               "spline '%s': 'points' is %g; of a function it is how many there are, 4 to %d",
                               node->key, number, SPLINE_POINTS);
    *count = (size_t)number;
    return CAROM_OK;
}

/* Points of the function `value` of x, evenly from `from` to `to`; the last of a periodic one is the first. */
static carom_status read_function(carom_reader *r, const carom_node *node, bool repeats, size_t n, double *x, double *y,
                                  carom_dimension dimension[2])
{
    const carom_node *value = carom_node_find(node, "value"), *to = carom_node_find(node, "to");
    double ends[2], largest = 0;
    CAROM_TRY(carom_read_coordinate(r, "spline", node->key, carom_node_find(node, "from"), &ends[0], &dimension[0]));
    CAROM_TRY(carom_read_coordinate(r, "spline", node->key, to, &ends[1], &dimension[0]));
    if (!(ends[1] > ends[0]))
        return carom_read_fail(r, &to->place, "spline '%s': it ends at %g and begins at %g; 'to' must be greater",
                               node->key, ends[1], ends[0]);
    if (carom_reader_parameter_find(r, "x"))
        return carom_read_fail(r, &value->key_place,
                               "spline '%s': in 'value' x is the argument; give the parameter of that name another one",
                               node->key);
    carom_names_scope former;
    CAROM_TRY(carom_reader_add_name(r, "x", dimension[0], &former));
    carom_status status = CAROM_OK;
    for (size_t k = 0; k < n && status == CAROM_OK; k++) {
        x[k] = ends[0] + (ends[1] - ends[0]) * (double)k / (double)(n - 1);
        r->values[r->count - 1] = x[k];
        status = carom_read_coordinate(r, "spline", node->key, value, &y[k], &dimension[1]);
        largest = fmax(largest, status == CAROM_OK ? fabs(y[k]) : 0);
    }
    carom_reader_remove_name(r, &former);
    CAROM_TRY(status);
    if (repeats && !(fabs(y[n - 1] - y[0]) <= 1e-9 * largest))
        return carom_read_fail(r, &value->place,
                               "spline '%s' is periodic, and its function is %g where it begins and %g where it ends",
                               node->key, y[0], y[n - 1]);
    if (repeats)
        y[n - 1] = y[0];
    return CAROM_OK;
}

/* The points of a table, x ascending. */
static carom_status read_table(carom_reader *r, const char *name, const carom_node *file, const carom_value *table,
                               const int *lines, double *x, double *y)
{
    for (size_t k = 0; k < table->count; k++) {
        x[k] = table->points[2 * k];
        y[k] = table->points[2 * k + 1];
        if (k > 0 && !(x[k] > x[k - 1]) && lines)
            return carom_read_fail(r, &file->place, "spline '%s': %s:%d: x must ascend, and %g follows %g", name,
                                   file->text, lines[k], x[k], x[k - 1]);
    }
    return CAROM_OK;
}

static carom_status read_spline(carom_reader *r, const carom_node *node, const char *name, carom_spline_def *def)
{
    *def = (carom_spline_def){.name = name, .place = node->key_place};
    const carom_node *points = node, *value = NULL, *file = NULL;
    carom_value table = {0};
    carom_dimension dimension[2] = {{.kind = CAROM_DIMENSION_FREE}, {.kind = CAROM_DIMENSION_FREE}};
    const int *lines = NULL;
    if (node->type == CAROM_NODE_MAPPING) {
        CAROM_TRY(read_ends(r, node, def));
        value = carom_node_find(node, "value");
        points = carom_node_find(node, "points");
        file = carom_node_find(node, "file");
        if (file && (points || value))
            return carom_read_fail(r, &file->key_place, "spline '%s': its points are in the file; remove '%s'",
                                   node->key, points ? "points" : "value");
        if (file)
            CAROM_TRY(carom_read_point_file(r, file, carom_node_find(node, "columns"), &table, dimension, &lines));
        if (!points && !value && !file)
            return carom_read_fail(r, &node->key_place, "spline '%s': missing key 'points'", node->key);
    }
    bool repeats = def->ends && strcmp(def->ends, "periodic") == 0;
    size_t n = 0, least = repeats ? 4 : 3;
    if (value)
        CAROM_TRY(read_point_count(r, node, &n));
    else
        n = file ? table.count : points->count;
    if (file && n < least)
        return carom_read_fail(r, &file->place, "spline '%s': the table has %zu points, and a spline at least %zu",
                               node->key, n, least);
    if (!value && !file && (points->type != CAROM_NODE_LIST || n < least))
        return carom_read_fail(r, points->type == CAROM_NODE_LIST ? &points->key_place : &points->place,
                               "spline '%s' takes a list of at least %s points [x, y]", node->key,
                               repeats ? "four" : "three");
    double *numbers = carom_arena_alloc(r->arena, 6 * n, sizeof *numbers);
    if (!numbers)
        return carom_fail_memory(r->ctx);
    double *x = numbers, *y = x + n, *y2 = y + n;
    carom_reader_spline *spline = &r->splines[r->spline_count];
    const carom_dimension any = {.kind = CAROM_DIMENSION_FREE};
    *spline = (carom_reader_spline){name, {0}, repeats, {any, any}};
    memcpy(spline->dimension, dimension, sizeof dimension);
    CAROM_TRY(value  ? read_function(r, node, repeats, n, x, y, spline->dimension)
              : file ? read_table(r, node->key, file, &table, lines, x, y)
                     : read_points(r, node->key, points, x, y, spline->dimension));
    if (repeats && y[0] != y[n - 1])
        return carom_read_fail(r, file ? &file->place : &points->last->place,
                               "spline '%s' is periodic: its last y must be the first, %g, not %g", node->key, y[0],
                               y[n - 1]);
    carom_spline_fit_ends(def->between, def->ends, def->slopes, n, x, y, y2, y2 + 2 * n, &spline->table);
    def->x = x;
    def->y = y;
    def->count = n;
    for (int k = 0; k < 2; k++) {
        char unit[96];
        const char *text = carom_dimension_unit(&spline->dimension[k], unit, sizeof unit);
        if (text && !(def->units[k] = carom_arena_text(r->arena, text)))
            return carom_fail_memory(r->ctx);
    }
    r->spline_count++;
    return CAROM_OK;
}

/* An entry with `copies`. */
static carom_status read_spline_copies(carom_reader *r, const carom_node *node, size_t count, carom_spline_def *defs)
{
    carom_names_scope former;
    carom_status status = CAROM_OK;
    CAROM_TRY(carom_copies_begin(r, &former));
    for (size_t k = 1; k <= count && status == CAROM_OK; k++) {
        const char *name = carom_copies_next(r, node->key, k);
        const carom_node *copy = node;
        status = name ? carom_copies_node(r, CAROM_OBJECT_MODEL, node, &copy) : carom_fail_memory(r->ctx);
        if (status == CAROM_OK)
            status = read_spline(r, copy, name, &defs[r->spline_count]);
    }
    return carom_copies_end(r, &former, CAROM_OBJECT_MODEL, node->key, count, status);
}

static carom_status copies_of(carom_reader *r, const carom_node *node, size_t *count)
{
    const carom_node *copies = node->type == CAROM_NODE_MAPPING ? carom_node_find(node, "copies") : NULL;
    *count = 0;
    return copies ? carom_read_copy_count(r, "spline", node, copies, count) : CAROM_OK;
}

carom_status carom_read_splines(carom_reader *r, const carom_node *node)
{
    if (node->type != CAROM_NODE_MAPPING)
        return carom_read_fail(r, &node->place, "'splines' is a mapping, `name: [[x, y], ...]`");
    size_t total = 0, copies;
    for (const carom_node *n = node->first; n; n = n->next) {
        CAROM_TRY(copies_of(r, n, &copies));
        CAROM_TRY(carom_count_entries(r, "splines", n, copies, &total));
    }
    carom_spline_def *defs = carom_arena_alloc(r->arena, total + 1, sizeof *defs);
    r->splines = carom_arena_alloc(r->arena, total + 1, sizeof *r->splines);
    if (!defs || !r->splines)
        return carom_fail_memory(r->ctx);
    for (const carom_node *n = node->first; n; n = n->next) {
        CAROM_TRY(carom_check_name(r, "spline", n->key, &n->key_place));
        if (strchr(n->key, '-'))
            return carom_read_fail(r, &n->key_place, "the name '%s' would be a subtraction in an expression; write '_'",
                                   n->key);
        CAROM_TRY(copies_of(r, n, &copies));
        CAROM_TRY(copies ? read_spline_copies(r, n, copies, defs) : read_spline(r, n, n->key, &defs[r->spline_count]));
    }
    r->spec->splines = defs;
    r->spec->spline_count = r->spline_count;
    return CAROM_OK;
}
