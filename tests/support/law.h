/* A normal law put together from the registry, for tests: parameters by name, force, slopes. */
#ifndef CAROM_TEST_LAW_H
#define CAROM_TEST_LAW_H

#include "kinds/kinds.h"

typedef struct test_law {
    const carom_elastic_kind *elastic;
    const carom_damping_kind *damping;
    double ce[CAROM_LAW_CONSTANTS], cd[CAROM_LAW_CONSTANTS];
} test_law;

/* Prepares the named law with stiffness [N/m^n], exponent (NAN: the law's default) and restitution. Returns NULL or the
   sentence of the refusal; "no such law" for an unknown name. */
const char *test_law_make(test_law *law, const char *name, double stiffness, double exponent, double restitution);

typedef struct test_law_force {
    double force, elastic, damping; /* [N] */
    double d_delta, d_rate;         /* of the whole [N/m], [N s/m] */
    double energy;                  /* [J] */
} test_law_force;

test_law_force test_law_evaluate(const test_law *law, double delta, double rate, double v0);

#endif
