/* Contacts with several places, pairs of contact sets and walls of a joint with clearance in expressions: each by the
   name that the table of impacts prints, and all of them together. */
#include "carom_test.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
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

/* Two discs of 1 and 2 kg rest on a floor, the set reads their weights by the names of the pairs, and in all. A load
   pushes the third sideways by what the set is indented. */
static const char set[] =
    "carom: 1\ndimension: 2\ngravity: [0, -10]\n"
    "bodies:\n  a: {mass: 1, inertia: 0.005, at: [0, 0.1]}\n  b: {mass: 2, inertia: 0.01, at: [1, 0.1]}\n"
    "  c: {mass: 1, inertia: 1, at: [0, 5]}\n"
    "shapes:\n  left-wheel: {type: circle, on: a, radius: 0.1}\n  body: {type: circle, on: b, radius: 0.1}\n"
    "  floor: {type: plane, on: ground, normal: [0, 1]}\n"
    "contacts:\n  tyres: {all: ['*'], normal: {law: kelvin-voigt, stiffness: 1e5, damping: 500}}\n"
    "loads:\n  push: {type: force, on: c, force: [1e4*contact.tyres.indentation, 10]}\n"
    "events:\n  both: {when: contact.tyres.left-wheel-floor.force-contact.tyres.body-floor.force < -9, do: stop, "
    "once: yes}\n"
    "outputs:\n  all: contact.tyres.force\n  one: contact.tyres.left-wheel-floor.force\n"
    "  two: contact.tyres.body-floor.force - 0\n  less: contact.tyres.body-floor.force-2\n"
    "  open: contact.tyres.open\n  deep: contact.tyres.indentation\n";

static void test_sets(void **state)
{
    (void)state;
    static const char *const methods[] = {"auto", "bdf"};
    for (int k = 0; k < 2; k++) {
        free_run run;
        char text[2000];
        const char *without = strstr(set, "events:"), *outputs = strstr(set, "outputs:");
        snprintf(text, sizeof text, "%.*s%srun: {until: 2}\n", (int)(without - set), set, outputs);
        free_run_parse(&run, text, 1e-9, methods[k]);
        free_run_to(&run, 2);
        const double one = free_run_get(&run, "output.one"), two = free_run_get(&run, "output.two");
        printf("%s: pairs %.9g N and %.9g N, all %.9g N, deepest %.9g m\n", methods[k], one, two,
               free_run_get(&run, "output.all"), free_run_get(&run, "output.deep"));
        assert_true(fabs(one - 10) < 1e-5 && fabs(two - 20) < 1e-5);
        assert_true(one == free_run_get(&run, "contact.tyres.left-wheel-floor.force"));
        assert_true(free_run_get(&run, "output.all") == one + two && free_run_get(&run, "output.open") == 2);
        assert_true(free_run_get(&run, "output.less") == two - 2);
        /* the deepest bears 20 N by 1e5 N/m */
        assert_true(fabs(free_run_get(&run, "output.deep") - 2e-4) < 1e-10);
        assert_true(free_run_body(&run, "c").velocity[0] > 3.5);
        free_run_close(&run);
    }
}

/* An event that reads the difference of two pairs: k x + c x' of both, from rest on the floor with gravity 10: below -9
   first before the run is over. */
static void test_events_of_sets(void **state)
{
    (void)state;
    free_run run;
    char text[2000];
    size_t count;
    snprintf(text, sizeof text, "%srun: {until: 2}\n", set);
    free_run_parse(&run, text, 1e-9, NULL);
    free_run_to(&run, 1);
    const carom_fired_event *row = carom_simulation_fired_events(run.sim, &count);
    assert_int_equal(count, 1);
    const double off = free_run_get(&run, "output.one") - free_run_get(&run, "output.two") + 9;
    printf("both at %.6g s, the difference there off by %.1e N\n", row[0].time, fabs(off));
    assert_true(fabs(off) < 1e-5);
    free_run_close(&run);
}

/* Contacts that are open at the end, by steps of a fixed size and by located ones: the same names, and numbers within
   the error of the steps; two discs at rest bear 10 and 20 N, 1e-4 and 2e-4 m deep. */
static void test_open_contacts(void **state)
{
    (void)state;
    static const char *const methods[] = {"until: 2", "until: 2, integrator: verlet, step: 1e-4"};
    for (int k = 0; k < 2; k++) {
        free_run run;
        char text[2000];
        carom_open_contact open[4];
        const char *loads = strstr(set, "loads:");
        snprintf(text, sizeof text, "%.*srun: {%s}\n", (int)(loads - set), set, methods[k]);
        free_run_parse(&run, text, 0, NULL);
        free_run_to(&run, 2);
        assert_int_equal(carom_simulation_open_contacts(run.sim, open, 4), 2);
        for (int n = 0; n < 2; n++) {
            const bool heavy = strcmp(open[n].contact, "tyres.body-floor") == 0;
            assert_true(heavy || strcmp(open[n].contact, "tyres.left-wheel-floor") == 0);
            printf("%s: %s %.12g N, %.12g m\n", methods[k], open[n].contact, open[n].force, open[n].indentation);
            assert_true(fabs(open[n].force / (heavy ? 20 : 10) - 1) < 1e-6);
            assert_true(fabs(open[n].indentation / (heavy ? 2e-4 : 1e-4) - 1) < 1e-6);
            assert_true(open[n].max_indentation > open[n].indentation && open[n].onset < 1e-3);
            /* the name lives on */
            carom_open_contact again[2];
            assert_int_equal(carom_simulation_open_contacts(run.sim, again, 2), 2);
            assert_true(again[n].contact == open[n].contact);
        }
        free_run_close(&run);
    }
}

static void refuse(const char *text, const char *path, const char *instead, const char *told)
{
    carom_context *ctx = new_context();
    char changed[2000];
    carom_model *model = NULL;
    const char *at = strstr(text, path);
    snprintf(changed, sizeof changed, "%.*s%s%s", (int)(at - text), text, instead, at + strlen(path));
    assert_refused(ctx, carom_model_parse(ctx, "test.yaml", changed, strlen(changed), NULL, 0, &model),
                   CAROM_ERROR_MODEL, told);
    carom_context_free(ctx);
}

/* Names that are nearly right are completed; steps of a fixed size keep no pair. */
static void test_names_of_parts(void **state)
{
    (void)state;
    char text[2000];
    snprintf(text, sizeof text, "%srun: {until: 2}\n", set);
    refuse(text, "one: contact.tyres.left-wheel-floor", "one: contact.tyres.left-wheel-flor",
           "no contact 'tyres.left-wheel-flor'; did you mean 'tyres.left-wheel-floor'?");
    refuse(text, "two: contact.tyres.body-floor.force", "two: contact.tyres.bodi-floor.2.force",
           "no contact 'tyres.bodi-floor'; did you mean 'tyres.body-floor'?");
    refuse(text, "all: contact.tyres.force", "all: contact.tyre.force", "no contact 'tyre'; did you mean 'tyres'?");
    refuse(text, "until: 2", "until: 2, integrator: verlet, step: 1e-4", "an integrator that locates impacts");
    char *guide = NULL;
    size_t size;
    FILE *file = fopen(CAROM_MODELS "/slider_crank_guide.yaml", "r");
    assert_non_null(file);
    guide = calloc(1, 8000);
    size = fread(guide, 1, 7000, file);
    fclose(file);
    assert_true(size > 0);
    snprintf(guide + size, 8000 - size, "\noutputs: {f: contact.guide.force, one: contact.guide.1.force}\n");
    free_run run;
    free_run_parse(&run, guide, 0, NULL);
    double sum = 0;
    for (int k = 0; k <= 100 && !(sum > 0); k++) {
        free_run_to(&run, 2.69e-3 + 1e-5 * k);
        sum = 0;
        for (int n = 1; n <= 4; n++) {
            char name[40];
            snprintf(name, sizeof name, "contact.guide.%d.force", n);
            sum += free_run_get(&run, name);
        }
        assert_true(free_run_get(&run, "output.f") == sum);
        assert_true(free_run_get(&run, "output.one") == free_run_get(&run, "contact.guide.1.force"));
    }
    assert_true(sum > 0);
    free_run_close(&run);
    free(guide);
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
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_places), cmocka_unit_test(test_names),
                                       cmocka_unit_test(test_sets), cmocka_unit_test(test_events_of_sets),
                                       cmocka_unit_test(test_names_of_parts),
                                       cmocka_unit_test(test_open_contacts)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
