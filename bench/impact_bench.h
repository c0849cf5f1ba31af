/* What the benches share: CPU time, medians, a context that dies on failure. */
#ifndef CAROM_BENCH_H
#define CAROM_BENCH_H

#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "carom/carom.h"

static inline double bench_cpu(void)
{
    struct timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static inline int bench_compare(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* Sorts the samples and returns the middle one. */
static inline double bench_median(double *samples, int count)
{
    qsort(samples, (size_t)count, sizeof *samples, bench_compare);
    return samples[count / 2];
}

static inline void bench_check(carom_context *ctx, carom_status status)
{
    if (status == CAROM_OK)
        return;
    fprintf(stderr, "bench: %s: %s\n", carom_status_name(status), carom_context_error(ctx));
    exit(1);
}

static inline carom_model *bench_model(carom_context *ctx, const char *text)
{
    size_t length = 0;
    while (text[length])
        length++;
    carom_document *document;
    carom_model *model;
    bench_check(ctx, carom_document_parse(ctx, "bench", text, length, NULL, 0, &document));
    bench_check(ctx, carom_model_compile(ctx, carom_document_spec(document), &model));
    carom_document_free(document);
    return model;
}

#endif
