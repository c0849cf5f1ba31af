/* The ledger of balls of a contact set that fall, hit and slide on a tilted floor, with fixed steps: what friction and
   damping take is what the balls lose. */
#include "carom_test.h"

#include <math.h>

#include "support/trial.h"

static void balance(void **state)
{
    (void)state;
    static const char *const methods[] = {"verlet", "rk4"};
    for (size_t k = 0; k < sizeof methods / sizeof methods[0]; k++) {
        carom_context *ctx = new_context();
        carom_model *model;
        carom_simulation *sim;
        assert_int_equal(trial_compile(ctx, &trial_many, methods[k], NULL, &model), CAROM_OK);
        const carom_simulation_def def = carom_default_simulation_def();
        assert_int_equal(carom_simulation_create(ctx, model, &def, &sim), CAROM_OK);
        assert_int_equal(carom_simulation_run(sim), CAROM_OK);
        const carom_ledger ledger = carom_simulation_ledger(sim);
        printf("%s: friction %g J, contact %g J, residual %g\n", methods[k], ledger.dissipated_friction,
               ledger.dissipated_contact, ledger.residual_fraction);
        assert_true(ledger.dissipated_friction > 1e-5 && ledger.dissipated_contact > 1e-5);
        assert_true(fabs(ledger.residual_fraction) < 1e-3);
        carom_simulation_free(sim);
        carom_model_free(model);
        carom_context_free(ctx);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(balance)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
