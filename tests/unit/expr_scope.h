/* What the tests of the expression language share: a scope with parameters, measures and a spline, an arena a test. */
#ifndef CAROM_TESTS_EXPR_SCOPE_H
#define CAROM_TESTS_EXPR_SCOPE_H

#include "carom_test.h"

#include <math.h>

#include "expr/expr.h"

static const char *const names[] = {"A", "td", "omega", "a", "e", "L1", "zero", "flag"};
static const double values[] = {2.5, 0.4, 150.0, 0.3, 0.7, 0.153, 0.0, 1.0};

enum { KNOTS = 5 };
static double knot_x[KNOTS] = {0.0, 0.25, 0.5, 1.0, 2.0}, knot_y[KNOTS] = {0.0, 0.3, 0.2, -0.4, 0.1}, knot_y2[KNOTS];

static char measure_seen[128];

static inline int find_measure(void *user, carom_context *ctx, const char *function, const char *const *arguments,
                               size_t count)
{
    (void)user;
    int n = snprintf(measure_seen, sizeof measure_seen, "%.30s", function);
    for (size_t k = 0; k < count && k < 3; k++)
        n += snprintf(measure_seen + n, sizeof measure_seen - (size_t)n, " %.30s", arguments[k]);
    if (strcmp(function, "angle") == 0 || strcmp(function, "speed") == 0) {
        if (count != 1 || strcmp(arguments[0], "pin") != 0) {
            carom_fail(ctx, CAROM_ERROR_MODEL, NULL, "no joint '%.30s'", count ? arguments[0] : "");
            return -2;
        }
        return function[0] == 's';
    }
    return strcmp(function, "distance") == 0 ? 2 : -1;
}

static inline bool find_spline(void *user, const char *name, carom_edges *out)
{
    (void)user;
    *out = (carom_edges){.n = KNOTS, .x = knot_x, .y = knot_y, .y2 = knot_y2};
    return strcmp(name, "cam") == 0;
}

static const carom_expr_scope full_scope = {
    .names = names, .values = values, .count = CAROM_COUNT(names), .time_allowed = true, .measure = find_measure,
    .spline = find_spline};

static carom_context *ctx;
static carom_arena arena;

static inline int set_up(void **state)
{
    (void)state;
    double work[KNOTS];
    carom_spline_fit(KNOTS, knot_x, knot_y, knot_y2, work);
    carom_arena_init(&arena, NULL);
    if (carom_context_create(NULL, &ctx) != CAROM_OK)
        return -1;
    carom_arena_init(&arena, ctx);
    return 0;
}

static inline int tear_down(void **state)
{
    (void)state;
    carom_arena_free(&arena);
    carom_context_free(ctx);
    return 0;
}

static inline carom_expr *compile(const char *text)
{
    carom_expr *expr = NULL;
    if (carom_expr_compile(&arena, &full_scope, text, NULL, &expr) != CAROM_OK)
        fail_msg("%s: %s", text, carom_context_error(ctx));
    return expr;
}

static uint64_t random_state = 1;

static inline uint32_t random_bits(void)
{
    random_state = random_state * 6364136223846793005u + 1442695040888963407u;
    return (uint32_t)(random_state >> 33);
}

static inline double random_between(double low, double high)
{
    return low + (high - low) * random_bits() / 2147483648.0;
}

static inline double largest(double x, double y) { return x > y ? x : y; }

/* Largest difference of two jets, relative to the largest number of the second or to 1. */
static inline double scaled_error(carom_jet got, carom_jet want)
{
    double scale = largest(1.0, largest(fabs(want.value), largest(fabs(want.rate), fabs(want.acceleration))));
    double error = largest(fabs(got.value - want.value),
                           largest(fabs(got.rate - want.rate), fabs(got.acceleration - want.acceleration)));
    return isnan(error) || isnan(got.value + got.rate + got.acceleration) ? HUGE_VAL : error / scale;
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

#endif
