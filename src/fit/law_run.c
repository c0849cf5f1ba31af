/* Predictions by a law alone: free impacts, and forces over indentations. */
#include "fit/fit.h"
#include "math/rows.h"

#include <math.h>
#include <stdio.h>

/* Points of the motion of a free impact, from which curves are read. */
#define POINTS 65
#define MOST_PARAMETERS 64
#define SEARCH_STEPS 60
/* Of an impact that does not release [s]. */
#define TYPICAL_TIME 0.01

/* A law with the values of a run. */
typedef struct law_case {
    carom_context *ctx;
    const carom_fit *f;
    const carom_record *r;
    carom_param params[MOST_PARAMETERS];
    size_t count;
    carom_law_def def;
    double mass, speed; /* NAN: not given */
} law_case;

/* ---- values ---- */

static bool is_stiffness(const char *name) { return strcmp(name, "stiffness") == 0 || strcmp(name, "from_point") == 0; }

/* Whether the study gives a stiffness: some laws have then another elastic part. */
static bool gives_stiffness(const carom_fit *f)
{
    for (size_t k = 0; k < f->unknown_count; k++)
        if (is_stiffness(f->unknowns[k].name))
            return true;
    for (const carom_node *n = f->set ? f->set->first : NULL; n; n = n->next)
        if (is_stiffness(n->key))
            return true;
    return false;
}

bool carom_fit_law_takes(const carom_context *ctx, const carom_fit *f, size_t law, const char *name)
{
    const carom_param stiffness = {.name = "stiffness", .value = carom_value_number(1)};
    carom_law_def def = carom_default_law_def();
    def.law = f->laws[law];
    if (gives_stiffness(f))
        def.params = (carom_param_list){&stiffness, 1};
    return strcmp(name, "mass") == 0 || strcmp(name, "speed") == 0 || carom_law_takes(ctx, &def, name);
}

static void put_value(law_case *c, size_t law, const char *name, carom_value value)
{
    if (strcmp(name, "mass") == 0)
        c->mass = value.number[0];
    else if (strcmp(name, "speed") == 0)
        c->speed = value.number[0];
    else if (c->count < MOST_PARAMETERS && carom_fit_law_takes(c->ctx, c->f, law, name))
        c->params[c->count++] = (carom_param){.name = name, .value = value};
}

/* A value of `set`. */
static carom_status put_set(law_case *c, size_t law, const carom_node *n)
{
    carom_value value = {.type = CAROM_VALUE_NUMBER};
    char text[512];
    const bool own = strcmp(n->key, "mass") == 0 || strcmp(n->key, "speed") == 0;
    if (n->type != CAROM_NODE_SCALAR)
        return carom_study_fail(c->ctx, &n->place, "'%s' has one value", n->key);
    const carom_status status =
        own ? carom_law_quantity(c->ctx, n->key, n->text, carom_fit_law_unit(c->ctx, n->key), &value.number[0])
            : carom_law_value(c->ctx, n->key, n->text, &value);
    if (status == CAROM_OK) {
        put_value(c, law, n->key, value);
        return CAROM_OK;
    }
    snprintf(text, sizeof text, "%.500s", carom_context_error(c->ctx));
    return carom_study_fail(c->ctx, &n->place, "%s", text);
}

static bool names_each(const carom_record *r, const char *name)
{
    for (size_t k = 0; k < r->each_count; k++)
        if (strcmp(r->each[k].name, name) == 0)
            return true;
    return false;
}

static carom_status put_sets(law_case *c, size_t law)
{
    const carom_node *own = carom_node_find(c->r->node, "set"), *unknown = carom_node_find(c->r->node, "unknown");
    for (const carom_node *n = c->f->set ? c->f->set->first : NULL; n; n = n->next)
        if (!(own && carom_node_find(own, n->key)) && !(unknown && carom_node_find(unknown, n->key)) &&
            !names_each(c->r, n->key))
            CAROM_TRY(put_set(c, law, n));
    for (const carom_node *n = own ? own->first : NULL; n; n = n->next)
        CAROM_TRY(put_set(c, law, n));
    return CAROM_OK;
}

static carom_status make_case(carom_context *ctx, const carom_fit *f, size_t law, size_t record, size_t run,
                              const double *values, law_case *out)
{
    *out = (law_case){.ctx = ctx, .f = f, .r = &f->records[record], .mass = (double)NAN, .speed = (double)NAN};
    out->def = carom_default_law_def();
    out->def.law = f->laws[law];
    CAROM_TRY(put_sets(out, law));
    for (size_t k = 0; k < f->unknown_count; k++)
        if (f->unknowns[k].kind == CAROM_UNKNOWN_VALUE &&
            (f->unknowns[k].record == CAROM_FIT_NONE || f->unknowns[k].record == record))
            put_value(out, law, f->unknowns[k].name, carom_value_number(values[k]));
    for (size_t k = 0; k < out->r->each_count; k++)
        put_value(out, law, out->r->each[k].name, carom_value_number(out->r->each[k].values[run]));
    out->def.params = (carom_param_list){out->params, out->count};
    return CAROM_OK;
}

/* ---- free impacts ---- */

static carom_status solve_impact(const law_case *c, size_t points, carom_impact_solution *out)
{
    carom_impact_def def = carom_default_impact_def();
    *out = (carom_impact_solution){.loop = 0};
    if (isnan(c->mass) || isnan(c->speed))
        return carom_study_fail(c->ctx, &c->r->node->place,
                                "the impacts of '%s' need `%s`: give it by `set`, `unknown` or `each`", c->r->name,
                                isnan(c->mass) ? "mass" : "speed");
    def.law = c->def;
    def.mass = c->mass;
    def.speed = c->speed;
    def.loop = points;
    CAROM_TRY(carom_impact_solve(c->ctx, &def, out));
    return out->released ? CAROM_OK : carom_fail(c->ctx, CAROM_ERROR_MODEL, NULL, "%s", out->note);
}

/* Indentation and rate at a time since the onset: the polynomial of degree 5 through both and the acceleration at the
   two points around it. */
static void interpolate(const law_case *c, const carom_impact_solution *s, double t, double *delta, double *rate)
{
    const carom_time_rows rows = {s->loop, 1, s->time, s->delta};
    const size_t k = carom_rows_before(&rows, t);
    const double h = s->time[k + 1] - s->time[k], x = (t - s->time[k]) / h;
    const double v0 = s->rate[k] * h, v1 = s->rate[k + 1] * h;
    const double a0 = -s->force[k] / c->mass * h * h, a1 = -s->force[k + 1] / c->mass * h * h;
    const double d = s->delta[k + 1] - s->delta[k];
    const double c3 = 10 * d - 6 * v0 - 4 * v1 - 1.5 * a0 + 0.5 * a1;
    const double c4 = -15 * d + 8 * v0 + 7 * v1 + 1.5 * a0 - a1, c5 = 6 * d - 3 * (v0 + v1) - 0.5 * a0 + 0.5 * a1;
    *delta = s->delta[k] + x * (v0 + x * (0.5 * a0 + x * (c3 + x * (c4 + x * c5))));
    *rate = (v0 + x * (a0 + x * (3 * c3 + x * (4 * c4 + x * 5 * c5)))) / h;
}

/* Motion of the impact at a time since its onset, with the force of the law there. */
static void motion_at(const law_case *c, const carom_law *law, const carom_impact_solution *s, double t,
                      double out[CAROM_LAW_CURVES])
{
    double delta, rate;
    out[CAROM_LAW_FORCE] = out[CAROM_LAW_INDENTATION] = 0;
    out[CAROM_LAW_RATE] = t < 0 ? s->v_in : -s->v_out;
    if (t < 0 || t > s->time[s->loop - 1])
        return;
    interpolate(c, s, t, &delta, &rate);
    out[CAROM_LAW_INDENTATION] = delta;
    out[CAROM_LAW_RATE] = rate;
    const carom_law_input in = {.delta = fmax(delta, 0),
                                .rate = rate,
                                .speed = c->speed,
                                .mass = c->mass,
                                .from = rate < 0 ? s->max_indentation : 0};
    carom_law_output at;
    if (carom_law_force(law, &in, &at) == CAROM_OK)
        out[CAROM_LAW_FORCE] = fmax(at.force, 0);
}

/* Motion where the indentation passes through a value, in compression or in restitution. */
static void motion_at_depth(const law_case *c, const carom_law *law, const carom_impact_solution *s, double depth,
                            bool compression, double out[CAROM_LAW_CURVES])
{
    size_t deepest = 0;
    for (size_t k = 1; k < s->loop; k++)
        if (s->delta[k] > s->delta[deepest])
            deepest = k;
    double low = compression ? 0 : s->time[s->loop - 1], high = s->time[deepest];
    for (int k = 0; k < SEARCH_STEPS; k++) {
        const double middle = 0.5 * (low + high);
        double delta, rate;
        interpolate(c, s, middle, &delta, &rate);
        *(delta < depth ? &low : &high) = middle;
    }
    motion_at(c, law, s, 0.5 * (low + high), out);
}

/* ---- what the data are compared with ---- */

static double evaluate(const carom_response *q, double t, const double *reads)
{
    int switches[CAROM_PROGRAM_SWITCHES];
    if (carom_expr_switch_count(q->expr) > 0)
        carom_expr_set_switches(q->expr, t, reads, switches);
    return carom_expr_value(q->expr, t, reads, switches);
}

/* Puts the predictions of one row of curves into `out`. */
static void put_row(const law_case *c, size_t row, double t, const double *reads, double *out)
{
    for (size_t k = c->r->response; k < c->r->response + c->r->response_count; k++) {
        const carom_response *q = &c->f->responses[k];
        const size_t i = carom_response_find(q, row);
        if (i < q->count)
            out[q->first + i] = evaluate(q, t, reads);
    }
}

static carom_status predict_times(const law_case *c, const double *values, double *reads, double *out)
{
    carom_impact_solution s;
    carom_law *law;
    const double shift = c->r->shift == CAROM_FIT_NONE ? 0 : values[c->r->shift];
    CAROM_TRY(carom_law_compile(c->ctx, &c->def, &law));
    carom_status status = solve_impact(c, POINTS, &s);
    for (size_t k = c->r->response; status == CAROM_OK && k < c->r->response + c->r->response_count; k++) {
        const carom_response *q = &c->f->responses[k];
        for (size_t i = 0; i < q->count; i++) {
            motion_at(c, law, &s, q->x[i] - shift, reads);
            out[q->first + i] = evaluate(q, q->x[i] - shift, reads);
        }
    }
    carom_impact_solution_free(c->ctx, &s);
    carom_law_free(law);
    return status;
}

/* The force at an indentation with its rate, and, in loops of laws with memory, the greatest one before. */
static carom_status force_at(const law_case *c, const carom_law *law, double delta, double rate, double deepest,
                             double *out)
{
    const carom_law_input in = {.delta = fmax(delta, 0),
                                .rate = rate,
                                .speed = isnan(c->speed) ? 0 : c->speed,
                                .mass = isnan(c->mass) ? 0 : c->mass,
                                .from = deepest};
    carom_law_output at;
    char text[200];
    if (!carom_law_accepts(law, &in, text, sizeof text))
        return carom_fail(c->ctx, CAROM_ERROR_MODEL, NULL, "%s", text);
    CAROM_TRY(carom_law_force(law, &in, &at));
    *out = delta < 0 ? 0 : at.force;
    return CAROM_OK;
}

static carom_status predict_loop(const law_case *c, const carom_law *law, const carom_impact_solution *s, double *reads,
                                 double *out)
{
    const carom_record *r = c->r;
    size_t turn = 0;
    double deepest = 0;
    for (size_t k = 1; k < r->rows; k++)
        if (r->x[k] > r->x[turn])
            turn = k;
    for (size_t k = 0; k < r->rows; k++) {
        if (s && r->x[k] > 0 && r->x[k] < s->max_indentation) {
            motion_at_depth(c, law, s, r->x[k], k <= turn, reads);
        } else {
            const double rate = r->rate ? r->rate[k] : 0;
            CAROM_TRY(force_at(c, law, r->x[k], rate, deepest, &reads[CAROM_LAW_FORCE]));
            reads[CAROM_LAW_RATE] = rate;
        }
        reads[CAROM_LAW_INDENTATION] = r->x[k];
        deepest = fmax(deepest, r->x[k]);
        put_row(c, k, 0, reads, out);
    }
    return CAROM_OK;
}

/* With a rate, or without mass and speed, the force is that of the indentation; else that of the free impact. */
static carom_status predict_depths(const law_case *c, double *reads, double *out)
{
    carom_impact_solution s = {.loop = 0};
    carom_law *law;
    const bool impact = !c->r->rate && !isnan(c->mass) && !isnan(c->speed);
    carom_status status = carom_law_compile(c->ctx, &c->def, &law);
    if (status != CAROM_OK)
        return status;
    if (impact)
        status = solve_impact(c, POINTS, &s);
    if (status == CAROM_OK)
        status = predict_loop(c, law, impact ? &s : NULL, reads, out);
    carom_impact_solution_free(c->ctx, &s);
    carom_law_free(law);
    return status;
}

static carom_status predict_numbers(const law_case *c, size_t run, double *reads, double *out)
{
    carom_impact_solution s;
    CAROM_TRY(solve_impact(c, 0, &s));
    reads[CAROM_LAW_E_GOT] = s.e_got;
    reads[CAROM_LAW_V_IN] = s.v_in;
    reads[CAROM_LAW_V_OUT] = s.v_out;
    reads[CAROM_LAW_PEAK_FORCE] = s.peak_force;
    reads[CAROM_LAW_PEAK_INDENTATION] = s.peak_indentation;
    reads[CAROM_LAW_MAX_INDENTATION] = s.max_indentation;
    reads[CAROM_LAW_DURATION] = s.duration;
    reads[CAROM_LAW_ENERGY_LOST] = s.energy_lost;
    for (size_t k = c->r->response; k < c->r->response + c->r->response_count; k++) {
        const carom_response *q = &c->f->responses[k];
        for (size_t i = 0; i < q->count; i++)
            if (c->r->runs == 1 || q->rows[i] == run)
                out[q->first + i] = evaluate(q, 0, reads);
    }
    return CAROM_OK;
}

carom_status carom_fit_run_law(carom_context *ctx, const carom_fit *f, size_t law, size_t record, size_t run,
                               const double *values, double *out, char *why)
{
    law_case c;
    double reads[CAROM_LAW_READS];
    carom_status status = make_case(ctx, f, law, record, run, values, &c);
    if (status == CAROM_OK) {
        carom_fit_law_reads(f, record, run, values, reads);
        status = c.r->kind == CAROM_RECORD_ROWS   ? predict_numbers(&c, run, reads, out)
                 : c.r->kind == CAROM_RECORD_TIME ? predict_times(&c, values, reads, out)
                                                  : predict_depths(&c, reads, out);
    }
    if (status != CAROM_OK)
        snprintf(why, 256, "%.255s", carom_context_error(ctx));
    return status;
}

carom_status carom_fit_try_law(carom_context *ctx, const carom_fit *f, size_t law, const double *values)
{
    for (size_t k = 0; k < f->record_count; k++) {
        law_case c;
        carom_law *compiled;
        const carom_record *r = &f->records[k];
        CAROM_TRY(make_case(ctx, f, law, k, 0, values, &c));
        CAROM_TRY(carom_law_compile(ctx, &c.def, &compiled));
        carom_law_free(compiled);
        if (r->kind != CAROM_RECORD_LOOP && (isnan(c.mass) || isnan(c.speed)))
            return carom_study_fail(ctx, &r->node->place,
                                    "the impacts of '%s' need `%s`: give it by `set`, `unknown` or `each`", r->name,
                                    isnan(c.mass) ? "mass" : "speed");
    }
    return CAROM_OK;
}

double carom_fit_impact_time(carom_context *ctx, const carom_fit *f, size_t law, const double *values, double mass,
                             double speed)
{
    law_case c;
    carom_impact_solution s = {.loop = 0};
    if (make_case(ctx, f, law, 0, 0, values, &c) != CAROM_OK)
        return TYPICAL_TIME;
    c.mass = mass;
    c.speed = speed;
    const carom_status status = solve_impact(&c, 0, &s);
    carom_impact_solution_free(ctx, &s);
    return status == CAROM_OK ? s.duration : TYPICAL_TIME;
}
