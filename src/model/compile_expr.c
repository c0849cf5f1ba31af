/* Expressions of the model: what they may name, and how they are added. */
#include "model/compile.h"

#include <stdio.h>
#include <string.h>

/* ---- splines and trajectories ---- */

static bool find_trajectory(void *user, const char *name, size_t *n, const double **x, const double **coefficients,
                            bool *repeats)
{
    const carom_compiler *c = user;
    for (size_t k = 0; k < c->spec->trajectory_count; k++) {
        const carom_trajectory_def *s = &c->spec->trajectories[k];
        if (strcmp(s->name, name) != 0)
            continue;
        *n = s->count;
        *x = c->trajectories[k];
        *coefficients = *x + s->count;
        *repeats = s->ends && strcmp(s->ends, "periodic") == 0;
        return true;
    }
    return false;
}

/* That of a quantity with a unit, or free. */
static carom_dimension known_dimension(const char *unit)
{
    carom_dimension out = carom_unit_dimension(unit, CAROM_UNIT_ANY);
    if (out.kind == CAROM_DIMENSION_VARIABLE)
        out.kind = CAROM_DIMENSION_QUANTITY;
    return out;
}

static bool find_spline(void *user, const char *name, carom_edges *out)
{
    const carom_compiler *c = user;
    for (size_t k = 0; k < c->spec->spline_count; k++) {
        const carom_spline_def *s = &c->spec->splines[k];
        if (strcmp(s->name, name) != 0)
            continue;
        *out = c->model->curves[k].spline;
        return true;
    }
    return false;
}

static bool spline_repeats(void *user, const char *name)
{
    const carom_compiler *c = user;
    for (size_t k = 0; k < c->spec->spline_count; k++)
        if (strcmp(c->spec->splines[k].name, name) == 0)
            return c->spec->splines[k].ends && strcmp(c->spec->splines[k].ends, "periodic") == 0;
    return false;
}

static bool spline_dimensions(void *user, const char *name, carom_dimension out[2])
{
    const carom_compiler *c = user;
    for (size_t k = 0; k < c->spec->spline_count; k++)
        if (strcmp(c->spec->splines[k].name, name) == 0) {
            for (int n = 0; n < 2; n++)
                out[n] = known_dimension(c->spec->splines[k].units[n]);
            return true;
        }
    for (size_t k = 0; k < c->spec->trajectory_count; k++)
        if (strcmp(c->spec->trajectories[k].name, name) == 0) {
            for (int n = 0; n < 2; n++)
                out[n] = known_dimension(c->spec->trajectories[k].units[n]);
            return true;
        }
    return false;
}

/* ---- the scope ---- */

carom_status carom_compile_scope(carom_compiler *c)
{
    const carom_spec *s = c->spec;
    carom_model *m = c->model;
    const char **parameter_names = carom_arena_alloc(&m->arena, s->parameter_count, sizeof *parameter_names);
    double *parameter_values = carom_arena_alloc(&m->arena, s->parameter_count, sizeof *parameter_values);
    const char **variables = carom_arena_alloc(&m->arena, s->input_count + s->state_count, sizeof *variables);
    carom_dimension *dimensions =
        carom_arena_alloc(&m->arena, s->parameter_count + s->input_count + s->state_count, sizeof *dimensions);
    if (!parameter_names || !parameter_values || !variables || !dimensions)
        return carom_fail_memory(c->ctx);
    carom_dimension *variable_dimensions = dimensions + s->parameter_count;
    for (size_t k = 0; k < s->input_count; k++) {
        variables[k] = s->inputs[k].name;
        variable_dimensions[k] = carom_unit_dimension(s->inputs[k].unit, CAROM_UNIT_ANY);
    }
    for (size_t k = 0; k < s->state_count; k++) {
        variables[s->input_count + k] = s->states[k].name;
        variable_dimensions[s->input_count + k] = carom_unit_dimension(s->states[k].unit, CAROM_UNIT_ANY);
    }
    for (size_t k = 0; k < s->parameter_count; k++) {
        dimensions[k] = known_dimension(s->parameters[k].unit);
        parameter_names[k] = s->parameters[k].name;
        parameter_values[k] = s->parameters[k].value;
    }
    c->scope = (carom_expr_scope){.names = parameter_names,
                                  .values = parameter_values,
                                  .count = s->parameter_count,
                                  .time_allowed = true,
                                  .measure = carom_compile_measure,
                                  .variables = variables,
                                  .variable_count = s->input_count + s->state_count,
                                  .variable = carom_compile_variable,
                                  .dimensions = dimensions,
                                  .variable_dimensions = variable_dimensions,
                                  .measure_dimension = carom_compile_measure_dimension,
                                  .spline = find_spline,
                                  .spline_repeats = spline_repeats,
                                  .trajectory = find_trajectory,
                                  .spline_dimensions = spline_dimensions,
                                  .functions = s->functions,
                                  .function_count = s->function_count,
                                  .user = c};
    return CAROM_OK;
}

bool carom_compile_is_taken(const carom_compiler *c, const char *name)
{
    bool taken = false;
    for (size_t n = 0; n < c->scope.count; n++)
        taken = taken || strcmp(c->scope.names[n], name) == 0;
    for (size_t n = 0; n < c->scope.variable_count; n++)
        taken = taken || strcmp(c->scope.variables[n], name) == 0;
    return taken;
}

/* ---- expressions ---- */

/* Refuses an expression whose dimension is not that of the unit. */
static carom_status check_unit(carom_compiler *c, const carom_expr *expr, const char *text, const carom_place *place,
                               const carom_wanted_unit *wanted)
{
    char needed[160], given[160];
    carom_unit_scope scope = CAROM_UNIT_ANY;
    carom_dimension d = carom_expr_dimension(expr);
    if (!wanted || !wanted->unit)
        return CAROM_OK;
    scope.alternative = wanted->alternative;
    if (wanted->strict && d.kind == CAROM_DIMENSION_VARIABLE)
        d.kind = CAROM_DIMENSION_QUANTITY;
    if (wanted->per_second && carom_dimension_is_known(&d))
        d.e[CAROM_TIME] += 1;
    if (carom_unit_fits(wanted->unit, scope, &d))
        return CAROM_OK;
    if (wanted->per_second)
        d.e[CAROM_TIME] -= 1;
    return carom_fail(c->ctx, CAROM_ERROR_MODEL, place, "%s: %s%s is needed here, and '%.60s' is %s%s", wanted->owner,
                      carom_unit_text(wanted->unit, scope, needed, sizeof needed),
                      wanted->per_second ? " per second" : "", text,
                      carom_dimension_text(&d, given, sizeof given),
                      carom_unit_is_scaled(wanted->unit) ? "; nothing is converted, so divide by the unit" : "");
}

carom_status carom_compile_expr_text(carom_compiler *c, const char *text, const carom_place *place,
                                     const carom_wanted_unit *unit, bool measures_allowed, int *out)
{
    carom_model *m = c->model;
    carom_expr_scope scope = c->scope;
    if (!measures_allowed) {
        scope.measure = NULL;
        scope.variable = carom_compile_moving_variable;
    }
    CAROM_TRY(carom_compile_place(c, *place, &c->text_place));
    carom_model_expr e = {.first_switch = m->switch_count, .first_root = m->root_count, .place = c->text_place};
    CAROM_TRY(carom_expr_compile(&m->arena, &scope, text, place, &e.expr));
    CAROM_TRY(check_unit(c, e.expr, text, place, unit));
    e.uses_measures = carom_expr_uses_measures(e.expr);
    CAROM_TRY(carom_grow(c->ctx, &m->exprs, &m->expr_capacity, (size_t)m->expr_count + 1, sizeof *m->exprs));
    m->switch_count += carom_expr_switch_count(e.expr);
    m->root_count += carom_expr_root_count(e.expr);
    *out = m->expr_count;
    m->exprs[m->expr_count++] = e;
    return CAROM_OK;
}

carom_status carom_compile_expr(carom_compiler *c, const carom_value *value, const carom_wanted_unit *unit,
                                bool measures_allowed, int *out)
{
    char number[40];
    snprintf(number, sizeof number, "%.17g", value->number[0]);
    return carom_compile_expr_text(c, value->type == CAROM_VALUE_NUMBER ? number : value->text, &value->place, unit,
                                   measures_allowed, out);
}

carom_status carom_compile_free_expr(carom_compiler *c, const carom_value *value, const carom_wanted_unit *unit,
                                     carom_expr **out)
{
    carom_model *m = c->model;
    char number[40];
    snprintf(number, sizeof number, "%.17g", value->number[0]);
    c->late_measures = true;
    CAROM_TRY(carom_expr_compile(&m->arena, &c->scope, value->type == CAROM_VALUE_NUMBER ? number : value->text,
                                 &value->place, out));
    CAROM_TRY(check_unit(c, *out, value->type == CAROM_VALUE_NUMBER ? number : value->text, &value->place, unit));
    const int switches = carom_expr_switch_count(*out);
    m->free_switch_count = switches > m->free_switch_count ? switches : m->free_switch_count;
    return CAROM_OK;
}
