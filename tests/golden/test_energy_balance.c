/* The energy balance of every model in models/: energy ledger and constraints.

   At the tolerance 1e-10 the ledger's residual is at most 1e-7 of the energy that moved, constraints are violated
   by at most 1e-8 m in position and 1e-7 of the largest speed in velocity. All three fall with the tolerance at
   least fivefold for each decade from 1e-6 to 1e-9. A method that picks order and step again at each tolerance
   scatters about its trend by factors of one and a half to four (the residual at one instant also passes through
   zero), so that two single runs a decade apart tell little: what has to fall fivefold is the straight line through
   13 tolerances, a quarter of a decade apart, of the violations and of the largest residual at the output times.
   Values below 1e-12 of their scale count as that. Where a method is so exact at 1e-6 that rounding, restarts and
   events are what is left at 1e-9, the line says nothing; such values must lie below one that falls fivefold a decade
   from 2 % of the tolerance 1e-6. The factors of single decades are printed. */
#include "carom_test.h"

#include <math.h>

#include "sim/sim.h"
#include "support/runs.h"
#include "support/sample.h"

#define RESIDUAL_ALLOWED 1e-7
#define POSITION_ALLOWED 1e-8 /* [m or rad] */
#define VELOCITY_ALLOWED 1e-7 /* of the largest speed */
#define FALL_WANTED 5.0       /* a decade */
#define ROUNDING 1e-12
/* What remains of it over ten thousands of restarts, where nothing but rounding violates a constraint. */
#define ROUNDING_OF_MANY 5e-11
/* At the tolerance 1e-6, from where a line falls by what is wanted. */
#define EXACT_FROM_THE_START 2e-8
#define TOLERANCES 13 /* 1e-6 ... 1e-9 */
#define A_DECADE 4
#define MOST_MODELS 128

/* ---- the models ---- */

/* Models with fixed steps, whose energy balance golden.many_bodies follows over the step. */
static const char *const fixed_steps[] = {"poured_balls", "poured_discs"};

static sample_name models[MOST_MODELS];
static size_t model_count;

static int list_models(void **state)
{
    (void)state;
    const int taken = sample_models(models, MOST_MODELS);
    for (int k = 0; k < taken; k++) {
        bool fixed = false;
        for (size_t n = 0; n < sizeof fixed_steps / sizeof *fixed_steps; n++)
            fixed = fixed || strcmp(models[k], fixed_steps[n]) == 0;
        if (!fixed)
            memmove(models[model_count++], models[k], sizeof *models);
    }
    return model_count ? 0 : -1;
}

/* ---- one run ---- */

typedef enum book { RESIDUAL, POSITION, VELOCITY, BOOKS } book;

static const char *const work_names[BOOKS] = {"residual", "position", "velocity"};

/* The energy balance of a run; violations are NAN where the model has no constraints. */
typedef struct energy_balance {
    double value[BOOKS];   /* largest residual as a share of the energy that moved; violations [m, m/s] */
    double final_residual; /* of the same share */
    double peak_speed;     /* [m/s] */
} energy_balance;

/* Watches the residual in the rows that a run records. */
typedef struct watcher {
    size_t column, columns;
    double largest;
} watcher;

static carom_status watch_rows(void *user, int group, size_t rows, const double *time, const double *data)
{
    watcher *w = user;
    (void)time;
    for (size_t k = 0; group == 0 && k < rows; k++)
        w->largest = fmax(w->largest, fabs(data[k * w->columns + w->column]));
    return CAROM_OK;
}

/* Finds the residual among the channels of the rows. */
static void find_residual(watcher *w, carom_simulation *sim)
{
    size_t count;
    bool found = false;
    const carom_channel *channels = carom_simulation_channels(sim, &count);
    for (size_t k = 0; k < count; k++) {
        if (channels[k].group != 0)
            continue;
        if (strcmp(channels[k].name, "energy.residual") == 0) {
            w->column = w->columns;
            found = true;
        }
        w->columns += (size_t)channels[k].size;
    }
    assert_true(found);
}

/* Models that would take minutes at all tolerances, and the time that is enough: one slip, some touches of the balls,
   the first bounces of the box and of the gears, one hold and entry of the pin, the first steps of the robots [s]. */
static const struct {
    const char *model;
    double duration;
} shortened[] = {{"lugre_stick_slip", 5},
                 {"ball_bearing", 5e-4},
                 {"box_on_table", 0.5},
                 {"geneva_wheel", 0.2},
                 {"gear_backlash", 0.004},
                 {"hexapod", 0.05},
                 {"manipulator", 2e-4},
                 {"humanoid", 0.05},
                 {"quadruped_standing_up", 0.05},
                 {"strandbeest", 0.1},
                 {"hyq_standing", 0.05},
                 {"hyq_trot", 0.02},
                 {"hyq_walk", 0.02},
                 {"iiwa_dropped", 0.3}};

static energy_balance run_balance(const char *model, double tolerance, double fault)
{
    run_sets sets = {0};
    free_run run;
    watcher w = {0};
    char file[80];
    const carom_sink sink = {.size = sizeof sink, .user = &w, .rows = watch_rows};
    for (size_t k = 0; k < sizeof shortened / sizeof *shortened; k++)
        if (strcmp(model, shortened[k].model) == 0)
            run_set(&sets, "duration", shortened[k].duration);
    snprintf(file, sizeof file, "%s.yaml", model);
    run_open(&run, file, &sets, tolerance);
    carom_simulation_free(run.sim);
    carom_simulation_def def = carom_default_simulation_def();
    def.tolerance = tolerance;
    def.sink = &sink;
    run.sim = NULL;
    if (carom_simulation_create(run.ctx, run.model, &def, &run.sim) != CAROM_OK)
        fail_msg("%s: %s", model, carom_context_error(run.ctx));
    run.sim->system->load_fault = fault;
    find_residual(&w, run.sim);
    if (carom_simulation_run(run.sim) != CAROM_OK)
        fail_msg("%s: %s", model, carom_context_error(run.ctx));
    carom_ledger ledger = carom_simulation_ledger(run.sim);
    carom_violation violation = carom_simulation_violation(run.sim);
    bool free_model = carom_model_get_info(run.model).rows == 0;
    double scale = ledger.residual_fraction > 0 ? fabs(ledger.residual) / ledger.residual_fraction : 1;
    free_run_close(&run);
    energy_balance out = {.value = {w.largest / scale, free_model ? (double)NAN : violation.position,
                           free_model ? (double)NAN : violation.velocity},
                 .final_residual = ledger.residual_fraction,
                 /* bodies that turn about their centres of mass alone have no speed: 1 m/s stands for it */
                 .peak_speed = violation.peak_speed > ROUNDING ? violation.peak_speed : 1};
    return out;
}

/* ---- levels ---- */

static void test_levels(void **state)
{
    (void)state;
    for (size_t k = 0; k < model_count; k++) {
        energy_balance b = run_balance(models[k], 1e-10, 0);
        margin m;
        margin_begin(&m, models[k]);
        margin_add(&m, "residual at the end", 0, b.final_residual, 0, RESIDUAL_ALLOWED);
        margin_add(&m, "largest residual", 0, b.value[RESIDUAL], 0, RESIDUAL_ALLOWED);
        if (!isnan(b.value[POSITION])) {
            margin_add(&m, "position violation", 0, b.value[POSITION], 0, POSITION_ALLOWED);
            margin_add(&m, "velocity violation", 0, b.value[VELOCITY], 0, VELOCITY_ALLOWED * b.peak_speed);
        }
        margin_end(&m);
    }
}

/* ---- fall with the tolerance ---- */

/* Slope of the straight line through log10 of the first values over log10 of the tolerances. */
static double slope_of(const double *values, int count)
{
    double mean_x = 0.5 * (count - 1), mean_y = 0, xy = 0, xx = 0;
    for (int k = 0; k < count; k++)
        mean_y += log10(values[k]) / count;
    for (int k = 0; k < count; k++) {
        xy += (k - mean_x) * (log10(values[k]) - mean_y);
        xx += (k - mean_x) * (k - mean_x);
    }
    return -A_DECADE * xy / xx;
}

/* Prints how one book of a model falls; whether it falls as it should. */
static bool falls(const char *model, book which, const double *values)
{
    double trend = pow(10, slope_of(values, TOLERANCES));
    bool good = trend >= FALL_WANTED || values[TOLERANCES - 1] <= ROUNDING, rounding = true, exact = true;
    int above = 0; /* those before rounding decides, which all later ones are below */
    for (int k = 0; k < TOLERANCES; k++) {
        rounding = rounding && values[k] <= ROUNDING_OF_MANY;
        exact = exact && values[k] <= EXACT_FROM_THE_START * pow(FALL_WANTED, -(double)k / A_DECADE);
        above = values[k] > ROUNDING_OF_MANY ? k + 1 : above;
    }
    good = good || rounding || exact || (above > A_DECADE && pow(10, slope_of(values, above)) >= FALL_WANTED);
    printf("           %-26s %s", model, work_names[which]);
    for (int k = 0; k < TOLERANCES; k += A_DECADE)
        printf(" %7.1e", values[k]);
    printf(", factors");
    for (int k = A_DECADE; k < TOLERANCES; k += A_DECADE)
        printf(" %5.1f", values[k - A_DECADE] / values[k]);
    printf(", trend %5.1f a decade%s\n", trend, good ? "" : "  <-- less than fivefold");
    return good;
}

static void test_fall(void **state)
{
    (void)state;
    int bad = 0;
    for (size_t k = 0; k < model_count; k++) {
        double values[BOOKS][TOLERANCES];
        if (!sample_turn((int)k, 3, 3))
            continue;
        for (int i = 0; i < TOLERANCES; i++) {
            energy_balance b = run_balance(models[k], pow(10, -6 - (double)i / A_DECADE), 0);
            for (int which = 0; which < BOOKS; which++) {
                double scale = which == VELOCITY ? b.peak_speed : 1;
                values[which][i] = isnan(b.value[which]) ? (double)NAN : fmax(b.value[which] / scale, ROUNDING);
            }
        }
        for (book which = RESIDUAL; which < BOOKS; which++)
            if (!isnan(values[which][0]) && !falls(models[k], which, values[which]))
                bad++;
    }
    if (bad)
        fail_msg("%d energy balances fall by less than fivefold a decade", bad);
}

/* ---- a fault is seen ---- */

/* Loads that are stronger than the ledger is told show in the residual. */
static void test_fault(void **state)
{
    (void)state;
    double sound = run_balance("andrews", 1e-10, 0).value[RESIDUAL];
    double faulty = run_balance("andrews", 1e-10, 1e-3).value[RESIDUAL];
    printf("           andrews.yaml: residual %.2e, with loads scaled by 1.001 outside the ledger %.2e\n", sound,
           faulty);
    assert_true(faulty > 1e3 * sound);
    assert_true(faulty > 1e-4);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_levels), cmocka_unit_test(test_fall),
                                       cmocka_unit_test(test_fault)};
    return cmocka_run_group_tests(tests, list_models, NULL);
}
