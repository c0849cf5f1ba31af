/* Contact laws outside of a model: parameters by name, values from text, compilation, force. */
#include "law/law.h"
#include "expr/expr.h"
#include "kinds/parameters.h"
#include "law/fit.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* ---- what there is ---- */

const char *const *carom_law_list(const carom_context *ctx, size_t *count)
{
    return carom_kind_names(ctx, CAROM_FAMILY_LAW, count);
}

/* Tables of parameters: those of every normal force, then those of the elastic and of the damping parts. */
static const carom_param_row *table_at(const carom_context *ctx, size_t table, size_t *count)
{
    size_t elastic = carom_kind_count(ctx, CAROM_FAMILY_ELASTIC), damping = carom_kind_count(ctx, CAROM_FAMILY_DAMPING);
    if (table == 0)
        return carom_normal_params(count);
    if (table > elastic + damping)
        return NULL;
    const carom_kind *kind = table <= elastic ? carom_kind_at(ctx, CAROM_FAMILY_ELASTIC, table - 1)
                                              : carom_kind_at(ctx, CAROM_FAMILY_DAMPING, table - 1 - elastic);
    *count = (size_t)kind->param_count;
    return kind->params ? kind->params : carom_normal_params(&(size_t){0});
}

/* First row of that name, up to a place in the tables. */
static const carom_param_row *find_row(const carom_context *ctx, const char *name, size_t last_table, size_t last_row)
{
    const carom_param_row *rows;
    size_t count;
    for (size_t t = 0; (rows = table_at(ctx, t, &count)); t++)
        for (size_t r = 0; r < count; r++) {
            if (t == last_table && r == last_row)
                return NULL;
            if (strcmp(rows[r].name, name) == 0)
                return &rows[r];
        }
    return NULL;
}

/* A row of the public list: one that can be given as one value, and whose name no earlier row has. */
static const carom_param_row *row_at(const carom_context *ctx, size_t index)
{
    const carom_param_row *rows;
    size_t count;
    for (size_t t = 0; (rows = table_at(ctx, t, &count)); t++)
        for (size_t r = 0; r < count; r++)
            if (rows[r].size == 1 && !find_row(ctx, rows[r].name, t, r) && index-- == 0)
                return &rows[r];
    return NULL;
}

#define FROM_POINT "from_point"

bool carom_law_param_at(const carom_context *ctx, size_t index, carom_law_param *out)
{
    if (!out)
        return false;
    if (index == 0) {
        *out = (carom_law_param){FROM_POINT, "m, N",
                                 "Indentation and force of one point of the static curve, in place of the stiffness.",
                                 false};
        return true;
    }
    const carom_param_row *row = row_at(ctx, index - 1);
    if (row)
        *out = (carom_law_param){row->name, row->unit, row->description, (row->flags & CAROM_PARAM_TEXT) != 0};
    return row != NULL;
}

/* ---- values from text ---- */

carom_status carom_law_number(carom_context *ctx, const char *what, const char *text, double *out)
{
    CAROM_NEED(ctx, ctx);
    CAROM_NEED(ctx, text);
    CAROM_NEED(ctx, out);
    return carom_expr_number(ctx, NULL, text, &(carom_place){what, 0, 1}, out);
}

carom_status carom_law_quantity(carom_context *ctx, const char *what, const char *text, const char *unit, double *out)
{
    CAROM_NEED(ctx, ctx);
    CAROM_NEED(ctx, text);
    CAROM_NEED(ctx, out);
    char wanted[160], given[160];
    carom_dimension d;
    const carom_place place = {what, 0, 1};
    CAROM_TRY(carom_expr_quantity(ctx, NULL, text, &place, out, &d));
    if (carom_unit_fits(unit, CAROM_UNIT_ANY, &d))
        return CAROM_OK;
    return carom_fail(ctx, CAROM_ERROR_MODEL, &place, "%s is needed here, and '%.60s' is %s",
                      carom_unit_text(unit, CAROM_UNIT_ANY, wanted, sizeof wanted), text,
                      carom_dimension_text(&d, given, sizeof given));
}

/* "INDENTATION, FORCE": the comma that stands in no bracket separates them. */
static carom_status read_point(carom_context *ctx, const char *text, carom_value *out)
{
    size_t comma = 0;
    for (int depth = 0; text[comma] && (text[comma] != ',' || depth); comma++)
        depth += (text[comma] == '(') - (text[comma] == ')');
    carom_arena arena;
    carom_arena_init(&arena, ctx);
    const char *first = carom_arena_text_n(&arena, text, comma);
    double pair[2];
    carom_status status = CAROM_OK;
    if (!first)
        status = carom_fail_memory(ctx);
    else if (!text[comma])
        status =
            carom_fail(ctx, CAROM_ERROR_MODEL, NULL,
                       FROM_POINT ": '%.60s' is one number; give an indentation and a force, \"10*um, 40*N\"", text);
    if (status == CAROM_OK)
        status = carom_law_quantity(ctx, FROM_POINT, first, "m", &pair[0]);
    if (status == CAROM_OK)
        status = carom_law_quantity(ctx, FROM_POINT, text + comma + 1, "N", &pair[1]);
    if (status == CAROM_OK)
        *out = carom_value_vector(2, pair);
    carom_arena_free(&arena);
    return status;
}

static carom_status unknown_param(carom_context *ctx, const char *name)
{
    const char *names[256] = {FROM_POINT};
    size_t count = 1;
    for (const carom_param_row *row; count < CAROM_COUNT(names) && (row = row_at(ctx, count - 1)); count++)
        names[count] = row->name;
    const char *nearest = carom_nearest_name(name, names, count);
    return carom_fail(ctx, CAROM_ERROR_USAGE, NULL,
                      nearest ? "no law has a parameter '%.60s'; did you mean '%s'?"
                              : "no law has a parameter '%.60s'%s",
                      name, nearest ? nearest : "; `carom explain LAW` lists those of a law");
}

/* The parameter of a kind; NULL: it has none. */
static const carom_param_row *row_of(const carom_kind *kind, const char *name)
{
    for (int r = 0; kind && r < kind->param_count; r++)
        if (strcmp(kind->params[r].name, name) == 0)
            return &kind->params[r];
    return NULL;
}

const char *carom_law_stiffness_unit(const carom_context *ctx, const carom_law_def *def, char *buffer, size_t size)
{
    if (!def)
        return NULL;
    const carom_law_kind *named =
        def->law ? (const carom_law_kind *)carom_kind_find(ctx, CAROM_FAMILY_LAW, def->law) : NULL;
    const char *part = def->elastic ? def->elastic : named ? named->elastic : NULL;
    const carom_kind *elastic = part ? carom_kind_find(ctx, CAROM_FAMILY_ELASTIC, part) : NULL;
    const carom_param_row *stiffness = row_of(elastic, "stiffness"), *exponent = row_of(elastic, "exponent");
    const carom_param *given = carom_param_find(&def->params, "exponent");
    if (!stiffness)
        return NULL;
    const char *letter = strstr(stiffness->unit, "^n");
    double n = (double)NAN;
    if (exponent && !(exponent->flags & CAROM_PARAM_REQUIRED))
        n = named && !def->elastic ? named->exponent : exponent->default_value;
    if (given && given->value.type == CAROM_VALUE_NUMBER)
        n = given->value.number[0];
    if (letter && n == 1)
        snprintf(buffer, size, "%.*s", (int)(letter - stiffness->unit), stiffness->unit);
    else if (letter && !isnan(n))
        snprintf(buffer, size, "%.*s^%.12g", (int)(letter - stiffness->unit), stiffness->unit, n);
    else
        snprintf(buffer, size, "%s", stiffness->unit);
    return buffer;
}

/* The unit of a parameter that all parts give the same; NULL: they differ. Of a stiffness that of the power law. */
static const char *unit_of(const carom_context *ctx, const char *name)
{
    const carom_param_row *rows;
    const char *unit = NULL;
    size_t count;
    if (strcmp(name, "stiffness") == 0)
        return "N/m^n";
    for (size_t t = 0; (rows = table_at(ctx, t, &count)); t++)
        for (size_t r = 0; r < count; r++)
            if (strcmp(rows[r].name, name) == 0 && unit && strcmp(unit, rows[r].unit) != 0)
                return NULL;
            else if (strcmp(rows[r].name, name) == 0)
                unit = rows[r].unit;
    return unit;
}

carom_status carom_law_value(carom_context *ctx, const char *name, const char *text, carom_value *out)
{
    CAROM_NEED(ctx, ctx);
    CAROM_NEED(ctx, name);
    CAROM_NEED(ctx, out);
    if (strcmp(name, FROM_POINT) == 0)
        return read_point(ctx, text, out);
    const carom_param_row *row = find_row(ctx, name, SIZE_MAX, 0);
    if (!row)
        return unknown_param(ctx, name);
    if (row->flags & CAROM_PARAM_TEXT) {
        *out = carom_value_text(text);
        return CAROM_OK;
    }
    double number;
    CAROM_TRY(carom_law_quantity(ctx, name, text, unit_of(ctx, name), &number));
    *out = carom_value_number(number);
    return CAROM_OK;
}

/* ---- which parameters a law takes ---- */

static bool part_takes(const carom_kind *kind, unsigned needs, const char *param)
{
    return (carom_normal_geometry_need(param) & needs) || (kind && carom_kind_param_offset(kind, param) >= 0);
}

bool carom_law_takes(const carom_context *ctx, const carom_law_def *def, const char *param)
{
    if (!def)
        return false;
    const carom_law_kind *law =
        def->law ? (const carom_law_kind *)carom_kind_find(ctx, CAROM_FAMILY_LAW, def->law) : NULL;
    if (!law && !(def->elastic && def->damping))
        return false;
    bool stiff = carom_param_find(&def->params, "stiffness") || carom_param_find(&def->params, FROM_POINT);
    const char *names[2] = {def->elastic, NULL};
    if (!names[0]) {
        /* without one that is given the law may yet be either */
        names[0] = law->elastic;
        names[1] = stiff ? NULL : law->elastic_without_stiffness;
    }
    bool taken = strcmp(param, "reference_speed") == 0;
    for (int k = 0; k < 2 && names[k]; k++) {
        const carom_elastic_kind *elastic =
            (const carom_elastic_kind *)carom_kind_find(ctx, CAROM_FAMILY_ELASTIC, names[k]);
        bool point =
            elastic && strcmp(param, FROM_POINT) == 0 && carom_kind_param_offset(&elastic->kind, "stiffness") >= 0;
        taken = taken || point || (elastic && part_takes(&elastic->kind, elastic->needs, param));
    }
    return taken ||
           part_takes(carom_kind_find(ctx, CAROM_FAMILY_DAMPING, def->damping ? def->damping : law->damping), 0, param);
}

/* ---- compilation ---- */

carom_law_def carom_default_law_def(void)
{
    return (carom_law_def){.size = sizeof(carom_law_def), .minimum_speed = CAROM_MINIMUM_SPEED};
}

/* What the check of a spec says of the parameters of a contact. */
static carom_status check_params(carom_context *ctx, const char *owner, const carom_param_list *list)
{
    if (list->count && !list->items)
        return carom_fail(ctx, CAROM_ERROR_USAGE, NULL, "%s: %zu parameters are announced, but there is no list", owner,
                          list->count);
    for (size_t k = 0; k < list->count; k++) {
        const char *name = list->items[k].name;
        if (!name)
            return carom_fail(ctx, CAROM_ERROR_USAGE, NULL, "%s: a parameter has no name", owner);
        for (size_t j = 0; j < k; j++)
            if (strcmp(name, list->items[j].name) == 0)
                return carom_fail(ctx, CAROM_ERROR_MODEL, NULL, "%s: %s is given twice", owner, name);
        const carom_value *v = &list->items[k].value;
        for (int i = 0; i < (v->type == CAROM_VALUE_VECTOR ? v->size : 1); i++)
            if ((v->type == CAROM_VALUE_NUMBER || v->type == CAROM_VALUE_VECTOR) && !isfinite(v->number[i]))
                return carom_fail(ctx, CAROM_ERROR_MODEL, NULL, "%s: %s is not a finite number", owner, name);
    }
    return CAROM_OK;
}

static carom_law_info describe(const carom_context *ctx, const carom_law_def *def, const carom_normal_law *c)
{
    const carom_kind *law = def->law ? carom_kind_find(ctx, CAROM_FAMILY_LAW, def->law) : NULL;
    carom_law_info info = {.law = law ? law->name : NULL,
                           .elastic = c->elastic->kind.name,
                           .damping = c->damping->kind.name,
                           .velocity = carom_velocity_words[c->velocity],
                           .release = carom_tension_words[c->tension],
                           .stiffness = c->stiffness,
                           .exponent = c->exponent,
                           .restitution = c->restitution,
                           .factor = c->damping->ratio ? CAROM_KIND_CALL(c->damping, ratio, c->damping_constants, 1)
                                                       : (double)NAN,
                           .limit = c->limit,
                           .has_history = c->elastic->history > 0,
                           .uses_mass = c->damping->uses_mass};
    info.takes_restitution =
        c->damping->takes_restitution || carom_kind_param_offset(&c->elastic->kind, "restitution") >= 0;
    return info;
}

typedef struct law_warning {
    carom_warning_code code;
    char text[320];
} law_warning;

/* Keeps what is to be warned of until the law is compiled. */
static carom_status keep_warning(void *user, carom_warning_code code, const char *text)
{
    law_warning *kept = user;
    kept->code = code;
    snprintf(kept->text, sizeof kept->text, "%s", text);
    return CAROM_OK;
}

static carom_status compile(carom_law *law, const carom_law_def *def)
{
    char owner[96];
    law_warning warning = {.text = ""};
    if (def->law)
        snprintf(owner, sizeof owner, "law '%.64s'", def->law);
    else
        snprintf(owner, sizeof owner, "law");
    CAROM_TRY(check_params(law->ctx, owner, &def->params));
    const carom_normal_law_def normal = {.owner = owner,
                                         .law = def->law,
                                         .elastic = def->elastic,
                                         .damping = def->damping,
                                         .params = def->params,
                                         .velocity = def->velocity,
                                         .tension = def->release,
                                         .minimum_speed = def->minimum_speed,
                                         /* radius_i is asked for below */
                                         .geometry = {.dimension = 2, .radius = {1, HUGE_VAL}},
                                         .warn = keep_warning,
                                         .user = &warning};
    CAROM_TRY(carom_normal_law_compile(law->ctx, &law->arena, &normal, &law->normal));
    const carom_normal_law *c = &law->normal;
    if ((c->elastic->needs & CAROM_NEEDS_RADII) && !c->radius_given[0])
        return carom_fail(law->ctx, CAROM_ERROR_MODEL, NULL,
                          "%s: %s needs 'radius_i': radius of the first side, negative where hollow [m]%s", owner,
                          c->elastic->kind.name,
                          c->radius_given[1] ? "" : "; without 'radius_j' the second side is flat");
    if (warning.text[0])
        carom_log_warning(law->ctx, warning.code, "%s", warning.text);
    law->info = describe(law->ctx, def, c);
    return CAROM_OK;
}

carom_status carom_law_compile(carom_context *ctx, const carom_law_def *def, carom_law **out)
{
    CAROM_NEED(ctx, ctx);
    CAROM_NEED(ctx, out);
    carom_law_def own = carom_default_law_def();
    *out = NULL;
    CAROM_TRY(carom_take_def(ctx, def, &own, sizeof own, "law_def"));
    def = &own;
    carom_law *law = carom_allocate(ctx, 1, sizeof *law);
    if (!law)
        return carom_fail_memory(ctx);
    law->ctx = ctx;
    carom_arena_init(&law->arena, ctx);
    carom_status status = compile(law, def);
    if (status == CAROM_OK)
        *out = law;
    else
        carom_law_free(law);
    return status;
}

void carom_law_free(carom_law *law)
{
    if (!law)
        return;
    carom_arena_free(&law->arena);
    carom_release(law->ctx, law, 1, sizeof *law);
}

carom_law_info carom_law_get_info(const carom_law *law) { return law ? law->info : (carom_law_info){0}; }

/* ---- force ---- */

bool carom_law_accepts(const carom_law *law, const carom_law_input *in, char *text, size_t size)
{
    if (!law || !in)
        return false;
    const carom_law_info *info = &law->info;
    char unused[1];
    if (!text || !size) {
        text = unused;
        size = sizeof unused;
    }
    text[0] = '\0';
    if (!(in->delta >= 0) || !isfinite(in->delta) || !isfinite(in->rate) || !isfinite(in->from))
        snprintf(text, size, "indentation %.6g m, rate %.6g m/s: both finite, the indentation at least 0", in->delta,
                 in->rate);
    else if (!(in->speed >= 0) || !isfinite(in->speed))
        snprintf(text, size, "impact velocity %.6g m/s: it must be at least 0", in->speed);
    else if (info->uses_mass && (!(in->mass > 0) || !isfinite(in->mass)))
        snprintf(text, size, "damping %s needs the effective mass [kg], above 0", info->damping);
    else if (fmax(in->delta, in->from) > info->limit * (1 + 1e-12))
        snprintf(text, size, "elastic part %s holds up to an indentation of %.6g m, not to %.6g m", info->elastic,
                 info->limit, fmax(in->delta, in->from));
    else
        return true;
    return false;
}

carom_status carom_law_force(const carom_law *law, const carom_law_input *in, carom_law_output *out)
{
    CAROM_NEED(NULL, law);
    CAROM_NEED(NULL, in);
    CAROM_NEED(NULL, out);
    if (!carom_law_accepts(law, in, NULL, 0))
        return CAROM_ERROR_USAGE;
    const carom_normal_law *c = &law->normal;
    double history[CAROM_LAW_HISTORY] = {0};
    if (c->elastic->history && in->from > in->delta)
        CAROM_KIND_CALL(c->elastic, update, c->elastic_constants, history, in->from, 0);
    carom_elastic_force elastic;
    CAROM_KIND_CALL(c->elastic, force, c->elastic_constants, c->elastic->history ? history : NULL, in->delta, &elastic);
    carom_damping_force damping;
    carom_normal_damping(c, c->elastic_constants, in->delta, in->rate, carom_normal_impact_velocity(c, in->speed),
                         in->mass, elastic.force, elastic.slope, &damping);
    *out = (carom_law_output){.force = elastic.force + damping.force,
                              .elastic = elastic.force,
                              .damping = damping.force,
                              .d_delta = elastic.slope + damping.d_delta,
                              .d_rate = damping.d_rate,
                              .energy = elastic.energy};
    return CAROM_OK;
}

/* ---- fit ---- */

carom_law_fit_def carom_default_law_fit_def(void)
{
    return (carom_law_fit_def){.size = sizeof(carom_law_fit_def), .max_force = (double)NAN, .points = 10000};
}

carom_status carom_law_fit_power(carom_context *ctx, const carom_law *law, const carom_law_fit_def *def,
                                 carom_law_fit *out)
{
    CAROM_NEED(ctx, ctx);
    CAROM_NEED(ctx, law);
    CAROM_NEED(ctx, out);
    const carom_normal_law *c = &law->normal;
    carom_law_fit_def own = carom_default_law_fit_def();
    CAROM_TRY(carom_take_def(ctx, def, &own, sizeof own, "law_fit_def"));
    def = &own;
    if (!(def->max_force > 0) || !isfinite(def->max_force) || def->points < 2 || !(def->least_indentation >= 0))
        return carom_fail(
            ctx, CAROM_ERROR_USAGE, NULL,
            "fit: the greatest force is %.6g N, the points are %d; it takes a force above 0 and at least 2 points",
            def->max_force, def->points);
    carom_power_fit fit;
    const carom_power_fit_range range = {def->max_force, def->points, def->least_indentation};
    const char *refusal = carom_power_fit_make(c->elastic, c->elastic_constants, &range, &fit);
    if (refusal)
        return carom_fail(ctx, CAROM_ERROR_MODEL, NULL, "fit of %s: %s", law->info.elastic, refusal);
    *out = (carom_law_fit){fit.stiffness, fit.exponent, fit.largest_error, fit.at, fit.max_indentation};
    return CAROM_OK;
}
