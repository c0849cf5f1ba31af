/* A normal law put together from the registry, for tests: parameters by name, force, slopes. */
#ifndef CAROM_TEST_LAW_H
#define CAROM_TEST_LAW_H

#include "kinds/kind.h"

typedef struct test_law {
    const carom_elastic_kind *elastic;
    const carom_damping_kind *damping;
    double ce[CAROM_LAW_CONSTANTS], cd[CAROM_LAW_CONSTANTS];
} test_law;

/* A parameter by name; NAN: not given. */
typedef struct test_law_value {
    const char *name;
    double value;
} test_law_value;

/* Prepares the named law with these parameters of its parts; others take their default, or a sample if there is none.
   Returns NULL or the sentence of the refusal, also that of a damping part that does not fit; "no such law" for an
   unknown name. */
const char *test_law_make_with(test_law *law, const char *name, const test_law_value *values, size_t count);

/* Prepares the named law with stiffness [N/m^n], exponent (NAN: the law's default) and restitution alone. */
const char *test_law_make(test_law *law, const char *name, double stiffness, double exponent, double restitution);

typedef struct test_law_force {
    double force, elastic, damping; /* [N] */
    double d_delta, d_rate;         /* of the whole [N/m], [N s/m] */
    double energy;                  /* [J] */
} test_law_force;

/* With an effective mass of 1 kg, and with another one. */
test_law_force test_law_evaluate(const test_law *law, double delta, double rate, double v0);
test_law_force test_law_evaluate_mass(const test_law *law, double delta, double rate, double v0, double mass);

#endif
