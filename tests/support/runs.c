#include "carom_test.h"

#include <math.h>

#include "support/runs.h"

/* ---- overrides ---- */

static char *override_text(run_sets *sets, const char *name)
{
    size_t length = strlen(name), k = 0;
    while (k < sets->count && (strncmp(sets->text[k], name, length) != 0 || sets->text[k][length] != '='))
        k++;
    if (k == RUN_SETS)
        fail_msg("too many overrides");
    if (k == sets->count)
        sets->count++;
    return sets->text[k];
}

void run_set(run_sets *sets, const char *name, double value)
{
    snprintf(override_text(sets, name), sizeof sets->text[0], "%s=%.17g", name, value);
}

void run_set_word(run_sets *sets, const char *name, const char *word)
{
    snprintf(override_text(sets, name), sizeof sets->text[0], "%s=%s", name, word);
}

void run_open(free_run *run, const char *model, run_sets *sets, double tolerance)
{
    for (size_t k = 0; k < sets->count; k++)
        sets->item[k] = sets->text[k];
    free_run_open(run, model, sets->item, sets->count, tolerance, NULL);
}

/* ---- margins ---- */

void margin_begin(margin *m, const char *name) { *m = (margin){.name = name, .where = "nothing"}; }

void margin_add(margin *m, const char *what, size_t index, double got, double expected, double allowed)
{
    double share = fabs(got - expected) / allowed;
    m->compared++;
    if (share <= m->worst)
        return;
    m->worst = isnan(share) ? (double)INFINITY : share;
    snprintf(m->where, sizeof m->where, "%s[%zu] %.12g, not %.12g", what, index, got, expected);
}

void margin_end(const margin *m)
{
    printf("           %-40s %4zu numbers, largest error %9.2e of what is allowed: %s\n", m->name, m->compared,
           m->worst, m->where);
    fflush(stdout);
    if (!m->compared || !(m->worst <= 1))
        fail_msg("%s: %s, %.3g times what is allowed", m->name, m->where, m->worst);
}

size_t reference_count(const json *one_case, const char *name) { return json_size(reference_output(one_case, name)); }

double reference_allowed(const json *one_case, const char *name, size_t index, double relative)
{
    size_t count = reference_count(one_case, name);
    double largest = fabs(reference_value(one_case, name, 0));
    for (size_t k = 1; k < count; k++)
        largest = fmax(largest, fabs(reference_value(one_case, name, k)));
    return fmax(10 * reference_error(one_case, name, index), relative * largest);
}

void margin_reference(margin *m, const json *one_case, const char *name, size_t index, double got, double relative)
{
    margin_add(m, name, index, got, reference_value(one_case, name, index),
               reference_allowed(one_case, name, index, relative));
}
