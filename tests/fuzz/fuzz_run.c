/* Short simulations: what calls itself accurate has finite numbers and a ledger that closes, whatever the model is. */
#include "fuzz.h"

#include <math.h>

enum { MOST_STEPS = 300, MOST_BODIES = 12 };

static bool stop_late(void *user, const carom_progress *progress)
{
    (void)user;
    return progress->cpu_seconds < 0.5;
}

static bool finite_state(carom_simulation *sim, size_t bodies)
{
    for (size_t k = 0; k < bodies; k++) {
        carom_body_state body;
        if (carom_simulation_body(sim, k, &body) != CAROM_OK)
            return false;
        for (int c = 0; c < 3; c++)
            if (!isfinite(body.position[c]) || !isfinite(body.velocity[c]) || !isfinite(body.angular_velocity[c]))
                return false;
    }
    return true;
}

static void check_numbers(carom_context *ctx, carom_simulation *sim, size_t bodies)
{
    carom_accuracy accuracy;
    if (!finite_state(sim, bodies))
        fuzz_fail("a step succeeded, and a body is not at a finite place");
    if (carom_simulation_accuracy(sim, &accuracy) != CAROM_OK || !accuracy.accurate)
        return;
    const carom_ledger ledger = carom_simulation_ledger(sim);
    if (!isfinite(ledger.kinetic) || !isfinite(ledger.elastic) || !isfinite(ledger.work))
        fuzz_fail("a run that calls itself accurate has a ledger that is not finite");
    /* a model that holds still has energies of rounding alone */
    if (fabs(ledger.residual_fraction) > CAROM_GREATEST_RESIDUAL && fabs(ledger.residual) > 1e-12)
        fuzz_fail("a run that calls itself accurate has a ledger that does not close");
    (void)ctx;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    carom_context *ctx = fuzz_context();
    carom_model *model = NULL;
    carom_simulation *sim = NULL;
    carom_simulation_def def = carom_default_simulation_def();
    def.progress = stop_late;
    def.threads = 1;
    carom_status status = carom_model_parse(ctx, "model.yaml", (const char *)data, size, NULL, 0, &model);
    const carom_model_info info = model ? carom_model_get_info(model) : (carom_model_info){0};
    if (model && info.bodies <= MOST_BODIES && info.runs > 0) {
        status = carom_simulation_create(ctx, model, &def, &sim);
        fuzz_check(ctx, status);
        const double until = status == CAROM_OK ? carom_model_get_run(model, 0)->until : 0;
        for (int k = 0; k < MOST_STEPS && status == CAROM_OK && carom_simulation_time(sim) < until; k++)
            status = carom_simulation_step(sim);
        fuzz_check(ctx, status);
        if (status == CAROM_OK)
            check_numbers(ctx, sim, info.bodies);
    }
    carom_simulation_free(sim);
    carom_model_free(model);
    fuzz_end(ctx);
    return 0;
}
