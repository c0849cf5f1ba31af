#include "carom_test.h"

#include "support/free_runs.h"

#ifndef CAROM_MODELS
#define CAROM_MODELS "models"
#endif

static void must(free_run *run, carom_status status, const char *what)
{
    if (status != CAROM_OK)
        fail_msg("%s: %s", what, carom_context_error(run->ctx));
}

static void simulate(free_run *run, double tolerance, const char *integrator)
{
    carom_simulation_def def = carom_default_simulation_def();
    def.tolerance = tolerance;
    def.integrator = integrator;
    must(run, carom_simulation_create(run->ctx, run->model, &def, &run->sim), "simulation");
}

static void simulate_as(free_run *run, const carom_run_def *own)
{
    carom_simulation_def def = carom_default_simulation_def();
    def.run_def = own;
    must(run, carom_simulation_create(run->ctx, run->model, &def, &run->sim), "simulation");
}

static void begin(free_run *run)
{
    memset(run, 0, sizeof *run);
    if (carom_context_create(NULL, &run->ctx) != CAROM_OK)
        fail_msg("no context");
}

static void load(free_run *run, const char *model, const char *const *overrides, size_t count)
{
    char path[1024];
    const char *folder = getenv("CAROM_MODELS");
    snprintf(path, sizeof path, "%s/%s", folder ? folder : CAROM_MODELS, model);
    begin(run);
    must(run, carom_model_load(run->ctx, path, overrides, count, &run->model), model);
}

void free_run_open(free_run *run, const char *model, const char *const *overrides, size_t count, double tolerance,
                   const char *integrator)
{
    load(run, model, overrides, count);
    simulate(run, tolerance, integrator);
}

void free_run_open_in(free_run *run, const char *model, const char *formulation)
{
    load(run, model, NULL, 0);
    carom_run_def own = *carom_model_get_run(run->model, 0);
    own.formulation = formulation;
    simulate_as(run, &own);
}

void free_run_open_by(free_run *run, const char *model, const char *integrator, const char *constraints,
                      const char *formulation, double tolerance)
{
    free_run_open_with(run, model, NULL, integrator, constraints, formulation, tolerance);
}

void free_run_open_with(free_run *run, const char *model, const char *override, const char *integrator,
                        const char *constraints, const char *formulation, double tolerance)
{
    load(run, model, &override, override != NULL);
    carom_run_def own = *carom_model_get_run(run->model, 0);
    own.integrator = integrator;
    own.constraints = constraints;
    own.formulation = formulation;
    own.tolerance = tolerance;
    simulate_as(run, &own);
}

void free_run_open_step(free_run *run, const char *model, const char *integrator, const char *formulation, double step)
{
    load(run, model, NULL, 0);
    carom_run_def own = *carom_model_get_run(run->model, 0);
    own.integrator = integrator;
    own.formulation = formulation;
    own.step = step;
    simulate_as(run, &own);
}

void free_run_open_long(free_run *run, const char *model, const char *const *overrides, size_t count,
                        const char *integrator, double step, double until)
{
    load(run, model, overrides, count);
    carom_run_def own = *carom_model_get_run(run->model, 0);
    own.integrator = integrator;
    own.step = step;
    own.until = until;
    simulate_as(run, &own);
}

void free_run_parse(free_run *run, const char *text, double tolerance, const char *integrator)
{
    carom_document *document;
    begin(run);
    must(run, carom_document_parse(run->ctx, "test.yaml", text, strlen(text), NULL, 0, &document), "document");
    carom_status status = carom_model_compile(run->ctx, carom_document_spec(document), &run->model);
    carom_document_free(document);
    must(run, status, "model");
    simulate(run, tolerance, integrator);
}

void free_run_compile(free_run *run, const carom_spec *spec, double tolerance, const char *integrator)
{
    begin(run);
    must(run, carom_model_compile(run->ctx, spec, &run->model), "model");
    simulate(run, tolerance, integrator);
}

void free_run_close(free_run *run)
{
    carom_simulation_free(run->sim);
    carom_model_free(run->model);
    carom_context_free(run->ctx);
    memset(run, 0, sizeof *run);
}

void free_run_to(free_run *run, double time)
{
    if (time > carom_simulation_time(run->sim))
        must(run, carom_simulation_advance(run->sim, time), "advance");
}

double free_run_get(free_run *run, const char *channel)
{
    double value = 0;
    must(run, carom_simulation_channel(run->sim, channel, &value), "channel");
    return value;
}

carom_body_state free_run_body(const free_run *run, const char *name)
{
    carom_body_state state;
    memset(&state, 0, sizeof state);
    const char *one;
    for (size_t k = 0; (one = carom_model_body_name(run->model, k)) != NULL; k++)
        if (strcmp(one, name) == 0 && carom_simulation_body(run->sim, k, &state) == CAROM_OK)
            return state;
    fail_msg("no body '%s'", name);
    return state;
}

bool free_run_is_told(const free_run *run, const char *code)
{
    size_t count;
    const char *const *texts = carom_simulation_warnings(run->sim, &count);
    for (size_t k = 0; k < count; k++)
        if (strstr(texts[k], code))
            return true;
    return false;
}

void free_rotation(const double q[4], double m[9])
{
    double w = q[0], x = q[1], y = q[2], z = q[3];
    const double rows[9] = {1 - 2 * (y * y + z * z), 2 * (x * y - w * z),     2 * (x * z + w * y),
                            2 * (x * y + w * z),     1 - 2 * (x * x + z * z), 2 * (y * z - w * x),
                            2 * (x * z - w * y),     2 * (y * z + w * x),     1 - 2 * (x * x + y * y)};
    memcpy(m, rows, sizeof rows);
}

/* ---- errors ---- */

static char error_text[2048];

static const char *error_of(carom_context *ctx, carom_status status, const carom_spec *spec)
{
    carom_model *model = NULL;
    carom_simulation *sim = NULL;
    if (status == CAROM_OK)
        status = carom_model_compile(ctx, spec, &model);
    if (status == CAROM_OK)
        status = carom_simulation_create(ctx, model, NULL, &sim);
    snprintf(error_text, sizeof error_text, "%s", status == CAROM_OK ? "" : carom_context_error(ctx));
    carom_simulation_free(sim);
    carom_model_free(model);
    return error_text;
}

const char *free_error_of_spec(const carom_spec *spec)
{
    carom_context *ctx = NULL;
    if (carom_context_create(NULL, &ctx) != CAROM_OK)
        return "no context";
    const char *text = error_of(ctx, CAROM_OK, spec);
    carom_context_free(ctx);
    return text;
}

const char *free_error_of_text(const char *text)
{
    carom_context *ctx = NULL;
    carom_document *document = NULL;
    if (carom_context_create(NULL, &ctx) != CAROM_OK)
        return "no context";
    carom_status status = carom_document_parse(ctx, "test.yaml", text, strlen(text), NULL, 0, &document);
    const char *error = error_of(ctx, status, status == CAROM_OK ? carom_document_spec(document) : NULL);
    carom_document_free(document);
    carom_context_free(ctx);
    return error;
}
