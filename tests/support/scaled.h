/* A model written in other sizes: every length and every mass of its spec times a factor, and all other quantities by
   what their units say, so that the motion is the same but for its scale. The time is not scaled. */
#ifndef TEST_SCALED_H
#define TEST_SCALED_H

#include "base/base.h"
#include "carom/spec.h"

/* The factor of a quantity of this unit: "N m", "m/s"; 1 where the text is no unit. */
double scaled_factor(const char *unit, double length, double mass);
/* A copy in the arena. Splines are not scaled; expressions keep their numbers and are multiplied as a whole, so that
   measures in them must be angles. */
carom_spec scaled_spec(const carom_context *ctx, carom_arena *arena, const carom_spec *spec, double length,
                       double mass);

#endif
