/* The table of impacts of a report, column by column; where there are too many, the hardest ones. */
#include "report/report.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- columns ---- */

static int compare_contacts(const void *a, const void *b)
{
    return strcmp((*(const carom_impact *const *)a)->contact, (*(const carom_impact *const *)b)->contact);
}

/* Names of the contacts, each once, in the order of the alphabet, and which of them each impact has. */
static void name_contacts(carom_report_impacts *t, const carom_impact *impacts, size_t count,
                          const carom_impact **order, uint32_t *name)
{
    for (size_t k = 0; k < count; k++)
        order[k] = &impacts[k];
    qsort(order, count, sizeof *order, compare_contacts);
    for (size_t k = 0; k < count; k++) {
        if (k == 0 || compare_contacts(&order[k - 1], &order[k]) != 0)
            t->names[t->name_count++] = order[k]->contact;
        name[order[k] - impacts] = (uint32_t)(t->name_count - 1);
    }
}

carom_status carom_report_impacts_begin(carom_report *report, carom_report_run *run)
{
    size_t count;
    const carom_impact *impacts = carom_result_impacts(run->result, &count);
    carom_report_impacts *t = &run->impacts;
    uint32_t *integers = carom_arena_alloc(&report->arena, 3 * count, sizeof *integers);
    const carom_impact **order = carom_arena_alloc(&report->arena, count, sizeof *order);
    t->names = carom_arena_alloc(&report->arena, count, sizeof *t->names);
    if (!integers || !order || !t->names)
        return carom_fail_memory(report->ctx);
    for (size_t k = 0; k < count; k++) {
        integers[k] = (uint32_t)impacts[k].contact_index;
        integers[2 * count + k] = (uint32_t)(k + 1);
    }
    name_contacts(t, impacts, count, order, integers + count);
    t->index = integers;
    t->name = integers + count;
    t->number = integers + 2 * count;
    for (size_t i = 0; i < CAROM_IMPACT_FIELDS; i++) {
        if (carom_impact_field[i].type != CAROM_FIELD_NUMBER)
            continue;
        double *values = carom_arena_alloc(&report->arena, count, sizeof *values);
        if (!values)
            return carom_fail_memory(report->ctx);
        for (size_t k = 0; k < count; k++)
            values[k] = carom_field_number(&carom_impact_field[i], &impacts[k]);
        t->values[i] = values;
    }
    return CAROM_OK;
}

/* ---- thinning ---- */

typedef struct hardness {
    double force;
    size_t index;
} hardness;

/* The hardest first, of equal ones the earliest; forces that are no numbers last. */
static int compare_hardness(const void *a, const void *b)
{
    const hardness *x = a, *y = b;
    if (x->force != y->force)
        return x->force > y->force ? -1 : 1;
    return x->index < y->index ? -1 : x->index > y->index;
}

static int compare_indices(const void *a, const void *b)
{
    size_t x = *(const size_t *)a, y = *(const size_t *)b;
    return (x > y) - (x < y);
}

carom_status carom_report_thin_impacts(carom_context *ctx, carom_report_run *run, size_t keep)
{
    carom_report_rows *g = &run->groups[CAROM_REPORT_IMPACTS];
    size_t count;
    const carom_impact *impacts = carom_result_impacts(run->result, &count);
    hardness *order = carom_allocate(ctx, count, sizeof *order);
    if (!order)
        return carom_fail_memory(ctx);
    for (size_t k = 0; k < count; k++)
        order[k] = (hardness){isnan(impacts[k].peak_force) ? -HUGE_VAL : impacts[k].peak_force, k};
    qsort(order, count, sizeof *order, compare_hardness);
    for (size_t k = 0; k < keep; k++)
        g->index[k] = order[k].index;
    g->count = keep;
    qsort(g->index, keep, sizeof *g->index, compare_indices);
    carom_release(ctx, order, count, sizeof *order);
    return CAROM_OK;
}
