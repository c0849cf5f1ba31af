/* Contact sets: restitution and friction of single pairs against the located contact and closed forms, order in the
   step, filters, sizes, shapes other than balls, and the energy balance of the poured models. */
#include "carom_test.h"

#include <math.h>

#include "support/runs.h"
#include "support/sample.h"

static char text[8192];

/* Opens a model of the text, with the numbers put in. */
static void open_text(free_run *run, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    int length = vsnprintf(text, sizeof text, format, args);
    va_end(args);
    assert_true(length > 0 && (size_t)length < sizeof text);
    free_run_parse(run, text, 0, NULL);
}

static double run_to_end(free_run *run, double time)
{
    free_run_to(run, time);
    return carom_simulation_ledger(run->sim).residual_fraction;
}

static carom_impact only_impact(free_run *run)
{
    size_t count;
    const carom_impact *impacts = carom_simulation_impacts(run->sim, &count);
    assert_int_equal(count, 1);
    return impacts[0];
}

/* ---- one direct impact ---- */

/* Two spheres that meet: 0.092 kg, R 20 mm, K 5.5e9, closing at 0.3 m/s. */
static const char *const two =
    "{carom: 1, dimension: 3, bodies: {"
    "a: {mass: 0.092, inertia: [1.472e-5, 1.472e-5, 1.472e-5], at: [-0.020003, 0, 0], velocity: [0.15, %g, 0],"
    " angular_velocity: [0, 0, %g]},"
    "b: {mass: 0.092, inertia: [1.472e-5, 1.472e-5, 1.472e-5], at: [0.02, 0, 0], velocity: [-0.15, 0, 0],"
    " angular_velocity: [0, 0, 0]}},"
    "shapes: {sa: {type: sphere, on: a, radius: 0.02}, sb: {type: sphere, on: b, radius: 0.02}},"
    "contacts: {hit: {%s, normal: {law: %s, stiffness: 5.5e9, restitution: 0.7}%s}}, run: {until: 4e-4, output: "
    "{every: 4e-4}, %s}}";

static void test_one_impact(void **state)
{
    (void)state;
    static const char *const laws[] = {"exact", "flores", "lankarani-nikravesh", "tsuji", "hunt-crossley-alpha",
                                       "walton-braun"};
    static const char *const methods[] = {"verlet", "rk4", "semi-implicit-euler"};
    free_run run;
    for (size_t law = 0; law < sizeof laws / sizeof *laws; law++) {
        const bool damping = strcmp(laws[law], "hunt-crossley-alpha") == 0;
        char name[96];
        snprintf(name, sizeof name, "%s%s", laws[law], damping ? ", alpha: 1.5" : "");
        open_text(&run, two, 0.0, 0.0, "between: [sa, sb]", name, "", "tolerance: 1e-10");
        run_to_end(&run, 4e-4);
        const carom_impact exact = only_impact(&run);
        free_run_close(&run);
        for (size_t method = 0; method < 3; method++) {
            double error[4], residual[4];
            for (int k = 0; k < 4; k++) {
                char how[96];
                snprintf(how, sizeof how, "integrator: %s, step: %.17g", methods[method],
                         exact.duration / 50 / (1 << k));
                open_text(&run, two, 0.0, 0.0, "all: [sa, sb]", name, "", how);
                residual[k] = run_to_end(&run, 4e-4);
                const carom_impact got = only_impact(&run);
                error[k] = fabs(got.v_out - exact.v_out) / exact.v_in;
                assert_string_equal(got.contact, "hit.sa-sb");
                assert_true(fabs(got.v_in - exact.v_in) < 1e-9); /* rounding of the positions over a step */
                assert_true(fabs(got.onset - exact.onset) < 1e-12);
                assert_true(fabs(got.mass - exact.mass) < 1e-12);
                const double share = 60.0 / (1 << (2 * k)) * (method == 2 ? 1 << k : 1);
                const double off[] = {got.peak_force / exact.peak_force - 1,
                                      got.max_indentation / exact.max_indentation - 1,
                                      got.duration / exact.duration - 1, got.impulse / exact.impulse - 1,
                                      got.energy_lost / exact.energy_lost - 1};
                for (size_t n = 0; n < sizeof off / sizeof *off; n++)
                    if (!(fabs(off[n]) < 4e-3 * share))
                        fail_msg("%s, %s, step %d: quantity %zu is off by %.2e (allowed %.1e)", laws[law],
                                 methods[method], k, n, off[n], 4e-3 * share);
                const carom_body_state a = free_run_body(&run, "a"), b = free_run_body(&run, "b");
                assert_true(fabs(a.velocity[0] + b.velocity[0]) < 1e-14);
                free_run_close(&run);
            }
            const double order = log2(error[0] / error[3]) / 3;
            print_message("%-20s %-20s error of v_out/v_in %.1e %.1e %.1e %.1e, order %.2f; residual %.1e ... %.1e\n",
                          laws[law], methods[method], error[0], error[1], error[2], error[3], order, residual[0],
                          residual[3]);
            /* Tsuji's damping begins as the power 1/4 of the indentation: what is left out of the step of the onset is
               h^1.25 */
            const bool steep = strcmp(laws[law], "tsuji") == 0;
            assert_true(error[3] < (method == 2 ? 4e-3 : steep ? 5e-4 : 2e-4));
            assert_true(order > (method == 2 ? 0.8 : steep ? 1.1 : 1.5) || error[3] < 2e-5);
            assert_true(residual[3] < (method == 2 ? 4e-3 : 2e-4));
        }
    }
}

/* ---- friction ---- */

/* An oblique impact of spheres, one of which spins, with each law that a contact set takes. */
static void test_oblique_impact(void **state)
{
    (void)state;
    static const struct {
        const char *law;
        double velocity, spin, allowed;
    } cases[] = {{"hollars, static: 0.1", 0.3, 0, 2e-4},
                 {"bengisu-akay, static: 0.15", 0.02, 5, 1e-3},
                 {"threlfall", 0.3, 10, 2e-4},
                 {"mindlin", 0.3, 0, 2e-3},
                 {"mindlin", 0.02, 0, 1e-2},
                 {"mindlin", 0.05, 3, 1e-2}};
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        carom_body_state got[2];
        char site[96];
        snprintf(site, sizeof site, ", friction: {law: %s, kinetic: 0.1}", cases[k].law);
        for (int many = 0; many < 2; many++) {
            free_run run;
            open_text(&run, two, cases[k].velocity, cases[k].spin, many ? "all: [sa, sb]" : "between: [sa, sb]",
                      "exact", site, many ? "integrator: verlet, step: 1e-7" : "tolerance: 1e-9");
            const double residual = run_to_end(&run, 4e-4);
            assert_true(residual < (many ? 1e-3 : 1e-6));
            got[many] = free_run_body(&run, "a");
            free_run_close(&run);
        }
        const double slip = cases[k].velocity + 0.02 * cases[k].spin;
        const double tangential = fabs(got[0].velocity[1] - got[1].velocity[1]) / slip;
        const double spin = 0.02 * fabs(got[0].angular_velocity[2] - got[1].angular_velocity[2]) / slip;
        print_message("%-28s v %.3f w %2.0f: tangential %.2e, spin %.2e of the slip (allowed %.0e)\n", cases[k].law,
                      cases[k].velocity, cases[k].spin, tangential, spin, cases[k].allowed);
        assert_true(tangential < cases[k].allowed && spin < cases[k].allowed);
    }
}

/* A ball that slides on a plane rolls at 5/7 of its speed, after u0*2/(7 mu g) (Coulomb). */
static void test_slide_to_roll(void **state)
{
    (void)state;
    free_run run;
    const double u = 1, mu = 0.2, g = 9.81;
    open_text(&run,
              "{carom: 1, dimension: 3, gravity: [0, 0, -9.81], bodies: {b: {mass: 0.1, inertia: [1.6e-5, 1.6e-5, "
              "1.6e-5], at: [0, 0, 0.019990085], velocity: [1, 0, 0], angular_velocity: [0, 0, 0]}}, shapes: {s: "
              "{type: sphere, on: b, radius: 0.02}, f: {type: plane, on: ground, normal: [0, 0, 1]}}, contacts: {c: "
              "{all: [s, f], normal: {law: tsuji, stiffness: 3.14e7, restitution: 0.2}, friction: {law: mindlin, "
              "kinetic: 0.2, stiffness_ratio: 0.8}}}, run: {until: 0.3, integrator: verlet, step: 1e-5}}");
    const double residual = run_to_end(&run, 0.3);
    const carom_body_state b = free_run_body(&run, "b");
    const double rolls = 2 * u / (7 * mu * g),
                 at = u * rolls - 0.5 * mu * g * rolls * rolls + 5.0 / 7 * u * (0.3 - rolls);
    print_message("rolling at %.6f (5/7 = %.6f), x %.6f (%.6f), residual %.1e\n", b.velocity[0], 5.0 / 7, b.position[0],
                  at, residual);
    assert_true(fabs(b.velocity[0] - 5.0 / 7) < 2e-4);
    assert_true(fabs(0.02 * b.angular_velocity[1] - 5.0 / 7) < 4e-4);
    assert_true(fabs(b.position[0] - at) < 2e-4);
    assert_true(residual < 1e-3);
    free_run_close(&run);
}

/* ---- sizes ---- */

/* Balls of 40 different radii fall on a plane, elastically by Hertz: each impact lasts 2.9432 (5/4)^(2/5)
   (m^2/(K^2 v))^(1/5). */
static void test_sizes(void **state)
{
    (void)state;
    free_run run;
    open_text(
        &run,
        "{carom: 1, dimension: 3, gravity: [0, 0, 0], parameters: {n: 40}, materials: {m: {E: 1e8, nu: 0.3}}, "
        "bodies: {ball: {copies: n, mass: 1e-3*copy, inertia: [1e-7, 1e-7, 1e-7], at: [0.1*copy, 0, 2e-4*copy + "
        "1e-5], velocity: [0, 0, -0.2], angular_velocity: [0, 0, 0]}}, shapes: {ball: {type: sphere, on: ball, "
        "radius: 2e-4*copy, material: m}, f: {type: plane, on: ground, normal: [0, 0, 1], material: m}}, "
        "contacts: {c: {all: [f, ball], normal: {law: hertz}}}, run: {until: 0.02, integrator: verlet, step: 2e-6}}");
    const double residual = run_to_end(&run, 0.02);
    size_t count;
    const carom_impact *impacts = carom_simulation_impacts(run.sim, &count);
    double worst = 0;
    assert_int_equal(count, 40);
    for (size_t k = 0; k < count; k++) {
        const int copy = atoi(strrchr(impacts[k].contact, '_') + 1);
        const double radius = 2e-4 * copy, modulus = 1e8 / (2 * (1 - 0.09)),
                     stiffness = 4.0 / 3 * modulus * sqrt(radius);
        const double wanted = 2.943275 * pow(1.25, 0.4) * pow(1e-6 * copy * copy / (stiffness * stiffness * 0.2), 0.2);
        worst = fmax(worst, fabs(impacts[k].duration / wanted - 1));
        assert_true(fabs(impacts[k].e_got - 1) < 3e-3);
    }
    print_message("40 radii: durations within %.1e of Hertz', residual %.1e\n", worst, residual);
    assert_true(worst < 2e-3 && residual < 1e-3);
    free_run_close(&run);
}

/* ---- filters, and pairs with located onsets ---- */

static double pairs_of(const char *contact, const char *method)
{
    free_run run;
    open_text(&run,
              "{carom: 1, dimension: 2, bodies: {a: {mass: 1, inertia: 1, at: [0, 0.99]}, b: {mass: 1, inertia: 1, at: "
              "[1.9, 0.99]}, c: {mass: 1, inertia: 1, at: [3.8, 0.99]}}, joints: {pin: {type: revolute, between: [{a: "
              "[0.95, 0]}, {b: [-0.95, 0]}]}}, shapes: {sa: {type: sphere, on: a, radius: 1}, sa2: {type: sphere, on: "
              "a, at: [0.1, 0], radius: 1}, sb: {type: sphere, on: b, radius: 1}, sc: {type: sphere, on: c, radius: "
              "1}, floor: {type: plane, on: ground, normal: [0, 1]}, wall: {type: plane, on: ground, at: [4.7, 0], "
              "normal: [-1, 0]}}, contacts: {c: {%s, normal: {law: hunt-crossley-alpha, stiffness: 1e3, alpha: 0.1}}}, "
              "run: {until: 1e-3, %s}}",
              contact, method);
    free_run_to(&run, 1e-6);
    double out = 0;
    out = (double)carom_simulation_open_contacts(run.sim, NULL, 0);
    if (strstr(method, "verlet"))
        assert_true(out == free_run_get(&run, "contact.c.count"));
    free_run_close(&run);
    return out;
}

static void test_filters(void **state)
{
    (void)state;
    static const struct {
        const char *contact;
        int pairs;
    } cases[] = {
        /* floor touches sa, sa2, sb, sc; the wall sc; sb touches sc, and sa and sa2 but for the joint */
        {"all: [sa, sa2, sb, sc, floor, wall]", 6},
        {"all: '*'", 6},
        {"all: ['s*', floor]", 5},
        {"all: ['s*', floor], except: [['sa*', floor]]", 3},
        {"all: ['s*', floor], except: [[floor, '*a*']]", 3},
        {"all: ['*'], joined: yes", 8},
        {"all: [sb, sc], except: [[sc, sb]]", 0},
    };
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++)
        for (int located = 0; located < 2; located++) {
            const double got =
                pairs_of(cases[k].contact, located ? "tolerance: 1e-8" : "integrator: verlet, step: 1e-6");
            if (got != cases[k].pairs)
                fail_msg("%s, %s: %g pairs instead of %d", cases[k].contact, located ? "adams" : "verlet", got,
                         cases[k].pairs);
        }
}

/* ---- other shapes ---- */

/* Capsules tumble into a trough in the plane; solids in space. */
static void test_shapes(void **state)
{
    (void)state;
    static const char *const plane =
        "{carom: 1, dimension: 2, gravity: [0, -9.81], bodies: {b: {copies: 9, mass: 0.1, inertia: 1e-5, at: "
        "['0.03*(mod(copy, 3) - 1)', '0.03 + 0.03*floor((copy - 1)/3)'], angle: copy, velocity: [0, -0.5], "
        "angular_velocity: 3}}, shapes: {box: {type: capsule, on: b, from: [-0.006, 0], to: [0.006, 0], radius: "
        "0.004}, left: {type: plane, on: ground, normal: [0.5, 1]}, right: {type: plane, on: ground, normal: [-0.5, "
        "1]}}, contacts: {c: {all: [box, left, right], normal: {law: hunt-crossley-alpha, stiffness: 1e6, alpha: 0.5}, "
        "friction: {law: hollars, kinetic: 0.3, static: 0.3}}}, run: {until: 0.3, integrator: verlet, step: %g}}";
    static const char *const space =
        "{carom: 1, dimension: 3, gravity: [0, 0, -9.81], bodies: {b: {copies: 8, mass: 0.1, inertia: [1e-5, 2e-5, "
        "2e-5], at: ['0.03*(mod(copy, 2) - 0.5)', '0.03*(mod(floor(copy/2), 2) - 0.5)', '0.03 + 0.03*floor((copy - "
        "1)/4)'], velocity: [0, 0, -0.5], angular_velocity: [copy, 1, 2]}}, shapes: {e: {type: ellipsoid, on: b, "
        "half_axes: [0.012, 0.009, 0.01]}, floor: {type: plane, on: ground, normal: [0.1, 0, 1]}, stop: {type: plane, "
        "on: ground, at: [0.05, 0, 0], normal: [-1, 0, 0]}}, contacts: {c: {all: ['*'], normal: {law: "
        "hunt-crossley-alpha, stiffness: 1e6, alpha: 0.5}, friction: {law: mindlin, kinetic: 0.3}}}, run: {until: "
        "0.15, integrator: verlet, step: %g}}";
    for (int spatial = 0; spatial < 2; spatial++) {
        double residual[2];
        size_t impacts = 0;
        for (int k = 0; k < 2; k++) {
            free_run run;
            open_text(&run, spatial ? space : plane, k ? 1e-5 : 4e-5);
            residual[k] = run_to_end(&run, spatial ? 0.15 : 0.3);
            carom_simulation_impacts(run.sim, &impacts);
            free_run_close(&run);
        }
        print_message("%s: residual %.1e at 40 us, %.1e at 10 us, %zu impacts\n", spatial ? "ellipsoids" : "capsules",
                      residual[0], residual[1], impacts);
        assert_true(residual[0] < 1e-2 && residual[1] < 0.3 * residual[0] && impacts > 10);
    }
}

/* ---- poured models ---- */

/* The energy balance of the models: at most 1 % of the energy that moved, falling with the step; what lies weighs as
   much as it should. */
static void test_poured(void **state)
{
    (void)state;
    static const struct {
        const char *model;
        double count, duration, step, mass;
        size_t warnings;        /* of shapes so soft that they sink in by more than 0.05 of their radius, and of tsuji,
                                   which does not return the 0.5 that the last one asks for */
    } cases[] = {{"poured_balls.yaml", 150, 0.25, 4e-5, 0, 1},
                 {"poured_discs.yaml", 120, 0.3, 4e-5, 0, 1},
                 {"large/pour_10000.yaml", 300, 0.15, 4e-5, 0, 2}};
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        double residual[3];
        for (int n = 0; n < 3; n++) {
            free_run run;
            run_sets sets = {0};
            run_set(&sets, "count", cases[k].count);
            run_set(&sets, "duration", cases[k].duration);
            run_set(&sets, "dt", cases[k].step / (1 << n));
            run_open(&run, cases[k].model, &sets, 0);
            residual[n] = run_to_end(&run, cases[k].duration);
            if (n == 0) {
                size_t impacts, warnings;
                carom_simulation_impacts(run.sim, &impacts);
                const char *const *told = carom_simulation_warnings(run.sim, &warnings);
                print_message("%s: %zu impacts, %.0f pairs touch at the end, kinetic %.2e of %.2e J\n", cases[k].model,
                              impacts, free_run_get(&run, "contact.pour.count"),
                              carom_simulation_ledger(run.sim).kinetic, carom_simulation_ledger(run.sim).start);
                assert_true(impacts > 500);
                assert_int_equal(warnings, cases[k].warnings);
                for (size_t w = 0; w < warnings; w++)
                    assert_true(strstr(told[w], "[W16]") || (warnings == 2 && strstr(told[w], "[W13]")));
            }
            free_run_close(&run);
        }
        print_message("%s: residual %.2e, %.2e, %.2e of the energy that moved at steps of %.0e s, a half, a quarter\n",
                      cases[k].model, residual[0], residual[1], residual[2], cases[k].step);
        assert_true(residual[0] <= 1e-2 && residual[2] < 0.5 * residual[0]);
    }
}

/* ---- two runs, and one resumed ---- */

static void test_same_bits(void **state)
{
    (void)state;
    free_run run[2];
    run_sets sets = {0};
    unsigned char *bytes, *last[2];
    size_t size, sizes[2];
    run_set(&sets, "count", 150);
    run_set(&sets, "duration", 0.12);
    for (int k = 0; k < 2; k++)
        run_open(&run[k], "poured_balls.yaml", &sets, 0);
    free_run_to(&run[0], 0.06);
    assert_int_equal(carom_simulation_checkpoint(run[0].sim, &bytes, &size), CAROM_OK);
    assert_int_equal(carom_simulation_resume(run[1].sim, bytes, size), CAROM_OK);
    carom_bytes_free(run[0].ctx, bytes, size);
    for (int k = 0; k < 2; k++) {
        free_run_to(&run[k], 0.12);
        assert_int_equal(carom_simulation_checkpoint(run[k].sim, &last[k], &sizes[k]), CAROM_OK);
    }
    size_t count[2];
    const carom_impact *a = carom_simulation_impacts(run[0].sim, &count[0]),
                       *b = carom_simulation_impacts(run[1].sim, &count[1]);
    assert_int_equal(count[0], count[1]);
    assert_true(count[0] > 200);
    for (size_t k = 0; k < count[0]; k++)
        assert_string_equal(a[k].contact, b[k].contact);
    assert_int_equal(sizes[0], sizes[1]);
    assert_memory_equal(last[0], last[1], sizes[0]);
    for (int k = 0; k < 2; k++) {
        carom_bytes_free(run[k].ctx, last[k], sizes[k]);
        free_run_close(&run[k]);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_one_impact), cmocka_unit_test(test_oblique_impact), cmocka_unit_test(test_slide_to_roll),
        cmocka_unit_test(test_sizes),      cmocka_unit_test(test_filters),        cmocka_unit_test(test_shapes),
        cmocka_unit_test(test_poured),     cmocka_unit_test(test_same_bits),
    };
    return sample_group_tests(tests, 1, 3, NULL, NULL);
}
