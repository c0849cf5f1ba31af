/* Mindlin's spring in steps of any length, as contact sets take it: what the law promises of one step in closed form,
   and the loop over a batch against the step of one contact. */
#include "carom_test.h"

#include <math.h>
#include <string.h>

#include "kinds/batch.h"
#include "support/friction.h"

#define MU 0.3
#define KAPPA 0.8
#define CLOSE 1e-13
#define ORDINARY "kinetic=0.3 stiffness_ratio=0.8"
#define DAMPED(time) ORDINARY " damping=" #time

static test_friction law_of(const char *given)
{
    test_friction law;
    assert_null(test_friction_make(&law, "mindlin", given));
    return law;
}

/* A contact of the elastic force K delta^n, K such that it is 50 N at 10 um. */
static carom_friction_input pressed(double delta, double rate, double n, carom_vec3 slip)
{
    const double elastic = 50 * pow(delta / 1e-5, n);
    return (carom_friction_input){.slip = slip,
                                  .speed = carom_v3_norm(slip),
                                  .normal = elastic,
                                  .delta = delta,
                                  .rate = rate,
                                  .elastic = elastic,
                                  .elastic_slope = n * elastic / delta};
}

static void assert_vector(carom_vec3 got, carom_vec3 wanted, double size)
{
    const double error = carom_v3_norm(carom_v3_sub(got, wanted));
    if (!(error <= CLOSE * size))
        fail_msg("(%g, %g, %g) in place of (%g, %g, %g)", got.x, got.y, got.z, wanted.x, wanted.y, wanted.z);
}

/* The spring takes up the slip, and pulls against it with its stiffness and, where it is damped, with the time times
   that. */
static void test_stick(void **state)
{
    (void)state;
    const carom_vec3 slip = carom_v3(3e-4, -5e-4, 2e-4), begin = carom_v3(2e-7, 1e-7, -3e-7);
    const double h = 1e-3, k = KAPPA * 1.5 * 50 / 1e-5;
    for (int damped = 0; damped < 2; damped++) {
        const test_friction law = law_of(damped ? DAMPED(2e-4) : ORDINARY);
        const carom_friction_input in = pressed(1e-5, 0, 1.5, slip);
        const carom_vec3 end = carom_v3_add_scaled(begin, h, slip);
        double z[3] = {begin.x, begin.y, begin.z};
        const carom_vec3 f = CAROM_KIND_CALL(law.kind, update, law.c, &in, h, z);
        assert_vector(carom_v3_load(z), end, 1e-6);
        assert_vector(f, carom_v3_scale(-k, carom_v3_add_scaled(end, damped ? 2e-4 : 0, slip)), 10);
        assert_true(carom_v3_norm(f) < MU * in.normal);
    }
}

/* What is beyond the cone slides: the force is mu N against the spring, whose length is the reach of the cone; with
   damping as well, however fast it slides. Without elastic force nothing is held. */
static void test_slide(void **state)
{
    (void)state;
    const carom_vec3 slip = carom_v3(0.3, 0.1, -0.2), begin = carom_v3(-1e-6, 2e-6, 1e-6);
    const double h = 1e-3, k = KAPPA * 1.5 * 50 / 1e-5;
    const carom_friction_input in = pressed(1e-5, 0, 1.5, slip);
    const carom_vec3 trial = carom_v3_add_scaled(begin, h, slip);
    const carom_vec3 along = carom_v3_scale(1 / carom_v3_norm(trial), trial);
    const test_friction law = law_of(ORDINARY), damped = law_of(DAMPED(1e-3));
    double z[3] = {begin.x, begin.y, begin.z};
    const carom_vec3 f = CAROM_KIND_CALL(law.kind, update, law.c, &in, h, z);
    assert_vector(f, carom_v3_scale(-MU * 50, along), MU * 50);
    assert_vector(carom_v3_load(z), carom_v3_scale(MU * 50 / k, along), MU * 50 / k);
    double other[3] = {begin.x, begin.y, begin.z};
    const carom_vec3 g = CAROM_KIND_CALL(damped.kind, update, damped.c, &in, h, other);
    const carom_vec3 pull = carom_v3_add_scaled(carom_v3_load(z), 1e-3, slip);
    assert_vector(g, carom_v3_scale(-MU * 50 / carom_v3_norm(pull), pull), MU * 50);
    assert_vector(carom_v3_load(other), carom_v3_load(z), MU * 50 / k);
    carom_friction_input slack = in;
    slack.elastic = slack.elastic_slope = slack.normal = 0;
    const carom_vec3 none = CAROM_KIND_CALL(law.kind, update, law.c, &slack, h, z);
    assert_true(carom_v3_norm(none) == 0 && carom_v3_norm(carom_v3_load(z)) == 0);
}

/* A load that rises leaves the force of the spring as it is: stiffness times length is kept, for any power of the
   elastic force. One that falls leaves its length. Where the contact began within the step, the spring did. */
static void test_hardening(void **state)
{
    (void)state;
    const test_friction law = law_of(ORDINARY);
    const double powers[] = {1, 1.5, 2, 2.5}, h = 1e-3;
    for (size_t k = 0; k < sizeof powers / sizeof *powers; k++) {
        const double n = powers[k];
        const carom_vec3 none = carom_v3(0, 0, 0);
        const carom_friction_input before = pressed(8e-6, 2e-3, n, none), after = pressed(1e-5, 2e-3, n, none);
        double z[3] = {4e-7, -3e-7, 0};
        const carom_vec3 begin = carom_v3_load(z), f = CAROM_KIND_CALL(law.kind, update, law.c, &after, h, z);
        assert_vector(f, carom_v3_scale(-KAPPA * before.elastic_slope, begin), 10);
        carom_friction_input falls = after;
        falls.rate = -2e-3;
        double kept[3] = {4e-7, -3e-7, 0};
        const carom_vec3 g = CAROM_KIND_CALL(law.kind, update, law.c, &falls, h, kept);
        assert_vector(carom_v3_load(kept), begin, 1e-6);
        assert_vector(g, carom_v3_scale(-KAPPA * after.elastic_slope, begin), 10);
        carom_friction_input new = after;
        new.rate = 1.5e-2;
        new.slip = carom_v3(1e-4, 2e-4, 0);
        if (n > 1) {
            CAROM_KIND_CALL(law.kind, update, law.c, &new, h, z);
            assert_vector(carom_v3_load(z), carom_v3(1e-7, 2e-7, 0), 1e-6);
        }
    }
}

/* The size of a spring is what a linear contact holds at the cone; before it touches, that at a micrometre. */
static void test_size(void **state)
{
    (void)state;
    const test_friction law = law_of(ORDINARY);
    const carom_friction_input in = pressed(2e-5, 0, 1, carom_v3(0, 0, 0));
    const double size = CAROM_KIND_CALL(law.kind, scale, law.c, 2e-5);
    assert_true(fabs(KAPPA * in.elastic_slope * size / (MU * in.elastic) - 1) < CLOSE);
    assert_true(fabs(CAROM_KIND_CALL(law.kind, scale, law.c, 0.0) / size - 1e-6 / 2e-5) < CLOSE);
}

/* The columns of a batch are steps of single contacts, whether all have Hertz's power or not; what does not press has
   no friction, and its spring stays. */
static void test_batch(void **state)
{
    (void)state;
    const test_friction law = law_of(DAMPED(1e-4));
    const double h = 1e-3;
    for (int other = 0; other < 2; other++) {
        carom_batch b = {.count = CAROM_BATCH};
        double z[3][CAROM_BATCH], wanted[3][CAROM_BATCH];
        carom_vec3 force[CAROM_BATCH];
        for (int c = 0; c < CAROM_BATCH; c++) {
            const carom_vec3 slip = carom_v3(1e-3 * c, 2e-3 - 3e-4 * c, -1e-4 * c * c);
            const double n = other && c % 3 == 1 ? 2 : 1.5;
            const carom_friction_input in = pressed(1e-5 + 1e-7 * c, 1e-3 * (c % 5 - 2), n, slip);
            double own[3] = {1e-8 * c, -2e-8 * c, 3e-7 - 1e-8 * c};
            const bool acts = c % 7 != 3;
            carom_batch_store(b.slip, c, slip);
            b.gap_rate[c] = -in.rate, b.delta[c] = in.delta;
            b.elastic[c] = in.elastic, b.slope[c] = in.elastic_slope;
            b.force[c] = acts ? in.normal : 0;
            for (int i = 0; i < 3; i++)
                z[i][c] = own[i];
            force[c] = acts ? CAROM_KIND_CALL(law.kind, update, law.c, &in, h, own) : carom_v3(0, 0, 0);
            for (int i = 0; i < 3; i++)
                wanted[i][c] = own[i];
        }
        b.z = z;
        law.kind->batch(law.c, h, &b);
        for (int c = 0; c < CAROM_BATCH; c++) {
            assert_vector(carom_batch_vector(b.friction, c), force[c], 10);
            assert_vector(carom_batch_vector(z, c), carom_batch_vector(wanted, c), 1e-6);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_stick),
        cmocka_unit_test(test_slide),
        cmocka_unit_test(test_hardening),
        cmocka_unit_test(test_size),
        cmocka_unit_test(test_batch),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
