/* W32: a half disc, which is round but for two corners, is told once with its contacts, whatever their number. */
#include "carom_test.h"

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
             "  b: {type: sphere, on: b, radius: 0.1}\n"
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

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_corners)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
