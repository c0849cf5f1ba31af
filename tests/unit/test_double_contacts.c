/* W54: pairs of shapes that are in two contacts, whatever these are, and contacts that only share shapes. */
#include "carom_test.h"

#include <stdio.h>
#include <string.h>

#include "base/base.h"
#include "support/free_runs.h"

/* Balls b_1 to b_N on a floor, and these contacts. */
static const char *model(int balls, const char *contacts)
{
    static char text[2000];
    snprintf(text, sizeof text,
             "carom: 1\n"
             "dimension: 2\n"
             "bodies: {b: {copies: %d, mass: 1, inertia: 0.004, at: [0.3*copy, 0.2]}}\n"
             "shapes:\n"
             "  b: {type: sphere, on: b, radius: 0.1}\n"
             "  floor: {type: plane, on: ground, normal: [0, 1]}\n"
             "contacts:\n%s"
             "run: {until: 0.1, integrator: verlet, step: 1e-4}\n",
             balls, contacts);
    return text;
}

#define LAW "normal: {law: kelvin-voigt, stiffness: 1e5, damping: 300}}\n"

/* How many warnings name two contacts, and the text of the last one. */
static size_t told(int balls, const char *contacts, const char *integrator, char *text, size_t size)
{
    free_run run;
    size_t count, found = 0;
    free_run_parse(&run, model(balls, contacts), 0, integrator);
    const char *const *warnings = carom_simulation_warnings(run.sim, &count);
    for (size_t k = 0; k < count; k++)
        if (strstr(warnings[k], "[W54]")) {
            snprintf(text, size, "%s", warnings[k]);
            found++;
        }
    free_run_close(&run);
    return found;
}

/* Contacts that have a pair in common, of which the warning names both and the shapes. */
static void test_told(void **state)
{
    (void)state;
    static const struct {
        const char *contacts, *first, *more;
    } cases[] = {
        {"  p: {all: [b, floor], " LAW "  q: {all: [b_1, floor], " LAW, "'b_1' and 'floor'", NULL},
        {"  p: {all: [b, floor], " LAW "  q: {between: [floor, b_2], " LAW, "'b_2' and 'floor'", NULL},
        {"  p: {between: [b_1, b_2], " LAW "  q: {between: [b_2, b_1], " LAW, "'b_2' and 'b_1'", NULL},
        {"  p: {all: [b, floor], exclude: [[b_1, floor]], " LAW "  q: {all: ['b_*', floor], exclude: [['b_*', 'b_*']], "
         LAW, "'b_2' and 'floor'", NULL},
        {"  p: {all: [b, floor], " LAW "  q: {between: [b_1, b_2], " LAW "  r: {between: [b_3, b_2], " LAW,
         "'b_", ", and so in 1 more pair"},
    };
    for (size_t k = 0; k < CAROM_COUNT(cases); k++)
        for (int stepped = 0; stepped < 2; stepped++) {
            char text[600] = "";
            assert_int_equal(told(3, cases[k].contacts, stepped ? "verlet" : "auto", text, sizeof text), 1);
            assert_non_null(strstr(text, "'p' and 'q'"));
            assert_non_null(strstr(text, cases[k].first));
            assert_true(!cases[k].more == !strstr(text, "more pair") &&
                        (!cases[k].more || strstr(text, cases[k].more)));
        }
}

/* Contacts that share shapes, and no pair. */
static void test_not_told(void **state)
{
    (void)state;
    static const char *const cases[] = {
        "  p: {all: [b, floor], exclude: [['b_*', floor]], " LAW
        "  q: {all: [b, floor], exclude: [['b_*', 'b_*']], " LAW,
        "  p: {all: [b, floor], exclude: [[b_1, floor]], " LAW "  q: {between: [b_1, floor], " LAW,
        "  p: {all: [b_1, b_2], " LAW "  q: {all: [b_2, b_3], " LAW "  r: {all: [b_3, b_1], " LAW,
        "  p: {between: [b_1, floor], " LAW "  q: {between: [b_2, floor], " LAW,
    };
    for (size_t k = 0; k < CAROM_COUNT(cases); k++)
        for (int stepped = 0; stepped < 2; stepped++) {
            char text[600];
            assert_int_equal(told(3, cases[k], stepped ? "verlet" : "auto", text, sizeof text), 0);
        }
}

/* Twenty thousand balls of two sets, of which no pair is in both: 2e8 pairs that are not looked at one by one. */
static void test_many(void **state)
{
    (void)state;
    char text[600];
    assert_int_equal(told(20000,
                          "  p: {all: [b, floor], exclude: [['b_*', 'b_*']], " LAW
                          "  q: {all: [b, floor], exclude: [['b_*', floor]], " LAW,
                          "verlet", text, sizeof text),
                     0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_told), cmocka_unit_test(test_not_told),
                                       cmocka_unit_test(test_many)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
