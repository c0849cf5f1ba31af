/* The formulations agree: every file of models/ with joints that carry coordinates, run in absolute and in joint
   coordinates; all channels, reactions among them, within a hundred times the tolerance. */
#include "carom_test.h"

#include <math.h>

#include "carom/simulation.h"
#include "model/model.h"
#include "support/outcome.h"
#include "support/sample.h"

#define TOLERANCE 1e-10
#define ALLOWED 100
#define MANY_JOINTS 12

/* Impacts that follow each other without end: they are compared up to the first one. */
static const char *const chaotic[] = {"four_bar_clearance",     "gait_table",        "gear_backlash", "iiwa_dropped",
                                      "slider_crank_clearance", "slider_crank_guide"};

static bool is_chaotic(const char *name)
{
    for (size_t k = 0; k < CAROM_COUNT(chaotic); k++)
        if (strcmp(chaotic[k], name) == 0)
            return true;
    return false;
}

static bool has_tree(const carom_model *m)
{
    for (int k = 0; k < m->block_count; k++)
        if (m->tree.kept[k])
            return true;
    return false;
}

/* Returns what is wrong. */
static int compare(const char *path, const char *name)
{
    carom_context *ctx = new_context();
    carom_arena arena;
    carom_document *document;
    carom_model *model;
    outcome found[2];
    const char *const formulations[2] = {"cartesian", "tree"};
    const char *where = "";
    carom_arena_init(&arena, ctx);
    outcome_must(ctx, carom_document_read(ctx, path, NULL, 0, &document), name);
    carom_spec spec = *carom_document_spec(document);
    outcome_must(ctx, carom_model_compile(ctx, &spec, &model), name);
    const bool tree = has_tree(model), fixed_step = spec.runs[0].step > 0;
    const int joints = model->joint_count, cut = model->tree.cut_count, speeds = model->tree.velocities;
    carom_model_free(model);
    int bad = 0;
    if (tree && !fixed_step) {
        /* robots: the first steps of their legs are enough */
        double until = (joints < MANY_JOINTS || sample_all() ? 1 : 0.2) * spec.runs[0].until;
        for (int k = is_chaotic(name) ? -1 : 0; k < 2; k++) {
            carom_run_def run_def = spec.runs[0];
            run_def.until = until;
            run_def.tolerance = TOLERANCE;
            run_def.formulation = formulations[k > 0];
            carom_spec own = spec;
            own.runs = &run_def;
            outcome_run(ctx, &arena, &own, name, &found[k > 0]);
            if (k < 0)
                until = fmin(until, found[0].first_impact);
        }
        const double off = outcome_compare(&found[0], &found[1], OUTCOME_SAMPLES, 1, 1, &where);
        double own_error = 0;
        if (!(off <= ALLOWED * TOLERANCE)) {
            /* stiff contacts: what the error of the run itself is, by one of a tolerance ten times as large */
            const char *there = "";
            carom_run_def run_def = spec.runs[0];
            carom_spec own = spec;
            outcome looser;
            run_def.until = until;
            run_def.tolerance = 10 * TOLERANCE;
            run_def.formulation = formulations[0];
            own.runs = &run_def;
            outcome_run(ctx, &arena, &own, name, &looser);
            own_error = outcome_compare(&found[0], &looser, OUTCOME_SAMPLES, 1, 1, &there);
            print_message("%-24s runs of 1e-9 and 1e-10 differ by %.2g in %s\n", name, own_error, there);
        }
        /* the difference of two runs, each with an error of that size */
        bad = !(off <= fmax(ALLOWED * TOLERANCE, 4 * own_error));
        print_message("%-24s %3d joints, %2d cut, %3d velocities, steps %6ld and %6ld, off by %.2g%s%s%s\n", name,
                      joints, cut, speeds, found[0].steps, found[1].steps, off, *where ? " in " : "", where,
                      bad ? "  <-- more than allowed" : "");
    }
    carom_document_free(document);
    carom_arena_free(&arena);
    carom_context_free(ctx);
    return bad;
}

static void models_agree(void **state)
{
    (void)state;
    const char *folder = getenv("CAROM_MODELS"), *only = getenv("CAROM_ONLY");
    static sample_name names[128];
    int bad = 0;
    folder = folder ? folder : CAROM_MODELS;
    const int taken = sample_models(names, CAROM_COUNT(names));
    for (int k = 0; k < (only ? 1 : taken); k++) {
        char path[1200];
        snprintf(path, sizeof path, "%s/%s.yaml", folder, only ? only : names[k]);
        bad += compare(path, only ? only : names[k]);
    }
    if (bad)
        fail_msg("%d models depend on the formulation", bad);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(models_agree)};
    return cmocka_run_group_tests_name("formulations", tests, NULL, NULL);
}
