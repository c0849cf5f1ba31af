/* Forces so weak that nothing else tells the scale of the motion: without gravity and speeds at the start the energies
   are far below those of the model's length in a second. F0 t on 1 kg over 1 s: v = F0/2, kinetic energy and work
   F0^2/8 (force times velocity, F0^2 t^3/2, over the time). */
#include "carom_test.h"

#include <math.h>

#include "support/free_runs.h"

static void work_of_weak_forces(void **state)
{
    (void)state;
    static const char *const integrators[] = {"auto", "adams", "bdf", "dopri5", "dop853"};
    static const double forces[] = {1, 1e-3, 1e-5, 1e-7};
    for (int n = 0; n < 5; n++)
        for (int k = 0; k < 4; k++) {
            free_run run;
            char text[300];
            const double wanted = forces[k] * forces[k] / 8;
            snprintf(text, sizeof text,
                     "carom: 1\ndimension: 2\ngravity: [0, 0]\nbodies: {a: {mass: 1, inertia: 1}}\n"
                     "loads: {f: {type: force, on: a, force: [\"%g*t\", 0]}}\nrun: {until: 1}\n",
                     forces[k]);
            free_run_parse(&run, text, 1e-8, integrators[n]);
            free_run_to(&run, 1);
            const carom_ledger l = carom_simulation_ledger(run.sim);
            const double work = fabs(l.work / wanted - 1), kinetic = fabs(l.kinetic / wanted - 1);
            printf("%s, %g N/s: work off by %.1e, kinetic energy by %.1e\n", integrators[n], forces[k], work, kinetic);
            /* the local tolerance is 1e-11 of the energy that F0 would give in 1 s, four times that of now, and of the
               least scale 1e-12 J, which is 800 times the energy of 1e-7 N/s; sums over 100 steps */
            const double allowed = 100 * 1e-11 * fmax(4, 1e-12 / wanted);
            assert_true(work < allowed && kinetic < allowed && l.residual_fraction < allowed);
            free_run_close(&run);
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(work_of_weak_forces)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
