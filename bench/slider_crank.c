/* One right-hand side of the slider-crank (three moving bodies, exact loop): CPU time; and one simulated second of it.
   Peers: simbody_c crank, mujoco_peers crank. */
#include "impact_bench.h"

#include <math.h>

#define RUNS 9
#define EVALUATIONS 20000

/* crank angle after 1 s (bench/peers/crank_reference.py) */
static const double angle_after_1_s = 97.382940076121;

static const char *const text =
    "{carom: 1, dimension: 2, gravity: [0, -9.81], bodies: {"
    "crank: {mass: 0.038, inertia: 7.4e-5, at: [0.0765, 0], frames: {root: [-0.0765, 0], tip: [0.0765, 0]}},"
    "rod: {mass: 0.076, inertia: 5.9e-5, at: [0.306, 0], frames: {root: [-0.153, 0], tip: [0.153, 0]}},"
    "slider: {mass: 0.038, inertia: 1.8e-6, at: [0.459, 0]}},"
    "joints: {main: {type: revolute, between: [ground, crank.root], rate: 150},"
    "pin: {type: revolute, between: [crank.tip, rod.root]}, wrist: {type: revolute, between: [rod.tip, slider]},"
    "guide: {type: translational, between: [ground, slider], axis: [1, 0]}}, run: {until: 1}}";

int main(void)
{
    static const double tolerances[] = {1e-4, 1e-5, 1e-6, 3e-7, 1e-7, 3e-8, 1e-8, 1e-9};
    double samples[RUNS];
    carom_context *ctx;
    if (carom_context_create(NULL, &ctx) != CAROM_OK)
        return 1;
    carom_model *model = bench_model(ctx, text);
    carom_simulation *sim;
    bench_check(ctx, carom_simulation_create(ctx, model, NULL, &sim));
    bench_check(ctx, carom_simulation_advance(sim, 0.01));
    for (int run = 0; run < RUNS; run++) {
        double start = bench_cpu();
        for (int k = 0; k < EVALUATIONS; k++)
            bench_check(ctx, carom_simulation_evaluate(sim));
        samples[run] = (bench_cpu() - start) / EVALUATIONS * 1e6;
    }
    carom_simulation_free(sim);
    double median = bench_median(samples, RUNS);
    printf("Right-hand side, 3 bodies, 8 constraint rows: %.2f us (min %.2f, max %.2f)\n\n", median, samples[0],
           samples[RUNS - 1]);
    printf("| integrator | tolerance | error of crank angle after 1 s (rad) | evaluations | steps | CPU ms per "
           "simulated s |\n"
           "|---|---|---|---|---|---|\n");
    const size_t count = sizeof tolerances / sizeof *tolerances;
    for (size_t n = 0; n < 2 * count; n++) {
        const size_t k = n % count;
        carom_simulation_def def = carom_default_simulation_def();
        def.integrator = n < count ? "adams" : "dop853";
        def.tolerance = tolerances[k];
        double start = bench_cpu();
        bench_check(ctx, carom_simulation_create(ctx, model, &def, &sim));
        bench_check(ctx, carom_simulation_run(sim));
        double elapsed = (bench_cpu() - start) * 1e3;
        carom_body_state crank;
        bench_check(ctx, carom_simulation_body(sim, 0, &crank));
        carom_statistics statistics = carom_simulation_statistics(sim);
        const double error = crank.angle - angle_after_1_s;
        const unsigned long evaluations = (unsigned long)statistics.rhs_evaluations;
        printf("| %s | %.0e | %+.2e | %lu | %lu | %.2f |\n", def.integrator, tolerances[k], error, evaluations,
               (unsigned long)statistics.steps, elapsed);
        carom_simulation_free(sim);
    }
    carom_model_free(model);
    carom_context_free(ctx);
    return 0;
}
