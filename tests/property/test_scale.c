/* Neither steps nor results depend on the size and the mass of a model: every linkage of models/ with its lengths times
   1e-4 to 1e4 and its masses times 1e-6 to 1e6, all other quantities by their units, so that the motion is similar. */
#include "carom_test.h"

#include <limits.h>
#include <math.h>

#include "expr/dimension.h"
#include "support/scaled.h"

/* Share by which steps may be more or fewer than rounding alone makes them, and by which channels may differ, of the
   largest value of their dimension. */
#define STEPS_ALLOWED 0.2
#define ALLOWED 1e-7
#define SAMPLES 20
#define VALUES 4096

/* What was found of one run. */
typedef struct outcome {
    long steps;
    size_t count;               /* of numbers */
    double *value;              /* those of each sample */
    double *largest;            /* of the channels of its dimension */
    const char **name, **unit;
} outcome;

static void must(const carom_context *ctx, carom_status status, const char *model)
{
    if (status != CAROM_OK)
        fail_msg("%s: %s", model, carom_context_error(ctx));
}

/* Violations, residuals and the solver's own numbers are errors, not results. */
static bool is_result(const carom_channel *c)
{
    return c->group == 0 && strcmp(c->type, "solver") != 0 && strcmp(c->type, "constraint") != 0 &&
           strcmp(c->type, "state") != 0 && strcmp(c->type, "input") != 0 && strcmp(c->quantity, "residual") != 0;
}

static carom_dimension dimension(const char *unit) { return carom_unit_dimension(unit, CAROM_UNIT_ANY); }

static bool alike(carom_dimension a, carom_dimension b) { return memcmp(a.e, b.e, sizeof a.e) == 0; }

/* A body that does not turn has rounding for an angle, a joint without load for a moment: each counts by the largest
   channel of its dimension, and rates of spins by the square of the spins. */
static void share_largest(outcome *out)
{
    double largest[VALUES] = {0};
    for (size_t a = 0; a < out->count; a++) {
        const carom_dimension d = dimension(out->unit[a]);
        const bool spin_rate = d.e[CAROM_LENGTH] == 0 && d.e[CAROM_MASS] == 0 && d.e[CAROM_TIME] == -2;
        for (size_t b = 0; b < out->count; b++) {
            const carom_dimension e = dimension(out->unit[b]);
            const bool spin = e.e[CAROM_LENGTH] == 0 && e.e[CAROM_MASS] == 0 && e.e[CAROM_TIME] == -1;
            if (alike(d, e))
                largest[a] = fmax(largest[a], out->largest[b]);
            else if (spin_rate && spin)
                largest[a] = fmax(largest[a], out->largest[b] * out->largest[b]);
        }
    }
    memcpy(out->largest, largest, out->count * sizeof *largest);
}

static void run(carom_context *ctx, carom_arena *arena, const carom_spec *spec, const char *model, outcome *out)
{
    carom_model *compiled;
    carom_simulation *sim;
    size_t channels;
    const carom_simulation_def def = carom_default_simulation_def();
    must(ctx, carom_model_compile(ctx, spec, &compiled), model);
    must(ctx, carom_simulation_create(ctx, compiled, &def, &sim), model);
    const carom_channel *channel = carom_simulation_channels(sim, &channels);
    out->count = 0;
    out->value = carom_arena_alloc(arena, SAMPLES * VALUES, sizeof(double));
    out->largest = carom_arena_alloc(arena, VALUES, sizeof(double));
    out->name = carom_arena_alloc(arena, VALUES, sizeof *out->name);
    out->unit = carom_arena_alloc(arena, VALUES, sizeof *out->unit);
    for (int n = 0; n < SAMPLES; n++) {
        must(ctx, carom_simulation_advance(sim, carom_simulation_until(sim) * (n + 1) / SAMPLES), model);
        size_t at = 0;
        for (size_t k = 0; k < channels; k++) {
            double values[4], norm = 0;
            if (!is_result(&channel[k]))
                continue;
            must(ctx, carom_simulation_channel(sim, channel[k].name, values), model);
            for (int i = 0; i < channel[k].size; i++)
                norm = hypot(norm, values[i]);
            for (int i = 0; i < channel[k].size; i++, at++) {
                assert_true(at < VALUES);
                out->value[(size_t)n * VALUES + at] = values[i];
                out->largest[at] = fmax(out->largest[at], norm);
                out->name[at] = carom_arena_text(arena, channel[k].name);
                out->unit[at] = carom_arena_text(arena, channel[k].unit);
            }
        }
        out->count = at;
    }
    share_largest(out);
    out->steps = (long)carom_simulation_statistics(sim).steps;
    carom_simulation_free(sim);
    carom_model_free(compiled);
}

/* The largest difference of a channel, of its largest value. */
static double compare(const outcome *a, const outcome *b, double length, double mass, const char **where)
{
    double worst = 0;
    *where = "";
    assert_int_equal(a->count, b->count);
    for (size_t k = 0; k < a->count; k++) {
        const double factor = scaled_factor(a->unit[k], length, mass);
        for (int n = 0; n < SAMPLES; n++) {
            const double off = fabs(b->value[(size_t)n * VALUES + k] / factor - a->value[(size_t)n * VALUES + k]);
            if (off > worst * a->largest[k] && off > 0) {
                worst = off / a->largest[k];
                *where = a->name[k];
            }
        }
    }
    return worst;
}

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
} rounded[] = {
    {1 + 2e-12, 1}, {1, 1 + 2e-12}, {1 - 2e-12, 1 + 3e-12}, {1 + 5e-12, 1 - 1e-12}, {1 - 4e-12, 1 + 7e-12}};

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
    must(ctx, carom_document_read(ctx, path, NULL, 0, &document), model);
    carom_spec spec = *carom_document_spec(document);
    carom_run_def run_def = spec.runs[0];
    run_def.tolerance = like->tolerance;
    run_def.integrator = like->integrator ? like->integrator : run_def.integrator;
    run_def.constraints = like->constraints ? like->constraints : run_def.constraints;
    spec.runs = &run_def;
    run(ctx, &arena, &spec, model, &own);
    widen(&own_steps, own.steps);
    for (size_t k = 0; k < CAROM_COUNT(rounded); k++) {
        const carom_spec near = scaled_spec(ctx, &arena, &spec, rounded[k].length, rounded[k].mass);
        run(ctx, &arena, &near, model, &other);
        widen(&own_steps, other.steps);
    }
    for (int k = 0; k < count; k++) {
        const double length = scales[(first + k) % SCALES].length, mass = scales[(first + k) % SCALES].mass;
        const carom_spec scaled = scaled_spec(ctx, &arena, &spec, length, mass);
        run(ctx, &arena, &scaled, model, &other);
        widen(&scaled_steps, other.steps);
        const double off = compare(&own, &other, length, mass, &where);
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

/* Two of the sizes, picked by the commit, unless all are asked for. */
static int first_scale(int *count)
{
    const char *all = getenv("CAROM_TEST_ALL"), *source = getenv("CAROM_SOURCE_DIR");
    char command[1100], hash[16] = "";
    *count = all && strcmp(all, "0") != 0 ? SCALES : AT_ONCE;
    snprintf(command, sizeof command, "git -C '%s' rev-parse --short=7 HEAD 2>/dev/null", source ? source : ".");
    FILE *pipe = popen(command, "r");
    if (pipe && !fgets(hash, sizeof hash, pipe))
        *hash = 0;
    if (pipe)
        pclose(pipe);
    return *count == SCALES ? 0 : (int)(strtol(hash, NULL, 16) % SCALES);
}

/* Of linkages without contact. */
static bool is_free(const char *name)
{
    static const char *const touching[] = {"cam",   "clearance", "backlash", "geneva",      "scotch",
                                           "block", "guide",     "latch",    "pin_friction", "knee"};
    for (size_t k = 0; k < CAROM_COUNT(touching); k++)
        if (strstr(name, touching[k]))
            return false;
    return true;
}

static void scale_all(const carom_run_def *like, const char *title, double allowed, bool contacts)
{
    int count, bad = 0;
    const int first = first_scale(&count);
    print_message("%s, tolerance %g, %d of %d sizes from number %d on\n", title, like->tolerance, count, SCALES, first);
    for (size_t k = 0; k < CAROM_COUNT(models); k++)
        if (contacts || is_free(models[k].name))
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
        cmocka_unit_test(test_projection),
    };
    return cmocka_run_group_tests_name("scale", tests, NULL, NULL);
}
