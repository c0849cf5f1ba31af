/* One run of a study: the model with its values, the motion, the quantities. */
#include "study/runner.h"

#include <float.h>
#include <stdio.h>
#include <time.h>

static double clock_seconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

/* ---- a runner ---- */

void carom_study_runner_free(carom_study_runner *r)
{
    if (!r)
        return;
    const carom_study *s = r->study;
    carom_series_free(r->ctx, &r->series);
    carom_series_free(r->ctx, &r->steps);
    carom_study_slopes_clear(r);
    carom_release(r->ctx, r->row, s->channel_count + 1, sizeof *r->row);
    carom_release(r->ctx, r->refs, s->channel_count + 1, sizeof *r->refs);
    carom_release(r->ctx, r->places, s->channel_count + 1, sizeof *r->places);
    carom_release(r->ctx, r->quantities, s->item_count + 1, sizeof *r->quantities);
    carom_release(r->ctx, r->point, s->side_count + 1, sizeof *r->point);
    carom_release(r->ctx, r->cache, s->reduction_count + 1, sizeof *r->cache);
    carom_release(r->ctx, r->cached, s->reduction_count + 1, sizeof *r->cached);
    carom_release(r->ctx, r->times, s->reduction_count + 1, sizeof *r->times);
    carom_release(r->ctx, r->ran, s->side_count + 1, sizeof *r->ran);
    carom_release(r->ctx, r, 1, sizeof *r);
}

carom_status carom_study_runner_create(carom_context *ctx, const carom_study *s, carom_study_runner **out)
{
    CAROM_NEED(ctx, ctx);
    CAROM_NEED_AS(ctx, s, "study");
    CAROM_NEED(ctx, out);
    *out = NULL;
    carom_study_runner *r = carom_allocate(ctx, 1, sizeof *r);
    if (!r)
        return carom_fail_memory(ctx);
    r->ctx = ctx;
    r->study = s;
    r->series.width = r->steps.width = s->channel_count;
    r->row = carom_allocate(ctx, s->channel_count + 1, sizeof *r->row);
    r->refs = carom_allocate(ctx, s->channel_count + 1, sizeof *r->refs);
    r->places = carom_allocate(ctx, s->channel_count + 1, sizeof *r->places);
    r->quantities = carom_allocate(ctx, s->item_count + 1, sizeof *r->quantities);
    r->point = carom_allocate(ctx, s->side_count + 1, sizeof *r->point);
    r->cache = carom_allocate(ctx, s->reduction_count + 1, sizeof *r->cache);
    r->cached = carom_allocate(ctx, s->reduction_count + 1, sizeof *r->cached);
    r->times = carom_allocate(ctx, s->reduction_count + 1, sizeof *r->times);
    r->ran = carom_allocate(ctx, s->side_count + 1, sizeof *r->ran);
    r->series.scale = carom_allocate(ctx, s->channel_count, sizeof *r->series.scale);
    if (r->row && r->times && r->ran && r->refs && r->places && r->quantities && r->point && r->cache && r->cached &&
        r->series.scale) {
        *out = r;
        return CAROM_OK;
    }
    carom_study_runner_free(r);
    return carom_fail_memory(ctx);
}

/* ---- what a motion calls ---- */

static bool on_progress(void *user, const carom_progress *progress)
{
    carom_study_runner *r = user;
    (void)progress;
    if (r->study->limit > 0 && clock_seconds() - r->begin > r->study->limit)
        r->late = true;
    return !r->late && (!r->go_on || r->go_on(r->user));
}

/* Units of rounding of the time within which rows are of one instant. */
#define INSTANT 4

static carom_status add_kept(carom_study_runner *r)
{
    const bool has = r->has_row;
    r->has_row = false;
    return has ? carom_series_add(r->ctx, &r->steps, r->row_time, r->row) : CAROM_OK;
}

/* The row at the present time. Of one instant there are two at most, what it was before an event next to what it is
   behind it. */
static carom_status take_row(void *user, carom_simulation *sim)
{
    carom_study_runner *r = user;
    double row[CAROM_STUDY_CHANNELS], value[4];
    const double t = carom_simulation_time(sim);
    for (size_t k = 0; k < r->series.width; k++) {
        CAROM_TRY(carom_simulation_read(sim, &r->refs[k], value));
        row[k] = value[0];
    }
    const bool same = r->has_row && t - r->row_time <= INSTANT * DBL_EPSILON * t;
    if (same && !r->row_jumped && memcmp(row, r->row, r->series.width * sizeof *row) != 0) {
        r->row_jumped = true;
        if (t > 0)
            CAROM_TRY(carom_series_add(r->ctx, &r->steps, nextafter(t, 0), r->row));
    } else if (!same) {
        CAROM_TRY(add_kept(r));
        r->row_jumped = false;
    }
    r->row_time = t;
    r->has_row = true;
    memcpy(r->row, row, r->series.width * sizeof *row);
    return CAROM_OK;
}

/* The end of a step behind the events of its contacts. */
static carom_status on_step(void *user, carom_simulation *sim)
{
    carom_study_runner *r = user;
    CAROM_TRY(take_row(user, sim));
    return r->sensitivity ? carom_study_slopes_step(r) : CAROM_OK;
}

/* Rows at the output interval. */
static carom_status on_rows(void *user, int group, size_t rows, const double *time, const double *data)
{
    carom_study_runner *r = user;
    double row[CAROM_STUDY_CHANNELS];
    for (size_t k = 0; group == 0 && k < rows; k++) {
        for (size_t i = 0; i < r->series.width; i++)
            row[i] = data[k * r->row_width + r->places[i]];
        CAROM_TRY(carom_series_add(r->ctx, &r->series, time[k], row));
    }
    return CAROM_OK;
}

/* Name of the channel that a column belongs to, without component. */
bool carom_study_is_column(const carom_channel *c, const char *name, size_t *component)
{
    const size_t length = strlen(c->name);
    if (strncmp(c->name, name, length) != 0)
        return false;
    *component = 0;
    if (name[length] == '\0')
        return !c->components;
    for (int i = 0; c->components && name[length] == '.' && i < c->size; i++)
        if (strcmp(c->components[i], name + length + 1) == 0) {
            *component = (size_t)i;
            return true;
        }
    return false;
}

/* Finds the channels, and their places in the rows of the output interval. */
static carom_status find_channels(carom_study_runner *r)
{
    const carom_study *s = r->study;
    size_t count;
    const carom_channel *channels = carom_simulation_channels(r->sim, &count);
    if (!channels && count == 0 && s->channel_count > 0)
        return carom_fail_memory(r->ctx);
    for (size_t k = 0; k < s->channel_count; k++) {
        CAROM_TRY(carom_simulation_find_channel(r->sim, s->channels[k], &r->refs[k]));
        if (r->refs[k].size != 1)
            return carom_fail(r->ctx, CAROM_ERROR_USAGE, NULL, "'%s' is a vector; name a component, such as '%s.%s'",
                              s->channels[k], s->channels[k], "x");
    }
    r->row_width = 0;
    for (size_t i = 0; i < count; i++) {
        size_t component;
        if (channels[i].group != 0)
            continue;
        for (size_t k = 0; k < s->channel_count; k++)
            if (carom_study_is_column(&channels[i], s->channels[k], &component))
                r->places[k] = r->row_width + component;
        r->row_width += (size_t)channels[i].size;
    }
    return CAROM_OK;
}

/* ---- a motion ---- */

carom_run_def carom_study_run_def(const carom_study *s, const carom_run_def *given)
{
    carom_run_def run = *given;
    if (s->until > 0)
        run.until = s->until;
    if (s->integrator)
        run.integrator = s->integrator;
    if (s->formulation)
        run.formulation = s->formulation;
    if (s->tolerance > 0)
        run.tolerance = s->tolerance;
    run.channels = s->bases;
    run.channel_count = s->channel_count;
    return run;
}

static carom_simulation_def motion_of(carom_study_runner *r, const carom_run_def *run, const carom_sink *sink)
{
    carom_simulation_def def = carom_default_simulation_def();
    def.run_def = run;
    def.sink = r->study->channel_count > 0 ? sink : NULL;
    def.progress = on_progress;
    def.progress_user = r;
    def.threads = 1;
    return def;
}

/* The simulation of the run, with derivatives where they are wanted. */
static carom_status create_motion(carom_study_runner *r, const carom_document *document, const carom_model *model,
                                  const carom_sink *sink)
{
    const carom_run_def *given = model ? carom_model_get_run(model, 0) : carom_document_spec(document)->runs;
    const carom_run_def run = carom_study_run_def(r->study, given);
    const carom_simulation_def def = motion_of(r, &run, sink);
    return r->slopes && r->slopes->count > 0 ? carom_study_slopes_begin(r, document, &def)
                                             : carom_simulation_create(r->ctx, model, &def, &r->sim);
}

/* Runs the motion; *inaccurate tells whether its numbers are those of its model. */
static carom_status move(carom_study_runner *r, const carom_document *document, const carom_model *model,
                         bool *inaccurate)
{
    carom_sink sink = carom_default_sink();
    sink.user = r;
    sink.rows = on_rows;
    CAROM_TRY(create_motion(r, document, model, &sink));
    if (r->study->channel_count > 0)
        CAROM_TRY(find_channels(r));
    if (r->sensitivity)
        CAROM_TRY(carom_study_slopes_record(r));
    if (r->study->channel_count > 0) {
        carom_observer observer = carom_default_observer();
        observer.user = r;
        observer.step = on_step;
        observer.arrive = observer.restart = take_row;
        CAROM_TRY(carom_simulation_observe(r->sim, &observer));
    }
    CAROM_TRY(carom_simulation_run(r->sim));
    CAROM_TRY(add_kept(r));
    if (r->sensitivity)
        CAROM_TRY(carom_study_slopes_end(r));
    carom_accuracy accuracy;
    CAROM_TRY(carom_simulation_accuracy(r->sim, &accuracy));
    *inaccurate = !accuracy.accurate;
    if (*inaccurate)
        snprintf(r->message, sizeof r->message, "%.*s", (int)sizeof r->message - 1, accuracy.text);
    r->impacts = carom_simulation_impacts(r->sim, &r->impact_count);
    CAROM_TRY(carom_simulation_rests(r->sim, &r->rests, &r->rest_count));
    r->ledger = carom_simulation_ledger(r->sim);
    return r->study->channel_count > 0 ? carom_series_merge(r->ctx, &r->series, &r->steps) : CAROM_OK;
}

static carom_status analyse(carom_study_runner *r, const carom_model *model)
{
    const carom_run_def run = carom_study_run_def(r->study, carom_model_get_run(model, 0));
    carom_analysis_def def = carom_default_analysis_def();
    def.run_def = &run;
    return carom_analysis_run(r->ctx, model, &def, &r->analysis);
}

static void clear(carom_study_runner *r)
{
    for (size_t k = 0; k < r->study->item_count; k++)
        r->quantities[k] = NAN;
    for (size_t k = 0; k < r->study->reduction_count; k++)
        r->cached[k] = false;
    r->series.count = r->steps.count = 0;
    r->has_row = false;
    r->impact_count = r->rest_count = 0;
    r->message[0] = '\0';
    r->late = false;
    r->ledger = (carom_ledger){0};
}

/* The model with the values of the run. */
static carom_status read_document(carom_study_runner *r, carom_document **out)
{
    const carom_study *s = r->study;
    const size_t count = s->set_count + s->side_count;
    const char *overrides[CAROM_STUDY_SET + CAROM_STUDY_PARAMETERS];
    char texts[CAROM_STUDY_PARAMETERS][CAROM_STUDY_NAME + 80];
    for (size_t k = 0; k < s->set_count; k++)
        overrides[k] = s->set[k];
    for (size_t k = 0; k < s->side_count; k++) {
        char value[64];
        snprintf(texts[k], sizeof texts[k], "%s=%s", s->sides[k].name,
                 carom_study_value_text(s, k, r->point[k], value));
        overrides[s->set_count + k] = texts[k];
    }
    return carom_document_parse(r->ctx, s->model, s->model_text, s->model_length, overrides, count, out);
}

static carom_status make_run(carom_study_runner *r, const carom_document *document, const carom_model *model,
                             const char **status)
{
    bool inaccurate = false;
    const carom_run_def *run = carom_model_get_run(model, 0);
    CAROM_TRY(carom_run_moves(run) ? move(r, document, model, &inaccurate) : analyse(r, model));
    *status = inaccurate ? "completed, inaccurate" : "completed";
    return CAROM_OK;
}

static carom_status run_model(carom_study_runner *r, const char **status)
{
    carom_document *document = NULL;
    carom_model *model = NULL;
    carom_status result = read_document(r, &document);
    if (result == CAROM_OK) {
        r->spec = carom_document_spec(document);
        result = carom_model_compile(r->ctx, r->spec, &model);
    }
    if (result == CAROM_OK && carom_model_get_info(model).runs != 1)
        result = carom_fail(r->ctx, CAROM_ERROR_MODEL, NULL, "%s: a study takes a model with one run, not %zu",
                            r->study->model, carom_model_get_info(model).runs);
    if (result == CAROM_OK)
        result = make_run(r, document, model, status);
    if (result == CAROM_OK)
        carom_study_find_quantities(r);
    if (result == CAROM_OK && r->slopes)
        result = carom_study_slopes_find(r, document);
    if (!r->sensitivity)
        carom_simulation_free(r->sim);
    carom_study_slopes_clear(r);
    carom_analysis_free(r->analysis);
    carom_model_free(model);
    carom_document_free(document);
    r->sim = NULL;
    r->analysis = NULL;
    r->spec = NULL;
    return result;
}

/* The run with the values of r->point. */
static carom_status run_point(carom_study_runner *r, bool (*go_on)(void *user), void *user, carom_study_outcome *out)
{
    r->go_on = go_on;
    r->user = user;
    r->begin = clock_seconds();
    clear(r);
    const char *status = "completed";
    carom_status result = CAROM_OK;
    if (r->study->model)
        result = run_model(r, &status);
    else
        carom_study_find_quantities(r);
    if (result == CAROM_ERROR_MEMORY || (result == CAROM_INTERRUPTED && !r->late))
        return result;
    if (result != CAROM_OK) {
        status = r->late ? "out of time" : result == CAROM_ERROR_SOLVER ? "failed" : "refused";
        if (r->late)
            snprintf(r->message, sizeof r->message, "took longer than %g s", r->study->limit);
        else
            snprintf(r->message, sizeof r->message, "%.*s", (int)sizeof r->message - 1, carom_context_error(r->ctx));
    }
    *out = (carom_study_outcome){status, r->message, clock_seconds() - r->begin, r->quantities};
    return CAROM_OK;
}

carom_status carom_study_run(carom_study_runner *r, size_t run, bool (*go_on)(void *user), void *user,
                             carom_study_outcome *out)
{
    CAROM_NEED_AS(NULL, r, "runner");
    CAROM_NEED(r->ctx, out);
    CAROM_TRY(carom_study_point(r->ctx, r->study, run, r->point));
    return run_point(r, go_on, user, out);
}

carom_status carom_study_run_at(carom_study_runner *r, const double *point, const carom_study_probe *probe,
                                bool (*go_on)(void *user), void *user, carom_study_outcome *out)
{
    memcpy(r->point, point, r->study->side_count * sizeof *point);
    r->probe = probe;
    r->has_run = false;
    for (size_t k = 0; k < r->study->reduction_count && !r->slopes; k++)
        r->times[k] = NAN;
    const carom_status status = run_point(r, go_on, user, out);
    r->probe = NULL;
    if (status == CAROM_OK && !r->slopes) {
        memcpy(r->ran, point, r->study->side_count * sizeof *point);
        r->has_run = true;
    }
    return status;
}

carom_status carom_study_run_slopes(carom_study_runner *r, const double *point, const carom_study_probe *probe,
                                    carom_study_slopes *slopes, bool (*go_on)(void *user), void *user,
                                    carom_study_outcome *out)
{
    const size_t items = r->study->item_count, values = probe ? items * probe->count : 0;
    for (size_t k = 0; k < slopes->count * items; k++)
        slopes->quantities[k] = NAN;
    for (size_t k = 0; k < slopes->count * values; k++)
        slopes->curves[k] = NAN;
    for (size_t k = 0; slopes->later && k < values; k++)
        slopes->later[k] = NAN;
    /* when the methods over the time look at the course a run before this one tells */
    const bool over = probe && probe->depths;
    const bool same = r->has_run && !over && memcmp(r->ran, point, r->study->side_count * sizeof *point) == 0;
    if (!same && (over || carom_study_slopes_at_times(r->study)))
        CAROM_TRY(carom_study_run_at(r, point, probe, go_on, user, out));
    r->slopes = slopes;
    const carom_status status = carom_study_run_at(r, point, probe, go_on, user, out);
    r->slopes = NULL;
    return status;
}

carom_status carom_study_slopes_check(carom_study_runner *r, const double *point, size_t side, char *why)
{
    const carom_study *s = r->study;
    carom_study_slopes slopes = {.count = 1, .sides = &side};
    carom_document *document = NULL;
    const char *none = s->model ? carom_study_without_slopes(s) : "there is no model";
    snprintf(why, 256, "%s", none ? none : "");
    if (none)
        return CAROM_OK;
    memcpy(r->point, point, s->side_count * sizeof *point);
    r->slopes = &slopes;
    carom_status status = read_document(r, &document);
    if (status == CAROM_OK && carom_document_spec(document)->run_count != 1)
        status = carom_fail(r->ctx, CAROM_ERROR_MODEL, NULL, "the model has several runs");
    if (status == CAROM_OK)
        status = create_motion(r, document, NULL, NULL);
    if (status != CAROM_OK)
        snprintf(why, 256, "%.255s", carom_context_error(r->ctx));
    carom_study_slopes_clear(r);
    carom_document_free(document);
    r->sim = NULL;
    r->slopes = NULL;
    return status == CAROM_ERROR_MEMORY ? status : CAROM_OK;
}
