/* Power law fitted to an elastic part, as Autiero et al. 2022 (Tables 2-9, 11) did with the laws of line contact. */
#ifndef CAROM_FIT_H
#define CAROM_FIT_H

#include "kinds/kind.h"

typedef struct carom_power_fit_range {
    double max_force;           /* F_max > 0 [N] */
    int points;                 /* forces F_max k/points, k = 1 ... points; at least 2 */
    double min_indentation;     /* the largest error counts from here on [m], >= 0 */
} carom_power_fit_range;

typedef struct carom_power_fit {
    double stiffness, exponent; /* K [N/m^n], n: the least sum of (Fe - K delta^n)^2 over the points */
    double largest_error;       /* largest |K delta^n - Fe|/Fe over the points from min_indentation on, and at it */
    double at;                  /* indentation of that [m] */
    double max_indentation;     /* where Fe = F_max [m] */
} carom_power_fit;

/* Fits K delta^n to the elastic part `kind` with the constants `c` of its prepare; a part with memory is taken in
   loading. Returns NULL or the sentence of the refusal: the part never reaches F_max, or the range is none. */
const char *carom_power_fit_make(const carom_elastic_kind *kind, const double *c, const carom_power_fit_range *range,
                                 carom_power_fit *out);

#endif
