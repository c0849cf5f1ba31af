/* The indentation of a loading curve at which it has a force or a stored energy. */
#ifndef CAROM_LAW_DEPTH_H
#define CAROM_LAW_DEPTH_H

#include "kinds/kind.h"

/* Indentation at which the elastic part has stored `energy` [m]; HUGE_VAL if it never does. */
double carom_elastic_depth(const carom_elastic_kind *elastic, const double *constants, double energy);
/* Indentation at which it carries `force` [m]; HUGE_VAL if not up to `limit`. */
double carom_elastic_indentation(const carom_elastic_kind *elastic, const double *constants, double force,
                                 double limit);

#endif
