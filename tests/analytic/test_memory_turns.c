/* Laws with permanent indentation where a contact is at an end of its branch as it starts, or comes to rest there: what
   it gives back and what is lost by the energies of the branches, and derivatives of that.
   Kinds: walton-braun, lankarani-nikravesh-1994, goldsmith-permanent, thornton. */
#include "carom_test.h"

#include <math.h>

#include "support/free_runs.h"

#define MASS 0.3
#define DEPTH 1e-3
#define STIFFNESS 1e6
#define RESTITUTION 0.7

/* Release is located within the tolerance of 1e-8 on the energy of the virgin curve; that of the unloading is a tenth
   of it and more here. */
#define ACCURACY 1e-7

static const char *const integrators[] = {"auto", "dop853", "dopri5", "adams", "bdf"};

/* A ball that is pressed into the ground at the start, with a speed of opening. */
static void open_pressed(free_run *run, const char *law, double depth, double speed, const char *keys)
{
    char text[1024];
    snprintf(text, sizeof text,
             "{carom: 1, dimension: 2, bodies: {b: {mass: %g, inertia: 1e-4, at: [0, %.17g], velocity: [0, %.17g]}},"
             " shapes: {b: {type: sphere, on: b, radius: 0.05}, floor: {type: plane, on: ground, normal: [0, 1]}},"
             " contacts: {p: {between: [b, floor], normal: {law: %s}}}, run: {until: 0.01, %s}}",
             MASS, 0.05 - depth, speed, law, keys);
    free_run_parse(run, text, 0, NULL);
}

/* Speed at the end of such a run, which loses nothing if it opens. */
static double released(const char *law, double speed, const char *keys)
{
    free_run run;
    open_pressed(&run, law, DEPTH, speed, keys);
    free_run_to(&run, 0.01);
    const carom_body_state end = free_run_body(&run, "b");
    const carom_ledger ledger = carom_simulation_ledger(run.sim);
    const double held = ledger.kinetic;
    if (speed >= 0)
        assert_true(fabs(ledger.dissipated_contact) <= ACCURACY * held);
    assert_true(ledger.residual_fraction <= ACCURACY);
    free_run_close(&run);
    return end.velocity[1];
}

/* What is pressed at the start gives back what its law says that it holds, F_m (delta_m - delta_p)/(n + 1), whether it
   is at rest or opens already. Along the virgin curve the first step gave more. */
static void test_release(void **state)
{
    (void)state;
    static const struct {
        const char *law;
        double energy; /* [J] */
    } laws[] = {
        {"walton-braun, stiffness: 1e6, restitution: 0.7", 0.49 * STIFFNESS * DEPTH * DEPTH / 2},
        {"walton-braun, stiffness: 1e6, hardening: 1e4", STIFFNESS * DEPTH * DEPTH / 2 / 11},
        {"lankarani-nikravesh-1994, stiffness: 3e7, restitution: 0.7", 0.49 * 3e7 * 3.1622776601683794e-8 / 2.5},
        {"goldsmith-permanent, stiffness: 3e7, permanent_ratio: 0.3", 0.7 * 3e7 * 3.1622776601683794e-8 / 2.5},
    };
    static const double speeds[] = {0, 1e-9, 0.1, 2};
    for (size_t l = 0; l < sizeof laws / sizeof laws[0]; l++)
        for (size_t n = 0; n < sizeof integrators / sizeof integrators[0]; n++)
            for (size_t k = 0; k < sizeof speeds / sizeof speeds[0]; k++) {
                char keys[40];
                snprintf(keys, sizeof keys, "integrator: %s", integrators[n]);
                const double wanted = sqrt(speeds[k] * speeds[k] + 2 * laws[l].energy / MASS);
                const double error = released(laws[l].law, speeds[k], keys) / wanted - 1;
                print_message("%-52s %-7s from %g m/s: %.1e\n", laws[l].law, integrators[n], speeds[k], error);
                assert_true(fabs(error) <= ACCURACY);
            }
}

/* A start at rest is that of a start which has nearly come to rest. */
static void test_thornton(void **state)
{
    (void)state;
    static const char law[] = "thornton, contact_yield: 2e7, E_i: 1e9, nu_i: 0.3";
    const double rest = released(law, 0, "tolerance: 1e-8"), closing = released(law, -1e-9, "tolerance: 1e-8");
    print_message("thornton %.9g, closing %.9g m/s\n", rest, closing);
    assert_true(fabs(rest / closing - 1) <= ACCURACY);
}

/* Where something presses more than the contact bears it closes from its start on, along the virgin curve: the work of
   a constant force G to the greatest depth is that of the curve, and what is lost there 1 - e^2 of K delta^2/2. */
static void test_pressed_on(void **state)
{
    (void)state;
    const double weight = 3 * STIFFNESS * DEPTH; /* [N] */
    /* delta = G/K + (delta_0 - G/K) cos(w t) */
    const double deepest = 2 * weight / STIFFNESS - DEPTH, turn = acos(-1) * sqrt(MASS / STIFFNESS);
    char keys[120];
    free_run run;
    snprintf(keys, sizeof keys, "}, loads: {g: {type: force, on: b, force: [0, %.17g]}", -weight);
    for (size_t n = 0; n < sizeof integrators / sizeof integrators[0]; n++) {
        char all[200];
        snprintf(all, sizeof all, "integrator: %s%s", integrators[n], keys);
        open_pressed(&run, "walton-braun, stiffness: 1e6, restitution: 0.7", DEPTH, 0, all);
        free_run_to(&run, 1.2 * turn);
        const double lost = carom_simulation_ledger(run.sim).dissipated_contact;
        const double wanted = (1 - RESTITUTION * RESTITUTION) * STIFFNESS / 2 * (deepest * deepest - DEPTH * DEPTH);
        print_message("pressed on, %s: lost %.9g J, %.9g\n", integrators[n], lost, wanted);
        assert_true(fabs(lost / wanted - 1) <= ACCURACY);
        free_run_close(&run);
    }
}

/* Of a contact set with fixed steps: the first step is one of the first order. */
static void test_set(void **state)
{
    (void)state;
    char text[1024];
    for (int opening = 0; opening < 2; opening++) {
        free_run run;
        const double speed = opening ? 0.1 : 0, energy = 0.49 * STIFFNESS * DEPTH * DEPTH / 2;
        snprintf(text, sizeof text,
                 "{carom: 1, dimension: 2, bodies: {b: {mass: %g, inertia: 1e-4, at: [0, %.17g], velocity: [0, %g]}},"
                 " shapes: {b: {type: sphere, on: b, radius: 0.05}, floor: {type: plane, on: ground, normal: [0, 1]}},"
                 " contacts: {p: {all: [b, floor], normal: {law: walton-braun, stiffness: 1e6, restitution: 0.7}}},"
                 " run: {until: 0.01, integrator: verlet, step: 2e-7}}",
                 MASS, 0.05 - DEPTH, speed);
        free_run_parse(&run, text, 0, NULL);
        free_run_to(&run, 0.01);
        const double wanted = sqrt(speed * speed + 2 * energy / MASS);
        const double error = free_run_body(&run, "b").velocity[1] / wanted - 1;
        print_message("set from %g m/s: %.1e\n", speed, error);
        assert_true(fabs(error) < 1e-5);
        free_run_close(&run);
    }
}

/* ---- a punch that is driven ---- */

/* A driven punch loads to d1, goes back by u, reloads to just that depth, loads on to d2 and stands: the work is that
   of the virgin curve, of which 1 - e^2 is lost. It rests at each end of its way, where the rate tells nothing. */
static void test_reload(void **state)
{
    (void)state;
    static const double first[] = {3e-4, 4e-4, 6e-4}, back[] = {5e-5, 1e-4, 2e-4}, times[] = {0.05, 0.1, 0.2, 1};
    int cases = 0;
    for (size_t n = 0; n < sizeof integrators / sizeof integrators[0]; n++)
        for (size_t d = 0; d < 3; d++)
            for (size_t u = 0; u < 3; u++)
                for (size_t t = 0; t < 4; t++) {
                    const double time = times[t], on = 5e-4, deepest = first[d] + on;
                    char text[1400];
                    free_run run;
                    if (n > 1 && (d + u + t) % 5 != 0)
                        continue;
                    snprintf(text, sizeof text,
                             "{carom: 1, dimension: 2, bodies: {b: {mass: 1, inertia: 1e-3, at: [0, 0.0501], motion:"
                             " {x: 0, angle: 0, y: '0.0501-%.17g*step(t,0,0,%.17g,1)+%.17g*step(t,%.17g,0,%.17g,1)"
                             "-%.17g*step(t,%.17g,0,%.17g,1)-%.17g*step(t,%.17g,0,%.17g,1)'}}},"
                             " shapes: {b: {type: sphere, on: b, radius: 0.05},"
                             " floor: {type: plane, on: ground, normal: [0, 1]}},"
                             " contacts: {p: {between: [b, floor], normal: {law: walton-braun, stiffness: 1e6,"
                             " restitution: 0.7}}}, run: {until: %.17g, integrator: %s}}",
                             1e-4 + first[d], time, back[u], time, 2 * time, back[u], 2 * time, 3 * time, on, 3 * time,
                             4 * time, 5 * time, integrators[n]);
                    free_run_parse(&run, text, 0, NULL);
                    free_run_to(&run, 5 * time);
                    const carom_ledger ledger = carom_simulation_ledger(run.sim);
                    const double work = STIFFNESS * deepest * deepest / 2;
                    const double lost = (1 - RESTITUTION * RESTITUTION) * work;
                    if (!(fabs(ledger.work / work - 1) < 1e-8) || !(fabs(ledger.dissipated_contact / lost - 1) < 1e-8))
                        fail_msg("%s, %g, %g m, %g s: work %.9g J, %.9g; lost %.9g J, %.9g", integrators[n], first[d],
                                 back[u], time, ledger.work, work, ledger.dissipated_contact, lost);
                    free_run_close(&run);
                    cases++;
                }
    print_message("%d cycles\n", cases);
}

/* ---- derivatives ---- */

/* Those of v^2 = v0^2 + e^2 K d^2/m at the start at rest and opening. The twins pass the release a part of a step
   beside the motion: derivatives of an impact of this law that begins with an onset are known to 6e-6 as well. */
static void test_derivatives(void **state)
{
    (void)state;
    static const char *const by[] = {"K", "e", "mass", "d"};
    for (int opening = 0; opening < 2; opening++) {
        const double speed = opening ? 0.5 : 0;
        const double part = RESTITUTION * RESTITUTION * STIFFNESS * DEPTH * DEPTH / MASS;
        const double v = sqrt(speed * speed + part);
        const double wanted[] = {part / STIFFNESS / (2 * v), part / RESTITUTION / v, -part / MASS / (2 * v),
                                 part / DEPTH / v};
        char text[1024];
        double d[16];
        carom_channel_ref ref;
        carom_context *ctx = new_context();
        carom_document *document = NULL;
        carom_sensitivity *of = NULL;
        carom_sensitivity_def def = carom_default_sensitivity_def();
        def.parameters = by;
        def.parameter_count = 4;
        snprintf(text, sizeof text,
                 "{carom: 1, dimension: 2, parameters: {K: 1e6, e: 0.7, mass: 0.3, d: 1e-3}, bodies: {b: {mass: mass,"
                 " inertia: 1e-4, at: [0, 0.05 - d], velocity: [0, %g]}}, shapes: {b: {type: sphere, on: b, radius:"
                 " 0.05}, floor: {type: plane, on: ground, normal: [0, 1]}}, contacts: {p: {between: [b, floor],"
                 " normal: {law: walton-braun, stiffness: K, restitution: e}}}, run: {until: 0.01}}",
                 speed);
        assert_ok(ctx, carom_document_parse(ctx, "model", text, strlen(text), NULL, 0, &document));
        assert_ok(ctx, carom_sensitivity_create(ctx, document, &def, &of));
        carom_simulation *sim = carom_sensitivity_simulation(of);
        assert_ok(ctx, carom_simulation_run(sim));
        assert_ok(ctx, carom_simulation_find_channel(sim, "body.b.velocity", &ref));
        assert_ok(ctx, carom_sensitivity_read(of, &ref, d));
        for (size_t k = 0; k < 4; k++) {
            const double found = d[k * (size_t)ref.size + 1];
            print_message("d v/d %s from %g m/s: %.9g, %.9g\n", by[k], speed, found, wanted[k]);
            assert_true(fabs(found / wanted[k] - 1) < 1e-5);
        }
        carom_sensitivity_free(of);
        carom_document_free(document);
        carom_context_free(ctx);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_release),    cmocka_unit_test(test_thornton),
                                       cmocka_unit_test(test_pressed_on), cmocka_unit_test(test_set),
                                       cmocka_unit_test(test_reload),     cmocka_unit_test(test_derivatives)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
