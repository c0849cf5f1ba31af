/* Constraint methods against each other: mechanisms run by every integrator and method in both formulations; all
   channels agree, and what is refused is refused with a sentence. The table of docs/theory/constraints.md says the
   same. */
#include "carom_test.h"

#include "base/base.h"
#include "carom/simulation.h"
#include "support/outcome.h"
#include "support/sample.h"
#include "support/trial.h"

#define TOLERANCE 1e-7
/* In tolerances, of the largest value of each channel; the most that was seen is 12.6 (bdf with baumgarte). */
#define ALLOWED 20

/* From 60 degrees; it is flat behind the end. */
static const char *const parallelogram =
    "carom: 1\n"
    "dimension: 2\n"
    "gravity: [0, -9.81]\n"
    "bodies:\n"
    "  left: {mass: 1, inertia: 0.1, at: [0.15, 0.26], angle: 60*deg, frames: {a: [-0.3, 0], b: [0.3, 0]}}\n"
    "  middle: {mass: 1, inertia: 0.1, at: [1.15, 0.26], angle: 60*deg, frames: {a: [-0.3, 0], b: [0.3, 0]}}\n"
    "  right: {mass: 1, inertia: 0.1, at: [2.15, 0.26], angle: 60*deg, frames: {a: [-0.3, 0], b: [0.3, 0]}}\n"
    "  bar: {mass: 2, inertia: 0.7, at: [1.3, 0.52], frames: {a: [-1, 0], b: [0, 0], c: [1, 0]}}\n"
    "joints:\n"
    "  A: {type: revolute, between: [ground, left.a], rate: -2}\n"
    "  B: {type: revolute, between: [{ground: [1, 0]}, middle.a]}\n"
    "  C: {type: revolute, between: [{ground: [2, 0]}, right.a]}\n"
    "  D: {type: revolute, between: [left.b, bar.a]}\n"
    "  E: {type: revolute, between: [middle.b, bar.b]}\n"
    "  F: {type: revolute, between: [right.b, bar.c]}\n"
    "run: {until: 0.2}\n";

static const struct {
    const char *name, *title;
    double until;               /* [s] */
} mechanisms[] = {{"slider_crank_3d", "slider-crank in space, 3 redundant rows", 0.05},
                  {"four_bar", "four-bar", 1},
                  {"andrews", "Andrews' mechanism", 0.03},
                  {"stewart_platform", "Stewart platform, driven", 0.2},
                  {"../tests/data/watt", "Watt's six-bar linkage", 0.3},
                  {"../tests/data/sarrus", "Sarrus' linkage, one redundant row", 0.3},
                  {"../tests/data/peaucellier", "Peaucellier's inversor", 0.3},
                  {"../tests/data/three_rrr", "plate on three arms (3-RRR)", 0.3},
                  {NULL, "parallelogram of three cranks, redundant", 0.2}};

static const struct {
    const char *integrator, *method;
} methods[] = {{"dopri5", "projection"}, {"dopri5", "baumgarte"}, {"adams", "baumgarte"},
               {"bdf", "baumgarte"},     {"bdf", "projection"},   {"adams", "projection"},
               {"adams", "penalty"},     {"dopri5", "augmented-lagrangian"},
               {"dopri5", "null-space"}, {"dopri5", "coordinate-partitioning"},
               {"bdf", "null-space"},    {"auto", "ggl"}};

static const char *const formulations[] = {"cartesian", "tree"};

static carom_status read_mechanism(carom_context *ctx, size_t k, carom_document **out)
{
    char path[512];
    if (!mechanisms[k].name)
        return carom_document_parse(ctx, "parallelogram", parallelogram, strlen(parallelogram), NULL, 0, out);
    snprintf(path, sizeof path, "%s/%s.yaml", CAROM_MODELS, mechanisms[k].name);
    return carom_document_read(ctx, path, NULL, 0, out);
}

/* A run of one mechanism; false if it is refused. */
static bool run_one(carom_context *ctx, carom_arena *arena, size_t mechanism, size_t method, const char *formulation,
                    outcome *out)
{
    carom_document *document;
    const char *title = mechanisms[mechanism].title;
    outcome_must(ctx, read_mechanism(ctx, mechanism, &document), title);
    carom_spec spec = *carom_document_spec(document);
    carom_run_def run = spec.runs[0];
    run.until = mechanisms[mechanism].until;
    run.output_every = 0;
    run.tolerance = TOLERANCE;
    run.integrator = methods[method].integrator;
    run.constraints = methods[method].method;
    run.formulation = formulation;
    spec.runs = &run;
    carom_model *model;
    carom_simulation *sim = NULL;
    outcome_must(ctx, carom_model_compile(ctx, &spec, &model), title);
    const carom_simulation_def def = carom_default_simulation_def();
    const carom_status status = carom_simulation_create(ctx, model, &def, &sim);
    if (status == CAROM_OK)
        carom_simulation_free(sim);
    else
        assert_non_null(strstr(carom_context_error(ctx), "use integrator"));
    carom_model_free(model);
    if (status == CAROM_OK)
        outcome_run(ctx, arena, &spec, title, out);
    carom_document_free(document);
    return status == CAROM_OK;
}

/* The row of the table. */
static int compare(size_t mechanism, char *row, size_t size)
{
    carom_context *ctx = new_context();
    carom_arena arena;
    carom_arena_init(&arena, ctx);
    outcome first;
    int bad = 0;
    snprintf(row, size, "| %s |", mechanisms[mechanism].title);
    for (size_t k = 0; k < CAROM_COUNT(methods); k++) {
        bool ran = true;
        for (size_t f = 0; f < 2; f++) {
            outcome found;
            const char *where = "";
            ran = run_one(ctx, &arena, mechanism, k, formulations[f], &found);
            if (ran && k + f == 0)
                first = found;
            const double far = ran ? outcome_compare(&first, &found, OUTCOME_SAMPLES, 1, 1, &where) / TOLERANCE : 0;
            printf("%-40s %-9s %-7s %-10s %s %.3g tolerances, %s\n", mechanisms[mechanism].title, formulations[f],
                   methods[k].integrator, methods[k].method, ran ? "ran" : "refused", far, where);
            bad += !(far <= ALLOWED);
        }
        snprintf(row + strlen(row), size - strlen(row), " %s |", ran ? "agrees" : "refused");
    }
    carom_arena_free(&arena);
    carom_context_free(ctx);
    return bad;
}

static void methods_agree(void **state)
{
    (void)state;
    size_t length;
    char *page = NULL, row[400];
    FILE *file = fopen(CAROM_MODELS "/../docs/theory/constraints.md", "rb");
    assert_non_null(file);
    assert_int_equal(fseek(file, 0, SEEK_END), 0);
    length = (size_t)ftell(file);
    rewind(file);
    page = calloc(length + 1, 1);
    assert_int_equal(fread(page, 1, length, file), length);
    fclose(file);
    int bad = 0;
    for (size_t k = 0; k < CAROM_COUNT(mechanisms); k++) {
        if (!sample_turn((int)k, 1, 3))
            continue;
        bad += compare(k, row, sizeof row);
        if (!strstr(page, row)) {
            printf("docs/theory/constraints.md: no row %s\n", row);
            bad++;
        }
    }
    free(page);
    assert_int_equal(bad, 0);
}

/* ---- the method with an integrator of its own ---- */

static carom_model *ggl_model(carom_context *ctx, const char *path, const char *formulation, double until)
{
    carom_document *document;
    carom_model *model;
    outcome_must(ctx, carom_document_read(ctx, path, NULL, 0, &document), path);
    carom_spec spec = *carom_document_spec(document);
    carom_run_def run = spec.runs[0];
    run.until = until;
    run.integrator = "auto";
    run.constraints = "ggl";
    run.formulation = formulation;
    spec.runs = &run;
    outcome_must(ctx, carom_model_compile(ctx, &spec, &model), path);
    carom_document_free(document);
    return model;
}

/* Impacts so short that the changes of the corrector are rounding; a clone from between two of them ends as the run
   does, bit for bit. */
static void ggl_follows_impacts(void **state)
{
    (void)state;
    for (size_t f = 0; f < CAROM_COUNT(formulations); f++) {
        carom_context *ctx = new_context();
        carom_model *model = ggl_model(ctx, CAROM_MODELS "/slider_crank_clearance.yaml", formulations[f], 0.0075);
        carom_simulation *sim, *clone;
        size_t impacts;
        const carom_simulation_def def = carom_default_simulation_def();
        assert_ok(ctx, carom_simulation_create(ctx, model, &def, &sim));
        assert_ok(ctx, carom_simulation_advance(sim, 0.00681));
        carom_simulation_impacts(sim, &impacts);
        assert_true(impacts >= 5);
        assert_ok(ctx, carom_simulation_clone(sim, NULL, &clone));
        assert_ok(ctx, carom_simulation_run(sim));
        assert_ok(ctx, carom_simulation_run(clone));
        assert_true(trial_same(sim, clone, carom_model_get_info(model).bodies));
        carom_simulation_free(clone);
        carom_simulation_free(sim);
        carom_model_free(model);
        carom_context_free(ctx);
    }
}

/* A crank that is driven beyond the reach of its rod. */
static const char locked[] =
    "carom: 1\n"
    "dimension: 2\n"
    "gravity: [0, 0]\n"
    "bodies:\n"
    "  crank: {mass: 1, inertia: 0.01, at: [0.1, 0], frames: {a: [-0.1, 0], b: [0.1, 0]}}\n"
    "  rod: {mass: 1, inertia: 0.01, at: [0.275, 0], frames: {a: [-0.075, 0], b: [0.075, 0]}}\n"
    "  slider: {mass: 1, inertia: 0.01, at: [0.35, 0]}\n"
    "joints:\n"
    "  A: {type: revolute, between: [ground, crank.a], motion: t}\n"
    "  B: {type: revolute, between: [crank.b, rod.a]}\n"
    "  C: {type: revolute, between: [rod.b, slider]}\n"
    "  D: {type: prismatic, between: [ground, slider], axis: [1, 0]}\n"
    "run: {until: 2, constraints: ggl}\n";

/* Where it cannot go on, its error names it and what serves. */
static void ggl_gives_up_by_name(void **state)
{
    (void)state;
    carom_context *ctx = new_context();
    carom_document *document;
    carom_model *model;
    outcome_must(ctx, carom_document_parse(ctx, "locked", locked, strlen(locked), NULL, 0, &document), "locked");
    outcome_must(ctx, carom_model_compile(ctx, carom_document_spec(document), &model), "locked");
    carom_document_free(document);
    carom_simulation *sim;
    const carom_simulation_def def = carom_default_simulation_def();
    assert_ok(ctx, carom_simulation_create(ctx, model, &def, &sim));
    assert_int_equal(carom_simulation_run(sim), CAROM_ERROR_SOLVER);
    assert_non_null(strstr(carom_context_error(ctx), "constraint method ggl gave up"));
    assert_non_null(strstr(carom_context_error(ctx), "use `constraints: baumgarte`"));
    carom_simulation_free(sim);
    carom_model_free(model);
    carom_context_free(ctx);
}

/* Rows of loops within loops that the joints of the tree hold already are rounding over its velocities. */
static void ggl_leaves_out_held_rows(void **state)
{
    (void)state;
    carom_context *ctx = new_context();
    carom_model *model = ggl_model(ctx, CAROM_MODELS "/manipulator.yaml", "tree", 0.002);
    carom_simulation *sim;
    const carom_simulation_def def = carom_default_simulation_def();
    assert_ok(ctx, carom_simulation_create(ctx, model, &def, &sim));
    assert_ok(ctx, carom_simulation_run(sim));
    carom_simulation_free(sim);
    carom_model_free(model);
    carom_context_free(ctx);
}

/* Warnings of a run as it begins that have the code of unused constraints. */
static int unused_constraints(carom_context *ctx, const char *constraints, const char *integrator)
{
    char text[2000];
    const int kept = (int)(strstr(parallelogram, "run:") - parallelogram);
    snprintf(text, sizeof text, "%.*srun: {until: 0.001, step: 1e-4%s}\n", kept, parallelogram, constraints);
    carom_model *model;
    carom_simulation *sim;
    carom_simulation_def def = carom_default_simulation_def();
    def.integrator = integrator;
    size_t count;
    int found = 0;
    assert_ok(ctx, carom_model_parse(ctx, "parallelogram", text, strlen(text), NULL, 0, &model));
    assert_ok(ctx, carom_simulation_create(ctx, model, &def, &sim));
    const char *const *warnings = carom_simulation_warnings(sim, &count);
    for (size_t k = 0; k < count; k++)
        found += strstr(warnings[k], "`constraints`") != NULL;
    carom_simulation_free(sim);
    carom_model_free(model);
    return found;
}

/* An integrator that is taken in place of the run's and holds the constraints itself says so where the run asks for a
   method, and there alone. */
static void tells_of_a_method_that_is_not_used(void **state)
{
    (void)state;
    carom_context *ctx = new_context();
    assert_int_equal(unused_constraints(ctx, ", constraints: baumgarte", "generalised-alpha"), 1);
    assert_int_equal(unused_constraints(ctx, "", "generalised-alpha"), 0);
    carom_context_free(ctx);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(methods_agree), cmocka_unit_test(ggl_follows_impacts),
                                       cmocka_unit_test(ggl_leaves_out_held_rows),
                                       cmocka_unit_test(ggl_gives_up_by_name),
                                       cmocka_unit_test(tells_of_a_method_that_is_not_used)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
