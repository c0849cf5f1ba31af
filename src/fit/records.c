/* The records of a fit: files, columns with units, what they are compared with. */
#include "fit/fit.h"

#include <math.h>
#include <stdio.h>

static const char *const record_keys[] = {"file",  "name",   "time",  "indentation", "rate",    "each", "compare",
                                          "sigma", "offset", "shift", "set",         "unknown", "from", "to",
                                          "contact"};
enum {
    KEY_FILE,
    KEY_NAME,
    KEY_TIME,
    KEY_INDENTATION,
    KEY_RATE,
    KEY_EACH,
    KEY_COMPARE,
    KEY_SIGMA,
    KEY_OFFSET,
    KEY_SHIFT,
    KEY_SET,
    KEY_UNKNOWN,
    KEY_FROM,
    KEY_TO,
    KEY_CONTACT,
    KEYS
};

/* ---- file and name ---- */

static const char *path_of(carom_fit *f, const char *name)
{
    const char *slash = strrchr(f->file, '/');
    if (name[0] == '/' || !slash)
        return carom_arena_text(&f->arena, name);
    return carom_arena_format(&f->arena, "%.*s/%s", (int)(slash - f->file), f->file, name);
}

/* The name that the file gives, with a number where a record before has it. */
static carom_status name_record(carom_fit *f, carom_record *r, const carom_node *name, const char *file)
{
    carom_context *ctx = f->arena.ctx;
    const char *slash = strrchr(file, '/'), *base = slash ? slash + 1 : file;
    if (name && name->type != CAROM_NODE_SCALAR)
        return carom_study_fail(ctx, &name->place, "'name' is a text");
    r->name = name ? name->text : base;
    int number = 1;
    for (size_t k = 0; k < f->record_count; k++)
        if (&f->records[k] != r && strcmp(f->records[k].name, r->name) == 0) {
            if (name)
                return carom_study_fail(ctx, &name->place, "another record has the name '%s'", r->name);
            r->name = carom_arena_format(&f->arena, "%s (%d)", base, ++number);
            if (!r->name)
                return carom_fail_memory(ctx);
            k = (size_t)-1;
        }
    return CAROM_OK;
}

static carom_status read_file(carom_fit *f, carom_record *r, const carom_node *file, const carom_node *name)
{
    carom_context *ctx = f->arena.ctx;
    if (!file || file->type != CAROM_NODE_SCALAR || !file->text[0])
        return carom_study_fail(ctx, file ? &file->place : &r->node->place,
                                "a record has a `file`: `file: drop.csv`, from the folder of the study");
    r->file = path_of(f, file->text);
    if (!r->file)
        return carom_fail_memory(ctx);
    CAROM_TRY(name_record(f, r, name, file->text));
    const carom_status status = f->read_table(ctx, r->file, &r->table);
    if (status == CAROM_ERROR_IO) {
        char text[512];
        snprintf(text, sizeof text, "%.500s", carom_context_error(ctx));
        return carom_fail(ctx, CAROM_ERROR_IO, &file->place, "%s", text);
    }
    r->rows = r->table.rows;
    return status;
}

/* ---- columns that are no results ---- */

/* A column in SI; a unit is needed, and of the dimension of `wanted` if that is given. */
static carom_status read_axis(carom_fit *f, carom_record *r, const carom_node *node, const char *wanted, double **out,
                              const char **name)
{
    carom_context *ctx = f->arena.ctx;
    const carom_table_column *column;
    const char *unit;
    double factor;
    carom_dimension d;
    if (node->type != CAROM_NODE_SCALAR)
        return carom_study_fail(ctx, &node->place, "'%s' names a column, with its unit: `%s: t [ms]`", node->key,
                                node->key);
    CAROM_TRY(carom_fit_take_column(f, r, &node->place, node->text, &column, &unit, &factor, &d));
    if (!unit)
        return carom_study_fail(ctx, &node->place,
                                "column '%s' of '%s' has no unit: write `%s: %s [%s]`, or "
                                "what it is in",
                                column->name, r->name, node->key, node->text, wanted);
    if (!carom_unit_fits(wanted, CAROM_UNIT_ANY, &d)) {
        char own[96], other[96];
        return carom_study_fail(ctx, &node->place, "'%s' is %s, and column '%s' is %s", node->key,
                                carom_unit_text(wanted, CAROM_UNIT_ANY, other, sizeof other), column->name,
                                carom_dimension_text(&d, own, sizeof own));
    }
    *out = carom_arena_alloc(&f->arena, r->rows + 1, sizeof **out);
    if (!*out)
        return carom_fail_memory(ctx);
    for (size_t k = 0; k < r->rows; k++) {
        (*out)[k] = factor * column->values[k];
        if (!isfinite((*out)[k])) {
            const carom_place at = {r->file, r->table.lines ? r->table.lines[k] : (int)k + 1, 1};
            return carom_fail(ctx, CAROM_ERROR_MODEL, &at, "column '%s' is empty here; `%s` needs a number in each row",
                              column->name, node->key);
        }
    }
    if (name && !(*name = carom_arena_text(&f->arena, column->name)))
        return carom_fail_memory(ctx);
    return CAROM_OK;
}

static carom_status check_times(carom_fit *f, const carom_record *r)
{
    for (size_t k = 1; k < r->rows; k++)
        if (!(r->x[k] > r->x[k - 1])) {
            const carom_place at = {r->file, r->table.lines ? r->table.lines[k] : (int)k + 1, 1};
            return carom_fail(f->arena.ctx, CAROM_ERROR_MODEL, &at,
                              "times ascend, and %.9g s follows %.9g s; sort the rows by the time", r->x[k],
                              r->x[k - 1]);
        }
    return CAROM_OK;
}

static carom_status read_each(carom_fit *f, carom_record *r, const carom_node *node)
{
    carom_context *ctx = f->arena.ctx;
    if (node->type != CAROM_NODE_MAPPING || node->count == 0 || node->count > CAROM_FIT_EACH)
        return carom_study_fail(ctx, &node->place,
                                "'each' is a mapping of parameters to columns, as {height: h [mm]}, of at most %d",
                                CAROM_FIT_EACH);
    for (const carom_node *n = node->first; n; n = n->next) {
        carom_each *e = &r->each[r->each_count++];
        const carom_table_column *column;
        double factor;
        *e = (carom_each){.name = n->key, .place = n->key_place};
        if (n->type != CAROM_NODE_SCALAR)
            return carom_study_fail(ctx, &n->place, "'%s' names a column", n->key);
        CAROM_TRY(carom_fit_take_column(f, r, &n->place, n->text, &column, &e->unit, &factor, &e->dimension));
        e->values = carom_arena_alloc(&f->arena, r->rows + 1, sizeof *e->values);
        if (!e->values)
            return carom_fail_memory(ctx);
        for (size_t k = 0; k < r->rows; k++) {
            e->values[k] = factor * column->values[k];
            if (!isfinite(e->values[k])) {
                const carom_place at = {r->file, r->table.lines ? r->table.lines[k] : (int)k + 1, 1};
                return carom_fail(ctx, CAROM_ERROR_MODEL, &at,
                                  "column '%s' is empty here, and the run of this row needs its value of '%s'",
                                  column->name, e->name);
            }
        }
    }
    return CAROM_OK;
}

/* ---- what is compared ---- */

/* Takes the rows that have a value and lie in the window. */
static carom_status fill_response(carom_fit *f, carom_record *r, carom_response *q, const carom_table_column *column)
{
    carom_context *ctx = f->arena.ctx;
    q->x = carom_arena_alloc(&f->arena, r->rows + 1, sizeof *q->x);
    q->measured = carom_arena_alloc(&f->arena, r->rows + 1, sizeof *q->measured);
    q->sigma = carom_arena_alloc(&f->arena, r->rows + 1, sizeof *q->sigma);
    q->rows = carom_arena_alloc(&f->arena, r->rows + 1, sizeof *q->rows);
    if (!q->x || !q->measured || !q->sigma || !q->rows)
        return carom_fail_memory(ctx);
    for (size_t k = 0; k < r->rows; k++) {
        const double row = r->each_count ? r->each[0].values[k] : (double)(k + 1);
        const double x = r->x ? r->x[k] : row, value = q->factor * column->values[k];
        if (!isfinite(value) || x < r->from || x > r->to)
            continue;
        q->x[q->count] = x;
        q->measured[q->count] = value;
        q->rows[q->count++] = k;
    }
    if (q->count == 0)
        return carom_study_fail(ctx, &q->place, "column '%s' of '%s' has no number%s", q->column, r->name,
                                r->from > -HUGE_VAL || r->to < HUGE_VAL ? " between `from` and `to`" : "");
    double low = HUGE_VAL, high = -HUGE_VAL;
    for (size_t k = 0; k < q->count; k++) {
        low = fmin(low, q->measured[k]);
        high = fmax(high, q->measured[k]);
    }
    return q->count > 2 && low == high ? carom_fit_note(f, "%s: column '%s' has the value %.6g in all of %zu rows",
                                                        r->name, q->column, low / q->factor, q->count)
                                       : CAROM_OK;
}

static carom_status add_response(carom_fit *f, size_t record, const carom_node *n)
{
    carom_context *ctx = f->arena.ctx;
    carom_record *r = &f->records[record];
    carom_response q = {.record = record, .text = n->text, .place = n->place, .offset = CAROM_FIT_NONE};
    const carom_table_column *column;
    if (n->type != CAROM_NODE_SCALAR || !n->text[0])
        return carom_study_fail(ctx, &n->place, "'%s' is compared with an expression, as in `F [N]: %s`", n->key,
                                r->kind == CAROM_RECORD_ROWS ? "max(contact.hit.force)" : "contact.hit.force");
    CAROM_TRY(carom_fit_take_column(f, r, &n->key_place, n->key, &column, &q.unit, &q.factor, &q.dimension));
    char unit[96];
    const char *si_unit =
        carom_dimension_is_pure(&q.dimension) ? "1" : carom_dimension_unit(&q.dimension, unit, sizeof unit);
    q.column = carom_arena_text(&f->arena, column->name);
    q.si_unit = carom_arena_text(&f->arena, si_unit ? si_unit : "1");
    if (!q.column || !q.si_unit)
        return carom_fail_memory(ctx);
    CAROM_TRY(fill_response(f, r, &q, column));
    CAROM_TRY(carom_grow(ctx, &f->responses, &f->response_capacity, f->response_count + 1, sizeof *f->responses));
    f->responses[f->response_count++] = q;
    r->response_count++;
    return CAROM_OK;
}

static carom_status read_compare(carom_fit *f, size_t record, const carom_node *node)
{
    carom_record *r = &f->records[record];
    if (!node || node->type != CAROM_NODE_MAPPING || node->count == 0)
        return carom_study_fail(f->arena.ctx, node ? &node->place : &r->node->place,
                                "a record says what its columns are compared with: `compare: {F: ...}`, a "
                                "column and an "
                                "expression each");
    r->response = f->response_count;
    for (const carom_node *n = node->first; n; n = n->next)
        CAROM_TRY(add_response(f, record, n));
    return CAROM_OK;
}

/* ---- unknowns of the record alone ---- */

static carom_status add_offset(carom_fit *f, size_t record, const char *column, const carom_node *node)
{
    const carom_record *r = &f->records[record];
    for (size_t k = r->response; k < r->response + r->response_count; k++) {
        carom_response *q = &f->responses[k];
        if (strcmp(q->column, column) != 0)
            continue;
        double low = HUGE_VAL, high = -HUGE_VAL;
        for (size_t i = 0; i < q->count; i++) {
            low = fmin(low, q->measured[i]);
            high = fmax(high, q->measured[i]);
        }
        const double range = fmax(high - low, fmax(fabs(low), fabs(high)));
        const double bound = range > 0 ? range : 1;
        const carom_unknown u = {.kind = CAROM_UNKNOWN_OFFSET,
                                 .name = carom_arena_format(&f->arena, "offset of %s", q->column),
                                 .place = node->place,
                                 .record = record,
                                 .low = -bound,
                                 .high = bound};
        q->offset = f->unknown_count;
        return u.name ? carom_fit_add_unknown(f, &u) : carom_fail_memory(f->arena.ctx);
    }
    return carom_study_fail(f->arena.ctx, &node->place, "'%s' is no column of `compare`", column);
}

static carom_status read_offsets(carom_fit *f, size_t record, const carom_node *node)
{
    const carom_record *r = &f->records[record];
    if (node->type == CAROM_NODE_SCALAR && strcmp(node->text, "true") == 0) {
        for (size_t k = 0; k < r->response_count; k++)
            CAROM_TRY(add_offset(f, record, f->responses[r->response + k].column, node));
        return CAROM_OK;
    }
    if (node->type == CAROM_NODE_SCALAR)
        return strcmp(node->text, "false") == 0 ? CAROM_OK : add_offset(f, record, node->text, node);
    for (const carom_node *n = node->first; n; n = n->next) {
        if (node->type != CAROM_NODE_LIST || n->type != CAROM_NODE_SCALAR)
            return carom_study_fail(f->arena.ctx, &n->place, "'offset' is true, or a list of columns: [F]");
        CAROM_TRY(add_offset(f, record, n->text, n));
    }
    return CAROM_OK;
}

static carom_status read_unknowns(carom_fit *f, size_t record, const carom_node *node)
{
    carom_context *ctx = f->arena.ctx;
    if (node->type != CAROM_NODE_MAPPING)
        return carom_study_fail(ctx, &node->place,
                                "'unknown' names what is to be found of this record alone: {v0: {from: 0.1, to: 2}}");
    for (const carom_node *n = node->first; n; n = n->next) {
        carom_unknown u;
        for (size_t k = 0; k < f->shared_count; k++)
            if (strcmp(f->unknowns[k].name, n->key) == 0)
                return carom_study_fail(ctx, &n->key_place, "'%s' is unknown for all records by `parameters` already",
                                        n->key);
        CAROM_TRY(carom_fit_read_unknown(f, n, record, &u));
        CAROM_TRY(carom_fit_add_unknown(f, &u));
    }
    return CAROM_OK;
}

static carom_status read_shift(carom_fit *f, size_t record, const carom_node *node)
{
    carom_unknown u;
    if (f->records[record].kind != CAROM_RECORD_TIME || f->records[record].along)
        return carom_study_fail(f->arena.ctx, &node->key_place, "'shift' goes with `time`");
    CAROM_TRY(carom_fit_read_unknown(f, node, record, &u));
    u.kind = CAROM_UNKNOWN_SHIFT;
    u.unit = "s";
    f->records[record].shift = f->unknown_count;
    return carom_fit_add_unknown(f, &u);
}

/* ---- a record ---- */

/* Rows stand over the first parameter that they have. */
static carom_status name_rows(carom_fit *f, carom_record *r)
{
    char unit[96];
    const carom_dimension *d = &r->each[0].dimension;
    const char *text = carom_dimension_is_pure(d) ? "1" : carom_dimension_unit(d, unit, sizeof unit);
    r->x_name = r->each[0].name;
    r->x_unit = carom_arena_text(&f->arena, text ? text : "1");
    return r->x_unit ? CAROM_OK : carom_fail_memory(f->arena.ctx);
}

/* The contact of a model whose indentation a record is over. */
static carom_status read_along(carom_fit *f, carom_record *r, const carom_node *const found[])
{
    carom_context *ctx = f->arena.ctx;
    const carom_node *contact = found[KEY_CONTACT], *axis = found[KEY_INDENTATION];
    if (contact && (!axis || !f->model))
        return carom_study_fail(ctx, &contact->key_place, "'contact' goes with `indentation`, of a model");
    if (contact && (contact->type != CAROM_NODE_SCALAR || !contact->text[0]))
        return carom_study_fail(ctx, &contact->place, "'contact' is the name of a contact of the model");
    if (axis && !f->of_law && !contact)
        return carom_study_fail(ctx, &axis->key_place,
                                "of a model `contact` says whose indentation it is, `contact: NAME`; without a model "
                                "`law: NAME` makes the forces");
    if (contact && found[KEY_RATE])
        return carom_study_fail(ctx, &found[KEY_RATE]->key_place, "'rate' is of studies of a law alone");
    r->along = contact;
    return CAROM_OK;
}

static carom_status read_kind(carom_fit *f, carom_record *r, const carom_node *const found[])
{
    carom_context *ctx = f->arena.ctx;
    static const int axes[] = {KEY_TIME, KEY_INDENTATION, KEY_EACH};
    const carom_node *first = NULL;
    for (size_t k = 0; k < CAROM_COUNT(axes); k++) {
        const carom_node *axis = found[axes[k]];
        if (axis && first)
            return carom_study_fail(ctx, &axis->key_place, "'%s' does not go with '%s'", axis->key, first->key);
        first = axis ? axis : first;
    }
    if (found[KEY_RATE] && !found[KEY_INDENTATION])
        return carom_study_fail(ctx, &found[KEY_RATE]->key_place, "'rate' goes with `indentation`");
    CAROM_TRY(read_along(f, r, found));
    if (found[KEY_TIME]) {
        r->kind = CAROM_RECORD_TIME;
        r->x_unit = "s";
        CAROM_TRY(read_axis(f, r, found[KEY_TIME], "s", &r->x, &r->x_name));
        CAROM_TRY(check_times(f, r));
    } else if (found[KEY_INDENTATION]) {
        r->kind = r->along ? CAROM_RECORD_TIME : CAROM_RECORD_LOOP;
        r->x_unit = "m";
        CAROM_TRY(read_axis(f, r, found[KEY_INDENTATION], "m", &r->x, &r->x_name));
        if (found[KEY_RATE])
            CAROM_TRY(read_axis(f, r, found[KEY_RATE], "m/s", &r->rate, NULL));
    } else if (found[KEY_EACH]) {
        CAROM_TRY(read_each(f, r, found[KEY_EACH]));
        CAROM_TRY(name_rows(f, r));
    }
    r->runs = r->kind == CAROM_RECORD_ROWS && r->each_count > 0 ? r->rows : 1;
    return CAROM_OK;
}

static carom_status read_window(carom_fit *f, carom_record *r, const carom_node *from, const carom_node *to)
{
    r->from = -HUGE_VAL;
    r->to = HUGE_VAL;
    if (from)
        CAROM_TRY(carom_fit_number(f, from, &r->from, NULL));
    if (to)
        CAROM_TRY(carom_fit_number(f, to, &r->to, NULL));
    if (!(r->from < r->to))
        return carom_study_fail(f->arena.ctx, &to->place, "`from` is less than `to`, and %g is not less than %g",
                                r->from, r->to);
    return CAROM_OK;
}

/* Rows behind the end of the run, which the study gives, are left out, and this is told. */
static carom_status end_with_run(carom_fit *f, carom_record *r)
{
    const carom_node *until = f->run && f->run->type == CAROM_NODE_MAPPING ? carom_node_find(f->run, "until") : NULL;
    double end;
    if (r->kind != CAROM_RECORD_TIME || r->along || !until)
        return CAROM_OK;
    CAROM_TRY(carom_fit_number(f, until, &end, NULL));
    size_t beyond = 0;
    for (size_t k = 0; k < r->rows; k++)
        beyond += r->x[k] > end && r->x[k] <= r->to;
    if (beyond == 0)
        return CAROM_OK;
    r->to = end;
    return carom_fit_note(f,
                          "%s: %zu of %zu rows lie behind the end of the run, %.6g s, and are left out; "
                          "without `until` the "
                          "run lasts as long as the record",
                          r->name, beyond, r->rows, end);
}

static carom_status read_record(carom_fit *f, size_t record, const carom_node *node)
{
    carom_context *ctx = f->arena.ctx;
    const carom_node *found[KEYS] = {NULL};
    carom_record *r = &f->records[record];
    *r = (carom_record){.node = node, .name = "", .shift = CAROM_FIT_NONE, .x_name = "row", .x_unit = "1"};
    CAROM_TRY(carom_fit_find_keys(ctx, node, "a record", record_keys, KEYS, found));
    CAROM_TRY(read_file(f, r, found[KEY_FILE], found[KEY_NAME]));
    CAROM_TRY(read_window(f, r, found[KEY_FROM], found[KEY_TO]));
    CAROM_TRY(read_kind(f, r, found));
    CAROM_TRY(end_with_run(f, r));
    CAROM_TRY(read_compare(f, record, found[KEY_COMPARE]));
    CAROM_TRY(carom_fit_read_sigma(f, r, found[KEY_SIGMA]));
    if (found[KEY_SET] && found[KEY_SET]->type != CAROM_NODE_MAPPING)
        return carom_study_fail(ctx, &found[KEY_SET]->place, "'set' is a mapping, `name: value`");
    if (found[KEY_UNKNOWN])
        CAROM_TRY(read_unknowns(f, record, found[KEY_UNKNOWN]));
    if (found[KEY_SHIFT])
        CAROM_TRY(read_shift(f, record, found[KEY_SHIFT]));
    return found[KEY_OFFSET] ? read_offsets(f, record, found[KEY_OFFSET]) : CAROM_OK;
}

/* Numbers the data and the runs. */
static carom_status number_data(carom_fit *f)
{
    carom_context *ctx = f->arena.ctx;
    for (size_t k = 0; k < f->record_count; k++) {
        f->records[k].first_run = f->runs;
        f->runs += f->records[k].runs;
    }
    for (size_t k = 0; k < f->response_count; k++) {
        f->responses[k].first = f->data;
        f->data += f->responses[k].count;
    }
    f->datum_run = carom_arena_alloc(&f->arena, f->data + 1, sizeof *f->datum_run);
    f->datum_response = carom_arena_alloc(&f->arena, f->data + 1, sizeof *f->datum_response);
    if (!f->datum_run || !f->datum_response)
        return carom_fail_memory(ctx);
    for (size_t k = 0; k < f->response_count; k++)
        for (size_t i = 0; i < f->responses[k].count; i++) {
            const carom_record *r = &f->records[f->responses[k].record];
            f->datum_response[f->responses[k].first + i] = k;
            f->datum_run[f->responses[k].first + i] = r->first_run + (r->runs > 1 ? f->responses[k].rows[i] : 0);
        }
    return CAROM_OK;
}

carom_status carom_fit_read_records(carom_fit *f, const carom_node *node)
{
    carom_context *ctx = f->arena.ctx;
    if (node->type != CAROM_NODE_LIST || node->count == 0 || node->count > CAROM_FIT_RECORDS)
        return carom_study_fail(ctx, &node->place, "'records' is a list of records, each with `file` and `compare`");
    f->records = carom_arena_alloc(&f->arena, node->count, sizeof *f->records);
    if (!f->records)
        return carom_fail_memory(ctx);
    for (const carom_node *n = node->first; n; n = n->next)
        CAROM_TRY(read_record(f, f->record_count++, n));
    size_t sigmas = 0;
    for (size_t k = 0; k < f->response_count; k++)
        sigmas += !f->responses[k].sigma_given;
    CAROM_TRY(number_data(f));
    if (f->data < f->unknown_count + (sigmas > 0))
        return carom_study_fail(ctx, &node->place,
                                "%zu unknowns%s are more than %zu data can tell; give more data, or fix parameters by "
                                "`set`",
                                f->unknown_count, sigmas ? " and the deviations" : "", f->data);
    return CAROM_OK;
}
