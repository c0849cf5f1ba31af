/* Contacts with several places in expressions: a place by its number, and all of them together. */
#include "carom_test.h"

#include <math.h>
#include <string.h>

#include "support/free_runs.h"

/* A box of 2 kg, 0.4 m by 0.2 m, pushed by 3 N at its middle: both corners bear 20 N, the one ahead 10.75 N, since 3 N
   act 0.1 m above the floor and the corners stand 0.4 m apart; friction is 3 N. It begins turned by 0.01 rad, so that
   one corner touches after the other. */
static const char box[] =
    "carom: 1\ndimension: 2\ngravity: [0, -10]\n"
    "bodies:\n  b: {mass: 2, inertia: 0.03, at: [0, 0.1021], angle: 0.01}\n"
    "shapes:\n  b: {type: box, on: b, size: [0.4, 0.2]}\n  floor: {type: plane, on: ground, normal: [0, 1]}\n"
    "contacts:\n  c: {between: [floor, b], normal: {law: kelvin-voigt, stiffness: 1e6, damping: 1e3}, "
    "friction: {law: coulomb, kinetic: 0.5}}\n"
    "loads:\n  push: {type: force, on: b, force: [3, 0]}\n"
    "inputs: {touching: 0}\n"
    "events:\n  both: {when: contact.c.open > 1.5, once: yes, do: {set: {touching: contact.c.count}}}\n"
    "outputs:\n  all: contact.c.force\n  one: contact.c.1.force\n  two: contact.c.2.force\n"
    "  three: contact.c.3.force\n  four: contact.c.4.force\n"
    "  rub: contact.c.friction\n  open: contact.c.open\n  deep: contact.c.indentation\n  count: contact.c.count\n"
    "run: {until: 1}\n";

static void test_places(void **state)
{
    (void)state;
    free_run run;
    double sum = 0, most = 0;
    free_run_parse(&run, box, 1e-9, NULL);
    free_run_to(&run, 1);
    static const char *const places[] = {"output.one", "output.two", "output.three", "output.four"};
    for (size_t k = 0; k < sizeof places / sizeof *places; k++) {
        const double force = free_run_get(&run, places[k]);
        sum += force;
        most = fmax(most, force);
    }
    const double all = free_run_get(&run, "output.all");
    printf("all %.9g N, sum of places %.9g N, the greatest %.9g N, friction %.9g N, indentation %.9g m\n", all, sum,
           most, free_run_get(&run, "output.rub"), free_run_get(&run, "output.deep"));
    assert_true(fabs(all - 20) < 1e-6 && fabs(all - sum) < 1e-12);
    /* the box leans by the indentations, 1e-5 of its height */
    assert_true(fabs(most - 10.75) < 1e-3);
    assert_true(fabs(free_run_get(&run, "output.rub") - 3) < 1e-5);
    assert_true(fabs(free_run_get(&run, "output.deep") - most / 1e6) < 1e-11);
    assert_true(free_run_get(&run, "output.open") == 2);
    assert_true(free_run_get(&run, "output.count") >= 2);
    assert_true(free_run_get(&run, "input.touching") >= 2);
    free_run_close(&run);
}

static void test_names(void **state)
{
    (void)state;
    carom_context *ctx = new_context();
    char text[2000];
    carom_model *model = NULL;
    snprintf(text, sizeof text, "%s", box);
    memcpy(strstr(text, "contact.c.1.force"), "contact.c.9.force", strlen("contact.c.1.force"));
    assert_refused(ctx, carom_model_parse(ctx, "test.yaml", text, strlen(text), NULL, 0, &model), CAROM_ERROR_MODEL,
                   "no place 'c.9'; contact 'c' has 4 places, 'c.1' to 'c.4'");
    memcpy(strstr(text, "contact.c.9.force"), "contact.dd9.force", strlen("contact.c.9.force"));
    assert_refused(ctx, carom_model_parse(ctx, "test.yaml", text, strlen(text), NULL, 0, &model), CAROM_ERROR_MODEL,
                   "no contact 'dd9'; there are: c");
    carom_context_free(ctx);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_places), cmocka_unit_test(test_names)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
