/* What to expect of a contact before it happens: the speed at which its sides first touch, and the free direct impact at
   that speed with the contact's law. */
#ifndef CAROM_EXPECT_H
#define CAROM_EXPECT_H

#include "sim/sim.h"

/* Closing speed at the first touch [m/s] from the evaluated state; NAN if the sides do not touch within the run on the
   motion that is assumed. *assumed tells it as a sentence (a constant). */
double carom_expect_touch(const carom_simulation *sim, int contact, const char **assumed);

typedef struct carom_expected_impact {
    double restitution;         /* NAN if the body does not come out */
    double peak_force, max_indentation;         /* [N], [m] */
    double duration;            /* from the onset to the end of the force [s]; NAN with the restitution */
    const char *method; /* "exact", "integrated", or "beyond limit": then max_indentation is that of the limit */
} carom_expected_impact;

/* Free direct impact of the effective mass [kg] at the speed [m/s] > 0; `brief`: restitution and greatest indentation suffice. */
void carom_expect_impact(const carom_normal_law *law, double mass, double speed, bool brief,
                         carom_expected_impact *out);

#endif
