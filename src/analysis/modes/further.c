/* Further states of a linearisation, which are no coordinates and no rates of them: of friction laws, the user's, those
   of loads. */
#include "analysis/modes/modes.h"

#include <math.h>
#include <stdio.h>

/* Share of the largest further state in an eigenvector below which its displacements are rounding. */
#define STILL 1e-10

void carom_linear_further(const carom_linear *l, int k, char *text, size_t size)
{
    const carom_model *m = l->b->m;
    if (k < m->friction_state_count) {
        snprintf(text, size, "friction.%d", k + 1);
        return;
    }
    k -= m->friction_state_count;
    if (k < m->state_count) {
        snprintf(text, size, "state.%s", m->states[k].name);
        return;
    }
    k -= m->state_count;
    int load = 0;
    for (; k >= m->loads[load].state_count; load++)
        k -= m->loads[load].state_count;
    snprintf(text, size, "load.%s.%s", m->loads[load].name, m->loads[load].kind->states[k].name);
}

/* The largest of some entries of an eigenvector, and which it is; imaginary NULL: it is real. */
static double largest(const double *real, const double *imaginary, int first, int end, int *which)
{
    double most = 0;
    for (int k = first; k < end; k++) {
        const double size = hypot(real[k], imaginary ? imaginary[k] : 0);
        if (size > most * (1 + 1e-9)) {
            most = size;
            *which = k;
        }
    }
    return most;
}

bool carom_linear_stands(const carom_linear *l, const double *real, const double *imaginary, char *text, size_t size)
{
    char name[160];
    int which = -1;
    const double motion = largest(real, imaginary, 0, l->f, &(int){0}),
                 further = largest(real, imaginary, 2 * l->f, l->n, &which);
    if (which < 0 || motion > STILL * further)
        return false;
    carom_linear_further(l, which - 2 * l->f, name, sizeof name);
    snprintf(text, size, "%s alone: no body moves", name);
    return true;
}
