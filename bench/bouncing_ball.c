/* A ball dropped from 1 m bounces for 5 s: errors of the first three apexes and CPU time. The law has a fixed
   dissipation a = 0.037585 s/m (memoryless), as the engines compared with have it. Peer: simbody_b. */
#include "impact_bench.h"

#include <math.h>

#define RUNS 7

/* heights of apexes 1 to 3 above the ground, of the ball's lowest point [m], and when (bench/peers/reference.py) */
static const double apex_time[3] = {0.859122952, 1.635998543, 2.345043508};
static const double apex_height[3] = {0.809578598089, 0.668772675921, 0.561726972144};

/* F = K d^1.5 (1 + a d'): Hunt-Crossley with 1.5 (1 - e)/v_ref = a at v_ref = 1 m/s */
static const char *const text =
    "{carom: 1, dimension: 3, gravity: [0, 0, -9.81], bodies: {"
    "ball: {mass: 1, inertia: [0.004, 0.004, 0.004], at: [0, 0, 1.1], velocity: [0, 0, 0], angular_velocity: [0, 0,"
    " 0]}},"
    "shapes: {skin: {type: sphere, on: ball, radius: 0.1}, floor: {type: plane, on: ground, normal: [0, 0, 1]}},"
    "contacts: {bounce: {between: [floor, skin], normal: {law: hunt-crossley, stiffness: 1.4e8,"
    " restitution: \"1 - 0.037585268265918605/1.5\", velocity: memoryless}}},"
    "run: {until: 5, output: {every: 1}}}";

int main(void)
{
    static const char *const integrators[] = {"adams", "dopri5", "dop853", "bdf"};
    static const double tolerances[] = {1e-4, 3e-5, 1e-5, 3e-6, 1e-6, 1e-7, 1e-8, 1e-9};
    carom_context *ctx;
    if (carom_context_create(NULL, &ctx) != CAROM_OK)
        return 1;
    carom_model *model = bench_model(ctx, text);
    printf("| integrator | tolerance | rel. error apex 1 | apex 2 | apex 3 | evaluations (5 s) | steps | CPU ms per 5 "
           "s (median of %d) | min | max |\n"
           "|---|---|---|---|---|---|---|---|---|---|\n",
           RUNS);
    for (size_t i = 0; i < sizeof integrators / sizeof *integrators; i++)
        for (size_t k = 0; k < sizeof tolerances / sizeof *tolerances; k++) {
            double samples[RUNS], error[3] = {0};
            carom_statistics statistics = {0};
            for (int run = 0; run < RUNS; run++) {
                double start = bench_cpu();
                carom_simulation_def def = carom_default_simulation_def();
                def.integrator = integrators[i];
                def.tolerance = tolerances[k];
                carom_simulation *sim;
                bench_check(ctx, carom_simulation_create(ctx, model, &def, &sim));
                for (int apex = 0; apex < 3; apex++) {
                    carom_body_state ball;
                    bench_check(ctx, carom_simulation_advance(sim, apex_time[apex]));
                    bench_check(ctx, carom_simulation_body(sim, 0, &ball));
                    double height = ball.position[2] - 0.1 + ball.velocity[2] * ball.velocity[2] / (2 * 9.81);
                    error[apex] = fabs(height / apex_height[apex] - 1);
                }
                bench_check(ctx, carom_simulation_advance(sim, 5));
                statistics = carom_simulation_statistics(sim);
                carom_simulation_free(sim);
                samples[run] = (bench_cpu() - start) * 1e3;
            }
            double median = bench_median(samples, RUNS);
            printf("| %s | %.0e | %.1e | %.1e | %.1e | %lu | %lu | %.2f | %.2f | %.2f |\n", integrators[i],
                   tolerances[k], error[0], error[1], error[2], (unsigned long)statistics.rhs_evaluations,
                   (unsigned long)statistics.steps, median, samples[0], samples[RUNS - 1]);
        }
    carom_model_free(model);
    carom_context_free(ctx);
    return 0;
}
