/* Cost of the exact inverse of each implicit law of line contact (force, slope and stored energy) against one pow(x,
   1.1), the cost of a power-law fit. Prints medians over interleaved repetitions and fails if a ratio is above its
   limit. */
#ifndef _POSIX_C_SOURCE
#define _POSIX_C_SOURCE 200809L
#endif
#include "base/base.h"
#include "kinds/normal/law.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#define REPETITIONS 101
#define CALLS 20000
#define LIMIT 3.0
#define SUBJECTS 6

static const struct {
    const char *name;
    const carom_elastic_kind *kind;
} laws[SUBJECTS] = {
    {"pow(x, 1.1)", NULL},
    {"johnson", &carom_elastic_johnson},
    {"radzimovsky", &carom_elastic_radzimovsky},
    {"goldsmith", &carom_elastic_goldsmith},
    {"dubowsky-freudenstein", &carom_elastic_dubowsky_freudenstein},
    {"esdu-78035", &carom_elastic_esdu_78035},
};

/* Called through this, so that nothing is inlined or hoisted. */
static double (*volatile power)(double, double) = pow;

static double constants[SUBJECTS][CAROM_LAW_CONSTANTS];
static double indentations[CALLS]; /* parts of the law's range, log-uniform from 1e-7 to 1, no order */

static double now(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

/* Nanoseconds a call. */
static double measure(int subject, double *sum)
{
    double total = 0;
    if (subject == 0) {
        double (*function)(double, double) = power;
        double start = now();
        for (int k = 0; k < CALLS; k++)
            total += function(indentations[k], 1.1);
        *sum += total;
        return (now() - start) * 1e9 / CALLS;
    }
    const carom_elastic_kind *kind = laws[subject].kind;
    const double limit = CAROM_KIND_CALL(kind, limit, constants[subject]);
    double start = now();
    for (int k = 0; k < CALLS; k++) {
        carom_elastic_force f;
        CAROM_KIND_CALL(kind, force, constants[subject], NULL, limit * indentations[k], &f);
        total += f.force + f.slope + f.energy;
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

static int prepare(void)
{
    const carom_contact_geometry pin = {.has_materials = true,
                                        .young = {207e9, 70e9},
                                        .poisson = {0.3, 0.33},
                                        .radius = {-0.0105, 0.01},
                                        .length = 0.02,
                                        .dimension = 2};
    const double params[2] = {0, 3};
    for (int s = 1; s < SUBJECTS; s++)
        if (CAROM_KIND_CALL(laws[s].kind, prepare, params, &pin, constants[s]))
            return 1;
    unsigned seed = 1;
    for (int k = 0; k < CALLS; k++) {
        seed = seed * 1664525u + 1013904223u;
        indentations[k] = pow(10, -7 * ((seed >> 8) + 0.5) / 16777216.0);
    }
    return 0;
}

int main(void)
{
    static double time[SUBJECTS][REPETITIONS], ratio[SUBJECTS][REPETITIONS];
    double sum[SUBJECTS] = {0};
    if (prepare()) {
        fprintf(stderr, "a law refuses its geometry\n");
        return 1;
    }
    for (int k = -3; k < REPETITIONS; k++) {
        double row[SUBJECTS];
        for (int s = 0; s < SUBJECTS; s++)
            row[s] = measure(s, &sum[s]);
        for (int s = 0; s < SUBJECTS && k >= 0; s++) {
            time[s][k] = row[s];
            ratio[s][k] = row[s] / row[0];
        }
    }
    int result = 0;
    printf("medians of %d x %d calls     [ns]  ratio  limit\n", REPETITIONS, CALLS);
    for (int s = 0; s < SUBJECTS; s++) {
        double r = median(ratio[s]);
        printf("%-26s %7.1f  %5.2f  %5.1f  (sum %g)\n", laws[s].name, median(time[s]), r, LIMIT, sum[s]);
        if (!(r <= LIMIT))
            result = 1;
    }
    return result;
}
