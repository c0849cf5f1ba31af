/* Parameters of kinds: from the list of a definition to the compiled array, with ranges. */
#include "kinds/parameters.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

const carom_param *carom_param_find(const carom_param_list *list, const char *name)
{
    for (size_t k = 0; k < list->count; k++)
        if (strcmp(list->items[k].name, name) == 0)
            return &list->items[k];
    return NULL;
}

carom_status carom_kind_require(carom_context *ctx, const carom_place *place, const char *owner, carom_family family,
                                const char *name, const carom_kind **out)
{
    const bool given = name && name[0];
    *out = given ? carom_kind_find(ctx, family, name) : NULL;
    if (*out)
        return CAROM_OK;
    size_t count;
    const char *const *names = carom_kind_names(ctx, family, &count);
    const char *nearest = given ? carom_nearest_name(name, names, count) : NULL;
    if (!given)
        return carom_fail(ctx, CAROM_ERROR_MODEL, place, "%s: %s kind is missing", owner, carom_family_name(family));
    return carom_fail(ctx, CAROM_ERROR_MODEL, place, nearest ? "%s: no %s '%s'; did you mean '%s'?"
                                                             : "%s: no %s '%s'; `carom list %ss` names them",
                      owner, carom_family_name(family), name, nearest ? nearest : carom_family_name(family));
}

/* ---- values ---- */

carom_value carom_value_number(double number)
{
    return (carom_value){.type = CAROM_VALUE_NUMBER, .size = 1, .number = {number}};
}

carom_value carom_value_vector(int size, const double *numbers)
{
    carom_value value = {.type = CAROM_VALUE_VECTOR, .size = size < CAROM_VALUE_SIZE ? size : CAROM_VALUE_SIZE};
    for (int k = 0; k < value.size; k++)
        value.number[k] = numbers[k];
    return value;
}

carom_value carom_value_expression(const char *text)
{
    return (carom_value){.type = CAROM_VALUE_EXPRESSION, .size = 1, .text = text};
}

carom_value carom_value_text(const char *text) { return (carom_value){.type = CAROM_VALUE_TEXT, .text = text}; }

/* ---- arrays ---- */

const char *carom_param_range_text(const carom_param_row *row, char text[96])
{
    int n = isfinite(row->low)
                ? snprintf(text, 96, "%s %.6g", row->flags & CAROM_PARAM_ABOVE ? "above" : "at least", row->low)
                : 0;
    if (isfinite(row->high))
        snprintf(text + n, 96 - (size_t)n, "%s%s %.6g", n ? " and " : "",
                 row->flags & CAROM_PARAM_BELOW ? "below" : "at most", row->high);
    else if (n == 0)
        snprintf(text, 96, "finite");
    return text;
}

/* One number against the range of its row. */
static carom_status check_range(const carom_param_reader *r, const carom_param_row *row, double x,
                                const carom_place *place)
{
    bool low = row->flags & CAROM_PARAM_ABOVE ? x > row->low : x >= row->low;
    bool high = row->flags & CAROM_PARAM_BELOW ? x < row->high : x <= row->high;
    if (!isfinite(x))
        return carom_fail(r->ctx, CAROM_ERROR_MODEL, place, "%s: %s is not a finite number", r->owner, row->name);
    if (low && high)
        return CAROM_OK;
    char range[96];
    return carom_fail(r->ctx, CAROM_ERROR_MODEL, place, "%s: %s is %.6g; it must be %s", r->owner, row->name, x,
                      carom_param_range_text(row, range));
}

typedef struct filler {
    const carom_param_reader *r;
    double *p;
} filler;

static carom_status add_timed(const filler *f, const carom_param_row *row, int offset, const char *text,
                              const carom_place *place)
{
    if (!(row->flags & CAROM_PARAM_TIME) || !f->r->timed)
        return carom_fail(f->r->ctx, CAROM_ERROR_MODEL, place, "%s: %s may not depend on time", f->r->owner, row->name);
    return f->r->timed(f->r->user, row, offset, text, place);
}

static carom_status fill_number(const filler *f, const carom_param_row *row, int offset, const carom_value *v)
{
    if (v->type == CAROM_VALUE_EXPRESSION)
        return add_timed(f, row, offset, v->text, &v->place);
    if (v->type != CAROM_VALUE_NUMBER)
        return carom_fail(f->r->ctx, CAROM_ERROR_MODEL, &v->place, "%s: %s must be a number", f->r->owner, row->name);
    CAROM_TRY(check_range(f->r, row, v->number[0], &v->place));
    if ((row->flags & CAROM_PARAM_NONZERO) && v->number[0] == 0)
        return carom_fail(f->r->ctx, CAROM_ERROR_MODEL, &v->place, "%s: %s must not be zero", f->r->owner, row->name);
    f->p[offset] = v->number[0];
    return CAROM_OK;
}

carom_status carom_param_number(const carom_param_reader *r, const carom_param_row *row, const carom_value *value,
                                double *out)
{
    const filler f = {r, out};
    return fill_number(&f, row, 0, value);
}

static carom_status fill_vector(const filler *f, const carom_param_row *row, int offset, const carom_value *v)
{
    int dimension = f->r->dimension;
    if (row->size == 3 && dimension == 2 && (row->flags & CAROM_PARAM_AXIAL)) {
        f->p[offset] = f->p[offset + 1] = 0;
        return fill_number(f, row, offset + 2, v);
    }
    int expected = row->size == 3 ? dimension : row->size;
    if (row->flags & CAROM_PARAM_UP_TO && v->type == CAROM_VALUE_VECTOR && v->size < expected)
        expected = v->size;
    if (v->type != CAROM_VALUE_VECTOR || v->size != expected)
        return carom_fail(f->r->ctx, CAROM_ERROR_MODEL, &v->place, "%s: %s must be a list of %d numbers%s", f->r->owner,
                          row->name, expected,
                          row->size == 3 ? dimension == 2 ? " in a planar model" : " in space" : "");
    double sum = 0;
    bool timed = false;
    for (int k = 0; k < row->size; k++) {
        f->p[offset + k] = k < v->size ? v->number[k] : 0;
        if (k < v->size && v->expression[k]) {
            CAROM_TRY(add_timed(f, row, offset + k, v->expression[k], &v->place));
            timed = true;
        } else {
            CAROM_TRY(check_range(f->r, row, f->p[offset + k], &v->place));
            sum += fabs(f->p[offset + k]);
        }
    }
    if ((row->flags & CAROM_PARAM_NONZERO) && !timed && sum == 0)
        return carom_fail(f->r->ctx, CAROM_ERROR_MODEL, &v->place, "%s: %s must not be the zero vector", f->r->owner,
                          row->name);
    return CAROM_OK;
}

/* A word out of those that the row's unit lists ("world|body") becomes its index; the name of a frame, where the row
   takes one, their number. */
static carom_status fill_choice(const filler *f, const carom_param_row *row, int offset, const carom_value *v)
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
    return carom_fail(f->r->ctx, CAROM_ERROR_MODEL, &v->place, "%s: %s must be one of: %s", f->r->owner, row->name,
                      row->unit);
}

/* Lists are read where they are used: here only that they are there. */
static carom_status check_list(const carom_param_reader *r, const carom_param_row *row, const carom_value *v)
{
    const bool points = row->flags & CAROM_PARAM_POINTS;
    if (row->flags & CAROM_PARAM_TABLE) {
        const bool corners = row->flags & (CAROM_PARAM_CORNERS | CAROM_PARAM_MESH | CAROM_PARAM_TRIANGLES);
        return v->type == CAROM_VALUE_TABLE && (!corners || v->size == r->dimension) && v->count > 0
                   ? CAROM_OK
                   : carom_fail(r->ctx, CAROM_ERROR_MODEL, &v->place, "%s: %s must be a table of %s", r->owner,
                                row->name, corners ? r->dimension == 3 ? "points in space" : "points" : "heights");
    }
    if (row->flags & CAROM_PARAM_CURVE)
        return v->type == CAROM_VALUE_VECTOR && v->size == r->dimension
                   ? CAROM_OK
                   : carom_fail(r->ctx, CAROM_ERROR_MODEL, &v->place, "%s: %s must be a list of %d expressions",
                                r->owner, row->name, r->dimension);
    if (v->type == (points ? CAROM_VALUE_POINTS : CAROM_VALUE_OUTLINE) && v->count > 0)
        return CAROM_OK;
    return carom_fail(r->ctx, CAROM_ERROR_MODEL, &v->place, "%s: %s must be a list of %s", r->owner, row->name,
                      points ? "points" : "segments: line, arc, polynomial or spline");
}

static carom_status refuse_unknown(const carom_param_reader *r, const carom_kind *kind, const carom_param_list *list)
{
    for (size_t k = 0; k < list->count; k++) {
        const carom_param *param = &list->items[k];
        if (carom_kind_param_offset(kind, param->name) >= 0)
            continue;
        const char *names[32];
        size_t count = 0;
        for (int i = 0; i < kind->param_count && count < CAROM_COUNT(names); i++)
            names[count++] = kind->params[i].name;
        const char *nearest = carom_nearest_name(param->name, names, count);
        return carom_fail(r->ctx, CAROM_ERROR_MODEL, &param->place,
                          nearest ? "%s: %s takes no '%s'; did you mean '%s'?"
                                  : "%s: %s takes no '%s'; `carom explain %s` lists its parameters",
                          r->owner, kind->name, param->name, nearest ? nearest : kind->name);
    }
    return CAROM_OK;
}

/* A parameter that is given. */
static carom_status fill(const filler *f, const carom_param_row *row, int offset, const carom_value *v)
{
    if (row->flags & CAROM_PARAM_LIST)
        return check_list(f->r, row, v);
    if (row->flags & CAROM_PARAM_SPLINE)
        return f->r->spline ? f->r->spline(f->r->user, v, &f->p[offset])
                            : carom_fail(f->r->ctx, CAROM_ERROR_MODEL, &v->place, "%s: %s takes no spline here",
                                         f->r->owner, row->name);
    if (row->flags & CAROM_PARAM_TEXT)
        return fill_choice(f, row, offset, v);
    return row->size == 1 ? fill_number(f, row, offset, v) : fill_vector(f, row, offset, v);
}

carom_status carom_params_read(const carom_param_reader *r, const carom_kind *kind, const carom_param_list *list,
                               bool others, const carom_place *place, double **out)
{
    if (!others)
        CAROM_TRY(refuse_unknown(r, kind, list));
    *out = carom_arena_alloc(r->arena, (size_t)carom_kind_param_size(kind), sizeof **out);
    if (!*out)
        return carom_fail_memory(r->ctx);
    filler f = {r, *out};
    int offset = 0;
    for (int k = 0; k < kind->param_count; k++) {
        const carom_param_row *row = &kind->params[k];
        const carom_param *param = carom_param_find(list, row->name);
        if (param)
            CAROM_TRY(fill(&f, row, offset, &param->value));
        else if (row->flags & CAROM_PARAM_REQUIRED)
            return carom_fail(r->ctx, CAROM_ERROR_MODEL, place, "%s: %s needs '%s': %s [%s]", r->owner, kind->name,
                              row->name, row->description, row->unit);
        else
            for (int i = 0; i < row->size; i++)
                f.p[offset + i] = row->flags & CAROM_PARAM_OPTIONAL ? (double)NAN : row->default_value;
        offset += row->size;
    }
    return CAROM_OK;
}
