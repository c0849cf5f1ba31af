/* Parts of millimetres and bodies of hardly any inertia: redundant rows are told by what they are of their own size,
   and rows whose masses differ by many orders keep their digits. */
#include "carom_test.h"

#include <math.h>

#include "base/base.h"
#include "support/free_runs.h"

static long steps_of(const free_run *run) { return (long)carom_simulation_statistics(run->sim).steps; }

/* A steel slider-crank with rods of a given length, turning at 150 rad/s, in the plane or in space with three redundant
   rows. */
static void open_slider_crank(free_run *run, double rod, bool space)
{
    static const char model[] = "carom: 1\n"
                                "dimension: %d\n"
                                "parameters: {l: %g, r: 0.4*l, w: 0.1*l, density: 7850, side: 0.2*l}\n"
                                "bodies:\n"
                                "  crank: {mass: density*r*w^2, inertia: %s, at: [r/2, 0%s]}\n"
                                "  rod: {mass: density*l*w^2, inertia: %s, at: [r + l/2, 0%s]}\n"
                                "  slider: {mass: density*side^3, inertia: %s, at: [r + l, 0%s]}\n"
                                "joints:\n"
                                "  base: {type: revolute, between: [ground, {crank: [-r/2, 0%s]}]%s, rate: 150}\n"
                                "  pin: {type: revolute, between: [{crank: [r/2, 0%s]}, {rod: [-l/2, 0%s]}]%s}\n"
                                "  wrist: {type: revolute, between: [{rod: [l/2, 0%s]}, slider]%s}\n"
                                "  guide: {type: translational, between: [ground, slider], axis: [1, 0%s]}\n"
                                "run: {until: 0.1}\n";
    static const char *const planar[] = {"density*r*w^2*(r^2 + w^2)/12", "density*l*w^2*(l^2 + w^2)/12",
                                         "density*side^5/6"};
    static const char *const spatial[] = {
        "[density*r*w^4/6, density*r*w^2*(r^2 + w^2)/12, density*r*w^2*(r^2 + w^2)/12]",
        "[density*l*w^4/6, density*l*w^2*(l^2 + w^2)/12, density*l*w^2*(l^2 + w^2)/12]",
        "[density*side^5/6, density*side^5/6, density*side^5/6]"};
    const char *const *inertia = space ? spatial : planar;
    const char *z = space ? ", 0" : "", *axis = space ? ", axis: [0, 0, 1]" : "";
    char text[4096];
    snprintf(text, sizeof text, model, space ? 3 : 2, rod, inertia[0], z, inertia[1], z, inertia[2], z, z, axis, z, z,
             axis, z, axis, z);
    free_run_parse(run, text, 0, NULL);
}

static void test_slider_cranks(void **state)
{
    (void)state;
    static const double rods[] = {0.1, 0.03, 0.01, 0.003};
    for (size_t k = 0; k < CAROM_COUNT(rods); k++) {
        free_run space, plane;
        open_slider_crank(&space, rods[k], true);
        open_slider_crank(&plane, rods[k], false);
        double off = 0;
        for (int n = 1; n <= 20; n++) {
            free_run_to(&space, 0.005 * n);
            free_run_to(&plane, 0.005 * n);
            for (int i = 0; i < 2; i++)
                off = fmax(off, fabs(free_run_body(&space, "rod").position[i] -
                                      free_run_body(&plane, "rod").position[i]));
        }
        print_message("rod of %g mm: %ld steps in space, %ld in the plane, positions differ by %.2g of its length\n",
                      1e3 * rods[k], steps_of(&space), steps_of(&plane), off / rods[k]);
        /* 15 rad at tolerances of 1e-8, in both runs */
        assert_true(off < 1e-6 * rods[k]);
        assert_true(steps_of(&space) < 1000);
        free_run_close(&space);
        free_run_close(&plane);
    }
}

/* Four hinges in space whose beam stays parallel to the ground: as above, from metres to 30 um. */
static void test_parallelogram(void **state)
{
    (void)state;
    static const double lengths[] = {3, 3e-3, 3e-5};
    for (size_t k = 0; k < CAROM_COUNT(lengths); k++) {
        static const char model[] =
            "carom: 1\ndimension: 3\ngravity: [0, 0, -9.81]\n"
            "parameters: {l: %g, w: 0.13*l, leg: 7850*l*w^2}\n"
            "bodies:\n"
            "  a: {mass: leg, inertia: [leg*l^2/12, leg*l^2/12, leg*w^2/6], at: [0, 0, l/2]}\n"
            "  b: {mass: leg, inertia: [leg*l^2/12, leg*l^2/12, leg*w^2/6], at: [2*l, 0, l/2]}\n"
            "  beam: {mass: 2*leg, inertia: [leg*w^2/3, 2*leg*l^2/3, 2*leg*l^2/3], at: [l, 0, l]}\n"
            "joints:\n"
            "  p1: {type: revolute, between: [ground, {a: [0, 0, -l/2]}], axis: [0, 1, 0], rate: 0.5*sqrt(9.81/l)}\n"
            "  p2: {type: revolute, between: [{ground: [2*l, 0, 0]}, {b: [0, 0, -l/2]}], axis: [0, 1, 0]}\n"
            "  p3: {type: revolute, between: [{a: [0, 0, l/2]}, {beam: [-l, 0, 0]}], axis: [0, 1, 0]}\n"
            "  p4: {type: revolute, between: [{b: [0, 0, l/2]}, {beam: [l, 0, 0]}], axis: [0, 1, 0]}\n"
            "run: {until: 0.8*sqrt(%g/9.81)}\n";
        char text[2048];
        free_run run;
        snprintf(text, sizeof text, model, lengths[k], lengths[k]);
        free_run_parse(&run, text, 0, NULL);
        free_run_to(&run, 0.8 * sqrt(lengths[k] / 9.81));
        /* two legs on hinges and a beam that does not turn: (2 m/3 + 2 m) l^2 w^2/2 + 3 m g l cos(angle) is kept */
        const double w = free_run_body(&run, "a").angular_velocity[1], z = free_run_body(&run, "beam").position[2],
                     l = lengths[k], g = 9.81, energy = 4 * l * w * w / 3 + 3 * g * z / l,
                     start = 4 * 0.25 * g / 3 + 3 * g;
        print_message("parallelogram of %g m: %ld steps, energy off by %.2g\n", l, steps_of(&run), energy / start - 1);
        assert_true(fabs(energy / start - 1) < 1e-6);
        assert_true(z < 0.95 * l && steps_of(&run) < 1000);
        free_run_close(&run);
    }
}

/* A bob at 0.7 m whose inertia is 1e-4 to 1e-12 kg m^2: the equations of its hinge lose up to 12 digits where they are
   multiplied out. */
static void test_bobs(void **state)
{
    (void)state;
    static const double inertias[] = {1e-4, 1e-8, 1e-10, 1e-12};
    static const char model[] =
        "carom: 1\ndimension: %d\ngravity: [0, -9.81%s]\nparameters: {x: 0.7/sqrt(2)}\n"
        "bodies:\n  bob: {mass: 1, inertia: %s, at: [x, -x%s]}\n"
        "joints:\n  pin: {type: revolute, between: [ground, {bob: [-x, x%s]}]%s}\nrun: {until: 3}\n";
    for (size_t k = 0; k < CAROM_COUNT(inertias); k++)
        for (int dimension = 2; dimension <= 3; dimension++) {
            const bool space = dimension == 3;
            const char *z = space ? ", 0" : "";
            char text[1024], inertia[64];
            snprintf(inertia, sizeof inertia, space ? "[%g, %g, %g]" : "%g", inertias[k], inertias[k], inertias[k]);
            snprintf(text, sizeof text, model, dimension, z, inertia, z, z, space ? ", axis: [0, 0, 1]" : "");
            free_run run;
            free_run_parse(&run, text, 0, NULL);
            double off = 0;
            for (int n = 1; n <= 30; n++) {
                free_run_to(&run, 0.1 * n);
                const carom_body_state bob = free_run_body(&run, "bob");
                const double w = bob.angular_velocity[2], fall = -0.7 / sqrt(2) - bob.position[1];
                off = fmax(off, fabs(0.5 * (0.49 + inertias[k]) * w * w - 9.81 * fall) / (9.81 * 0.7));
                off = fmax(off, fabs(hypot(bob.position[0], bob.position[1]) - 0.7) / 0.7);
            }
            print_message("bob of %g kg m^2, dimension %d: %ld steps, energy and length off by %.2g\n", inertias[k],
                          dimension, steps_of(&run), off);
            /* some hundred steps at tolerances of 1e-8 */
            assert_true(off < 1e-7);
            assert_true(steps_of(&run) < 2000);
            free_run_close(&run);
        }
}

/* A rod of 1 mg that joins two parts of a tonne: energy is kept, and the centre of mass stays over its place. */
static void test_light_rod(void **state)
{
    (void)state;
    static const char model[] =
        "carom: 1\ndimension: 3\ngravity: [0, 0, -9.81]\nbodies:\n"
        "  top: {mass: 1000, inertia: [100, 100, 100], at: [0, 0, 0]}\n"
        "  rod: {mass: 1e-6, inertia: [1e-9, 1e-7, 1e-7], at: [0.5, 0, 0]}\n"
        "  bob: {mass: 1000, inertia: [100, 100, 100], at: [1, 0, 0]}\n"
        "joints:\n"
        "  a: {type: translational, between: [ground, top], axis: [1, 0, 0]}\n"
        "  b: {type: revolute, between: [top, {rod: [-0.5, 0, 0]}], axis: [0, 1, 0]}\n"
        "  c: {type: revolute, between: [{rod: [0.5, 0, 0]}, bob], axis: [0, 1, 0]}\nrun: {until: 3}\n";
    free_run run;
    free_run_parse(&run, model, 0, NULL);
    double energy = 0, centre = 0;
    for (int n = 1; n <= 30; n++) {
        free_run_to(&run, 0.1 * n);
        const carom_body_state top = free_run_body(&run, "top"), bob = free_run_body(&run, "bob");
        const double v[3] = {top.velocity[0], bob.velocity[0], bob.velocity[2]}, w = bob.angular_velocity[1];
        const double kinetic = 500 * (v[0] * v[0] + v[1] * v[1] + v[2] * v[2]) + 50 * w * w;
        energy = fmax(energy, fabs(kinetic + 9810 * bob.position[2]) / 9810);
        centre = fmax(centre, fabs(0.5 * (top.position[0] + bob.position[0]) - 0.5));
    }
    print_message("light rod: %ld steps, energy off by %.2g, centre by %.2g m\n", steps_of(&run), energy, centre);
    /* the rod's own energy is 1e-9 of the whole; some thousand steps at tolerances of 1e-8 */
    assert_true(energy < 1e-7 && centre < 1e-7);
    assert_true(steps_of(&run) < 3000);
    free_run_close(&run);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_slider_cranks),
        cmocka_unit_test(test_parallelogram),
        cmocka_unit_test(test_bobs),
        cmocka_unit_test(test_light_rod),
    };
    return cmocka_run_group_tests_name("small_parts", tests, NULL, NULL);
}
