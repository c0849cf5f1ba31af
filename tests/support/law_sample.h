/* Sample parameters of any contact law, made from its table, and sample geometries: what the contract tests feed to
   every row of the registry. A new parameter with a unit that has no typical value here must be given one. */
#ifndef CAROM_TEST_LAW_SAMPLE_H
#define CAROM_TEST_LAW_SAMPLE_H

#include "kinds/kind.h"

#define LAW_SAMPLE_LEVELS 3
#define LAW_SAMPLE_GEOMETRIES 3
#define LAW_SAMPLE_PARAMS 32

/* Units that numbers are expressed in, in SI. */
typedef struct law_units {
    double length, force, time; /* [m], [N], [s] */
} law_units;

extern const law_units law_units_si;

/* Variants of a table: every subset of the optional rows given, times every word of the rows of words. */
int law_sample_variants(const carom_kind *kind);

/* Is row `row` given in this variant? */
bool law_sample_given(const carom_kind *kind, int variant, int row);

/* Fills the compiled parameter array. Level 0 takes the defaults and typical values, the others differ from them.
   Returns NULL or the unit for which there is no typical value. */
const char *law_sample_params(const carom_kind *kind, int variant, int level, const law_units *units, double *p);

/* 0 two spheres or cylinders side by side, 1 one on a plane, 2 a pin in a hole; materials with yield and density. */
carom_contact_geometry law_sample_geometry(int index, const law_units *units);

/* Indentation up to which an elastic part is tried: its limit, 20 mm without one. */
double law_sample_reach(const carom_elastic_kind *kind, const double *c, const law_units *units);

/* Why the two parts do not fit each other, as the model's check says it; NULL: they fit. */
const char *law_sample_misfit(const carom_elastic_kind *elastic, const double *c, const carom_damping_kind *damping);

/* Does one of the texts of a kind hold one of the words, separated by '|'? */
bool law_sample_says(const carom_kind *kind, const char *words);

#endif
