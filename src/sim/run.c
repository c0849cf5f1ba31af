/* Runs: from the definition to numbers and kinds. */
#include "sim/run.h"

#include "kinds/parameters.h"
#include "model/model.h"
#include "spec/analyses.h"

#include <math.h>
#include <string.h>

static carom_status check_analysis(carom_context *ctx, const carom_run_def *def, carom_run *run)
{
    const char *name;
    CAROM_TRY(carom_analysis_require(ctx, &def->analysis_place, def->analysis, &name));
    run->kinematic = strcmp(name, "kinematics") == 0;
    run->stops_at_singular = def->singular && strcmp(def->singular, "stop") == 0;
    run->analysis_place = def->analysis_place;
    return carom_analysis_moves(name)
               ? CAROM_OK
               : carom_fail(ctx, CAROM_ERROR_MODEL, &def->analysis_place,
                            "run: %s is an analysis, no motion that could be simulated; compute it as one "
                            "(carom_analysis_run(), in Python model.analyse()), or take a run of the model that is a "
                            "motion",
                            name);
}

static carom_status check_numbers(carom_context *ctx, const carom_run_def *def)
{
    const struct {
        const char *name;
        double value, low;
        bool above;
    } rows[] = {{"until", def->until, 0, true},
                {"tolerance", def->tolerance, 1e-13, false},
                {"max_step", def->max_step, 0, false},
                {"step", def->step, 0, false},
                {"spectral_radius", def->spectral_radius, 0, false},
                {"output.every", def->output_every, 0, false}};
    for (size_t k = 0; k < CAROM_COUNT(rows); k++) {
        bool fits = rows[k].above ? rows[k].value > rows[k].low : rows[k].value >= rows[k].low;
        if (!fits || !isfinite(rows[k].value))
            return carom_fail(ctx, CAROM_ERROR_MODEL, &def->place, "run: %s is %.6g; it must be %s %.6g", rows[k].name,
                              rows[k].value, rows[k].above ? "above" : "at least", rows[k].low);
    }
    if (def->spectral_radius > 1)
        return carom_fail(ctx, CAROM_ERROR_MODEL, &def->place, "run: spectral_radius is %.6g; it must be 0 to 1",
                          def->spectral_radius);
    if (!(def->hht_alpha >= -1.0 / 3 - 1e-4 && def->hht_alpha <= 0))
        return carom_fail(ctx, CAROM_ERROR_MODEL, &def->place, "run: hht_alpha is %.6g; it must be -1/3 to 0",
                          def->hht_alpha);
    if (!(def->theta >= 0.5 && def->theta <= 1))
        return carom_fail(ctx, CAROM_ERROR_MODEL, &def->place, "run: theta is %.6g; it must be 0.5 to 1", def->theta);
    if (def->tolerance > 0.1)
        return carom_fail(ctx, CAROM_ERROR_MODEL, &def->place,
                          "run: tolerance is %.6g; it is relative and at most 0.1", def->tolerance);
    return CAROM_OK;
}

/* A kind of the simulation's context or, where that does not have it, of the model's, which may have kinds of a
   program's own. */
static carom_status find_kind(carom_context *ctx, const carom_model *model, const carom_place *place,
                              carom_family family, const char *name, const carom_kind **out)
{
    *out = carom_kind_find(ctx, family, name);
    if (!*out)
        *out = carom_kind_find(model->ctx, family, name);
    return *out ? CAROM_OK : carom_kind_require(ctx, place, "run", family, name, out);
}

static carom_status find_kinds(carom_context *ctx, const carom_model *model, const carom_run_def *def, carom_run *run)
{
    const carom_kind *kind;
    CAROM_TRY(carom_formulation_require(ctx, &def->formulation_place, def->formulation, &run->formulation));
    run->formulation = carom_formulation_for(model, run->formulation);
    CAROM_TRY(find_kind(ctx, model, &def->integrator_place, CAROM_FAMILY_INTEGRATOR,
                        def->integrator ? def->integrator : "auto", &kind));
    run->integrator = (const carom_integrator_kind *)kind;
    CAROM_TRY(find_kind(ctx, model, &def->constraints_place, CAROM_FAMILY_STABILIZATION,
                        def->constraints ? def->constraints : "baumgarte", &kind));
    run->stabilization = (const carom_stabilization_kind *)kind;
    return CAROM_OK;
}

/* Of integrators that hold the constraints themselves. */
static const carom_stabilization_kind held = {.kind = {.name = "index 3"}};

/* Of motions that the constraints tell, which have a method of their own. */
static const carom_stabilization_kind followed = {.kind = {.name = "kinematics"}};

/* What has no meaning where the constraints alone tell the motion. */
static carom_status check_kinematics(carom_context *ctx, const carom_run_def *def, const carom_simulation_def *sim)
{
    static const char text[] = "run: analysis kinematics follows the constraints and integrates no equations of "
                               "motion; leave `%s` out";
    if (def->integrator_place.line || (def->integrator && strcmp(def->integrator, "auto") != 0))
        return carom_fail(ctx, CAROM_ERROR_MODEL, &def->integrator_place, text, "integrator");
    if (sim->integrator)
        return carom_fail(ctx, CAROM_ERROR_USAGE, NULL, text, "integrator");
    return def->constraints ? carom_fail(ctx, CAROM_ERROR_MODEL, &def->constraints_place, text, "constraints")
                            : CAROM_OK;
}

/* Constraint methods that have an integrator. */
static carom_status check_closing(carom_context *ctx, const carom_run_def *def, const carom_simulation_def *sim,
                                  carom_run *run)
{
    const char *asked = sim->integrator ? sim->integrator : def->integrator;
    if (run->stabilization->index2) {
        if (asked && strcmp(asked, "auto") != 0)
            return carom_fail(ctx, CAROM_ERROR_MODEL,
                              sim->integrator ? &def->constraints_place : &def->integrator_place,
                              "run: constraints %s has an integrator of its own; use integrator auto, or constraints: "
                              "baumgarte",
                              run->stabilization->kind.name);
        run->integrator = &carom_integrator_ggl;
        return CAROM_OK;
    }
    if (asked && strcmp(asked, "auto") != 0 && strcmp(asked, "dopri5") != 0)
        return carom_fail(ctx, CAROM_ERROR_MODEL, sim->integrator ? &def->constraints_place : &def->integrator_place,
                          "run: constraints %s closes the state at each evaluation, which only dopri5 does; use "
                          "integrator dopri5, or constraints: baumgarte",
                          run->stabilization->kind.name);
    run->integrator = &carom_integrator_closing;
    return CAROM_OK;
}

/* What the integrator of the definition of the run needs. */
static carom_status check_integrator(carom_context *ctx, const carom_run_def *def, const carom_run *run)
{
    if (run->stabilization->projects && !run->integrator->can_project)
        return carom_fail(
            ctx, CAROM_ERROR_MODEL, &def->constraints_place,
            "run: %s cannot project onto the constraints, because SUNDIALS projects with BDF only; use integrator "
            "auto, bdf, dopri5 or a fixed-step one, or constraints: baumgarte",
            run->integrator->kind.name);
    if (run->integrator->holds && def->constraints)
        return carom_fail(ctx, CAROM_ERROR_MODEL, &def->constraints_place,
                          "run: integrator %s holds the constraints itself; leave `constraints` out",
                          run->integrator->kind.name);
    if (run->integrator->fixed_step && !run->integrator->rigid && !(def->step > 0))
        return carom_fail(ctx, CAROM_ERROR_MODEL, def->step_place.line ? &def->step_place : &def->place,
                          "run: integrator %s needs `step` above 0 [s], the length of its steps: write it into the "
                          "run, or give `carom run --step T`",
                          run->integrator->kind.name);
    return CAROM_OK;
}

void carom_run_suit(carom_run *run, double rate)
{
    memcpy(run->stabilization_params, run->stabilization_given, sizeof run->stabilization_given);
    if (run->stabilization->suit)
        run->stabilization->suit(run->stabilization_params, rate);
    for (int k = 0; run->softness > 0 && k < run->stabilization->kind.param_count; k++)
        run->stabilization_params[k] *= run->softness;
    run->suited = rate;
}

static carom_status read_params(carom_context *ctx, int dimension, const carom_run_def *def, carom_run *run)
{
    const carom_kind *kind = &run->stabilization->kind;
    const int size = carom_kind_param_size(kind), most = CAROM_STABILIZATION_PARAMS;
    double *params;
    carom_arena scratch;
    carom_arena_init(&scratch, ctx);
    const carom_param_reader reader = {.ctx = ctx, .arena = &scratch, .owner = "run", .dimension = dimension};
    carom_status status = carom_params_read(&reader, kind, &def->constraint_params, false, &def->place, &params);
    if (status == CAROM_OK)
        memcpy(run->stabilization_given, params, (size_t)(size < most ? size : most) * sizeof *params);
    carom_arena_free(&scratch);
    return status;
}

static carom_status compile(carom_context *ctx, const carom_model *model, const carom_run_def *def, carom_run *run)
{
    CAROM_TRY(check_analysis(ctx, def, run));
    CAROM_TRY(check_numbers(ctx, def));
    CAROM_TRY(find_kinds(ctx, model, def, run));
    CAROM_TRY(read_params(ctx, model->dimension, def, run));
    carom_run_suit(run, model->speed_scale / model->length_scale);
    run->until = def->until;
    run->tolerance = def->tolerance;
    run->absolute = def->absolute.type == CAROM_VALUE_NUMBER ? def->absolute.number[0] : 0;
    if (run->absolute < 0)
        return carom_fail(ctx, CAROM_ERROR_MODEL, &def->absolute.place, "run: absolute must be above 0");
    run->max_step = def->max_step;
    run->spectral_radius = def->spectral_radius;
    run->hht_alpha = def->hht_alpha;
    run->theta = def->theta;
    run->newton = !def->jacobian || strcmp(def->jacobian, "differences") != 0;
    run->step = def->step;
    run->output_every = def->output_every > 0 ? def->output_every : def->until / 200;
    run->contacts_given = def->output_contacts != NULL;
    run->contacts_every_step = !def->output_contacts || strcmp(def->output_contacts, "every-step") == 0;
    if (def->until / run->output_every > 5e7)
        return carom_fail(ctx, CAROM_ERROR_MODEL, &def->place,
                          "run: output.every is %.3g s, %.3g rows until %.3g s; choose a larger one", run->output_every,
                          def->until / run->output_every, def->until);
    run->channels = def->channels;
    run->channel_count = def->channel_count;
    run->channels_place = def->channels_place;
    if (def->max_size && !carom_parse_size(def->max_size, &run->max_size))
        return carom_fail(ctx, CAROM_ERROR_MODEL, &def->max_size_place,
                          "output: max_size is '%.40s'; give a size such as 300 MB or 2 GB", def->max_size);
    return CAROM_OK;
}

/* Steps of a run with rigid contacts that does not say how long they are. */
#define RIGID_STEPS 10000

/* What the definition of a simulation has instead of the run's. */
static carom_status override_tolerance(carom_context *ctx, const carom_simulation_def *def, carom_run *run)
{
    if (def->tolerance != 0)
        run->tolerance = def->tolerance;
    if (!(run->tolerance >= 1e-13 && run->tolerance <= 0.1))
        return carom_fail(ctx, CAROM_ERROR_USAGE, NULL, "tolerance %.3g: it must be between 1e-13 and 0.1",
                          run->tolerance);
    return CAROM_OK;
}

static carom_status override_integrator(carom_context *ctx, const carom_model *model, const carom_simulation_def *def,
                                        carom_run *run)
{
    if (!def->integrator)
        return CAROM_OK;
    const carom_kind *kind = carom_kind_find(ctx, CAROM_FAMILY_INTEGRATOR, def->integrator);
    kind = kind ? kind : carom_kind_find(model->ctx, CAROM_FAMILY_INTEGRATOR, def->integrator);
    if (!kind) {
        size_t count;
        const char *const *names = carom_kind_names(ctx, CAROM_FAMILY_INTEGRATOR, &count);
        const char *nearest = carom_nearest_name(def->integrator, names, count);
        return carom_fail(ctx, CAROM_ERROR_USAGE, NULL, "no integrator '%s'%s%s%s", def->integrator,
                          nearest ? "; did you mean '" : "; `carom list integrators` names them",
                          nearest ? nearest : "", nearest ? "'?" : "");
    }
    run->integrator = (const carom_integrator_kind *)kind;
    if (run->integrator->fixed_step && !run->integrator->rigid && !(run->step > 0))
        return carom_fail(ctx, CAROM_ERROR_USAGE, NULL,
                          "integrator %s needs the length of its steps: give `carom run --step T` [s], or write `step` "
                          "into the run of the model",
                          kind->name);
    if (run->stabilization->projects && !run->integrator->can_project)
        return carom_fail(ctx, CAROM_ERROR_USAGE, NULL,
                          "integrator %s cannot project onto the constraints: SUNDIALS projects with BDF only",
                          kind->name);
    return CAROM_OK;
}

/* Share by which an interval may miss a multiple of the step: both are given to some digits. */
#define WHOLE 1e-9

double carom_run_whole_every(const carom_run *run)
{
    return fmax(round(run->output_every / run->step), 1) * run->step;
}

/* Rows end steps of fixed length where there are contact sets. By default each ends a whole one. */
static void choose_rows(const carom_model *model, const carom_run_def *def, carom_run *run)
{
    const bool has_sets = carom_integrator_has_sets(run->integrator);
    const carom_model *m = carom_model_for_steps(model, has_sets);
    run->rows_end_steps = has_sets && m && m->contact_set_count;
    if (!run->rows_end_steps)
        return;
    const double whole = carom_run_whole_every(run);
    if (!(def->output_every > 0))
        run->output_every = whole;
    /* the last row is at the end of the run, which may cut a step */
    run->cuts_steps = fabs(run->output_every - whole) > WHOLE * whole && run->output_every < (1 - WHOLE) * run->until;
}

/* Whether a step is given in vain: that of the model does not count where another integrator takes its place. */
static bool is_step_unused(const carom_model *model, const carom_simulation_def *def, const carom_run_def *run,
                           const carom_run *made)
{
    const carom_run_def *own = carom_model_get_run(model, def->run);
    const bool replaced = def->integrator && own && own->step == run->step;
    return run->step > 0 && !replaced && !made->kinematic && !carom_run_keeps_step(made);
}

carom_status carom_run_compile(carom_context *ctx, const carom_model *model, const carom_simulation_def *def,
                               carom_run *out)
{
    *out = (carom_run){0};
    const carom_run_def *run = def->run_def ? def->run_def : carom_model_get_run(model, def->run);
    if (!run && !model->run_count)
        return carom_fail(ctx, CAROM_ERROR_USAGE, NULL,
                          "the model has no run; add `run: {until: ...}`, or give one by carom_simulation_def.run_def");
    if (!run)
        return carom_fail(ctx, CAROM_ERROR_USAGE, NULL, "run %zu: the model has %d", def->run + 1, model->run_count);
    CAROM_TRY(compile(ctx, model, run, out));
    if (out->kinematic) {
        CAROM_TRY(check_kinematics(ctx, run, def));
        out->integrator = &carom_integrator_kinematic;
        out->stabilization = &followed;
    } else if (run->singular_place.line && run->analysis && strcmp(run->analysis, "dynamics") != 0)
        return carom_fail(ctx, CAROM_ERROR_MODEL, &run->singular_place,
                          "run: `singular` is a key of the analyses dynamics and kinematics; leave it out");
    CAROM_TRY(override_tolerance(ctx, def, out));
    if (out->stabilization->closes || out->stabilization->index2)
        return check_closing(ctx, run, def, out);
    if (!def->integrator)
        CAROM_TRY(check_integrator(ctx, run, out));
    CAROM_TRY(override_integrator(ctx, model, def, out));
    if (out->integrator->rigid && !(out->step > 0))
        out->step = fmin(out->until / RIGID_STEPS, out->output_every);
    if (out->integrator->holds) {
        out->ignored = run->constraints != NULL;
        out->stabilization = &held;
    }
    choose_rows(model, run, out);
    out->step_unused = is_step_unused(model, def, run, out);
    return CAROM_OK;
}
