/* Alves et al., Table 4, as free direct impacts: the 32 largest forces at the printed speeds and restitutions, the
   stiffness from materials and radius. Without the ball's weight they come out within 0.18 %: 0.13 to 0.17 % above what
   the paper prints at 0.094 m/s, 0.11 to 0.16 % below at 0.5 m/s; golden.specimens has the weight, and 0.04 %. Printed
   beside ours: the paper's force. Its errors against the measured forces must follow from the printed forces. */
#include "carom_test.h"

#include <math.h>

#define ALLOWED 1.8e-3

static carom_context *ctx;

typedef struct column {
    const char *specimen;
    double young, poisson;               /* of the specimen [Pa] */
    double stiffness;                    /* Table 3 [N/m^1.5] */
    double speed, restitution, measured; /* [m/s], [-], [N] */
} column;

static const column columns[4] = {{"C1", 213e9, 0.29, 2.46e10, 0.094, 0.974, 663.0},
                                  {"C1", 213e9, 0.29, 2.46e10, 0.500, 0.955, 4709.6},
                                  {"C2", 205e9, 0.29, 2.41e10, 0.094, 0.917, 660.2},
                                  {"C2", 205e9, 0.29, 2.41e10, 0.500, 0.757, 4364.6}};

typedef struct row {
    const char *law;
    double force[4], error[4]; /* printed [N], [%] */
} row;

static const row table[8] = {
    {"hertz", {662.5, 4937.8, 657.5, 4899.9}, {-0.1, 4.8, -0.4, 12.3}},
    {"hunt-crossley", {652.7, 4817.6, 630.6, 4496.4}, {-1.6, 2.3, -4.5, 3.0}},
    {"herbert-mcwhannell", {652.4, 4812.8, 628.9, 4464.1}, {-1.6, 2.2, -4.7, 2.3}},
    {"lee-wang", {657.4, 4874.3, 642.6, 4633.5}, {-0.8, 3.5, -2.7, 6.2}},
    {"lankarani-nikravesh", {652.8, 4820.0, 631.5, 4522.3}, {-1.5, 2.3, -4.3, 3.6}},
    {"gonthier", {649.5, 4780.2, 622.9, 4436.0}, {-2.0, 1.5, -5.7, 1.6}},
    {"zhiying-qishao", {652.3, 4810.1, 627.8, 4444.0}, {-1.6, 2.1, -4.9, 1.8}},
    {"flores", {651.8, 4805.2, 627.2, 4445.5}, {-1.7, 2.0, -5.0, 1.9}},
};

/* Largest force of steel ball on specimen; *stiffness as Hertz's law gives it. */
static double solve(const char *law, const column *c, double *stiffness)
{
    const carom_param items[] = {
        {.name = "E_i", .value = carom_value_number(210e9)},
        {.name = "nu_i", .value = carom_value_number(0.30)},
        {.name = "E_j", .value = carom_value_number(c->young)},
        {.name = "nu_j", .value = carom_value_number(c->poisson)},
        {.name = "radius_i", .value = carom_value_number(25.4e-3)},
        {.name = "restitution", .value = carom_value_number(c->restitution)},
    };
    carom_impact_def def = carom_default_impact_def();
    carom_impact_solution s;
    def.law.law = law;
    /* Hertz's law takes no restitution */
    def.law.params = (carom_param_list){items, strcmp(law, "hertz") == 0 ? 5 : 6};
    def.mass = 0.54;
    def.speed = c->speed;
    assert_ok(ctx, carom_impact_solve(ctx, &def, &s));
    assert_string_equal(s.method, "exact");
    *stiffness = s.law.stiffness;
    const double force = s.peak_force;
    carom_impact_solution_free(ctx, &s);
    return force;
}

static void test_forces(void **state)
{
    (void)state;
    double worst = 0, range[2][2] = {{1, -1}, {1, -1}}; /* deviations at the low and the high speed */
    printf("%-20s %-9s %8s %10s %8s\n", "law", "column", "paper N", "ours N", "dev");
    for (size_t r = 0; r < 8; r++)
        for (size_t k = 0; k < 4; k++) {
            double stiffness;
            const double ours = solve(table[r].law, &columns[k], &stiffness), deviation = ours / table[r].force[k] - 1;
            printf("%-20s %s %5.3f  %8.1f %10.2f %+7.3f%%\n", table[r].law, columns[k].specimen, columns[k].speed,
                   table[r].force[k], ours, 100 * deviation);
            worst = fmax(worst, fabs(deviation));
            range[k % 2][0] = fmin(range[k % 2][0], deviation);
            range[k % 2][1] = fmax(range[k % 2][1], deviation);
            /* Table 3 rounds it to three digits */
            assert_true(fabs(stiffness - columns[k].stiffness) < 0.5e8);
        }
    printf("largest deviation %.3f%%; at 0.094 m/s %+.3f%% to %+.3f%%, at 0.5 m/s %+.3f%% to %+.3f%%\n", 100 * worst,
           100 * range[0][0], 100 * range[0][1], 100 * range[1][0], 100 * range[1][1]);
    assert_true(worst < ALLOWED);
    /* the missing weight and the lower speed of the columns labelled 0.094 m/s: each column is off to one side */
    assert_true(range[0][0] > 0 && range[1][1] < 0);
}

/* The printed errors are those of the printed forces, but one: -5.6498 % is printed as -5.7. */
static void test_errors(void **state)
{
    (void)state;
    int wrong = 0;
    for (size_t r = 0; r < 8; r++)
        for (size_t k = 0; k < 4; k++) {
            const double error = 100 * (table[r].force[k] / columns[k].measured - 1);
            if (fabs(error - table[r].error[k]) <= 0.05)
                continue;
            wrong++;
            printf("%s, %s at %.3f m/s: %.4f%%, printed %.1f\n", table[r].law, columns[k].specimen, columns[k].speed,
                   error, table[r].error[k]);
            assert_string_equal(table[r].law, "gonthier");
            assert_int_equal(k, 2);
        }
    assert_int_equal(wrong, 1);
}

static int open_context(void **state)
{
    (void)state;
    return carom_context_create(NULL, &ctx) == CAROM_OK ? 0 : -1;
}

static int close_context(void **state)
{
    (void)state;
    carom_context_free(ctx);
    return 0;
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_forces), cmocka_unit_test(test_errors)};
    return cmocka_run_group_tests(tests, open_context, close_context);
}
