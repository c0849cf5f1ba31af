/* W32: a half disc, which is round but for two corners, is told once with its contacts, whatever their number. With a
   disc it is not told: over an outer corner the normal turns with the centre of the disc, and does not jump. */
#include "carom_test.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "support/free_runs.h"

static void told(int balls, const char *contacts, const char *subject)
{
    char text[2000];
    free_run run;
    size_t count, found = 0;
    snprintf(text, sizeof text,
             "carom: 1\ndimension: 2\nbodies: {b: {copies: %d, mass: 1, inertia: 0.004, at: [0.3*copy, 1]}}\nshapes:\n"
             "  b: {type: capsule, on: b, from: [-0.05, 0], to: [0.05, 0], radius: 0.1}\n"
             "  half: {type: profile, on: ground, closed: true, outline: [{arc: {centre: [0, 0], radius: 0.5, from: 0, "
             "to: pi}}, {line: [[-0.5, 0], [0.5, 0]]}]}\ncontacts:\n%srun: {until: 0.1}\n",
             balls, contacts);
    free_run_parse(&run, text, 1e-8, NULL);
    const char *const *warnings = carom_simulation_warnings(run.sim, &count);
    for (size_t k = 0; k < count; k++)
        if (strstr(warnings[k], "[W32]")) {
            if (strncmp(warnings[k], subject, strlen(subject)) != 0)
                fail_msg("%s", warnings[k]);
            found++;
        }
    assert_int_equal(found, 1);
    free_run_close(&run);
}

#define LAW "normal: {law: hertz, stiffness: 1e6}}\n"

static void test_corners(void **state)
{
    (void)state;
    told(1, "  k: {between: [b_1, half], " LAW, "contact 'k': shape 'half' is not smooth: it has a corner at (");
    told(2, "  k: {copies: 2, between: [b, half], " LAW, "contact 'k_1' and contact 'k_2': shape 'half'");
    told(3, "  k: {copies: 3, between: [b, half], " LAW, "contact 'k_1', contact 'k_2' and 1 other: shape 'half'");
    told(11, "  k: {copies: 11, between: [b, half], " LAW, "contact 'k_1', contact 'k_2' and 9 others: shape 'half'");
    told(4, "  k: {all: ['b*', half], " LAW, "contact 'k.b_1-half', contact 'k.b_2-half' and 2 others: shape 'half'");
}

/* A disc of radius r that is led about the corner of a half disc at a distance r - depth: the force of the linear law
   is stiffness times depth at each place, away from the corner, from the end of the round to the flat. */
static void test_disc(void **state)
{
    (void)state;
    free_run run;
    free_run_parse(&run,
                   "carom: 1\ndimension: 2\n"
                   "bodies: {b: {mass: 1, inertia: 0.004, at: [0.599, 0], "
                   "motion: {x: 0.5 + 0.099*cos(t), y: -0.099*sin(t), angle: 0}}}\nshapes:\n"
                   "  b: {type: sphere, on: b, radius: 0.1}\n"
                   "  half: {type: profile, on: ground, closed: true, "
                   "outline: [{arc: {centre: [0, 0], radius: 0.5, from: 0, to: pi}}, {line: [[-0.5, 0], [0.5, 0]]}]}\n"
                   "contacts: {k: {between: [b, half], normal: {law: hooke, stiffness: 1e6}}}\nrun: {until: 1.5}\n",
                   1e-8, NULL);
    for (int k = 1; k <= 15; k++) {
        free_run_to(&run, 0.1 * k);
        const double x = free_run_get(&run, "body.b.contact_force.x");
        const double y = free_run_get(&run, "body.b.contact_force.y");
        assert_true(fabs(x - 1e3 * cos(0.1 * k)) < 1e-6 && fabs(y + 1e3 * sin(0.1 * k)) < 1e-6);
    }
    assert_false(free_run_is_told(&run, "[W32]"));
    assert_false(free_run_is_told(&run, "[W02]"));
    free_run_close(&run);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_corners), cmocka_unit_test(test_disc)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
