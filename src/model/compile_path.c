/* The path of a joint whose coordinate is a place on a curve: from points, or from expressions of a parameter. */
#include "geometry/path/path.h"
#include "kinds/joint/joint.h"
#include "model/compile.h"

#include <math.h>
#include <stdio.h>

/* The parameter of the curve in its expressions. */
static const char *const parameter[] = {"u"};
/* Parts of its range that are looked at before it is halved. */
#define PARTS 64

typedef struct expressions {
    carom_expr *of[3];
    int *switches[3];
    int count;
} expressions;

static int find_parameter(void *user, carom_context *ctx, size_t index)
{
    (void)user;
    (void)ctx;
    return (int)index;
}

static void evaluate(void *user, double u, carom_vec3 out[3])
{
    const expressions *e = user;
    const carom_jet at = {u, 1, 0};
    double d[3][3] = {{0}};
    for (int k = 0; k < e->count; k++) {
        carom_expr_set_switches(e->of[k], 0, &u, e->switches[k]);
        const carom_jet value = carom_expr_jet_of(e->of[k], 0, &at, e->switches[k]);
        d[0][k] = value.value;
        d[1][k] = value.rate;
        d[2][k] = value.acceleration;
    }
    for (int k = 0; k < 3; k++)
        out[k] = carom_v3_load(d[k]);
}

static carom_status compile_expressions(carom_compiler *c, const char *owner, const carom_value *value,
                                        expressions *out)
{
    static const carom_dimension any = {.kind = CAROM_DIMENSION_FREE};
    const carom_expr_scope kept = c->scope;
    const bool late = c->late_measures;
    const carom_wanted_unit wanted = {owner, "m", -1, false, false};
    if (carom_compile_is_taken(c, parameter[0]))
        return carom_fail(c->ctx, CAROM_ERROR_MODEL, &value->place,
                          "%s: 'u' is the parameter of the curve here, and a parameter, input or state as well; rename "
                          "that one",
                          owner);
    c->scope.measure = NULL;
    c->scope.measure_dimension = NULL;
    c->scope.time_allowed = false;
    c->scope.variables = parameter;
    c->scope.variable_dimensions = &any;
    c->scope.variable_count = 1;
    c->scope.variable = find_parameter;
    carom_status status = CAROM_OK;
    out->count = value->size;
    for (int k = 0; k < value->size && status == CAROM_OK; k++) {
        carom_value part = {.type = value->expression[k] ? CAROM_VALUE_EXPRESSION : CAROM_VALUE_NUMBER,
                            .size = 1,
                            .text = value->expression[k],
                            .number = {value->number[k]},
                            .place = value->places ? value->places[k] : value->place};
        status = carom_compile_free_expr(c, &part, &wanted, &out->of[k]);
        if (status == CAROM_OK)
            out->switches[k] = carom_arena_alloc(&c->model->arena, (size_t)carom_expr_switch_count(out->of[k]),
                                                 sizeof *out->switches[k]);
        if (status == CAROM_OK && !out->switches[k])
            status = carom_fail_memory(c->ctx);
    }
    c->scope = kept;
    c->late_measures = late;
    return status;
}

static carom_status path_of_expressions(carom_compiler *c, const char *owner, const carom_param *given, bool closed,
                                        const double *range, double **path)
{
    expressions e = {.count = 0};
    double knots[PARTS + 1], where;
    const char *refusal;
    const carom_path_source source = {
        .at = evaluate, .user = &e, .knots = knots, .knot_count = PARTS + 1, .closed = closed};
    if (!(range[0] < range[1]) || !isfinite(range[1] - range[0]))
        return carom_fail(c->ctx, CAROM_ERROR_MODEL, &given->value.place,
                          "%s: a curve of expressions needs 'range', the first and the last u, ascending: [0, 2*pi]",
                          owner);
    for (int k = 0; k <= PARTS; k++)
        knots[k] = k < PARTS ? range[0] + (range[1] - range[0]) * k / PARTS : range[1];
    CAROM_TRY(compile_expressions(c, owner, &given->value, &e));
    CAROM_TRY(carom_path_make(&c->model->arena, &source, path, &refusal, &where));
    return refusal ? carom_fail(c->ctx, CAROM_ERROR_MODEL, &given->value.place, "%s: at u = %.6g: %s", owner, where,
                                refusal)
                   : CAROM_OK;
}

static carom_status path_of_points(carom_compiler *c, const char *owner, const carom_param *given, bool closed,
                                   double **path)
{
    const carom_value *value = &given->value;
    const size_t room = CAROM_PATH_SPLINE_WORK * (value->count + 1);
    double *work = carom_allocate(c->ctx, room, sizeof *work), where = 0;
    carom_path_spline spline;
    carom_path_source source;
    size_t point = 0;
    if (!work)
        return carom_fail_memory(c->ctx);
    const char *refusal =
        carom_path_spline_make(value->points, value->count, value->size, closed, work, &spline, &source, &point);
    carom_status status = CAROM_OK;
    if (refusal)
        status = carom_fail(c->ctx, CAROM_ERROR_MODEL, &value->place, "%s: point %zu: %s", owner, point + 1, refusal);
    else {
        status = carom_path_make(&c->model->arena, &source, path, &refusal, &where);
        if (status == CAROM_OK && refusal)
            status = carom_fail(c->ctx, CAROM_ERROR_MODEL, &value->place, "%s: %s", owner, refusal);
    }
    carom_release(c->ctx, work, room, sizeof *work);
    return status;
}

carom_status carom_compile_path(carom_compiler *c, const char *owner, const carom_joint_def *def,
                                carom_model_joint *joint)
{
    const carom_kind *kind = &joint->kind->kind;
    const carom_param *points = carom_param_find(&def->params, "points");
    const carom_param *curve = carom_param_find(&def->params, "curve");
    const carom_param *range = carom_param_find(&def->params, "range");
    const double *p = joint->p, start = p[carom_kind_param_offset(kind, "start")];
    const bool closed = p[carom_kind_param_offset(kind, "closed")] > 0;
    if (!points == !curve)
        return carom_fail(c->ctx, CAROM_ERROR_MODEL, curve ? &curve->place : &def->place, "%s: %s", owner,
                          curve ? "give either 'points' or 'curve'"
                                : "it needs the curve: 'points', or 'curve' with its 'range'");
    if (points && range)
        return carom_fail(c->ctx, CAROM_ERROR_MODEL, &range->place,
                          "%s: 'range' is that of the parameter of 'curve'; remove it", owner);
    CAROM_TRY(curve
                  ? path_of_expressions(c, owner, curve, closed, p + carom_kind_param_offset(kind, "range"), &joint->p)
                  : path_of_points(c, owner, points, closed, &joint->p));
    if (!closed && (start < 0 || start > joint->p[CAROM_PATH_LENGTH]))
        return carom_fail(c->ctx, CAROM_ERROR_MODEL, &def->place, "%s: 'start' is %.6g m, and the curve is %.6g m long",
                          owner, start, joint->p[CAROM_PATH_LENGTH]);
    const carom_frame_pose i = carom_compile_start_pose(c->model, &joint->i),
                           j = carom_compile_start_pose(c->model, &joint->j);
    carom_row row;
    CAROM_KIND_CALL(joint->kind, coordinate, joint->p, &i, &j, c->model->dimension, &row);
    joint->near = isnan(start) ? row.phi : start;
    c->model->path_count++;
    return CAROM_OK;
}
