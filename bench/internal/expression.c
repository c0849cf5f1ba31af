/* Cost of an expression against the same formula compiled by the C compiler: value, and value with both derivatives.
   Prints medians over interleaved repetitions and fails if a ratio is above its limit. */
#ifndef _POSIX_C_SOURCE
#define _POSIX_C_SOURCE 200809L
#endif
#include "expr/expr.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#define REPETITIONS 101
#define CALLS 20000
#define VALUE_LIMIT 4.0
#define JET_LIMIT 8.0

static const char text[] = "A*exp(-4.73*(t/td)^2)*sin(pi*t/td)";
static const char *const names[] = {"A", "td"};
static const double values[] = {0.0173, 0.31};

/* ---- the formula in C ---- */

static double c_value(double A, double td, double t)
{
    double u = t / td;
    return A * exp(-4.73 * u * u) * sin(CAROM_PI * t / td);
}

static carom_jet c_jet(double A, double td, double t)
{
    const double k = 4.73;
    double u = t / td, du = 1.0 / td, w = CAROM_PI / td;
    double e = A * exp(-k * u * u), e1 = -2.0 * k * u * du * e, e2 = -2.0 * k * du * du * e - 2.0 * k * u * du * e1;
    double s = sin(w * t), c = cos(w * t);
    return (carom_jet){e * s, e1 * s + e * w * c, e2 * s + 2.0 * e1 * w * c - e * w * w * s};
}

/* Calls through these, so that nothing is inlined or hoisted. */
static double (*volatile value_function)(double, double, double) = c_value;
static carom_jet (*volatile jet_function)(double, double, double) = c_jet;

/* ---- measuring ---- */

typedef enum subject { C_VALUE, EXPR_VALUE, C_JET, EXPR_JET, SUBJECTS } subject;

static double now(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

/* Nanoseconds a call. */
static double measure(subject which, const carom_expr *expr, double *sum)
{
    double (*value)(double, double, double) = value_function;
    carom_jet (*jet)(double, double, double) = jet_function;
    double start = now(), total = 0.0;
    for (int k = 0; k < CALLS; k++) {
        double t = values[1] * (k + 0.5) / CALLS;
        carom_jet j;
        switch (which) {
        case C_VALUE:
            total += value(values[0], values[1], t);
            break;
        case EXPR_VALUE:
            total += carom_expr_value(expr, t, NULL, NULL);
            break;
        case C_JET:
            j = jet(values[0], values[1], t);
            total += j.value + j.rate + j.acceleration;
            break;
        default:
            j = carom_expr_jet(expr, t, NULL);
            total += j.value + j.rate + j.acceleration;
        }
    }
    *sum += total;
    return (now() - start) * 1e9 / CALLS;
}

static int ascending(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static double median(double *x)
{
    qsort(x, REPETITIONS, sizeof *x, ascending);
    return x[REPETITIONS / 2];
}

/* Largest difference from C over the sweep, relative to the largest magnitude. */
static double difference(const carom_expr *expr)
{
    double worst[3] = {0.0}, most[3] = {0.0};
    for (int k = 0; k < CALLS; k++) {
        double t = values[1] * (k + 0.5) / CALLS;
        carom_jet c = c_jet(values[0], values[1], t), j = carom_expr_jet(expr, t, NULL);
        const double pairs[3][2] = {{c.value, j.value}, {c.rate, j.rate}, {c.acceleration, j.acceleration}};
        for (int i = 0; i < 3; i++) {
            worst[i] = fmax(worst[i], fabs(pairs[i][0] - pairs[i][1]));
            most[i] = fmax(most[i], fabs(pairs[i][0]));
        }
    }
    return fmax(worst[0] / most[0], fmax(worst[1] / most[1], worst[2] / most[2]));
}

static int compare(const carom_expr *expr)
{
    static double time[SUBJECTS][REPETITIONS], value_ratio[REPETITIONS], jet_ratio[REPETITIONS], strict[REPETITIONS];
    double sum[SUBJECTS] = {0.0};
    for (int k = -3; k < REPETITIONS; k++) {
        double row[SUBJECTS];
        for (int s = 0; s < SUBJECTS; s++)
            row[s] = measure((subject)s, expr, &sum[s]);
        for (int s = 0; s < SUBJECTS && k >= 0; s++)
            time[s][k] = row[s];
        if (k >= 0) {
            value_ratio[k] = row[EXPR_VALUE] / row[C_VALUE];
            jet_ratio[k] = row[EXPR_JET] / row[C_JET];
            strict[k] = row[EXPR_JET] / row[C_VALUE];
        }
    }
    double rv = median(value_ratio), rj = median(jet_ratio), rs = median(strict);
    printf("%s\n", text);
    printf("medians of %d x %d calls     C [ns]  expression [ns]  ratio  limit\n", REPETITIONS, CALLS);
    printf("value                     %8.1f  %15.1f  %5.2f  %5.1f\n", median(time[C_VALUE]), median(time[EXPR_VALUE]),
           rv, VALUE_LIMIT);
    printf("value and derivatives     %8.1f  %15.1f  %5.2f  %5.1f\n", median(time[C_JET]), median(time[EXPR_JET]), rj,
           JET_LIMIT);
    printf("derivatives to C's value  %8.1f  %15.1f  %5.2f  %5.1f\n", median(time[C_VALUE]), median(time[EXPR_JET]), rs,
           JET_LIMIT);
    double gap = difference(expr);
    printf("largest relative difference from C: %.1e (sums %g %g %g %g)\n", gap, sum[0], sum[1], sum[2], sum[3]);
    return rv <= VALUE_LIMIT && rj <= JET_LIMIT && rs <= JET_LIMIT && gap < 1e-12 ? 0 : 1;
}

int main(void)
{
    carom_context *ctx;
    if (carom_context_create(NULL, &ctx) != CAROM_OK)
        return 1;
    carom_arena arena;
    carom_arena_init(&arena, ctx);
    carom_expr_scope scope = {.names = names, .values = values, .count = 2, .time_allowed = true};
    carom_expr *expr;
    int result = 1;
    if (carom_expr_compile(&arena, &scope, text, NULL, &expr) == CAROM_OK)
        result = compare(expr);
    else
        fprintf(stderr, "%s\n", carom_context_error(ctx));
    carom_arena_free(&arena);
    carom_context_free(ctx);
    return result;
}
