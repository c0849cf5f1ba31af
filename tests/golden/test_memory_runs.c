/* Laws with permanent indentation in motion: a ball that bounces several times. Each impact starts on the virgin curve,
   returns what is asked up to what the weight does over the indentation, and lets go before the indentation is zero. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
/* after the headers it needs */
#include <cmocka.h>

#include "support/runs.h"

#define G 9.81
#define ASKED 0.7
#define IMPACTS 5

static void test_bounces(void **state)
{
    (void)state;
    static const char *const laws[] = {"walton-braun", "lankarani-nikravesh-1994", "gharib-hurmuzlu-2"};
    margin m;
    margin_begin(&m, "restitution of each bounce");
    for (size_t k = 0; k < sizeof laws / sizeof *laws; k++) {
        run_sets sets = {0};
        free_run run;
        size_t count;
        run_set_word(&sets, "law", laws[k]);
        run_set(&sets, "e", ASKED);
        run_open(&run, "bouncing_ball.yaml", &sets, 1e-8);
        free_run_to(&run, 2.2);
        const carom_impact *i = carom_simulation_impacts(run.sim, &count);
        assert_true(count >= IMPACTS);
        for (size_t b = 0; b < IMPACTS; b++) {
            /* the weight changes the squares of both speeds by at most 2 g times the greatest indentation */
            double weight = 2 * G * i[b].max_indentation / (i[b].v_in * i[b].v_in);
            margin_add(&m, laws[k], b, i[b].e_got, ASKED, 2 * weight / ASKED + 1e-7);
            /* (1 - e^2) of the indentation stays; the crater is crossed in free flight */
            assert_true(i[b].force_duration < 0.9 * i[b].duration);
            double lost = 0.5 * i[b].mass * i[b].v_in * i[b].v_in * (1 - ASKED * ASKED);
            margin_add(&m, "lost", b, i[b].energy_lost, lost, (2 * weight + 1e-7) * lost / (1 - ASKED * ASKED));
            assert_true(b == 0 || i[b].max_indentation < i[b - 1].max_indentation);
        }
        margin_add(&m, "ledger", k, carom_simulation_ledger(run.sim).residual_fraction, 0, 1e-7);
        free_run_close(&run);
    }
    margin_end(&m);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_bounces)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
