/* Columns of records, and the standard deviations of what they hold. */
#include "fit/fit.h"

#include <math.h>
#include <stdio.h>

#include "read/csv.h"

/* Least value, as a share of the largest, that a relative deviation is taken of. */
#define LEAST_SHARE 0.01

/* ---- columns ---- */

/* Place of a row in the file of a record. */
static carom_place row_place(const carom_record *r, size_t row)
{
    return (carom_place){r->file, r->table.lines ? r->table.lines[row] : (int)row + 1, 1};
}

/* A unit of the study beside another one of the heading: one of them is wrong. A heading that is no unit is told of. */
static carom_status check_heading(carom_fit *f, const carom_record *r, const carom_place *place,
                                  const carom_table_column *column, const char *unit)
{
    carom_context *ctx = f->arena.ctx;
    double factor, its;
    carom_dimension d, of, sum;
    if (!unit || !column->unit[0] || strcmp(unit, column->unit) == 0)
        return CAROM_OK;
    CAROM_TRY(carom_csv_unit(ctx, place, column->name, unit, &factor, &d));
    const carom_status status = carom_csv_unit(ctx, place, column->name, column->unit, &its, &of);
    if (status == CAROM_ERROR_MODEL)
        return carom_fit_note(f,
                              "%s: the heading of column '%s' has '%s', which is no unit; its numbers are taken in %s",
                              r->name, column->name, column->unit, unit);
    if (status != CAROM_OK || (fabs(factor / its - 1) <= 1e-12 && carom_dimension_sum(d, of, &sum)))
        return status;
    return carom_study_fail(ctx, place,
                            "column '%.60s' of '%s' is in %.40s by its heading, and in %.40s here: write `%.60s` "
                            "alone, or mend the heading",
                            column->name, r->name, column->unit, unit, column->name);
}

carom_status carom_fit_take_column(carom_fit *f, const carom_record *r, const carom_place *place, const char *text,
                                   const carom_table_column **column, const char **unit, double *factor,
                                   carom_dimension *dimension)
{
    carom_context *ctx = f->arena.ctx;
    const char *name;
    CAROM_TRY(carom_fit_split_unit(&f->arena, text, &name, unit));
    const size_t index = carom_table_find(&r->table, name);
    *column = index < r->table.column_count ? &r->table.columns[index] : NULL;
    if (!*column) {
        const char **names = carom_arena_alloc(&f->arena, r->table.column_count + 1, sizeof *names);
        carom_text known = {.ctx = ctx};
        if (!names)
            return carom_fail_memory(ctx);
        for (size_t k = 0; k < r->table.column_count; k++) {
            names[k] = r->table.columns[k].name;
            if (k < 12)
                carom_text_append(&known, "%s%.40s", k ? ", " : "", names[k]);
        }
        const char *nearest = carom_nearest_name(name, names, r->table.column_count);
        const carom_status status =
            carom_study_fail(ctx, place, "'%s' has no column '%.60s'%s%s%s; there are %s", r->name, name,
                             nearest ? "; did you mean '" : "", nearest ? nearest : "", nearest ? "'?" : "",
                             known.data ? known.data : "none");
        carom_text_clear(&known);
        return status;
    }
    if ((*column)->text) {
        const carom_place at = row_place(r, (*column)->text_row);
        const char *cell = (*column)->text, *remedy = carom_csv_remedy(cell, strlen(cell));
        return carom_fail(ctx, CAROM_ERROR_MODEL, &at, "column '%s': '%s' is no number%s", name, cell,
                          remedy[0] ? remedy : "; put a number there, or leave it empty");
    }
    CAROM_TRY(check_heading(f, r, place, *column, *unit));
    if (!*unit && (*column)->unit[0])
        *unit = (*column)->unit;
    return carom_csv_unit(ctx, place, name, *unit, factor, dimension);
}

/* ---- deviations ---- */

/* "3 %": relative. */
static bool is_percent(const char *text, size_t *length)
{
    size_t n = strlen(text);
    if (n == 0 || text[n - 1] != '%')
        return false;
    n--;
    while (n > 0 && text[n - 1] == ' ')
        n--;
    *length = n;
    return true;
}

static carom_status set_relative(carom_fit *f, carom_response *q, const carom_node *node, size_t length)
{
    double share, largest = 0;
    if (!carom_parse_number(node->text, length, &share) || !(share > 0))
        return carom_study_fail(f->arena.ctx, &node->place, "sigma: a share of the value is greater than 0, as 3 %%");
    for (size_t k = 0; k < q->count; k++)
        largest = fmax(largest, fabs(q->measured[k]));
    if (!(largest > 0))
        return carom_study_fail(f->arena.ctx, &node->place,
                                "sigma: all values of column '%s' are 0, so that a share of them is no deviation; give "
                                "it in the unit of the column",
                                q->column);
    for (size_t k = 0; k < q->count; k++)
        q->sigma[k] = 0.01 * share * fmax(fabs(q->measured[k]), LEAST_SHARE * largest);
    return CAROM_OK;
}

static carom_status set_absolute(carom_fit *f, carom_response *q, const carom_node *node)
{
    carom_context *ctx = f->arena.ctx;
    double value;
    carom_dimension d, sum;
    CAROM_TRY(carom_fit_number(f, node, &value, &d));
    if (!(value > 0))
        return carom_study_fail(ctx, &node->place, "sigma is greater than 0, not %g", value);
    if (carom_dimension_is_known(&d) && !q->unit && !carom_dimension_is_pure(&d))
        return carom_study_fail(ctx, &node->place,
                                "sigma has a unit, and column '%s' has none: write `%s [N]`, or what it "
                                "is in, as the key of `compare` or as the heading of the column",
                                q->column, q->column);
    if (carom_dimension_is_known(&d) && !carom_dimension_sum(d, q->dimension, &sum)) {
        char own[96], wanted[96];
        return carom_study_fail(ctx, &node->place, "sigma is %s, and column '%s' is %s",
                                carom_dimension_text(&d, own, sizeof own), q->column,
                                carom_dimension_text(&q->dimension, wanted, sizeof wanted));
    }
    /* a number alone is in the unit of the column */
    const double factor = carom_dimension_is_known(&d) ? 1 : q->factor;
    for (size_t k = 0; k < q->count; k++)
        q->sigma[k] = value * factor;
    return CAROM_OK;
}

static carom_status set_from_column(carom_fit *f, const carom_record *r, carom_response *q, const carom_node *node)
{
    const carom_table_column *column;
    const char *unit;
    double factor;
    carom_dimension d;
    CAROM_TRY(carom_fit_take_column(f, r, &node->place, node->text, &column, &unit, &factor, &d));
    if (!unit)
        factor = q->factor;
    for (size_t k = 0; k < q->count; k++) {
        q->sigma[k] = factor * column->values[q->rows[k]];
        if (!(q->sigma[k] > 0)) {
            const carom_place at = row_place(r, q->rows[k]);
            return carom_fail(f->arena.ctx, CAROM_ERROR_MODEL, &at,
                              "column '%s', the sigma of '%s', has no number greater than 0 here", column->name,
                              q->column);
        }
    }
    return CAROM_OK;
}

static carom_status set_sigma(carom_fit *f, const carom_record *r, carom_response *q, const carom_node *node)
{
    size_t length;
    if (node->type != CAROM_NODE_SCALAR)
        return carom_study_fail(f->arena.ctx, &node->place,
                                "sigma is a number in the unit of the column, a share as 3 %%, or the name of a "
                                "column");
    q->sigma_given = true;
    if (is_percent(node->text, &length))
        return set_relative(f, q, node, length);
    const char *name, *unit;
    CAROM_TRY(carom_fit_split_unit(&f->arena, node->text, &name, &unit));
    const bool is_column = carom_table_find(&r->table, name) < r->table.column_count;
    return is_column ? set_from_column(f, r, q, node) : set_absolute(f, q, node);
}

static carom_response *find_response(carom_fit *f, const carom_record *r, const char *column)
{
    for (size_t k = 0; k < r->response_count; k++)
        if (strcmp(f->responses[r->response + k].column, column) == 0)
            return &f->responses[r->response + k];
    return NULL;
}

carom_status carom_fit_read_sigma(carom_fit *f, const carom_record *r, const carom_node *node)
{
    for (size_t k = 0; k < r->response_count; k++)
        for (size_t i = 0; i < f->responses[r->response + k].count; i++)
            f->responses[r->response + k].sigma[i] = 1;
    if (!node)
        return CAROM_OK;
    if (node->type == CAROM_NODE_SCALAR) {
        for (size_t k = 0; k < r->response_count; k++)
            CAROM_TRY(set_sigma(f, r, &f->responses[r->response + k], node));
        return CAROM_OK;
    }
    if (node->type != CAROM_NODE_MAPPING)
        return carom_study_fail(f->arena.ctx, &node->place, "'sigma' is a number, or a mapping of columns to numbers");
    for (const carom_node *n = node->first; n; n = n->next) {
        const char *name, *unit;
        CAROM_TRY(carom_fit_split_unit(&f->arena, n->key, &name, &unit));
        carom_response *q = find_response(f, r, name);
        if (!q)
            return carom_study_fail(f->arena.ctx, &n->key_place, "'%s' is no column of `compare`", n->key);
        CAROM_TRY(set_sigma(f, r, q, n));
    }
    return CAROM_OK;
}
