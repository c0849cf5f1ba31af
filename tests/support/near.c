#include "carom_test.h"

#include <math.h>

#include "support/near.h"

static near_table margins;

static near_margin *sort_of(near_table *table, const char *what)
{
    for (size_t k = 0; k < NEAR_SORTS; k++) {
        near_margin *m = &table->sort[k];
        if (!m->what)
            m->what = what;
        if (strcmp(m->what, what) == 0)
            return m;
    }
    fail_msg("more than %d sorts of values", NEAR_SORTS);
    return NULL;
}

void near_in(near_table *table, const char *what, const char *where, double got, double expected, double scale,
             double tolerance)
{
    const double error = fabs(got - expected) / (scale == 0 ? 1 : fabs(scale));
    near_margin *m = sort_of(table, what);
    m->count++;
    if (error >= m->error) {
        m->error = error;
        snprintf(m->where, sizeof m->where, "%s", where);
    }
    if (!(error <= tolerance))
        fail_msg("%s of %s: %.17g, expected %.17g, error %.3g > %.3g", what, where, got, expected, error, tolerance);
}

void near(const char *what, const char *where, double got, double expected, double scale, double tolerance)
{
    near_in(&margins, what, where, got, expected, scale, tolerance);
}

void near_relative(const char *what, const char *where, double got, double expected, double tolerance)
{
    near(what, where, got, expected, expected, tolerance);
}

const near_table *near_margins(void) { return &margins; }

void near_print(int width)
{
    for (const near_margin *m = margins.sort; m < margins.sort + NEAR_SORTS && m->what; m++)
        printf("%-*s %5d values, largest error %.2g\n", width, m->what, m->count, m->error);
}
