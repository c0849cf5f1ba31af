/* Integrator moreau against trajectories that Siconos publishes: Glocker's woodpecker toy, and the slider-crank with
   clearance of Flores, Leine and Glocker beyond the third turn of its crank. */
#include "carom_test.h"

#include <math.h>

#include "base/base.h"
#include "support/free_runs.h"
#include "support/sample.h"

#define TURN (2 * acos(-1))

static void close_to(const char *what, double got, double expected, double allowed)
{
    printf("%-32s %.7g of %.7g, off by %.1e of %.1e\n", what, got, expected, fabs(got - expected), allowed);
    if (!(fabs(got - expected) <= allowed))
        fail_msg("%s: %.9g", what, got);
}

/* With Siconos' step of 20 us, heights [m] and the angle of the bird; allowed: what the sweeps of Siconos, to 1e-4 of
   the impulses, and the masses of the points, 1e-8 of the others, leave of 40 mm and 0.3 rad. */
static void woodpecker(void **state)
{
    (void)state;
    free_run run;
    free_run_open(&run, "../tests/data/woodpecker.yaml", NULL, 0, 0, NULL);
    free_run_to(&run, 0.12);
    close_to("woodpecker, y at 0.12 s", free_run_get(&run, "joint.y.coordinate"), -10.210e-3, 2e-6);
    free_run_to(&run, 0.12202);
    close_to("woodpecker, y at 0.12202 s", free_run_get(&run, "joint.y.coordinate"), -1.083233225546098e-2, 1e-6);
    free_run_to(&run, 0.29998);
    close_to("woodpecker, y at 0.29998 s", free_run_get(&run, "joint.y.coordinate"), -4.134818676833654e-2, 1e-6);
    close_to("woodpecker, bird at 0.29998 s", free_run_get(&run, "body.nod.angle"), -0.340933975550430, 2e-5);
    free_run_close(&run);
}

/* Turns of the crank. Before its first impact, at 2.1 ms, a smooth motion: its converged value. Then Siconos' value of
   MoreauJeanOSI (h = 1e-5 s) at 60 ms; at 0.1 and 0.2 s those of the equations that Siconos publishes, integrated apart
   by the scheme of Moreau and Jean: 1.4323 to 1.4337 and 2.8773 to 2.8795 at steps from 1e-4 to 5e-7 s, with its
   projection of the positions as without, a spread that chatter makes. Siconos' files of its projecting schemes have
   1.4916 and 3.0543 at h = 1e-4 s; their crank has 119.124 rad/s at 2.1 ms, where the smooth motion has 118.745. */
static void slider_crank(void **state)
{
    (void)state;
    static const double times[] = {0.0021, 0.06, 0.1, 0.2};
    static const double turns[] = {0.04579755, 0.86811, 1.4330, 2.8784};
    static const double allowed[] = {1e-7, 2e-4, 7e-4, 1.1e-3};
    static const double steps[] = {1e-5, 2e-5};
    const char *const law[] = {"law=exact"};
    for (size_t n = 0; n < CAROM_COUNT(steps); n++) {
        free_run run;
        free_run_open_long(&run, "slider_crank_guide.yaml", law, 1, "moreau", steps[n], times[3]);
        for (size_t k = 0; k < CAROM_COUNT(times); k++) {
            char what[60];
            snprintf(what, sizeof what, "slider-crank, h %g, turns at %g s", steps[n], times[k]);
            free_run_to(&run, times[k]);
            close_to(what, free_run_get(&run, "joint.main.coordinate") / TURN, turns[k], allowed[k]);
            if (!k)
                close_to("slider-crank, rate at 0.0021 s", free_run_get(&run, "joint.main.rate"), 118.745321, 1e-3);
        }
        free_run_close(&run);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(woodpecker), cmocka_unit_test(slider_crank)};
    return sample_group_tests(tests, 1, 2, NULL, NULL);
}
