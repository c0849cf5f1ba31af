/* Parameters of kinds: from the list of the spec to the compiled array, with ranges. */
#include "model/compile.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

const carom_param *carom_compile_param(const carom_param_list *list, const char *name)
{
    for (size_t k = 0; k < list->count; k++)
        if (strcmp(list->items[k].name, name) == 0)
            return &list->items[k];
    return NULL;
}

/* One number against the range of its row. */
static carom_status check_range(carom_compiler *c, const char *owner, const carom_param_row *row, double x,
                                const carom_place *place)
{
    bool low = row->flags & CAROM_PARAM_ABOVE ? x > row->low : x >= row->low;
    bool high = row->flags & CAROM_PARAM_BELOW ? x < row->high : x <= row->high;
    if (!isfinite(x))
        return carom_fail(c->ctx, CAROM_ERROR_MODEL, place, "%s: %s is not a finite number", owner, row->name);
    if (low && high)
        return CAROM_OK;
    char range[96];
    int n = isfinite(row->low) ? snprintf(range, sizeof range, "%s %.6g",
                                          row->flags & CAROM_PARAM_ABOVE ? "above" : "at least", row->low)
                               : 0;
    if (isfinite(row->high))
        snprintf(range + n, sizeof range - (size_t)n, "%s%s %.6g", n ? " and " : "",
                 row->flags & CAROM_PARAM_BELOW ? "below" : "at most", row->high);
    return carom_fail(c->ctx, CAROM_ERROR_MODEL, place, "%s: %s is %.6g; it must be %s", owner, row->name, x, range);
}

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

typedef struct filler {
    carom_compiler *c;
    const char *owner;
    double *p;
    carom_param_slot *slots;    /* NULL: time-dependent values are refused */
    int *slot_count;
} filler;

static carom_status add_slot(filler *f, const carom_param_row *row, int offset, const char *text,
                             const carom_place *place)
{
    if (!(row->flags & CAROM_PARAM_TIME) || !f->slots)
        return carom_fail(f->c->ctx, CAROM_ERROR_MODEL, place, "%s: %s may not depend on time", f->owner, row->name);
    carom_param_slot *slot = &f->slots[*f->slot_count];
    slot->offset = offset;
    slot->rate = (row->flags & CAROM_PARAM_RATE) != 0;
    CAROM_TRY(carom_compile_expr_text(f->c, text, place, !slot->rate, &slot->expr));
    ++*f->slot_count;
    return CAROM_OK;
}

static carom_status fill_number(filler *f, const carom_param_row *row, int offset, const carom_value *v)
{
    if (v->type == CAROM_VALUE_EXPRESSION)
        return add_slot(f, row, offset, v->text, &v->place);
    if (v->type != CAROM_VALUE_NUMBER)
        return carom_fail(f->c->ctx, CAROM_ERROR_MODEL, &v->place, "%s: %s must be a number", f->owner, row->name);
    CAROM_TRY(check_range(f->c, f->owner, row, v->number[0], &v->place));
    if ((row->flags & CAROM_PARAM_NONZERO) && v->number[0] == 0)
        return carom_fail(f->c->ctx, CAROM_ERROR_MODEL, &v->place, "%s: %s must not be zero", f->owner, row->name);
    f->p[offset] = v->number[0];
    return CAROM_OK;
}

carom_status carom_compile_number(carom_compiler *c, const char *owner, const carom_param_row *row,
                                  const carom_value *value, double *out)
{
    filler f = {.c = c, .owner = owner, .p = out};
    return fill_number(&f, row, 0, value);
}

static carom_status fill_vector(filler *f, const carom_param_row *row, int offset, const carom_value *v)
{
    int dimension = f->c->model->dimension;
    if (row->size == 3 && dimension == 2 && (row->flags & CAROM_PARAM_AXIAL)) {
        f->p[offset] = f->p[offset + 1] = 0;
        return fill_number(f, row, offset + 2, v);
    }
    int expected = row->size == 3 ? dimension : row->size;
    if (v->type != CAROM_VALUE_VECTOR || v->size != expected)
        return carom_fail(f->c->ctx, CAROM_ERROR_MODEL, &v->place, "%s: %s must be a list of %d numbers%s", f->owner,
                          row->name, expected,
                          row->size == 3 ? dimension == 2 ? " in a planar model" : " in space" : "");
    double sum = 0;
    bool timed = false;
    for (int k = 0; k < row->size; k++) {
        f->p[offset + k] = k < v->size ? v->number[k] : 0;
        if (k < v->size && v->expression[k]) {
            CAROM_TRY(add_slot(f, row, offset + k, v->expression[k], &v->place));
            timed = true;
        } else {
            CAROM_TRY(check_range(f->c, f->owner, row, f->p[offset + k], &v->place));
            sum += fabs(f->p[offset + k]);
        }
    }
    if ((row->flags & CAROM_PARAM_NONZERO) && !timed && sum == 0)
        return carom_fail(f->c->ctx, CAROM_ERROR_MODEL, &v->place, "%s: %s must not be the zero vector", f->owner,
                          row->name);
    return CAROM_OK;
}

/* What a load takes for a curve: ascending, finite, no period. */
static carom_status check_curve(filler *f, const carom_spline_def *spline, const carom_value *v)
{
    const char *fault = spline->count < 2 ? "needs two points or more" : NULL;
    if (spline->ends && strcmp(spline->ends, "periodic") == 0)
        fault = "is periodic; the curve of a load is natural or clamped";
    for (size_t k = 0; k < spline->count && !fault; k++)
        if (!isfinite(spline->x[k]) || !isfinite(spline->y[k]) || (k > 0 && !(spline->x[k] > spline->x[k - 1])))
            fault = "has points that do not ascend or are not finite";
    return fault ? carom_fail(f->c->ctx, CAROM_ERROR_MODEL, &v->place, "%s: spline '%s' %s", f->owner, spline->name,
                              fault)
                 : CAROM_OK;
}

/* The name of a spline becomes 1 + its index. */
static carom_status fill_spline(filler *f, int offset, const carom_value *v)
{
    const carom_spec *s = f->c->spec;
    const char *name = v->type == CAROM_VALUE_TEXT || v->type == CAROM_VALUE_EXPRESSION ? v->text : "";
    for (size_t k = 0; k < s->spline_count; k++) {
        f->c->names[k] = s->splines[k].name;
        if (strcmp(s->splines[k].name, name) == 0) {
            f->p[offset] = 1 + (double)k;
            return check_curve(f, &s->splines[k], v);
        }
    }
    return carom_compile_unknown(f->c, &v->place, f->owner, "spline", name, s->spline_count);
}

/* A word out of those that the row's unit lists ("world|body") becomes its index; the name of a frame, where the row
   takes one, their number. */
static carom_status fill_choice(filler *f, const carom_param_row *row, int offset, const carom_value *v)
{
    const char *word = v->type == CAROM_VALUE_TEXT || v->type == CAROM_VALUE_EXPRESSION ? v->text : NULL;
    int index = 0;
    for (const char *at = row->unit; word && *at; index++) {
        size_t length = strcspn(at, "|");
        if (strlen(word) == length && strncmp(word, at, length) == 0) {
            f->p[offset] = index;
            return CAROM_OK;
        }
        at += length + (at[length] == '|');
    }
    f->p[offset] = index;
    if (word && (row->flags & CAROM_PARAM_FRAME))
        return CAROM_OK;
    return carom_fail(f->c->ctx, CAROM_ERROR_MODEL, &v->place, "%s: %s must be one of: %s", f->owner, row->name,
                      row->unit);
}

/* Lists are read where they are used: here only that they are there. */
static carom_status check_list(carom_compiler *c, const char *owner, const carom_param_row *row, const carom_value *v)
{
    const bool points = row->flags & CAROM_PARAM_POINTS;
    if (v->type == (points ? CAROM_VALUE_POINTS : CAROM_VALUE_OUTLINE) && v->count > 0)
        return CAROM_OK;
    return carom_fail(c->ctx, CAROM_ERROR_MODEL, &v->place, "%s: %s must be a list of %s", owner, row->name,
                      points ? "points" : "pieces: line, arc, polynomial or spline");
}

static carom_status refuse_unknown(carom_compiler *c, const char *owner, const carom_kind *kind,
                                   const carom_param_list *list)
{
    for (size_t k = 0; k < list->count; k++) {
        const carom_param *param = &list->items[k];
        if (carom_kind_param_offset(kind, param->name) >= 0)
            continue;
        const char *names[32];
        size_t count = 0;
        for (int r = 0; r < kind->param_count && count < CAROM_COUNT(names); r++)
            names[count++] = kind->params[r].name;
        const char *nearest = carom_nearest_name(param->name, names, count);
        return carom_fail(c->ctx, CAROM_ERROR_MODEL, &param->place,
                          nearest ? "%s: %s takes no '%s'; did you mean '%s'?"
                                  : "%s: %s takes no '%s'; `carom explain %s` lists its parameters",
                          owner, kind->name, param->name, nearest ? nearest : kind->name);
    }
    return CAROM_OK;
}

carom_status carom_compile_params(carom_compiler *c, const char *owner, const carom_kind *kind,
                                  const carom_param_list *list, bool others, const carom_place *place, double **out,
                                  carom_param_slot **slots, int *slot_count)
{
    if (!others)
        CAROM_TRY(refuse_unknown(c, owner, kind, list));
    size_t size = (size_t)carom_kind_param_size(kind);
    *out = carom_arena_alloc(&c->model->arena, size, sizeof **out);
    if (slots)
        *slots = carom_arena_alloc(&c->model->arena, size, sizeof **slots);
    if (!*out || (slots && !*slots))
        return carom_fail_memory(c->ctx);
    filler f = {c, owner, *out, slots ? *slots : NULL, slot_count};
    int offset = 0;
    for (int r = 0; r < kind->param_count; r++) {
        const carom_param_row *row = &kind->params[r];
        const carom_param *param = carom_compile_param(list, row->name);
        if (param && (row->flags & (CAROM_PARAM_POINTS | CAROM_PARAM_OUTLINE)))
            CAROM_TRY(check_list(c, owner, row, &param->value));
        else if (param && (row->flags & CAROM_PARAM_SPLINE))
            CAROM_TRY(fill_spline(&f, offset, &param->value));
        else if (param && (row->flags & CAROM_PARAM_TEXT))
            CAROM_TRY(fill_choice(&f, row, offset, &param->value));
        else if (param)
            CAROM_TRY(row->size == 1 ? fill_number(&f, row, offset, &param->value)
                                     : fill_vector(&f, row, offset, &param->value));
        else if (row->flags & CAROM_PARAM_REQUIRED)
            return carom_fail(c->ctx, CAROM_ERROR_MODEL, place, "%s: %s needs '%s': %s [%s]", owner, kind->name,
                              row->name, row->sentence, row->unit);
        else
            for (int k = 0; k < row->size; k++)
                f.p[offset + k] = row->flags & CAROM_PARAM_OPTIONAL ? (double)NAN : row->fallback;
        offset += row->size;
    }
    return CAROM_OK;
}
