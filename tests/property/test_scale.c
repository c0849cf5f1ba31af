/* Neither steps nor results depend on the size and the mass of a model: every linkage of models/ with its lengths times
   1e-4 to 1e4 and its masses times 1e-6 to 1e6, all other quantities by their units, so that the motion is similar. */
#include "carom_test.h"

#include <limits.h>
#include <math.h>

#include "support/outcome.h"
#include "support/scaled.h"
#include "support/sample.h"

/* Share by which steps may be more or fewer than rounding alone makes them, and by which channels may differ, of the
   largest value of their dimension. */
#define STEPS_ALLOWED 0.2
#define ALLOWED 1e-7
/* ---- models ---- */

/* Linkages: all models with joints, and two with none. Where impacts follow each other without end what rounding
   changes grows to the size of the motion, and the steps alone are compared. */
static const struct {
    const char *name;
    bool chaotic;
} models[] = {{"actuator_pendulum", false},
              {"andrews", false},
              {"cam_follower", false},
              {"double_pendulum", false},
              {"double_pendulum_bars", false},
              {"four_bar", false},
              {"four_bar_clearance", true},
              {"four_bar_driven", false},
              {"free_body", false},
              {"gear_backlash", true},
              {"geneva_wheel", false},
              {"knee", false},
              {"latch", false},
              {"n_pendulum", false},
              {"pendulum", false},
              {"pendulum_3d", false},
              {"pendulum_pin_friction", false},
              {"planetary_gear", false},
              {"scotch_yoke", false},
              {"scotch_yoke_ends", false},
              {"slider_crank_3d", false},
              {"slider_crank_block", false},
              {"slider_crank_clearance", true},
              {"slider_crank_driven", false},
              {"slider_crank_guide", false},
              {"spinning_top", false}};

static const struct {
    double length, mass;
} scales[] = {{1e4, 1}, {1e-4, 1e6}, {1, 1e-6}, {1e-4, 1}, {1e4, 1e6}, {1e-4, 1e-6}};

enum { SCALES = CAROM_COUNT(scales), AT_ONCE = 2 };

/* Own size but for rounding: what the steps of adaptive methods make of that. */
static const struct {
    double length, mass;
} rounded[] = {{1 + 2e-12, 1}, {1, 1 + 2e-12}, {1 - 2e-12, 1 + 3e-12}, {1 + 5e-12, 1 - 1e-12}, {1 - 4e-12, 1 + 7e-12}};

typedef struct band {
    long least, most;
} band;

static void widen(band *b, long steps)
{
    b->least = steps < b->least ? steps : b->least;
    b->most = steps > b->most ? steps : b->most;
}

/* Runs a model in its own size and in others; returns what is wrong. */
static int scale_model(size_t index, int first, int count, const carom_run_def *like, double allowed)
{
    carom_context *ctx = new_context();
    carom_arena arena;
    carom_document *document;
    char path[1024];
    outcome own, other;
    const char *model = models[index].name, *folder = getenv("CAROM_MODELS");
    band own_steps = {LONG_MAX, 0}, scaled_steps = {LONG_MAX, 0};
    double worst = 0;
    const char *place = "", *where;
    carom_arena_init(&arena, ctx);
    snprintf(path, sizeof path, "%s/%s.yaml", folder ? folder : CAROM_MODELS, model);
    outcome_must(ctx, carom_document_read(ctx, path, NULL, 0, &document), model);
    carom_spec spec = *carom_document_spec(document);
    carom_run_def run_def = spec.runs[0];
    run_def.tolerance = like->tolerance;
    run_def.integrator = like->integrator ? like->integrator : run_def.integrator;
    run_def.constraints = like->constraints ? like->constraints : run_def.constraints;
    spec.runs = &run_def;
    outcome_run(ctx, &arena, &spec, model, &own);
    widen(&own_steps, own.steps);
    for (size_t k = 0; k < CAROM_COUNT(rounded); k++) {
        const carom_spec near = scaled_spec(ctx, &arena, &spec, rounded[k].length, rounded[k].mass);
        outcome_run(ctx, &arena, &near, model, &other);
        widen(&own_steps, other.steps);
    }
    for (int k = 0; k < count; k++) {
        const double length = scales[(first + k) % SCALES].length, mass = scales[(first + k) % SCALES].mass;
        const carom_spec scaled = scaled_spec(ctx, &arena, &spec, length, mass);
        outcome_run(ctx, &arena, &scaled, model, &other);
        widen(&scaled_steps, other.steps);
        const double off = outcome_compare(&own, &other, OUTCOME_SAMPLES, length, mass, &where);
        if (off > worst) {
            worst = off;
            place = where;
        }
    }
    const double more = (double)scaled_steps.most / (double)own_steps.most - 1,
                 fewer = 1 - (double)scaled_steps.least / (double)own_steps.least, beyond = fmax(more, fewer);
    const bool good = beyond <= STEPS_ALLOWED && (models[index].chaotic || worst <= allowed);
    print_message("%-22s %6ld to %6ld steps, scaled %6ld to %6ld, %+.1f %%; off by %.2g%s%s%s\n", model,
                  own_steps.least, own_steps.most, scaled_steps.least, scaled_steps.most, 100 * fmax(beyond, 0), worst,
                  *place ? " in " : "", place, good ? "" : "  <-- more than allowed");
    carom_document_free(document);
    carom_arena_free(&arena);
    carom_context_free(ctx);
    return good ? 0 : 1;
}

static long steps_of(carom_context *ctx, const carom_spec *spec, const char *model)
{
    carom_model *compiled;
    carom_simulation *sim;
    const carom_simulation_def def = carom_default_simulation_def();
    outcome_must(ctx, carom_model_compile(ctx, spec, &compiled), model);
    outcome_must(ctx, carom_simulation_create(ctx, compiled, &def, &sim), model);
    outcome_must(ctx, carom_simulation_run(sim), model);
    const long steps = (long)carom_simulation_statistics(sim).steps;
    carom_simulation_free(sim);
    carom_model_free(compiled);
    return steps;
}

/* Steps of a run in its own size against one in each other; returns what is wrong. */
static int count_steps(size_t index, int first, int count, double tolerance)
{
    carom_context *ctx = new_context();
    carom_arena arena;
    carom_document *document;
    char path[1024];
    const char *model = models[index].name, *folder = getenv("CAROM_MODELS");
    band scaled_steps = {LONG_MAX, 0};
    carom_arena_init(&arena, ctx);
    snprintf(path, sizeof path, "%s/%s.yaml", folder ? folder : CAROM_MODELS, model);
    outcome_must(ctx, carom_document_read(ctx, path, NULL, 0, &document), model);
    carom_spec spec = *carom_document_spec(document);
    carom_run_def run_def = spec.runs[0];
    run_def.tolerance = tolerance;
    spec.runs = &run_def;
    const long own = steps_of(ctx, &spec, model);
    for (int k = 0; k < count; k++) {
        const double length = scales[(first + k) % SCALES].length, mass = scales[(first + k) % SCALES].mass;
        const carom_spec scaled = scaled_spec(ctx, &arena, &spec, length, mass);
        widen(&scaled_steps, steps_of(ctx, &scaled, model));
    }
    const double beyond =
        fmax((double)scaled_steps.most / (double)own - 1, 1 - (double)scaled_steps.least / (double)own);
    print_message("%-22s %6ld steps, scaled %6ld to %6ld, %+.1f %%%s\n", model, own, scaled_steps.least,
                  scaled_steps.most, 100 * beyond, beyond <= STEPS_ALLOWED ? "" : "  <-- more than allowed");
    carom_document_free(document);
    carom_arena_free(&arena);
    carom_context_free(ctx);
    return beyond <= STEPS_ALLOWED ? 0 : 1;
}

/* At 1e-6, where rounding does not reach the orders of Adams: each run against the one in its own size, no band. The
   latch moves uniformly between its events: its local errors are rounding, and its steps those of starts. */
static void test_steps(void **state)
{
    (void)state;
    int count = AT_ONCE, bad = 0;
    const int first = sample_first(SCALES, &count);
    print_message("steps at 1e-6, %d of %d sizes from number %d on\n", count, SCALES, first);
    for (size_t k = 0; k < CAROM_COUNT(models); k++)
        if (sample_turn((int)k, 2, 6) && strcmp(models[k].name, "latch") != 0)
            bad += count_steps(k, first, count, 1e-6);
    if (bad)
        fail_msg("the steps of %d models depend on their size", bad);
}

/* Of linkages without contact. */
static bool is_free(const char *name)
{
    static const char *const touching[] = {"cam",   "clearance", "backlash", "geneva",       "scotch",
                                           "block", "guide",     "latch",    "pin_friction", "knee"};
    for (size_t k = 0; k < CAROM_COUNT(touching); k++)
        if (strstr(name, touching[k]))
            return false;
    return true;
}

static void scale_all(const carom_run_def *like, const char *title, double allowed, bool contacts)
{
    int count = AT_ONCE, bad = 0;
    const int first = sample_first(SCALES, &count);
    print_message("%s, tolerance %g, %d of %d sizes from number %d on\n", title, like->tolerance, count, SCALES, first);
    for (size_t k = 0; k < CAROM_COUNT(models); k++)
        if (sample_turn((int)k, 2, 6) && (contacts || is_free(models[k].name)))
            bad += scale_model(k, first, count, like, allowed);
    if (bad)
        fail_msg("%d models depend on their size", bad);
}

/* At 1e-10, so that the errors of the runs themselves are below what is compared. */
static void test_defaults(void **state)
{
    (void)state;
    carom_run_def like = carom_default_run_def();
    like.tolerance = 1e-10;
    like.integrator = like.constraints = NULL;
    scale_all(&like, "as the file says", ALLOWED, true);
}

static void test_projection(void **state)
{
    (void)state;
    /* at 1e-9: below it the steps of bdf are those of rounding, and here its errors are some 1e-7 */
    static const struct {
        const char *name;
        double allowed;
    } integrators[] = {{"dopri5", ALLOWED}, {"bdf", 10 * ALLOWED}};
    for (size_t k = 0; k < CAROM_COUNT(integrators); k++) {
        carom_run_def like = carom_default_run_def();
        like.tolerance = 1e-9;
        like.integrator = integrators[k].name;
        like.constraints = "projection";
        scale_all(&like, integrators[k].name, integrators[k].allowed, false);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_defaults),
        cmocka_unit_test(test_steps),
        cmocka_unit_test(test_projection),
    };
    return cmocka_run_group_tests_name("scale", tests, NULL, NULL);
}
