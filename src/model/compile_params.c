/* Parameters of kinds in a model: values that depend on time, splines by name. */
#include "model/compile.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

carom_status carom_compile_vector(carom_compiler *c, const char *owner, const carom_param *param, carom_vec3 *out)
{
    const carom_value *v = &param->value;
    if (v->type != CAROM_VALUE_VECTOR || v->size != c->model->dimension)
        return carom_fail(c->ctx, CAROM_ERROR_MODEL, &v->place,
                          "%s: %s must be a list of %d numbers in a model of dimension %d", owner, param->name,
                          c->model->dimension, c->model->dimension);
    for (int k = 0; k < v->size; k++)
        if (v->expression[k])
            return carom_fail(c->ctx, CAROM_ERROR_MODEL, &v->place, "%s: %s may not depend on time", owner,
                              param->name);
    *out = carom_v3(v->number[0], v->number[1], v->size > 2 ? v->number[2] : 0);
    return CAROM_OK;
}

/* Where the values of a list go that depend on time. */
typedef struct slots {
    carom_compiler *c;
    const char *owner;
    carom_param_slot *slots;
    int *count;
} slots;

static carom_status add_slot(void *user, const carom_param_row *row, int offset, const char *text,
                             const carom_place *place)
{
    slots *w = user;
    carom_param_slot *slot = &w->slots[*w->count];
    slot->offset = offset;
    slot->rate = (row->flags & CAROM_PARAM_RATE) != 0;
    char owner[160];
    snprintf(owner, sizeof owner, "%s, %s", w->owner, row->name);
    const carom_wanted_unit wanted = {owner, row->unit, -1, false, false};
    CAROM_TRY(carom_compile_expr_text(w->c, text, place, &wanted, !slot->rate, &slot->expr));
    ++*w->count;
    return CAROM_OK;
}

/* What a load takes for a curve: ascending, finite, no period. */
static carom_status check_curve(const slots *w, const carom_spline_def *spline, const carom_value *v)
{
    const char *fault = spline->count < 2 ? "needs two points or more" : NULL;
    if (spline->ends && strcmp(spline->ends, "periodic") == 0)
        fault = "is periodic; the curve of a load is natural or clamped";
    for (size_t k = 0; k < spline->count && !fault; k++)
        if (!isfinite(spline->x[k]) || !isfinite(spline->y[k]) || (k > 0 && !(spline->x[k] > spline->x[k - 1])))
            fault = "has points that do not ascend or are not finite";
    return fault ? carom_fail(w->c->ctx, CAROM_ERROR_MODEL, &v->place, "%s: spline '%s' %s", w->owner, spline->name,
                              fault)
                 : CAROM_OK;
}

/* The name of a spline becomes 1 + its index. */
static carom_status find_spline(void *user, const carom_value *v, double *out)
{
    const slots *w = user;
    const carom_spec *s = w->c->spec;
    const char *name = v->type == CAROM_VALUE_TEXT || v->type == CAROM_VALUE_EXPRESSION ? v->text : "";
    for (size_t k = 0; k < s->spline_count; k++) {
        w->c->names[k] = s->splines[k].name;
        if (strcmp(s->splines[k].name, name) == 0) {
            *out = 1 + (double)k;
            return check_curve(w, &s->splines[k], v);
        }
    }
    return carom_compile_unknown(w->c, &v->place, w->owner, "spline", name, s->spline_count);
}

carom_status carom_compile_params(carom_compiler *c, const char *owner, const carom_kind *kind,
                                  const carom_param_list *list, const carom_place *place, double **out,
                                  carom_param_slot **slots_out, int *slot_count)
{
    slots w = {.c = c, .owner = owner, .count = slot_count};
    const carom_param_reader reader = {.ctx = c->ctx,
                                       .arena = &c->model->arena,
                                       .owner = owner,
                                       .dimension = c->model->dimension,
                                       .timed = slots_out ? add_slot : NULL,
                                       .spline = find_spline,
                                       .user = &w};
    if (slots_out) {
        *slots_out = w.slots =
            carom_arena_alloc(&c->model->arena, (size_t)carom_kind_param_size(kind), sizeof *w.slots);
        if (!w.slots)
            return carom_fail_memory(c->ctx);
    }
    return carom_params_read(&reader, kind, list, false, place, out);
}
