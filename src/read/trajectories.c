/* Trajectories: curves through via points. */
#include "read/reader.h"

#include <math.h>
#include <string.h>

static const char *const degrees[] = {"quintic", "cubic"}, *const ends[] = {"rest", "free", "periodic"};

/* One of two or three words, or an error with the nearest. */
static carom_status read_choice(carom_reader *r, const carom_node *of, const char *key, const char *const *words,
                                size_t count, const char **out)
{
    const carom_node *node = carom_node_find(of, key);
    char hint[CAROM_SUGGESTION];
    if (!node)
        return CAROM_OK;
    CAROM_TRY(carom_read_text(r, node, out));
    for (size_t k = 0; k < count; k++)
        if (strcmp(words[k], *out) == 0)
            return CAROM_OK;
    return carom_read_fail(r, &node->place, "trajectory '%s': '%s' is one of %s, %s%s%s, not '%.63s'%s", of->key, key,
                           words[0], words[1], count > 2 ? ", " : "", count > 2 ? words[2] : "", *out,
                           carom_suggest(*out, words, count, hint, sizeof hint));
}

static carom_status check_keys(carom_reader *r, const carom_node *node)
{
    static const char *const keys[] = {"through", "degree", "ends"};
    char hint[CAROM_SUGGESTION];
    for (const carom_node *n = node->first; n; n = n->next)
        if (strcmp(n->key, keys[0]) != 0 && strcmp(n->key, keys[1]) != 0 && strcmp(n->key, keys[2]) != 0)
            return carom_read_fail(r, &n->key_place,
                                   "trajectory '%s': unknown key '%.63s'%s; there are through, degree, ends", node->key,
                                   n->key, carom_suggest(n->key, keys, 3, hint, sizeof hint));
    return CAROM_OK;
}

/* The rate of a point, or the acceleration: the dimension of y over that of x, once or twice. */
static carom_status read_derivative(carom_reader *r, const char *name, const carom_node *node, int order,
                                    const carom_dimension of[2], double *out)
{
    carom_dimension own, wanted = of[1], both;
    char first[96], second[96];
    CAROM_TRY(carom_read_quantity(r, node, out, &own));
    for (int k = 0; k < order; k++)
        wanted = carom_dimension_product(wanted, of[0], -1);
    if (!carom_dimension_is_known(&own) || !carom_dimension_is_known(&of[0]) || !carom_dimension_is_known(&of[1]) ||
        carom_dimension_sum(own, wanted, &both))
        return CAROM_OK;
    return carom_read_fail(r, &node->place, "trajectory '%s': '%.60s' is %s, and the %s of a point is %s", name,
                           node->text, carom_dimension_text(&own, first, sizeof first),
                           order == 1 ? "rate" : "acceleration", carom_dimension_text(&wanted, second, sizeof second));
}

/* [x, y], [x, y, rate] or [x, y, rate, acceleration]. */
static carom_status read_point(carom_reader *r, const char *name, const carom_node *point, double *out[4],
                               carom_dimension dimension[2])
{
    if (point->type != CAROM_NODE_LIST || point->count < 2 || point->count > 4)
        return carom_read_fail(r, &point->place,
                               "trajectory '%s': a point is a list [x, y], [x, y, rate] or [x, y, rate, acceleration]",
                               name);
    const carom_node *n = point->first;
    for (size_t k = 0; k < 4; k++) {
        *out[k] = (double)NAN;
        if (k < 2)
            CAROM_TRY(carom_read_coordinate(r, "trajectory", name, n, out[k], &dimension[k]));
        else if (n)
            CAROM_TRY(read_derivative(r, name, n, (int)k - 1, dimension, out[k]));
        n = n ? n->next : NULL;
    }
    return CAROM_OK;
}

static carom_status read_via(carom_reader *r, const carom_node *points, const char *name, double *columns,
                             carom_dimension dimension[2])
{
    size_t k = 0, n = points->count;
    for (const carom_node *point = points->first; point; point = point->next, k++) {
        double *out[4] = {columns + k, columns + n + k, columns + 2 * n + k, columns + 3 * n + k};
        CAROM_TRY(read_point(r, name, point, out, dimension));
        if (k > 0 && !(columns[k] > columns[k - 1]))
            return carom_read_fail(r, &point->place, "trajectory '%s': x must ascend, and %g follows %g", name,
                                   columns[k], columns[k - 1]);
    }
    return CAROM_OK;
}

static carom_status publish(carom_reader *r, const carom_node *node, carom_trajectory_def *def, double *columns,
                            size_t n)
{
    carom_reader_trajectory *out = &r->trajectories[r->trajectory_count];
    double *work = columns + 4 * n, *coefficients = work + CAROM_TRAJECTORY_WORK * n;
    def->x = columns;
    def->y = columns + n;
    def->rates = columns + 2 * n;
    def->accelerations = columns + 3 * n;
    def->count = n;
    const carom_place *place = &node->key_place;
    const char *fault = carom_trajectory_fault(def->degree, def->ends, n, def->x, def->y, def->rates,
                                               def->accelerations);
    if (fault)
        return carom_read_fail(r, place, "trajectory '%s': %s", node->key, fault);
    const carom_via_points via = carom_trajectory_points(def->degree, def->ends, n, def->x, def->y, def->rates,
                                                         def->accelerations);
    carom_trajectory_fit(&via, coefficients, work);
    out->count = n;
    out->x = columns;
    out->coefficients = coefficients;
    out->repeats = via.ends == CAROM_ENDS_PERIODIC;
    for (int k = 0; k < 2; k++) {
        char unit[96];
        const char *text = carom_dimension_unit(&out->dimension[k], unit, sizeof unit);
        if (text && !(def->units[k] = carom_arena_text(r->arena, text)))
            return carom_fail_memory(r->ctx);
    }
    r->trajectory_count++;
    return CAROM_OK;
}

static carom_status read_trajectory(carom_reader *r, const carom_node *node, carom_trajectory_def *def)
{
    const carom_node *points = node;
    *def = (carom_trajectory_def){.name = node->key, .place = node->key_place};
    if (carom_reader_find_spline(r, node->key))
        return carom_read_fail(r, &node->key_place, "'%s' is the name of a spline already", node->key);
    if (node->type == CAROM_NODE_MAPPING) {
        CAROM_TRY(check_keys(r, node));
        CAROM_TRY(read_choice(r, node, "degree", degrees, CAROM_COUNT(degrees), &def->degree));
        CAROM_TRY(read_choice(r, node, "ends", ends, CAROM_COUNT(ends), &def->ends));
        points = carom_node_find(node, "through");
        if (!points)
            return carom_read_fail(r, &node->key_place, "trajectory '%s': missing key 'through', its via points",
                                   node->key);
    }
    if (points->type != CAROM_NODE_LIST || points->count < 2)
        return carom_read_fail(r, &points->place, "trajectory '%s' goes through a list of two points [x, y] or more",
                               node->key);
    const size_t n = points->count;
    double *columns = carom_arena_alloc(r->arena, (4 + CAROM_TRAJECTORY_WORK + 6) * n, sizeof *columns);
    if (!columns)
        return carom_fail_memory(r->ctx);
    carom_reader_trajectory *out = &r->trajectories[r->trajectory_count];
    *out = (carom_reader_trajectory){.name = node->key,
                                     .dimension = {{.kind = CAROM_DIMENSION_FREE}, {.kind = CAROM_DIMENSION_FREE}}};
    CAROM_TRY(read_via(r, points, node->key, columns, out->dimension));
    return publish(r, node, def, columns, n);
}

carom_status carom_read_trajectories(carom_reader *r, const carom_node *node)
{
    if (node->type != CAROM_NODE_MAPPING)
        return carom_read_fail(r, &node->place, "'trajectories' is a mapping, `name: [[x, y], ...]`");
    carom_trajectory_def *defs = carom_arena_alloc(r->arena, node->count + 1, sizeof *defs);
    r->trajectories = carom_arena_alloc(r->arena, node->count + 1, sizeof *r->trajectories);
    if (!defs || !r->trajectories)
        return carom_fail_memory(r->ctx);
    for (const carom_node *n = node->first; n; n = n->next) {
        CAROM_TRY(carom_check_name(r, "trajectory", n->key, &n->key_place));
        if (strchr(n->key, '-'))
            return carom_read_fail(r, &n->key_place, "the name '%s' would be a subtraction in an expression; write '_'",
                                   n->key);
        CAROM_TRY(read_trajectory(r, n, &defs[r->trajectory_count]));
    }
    r->spec->trajectories = defs;
    r->spec->trajectory_count = r->trajectory_count;
    return CAROM_OK;
}
