/* Dimensions of quantities: what unit an expression has, and whether it fits the unit that is wanted.

   The checks find a mass where a length is wanted, and let pass what may be right: a number without unit fits any
   dimension, and a product with a parameter that has no unit may have any. Angles are pure numbers in products. */
#ifndef CAROM_DIMENSION_H
#define CAROM_DIMENSION_H

#include <stdbool.h>
#include <stddef.h>

/* What is known of a dimension. */
typedef enum carom_dimension_kind {
    CAROM_DIMENSION_FREE,       /* nothing: a parameter without unit, or what came of one */
    CAROM_DIMENSION_NUMBER,     /* a number as it stands in the text: fits all, and times a unit has that unit */
    CAROM_DIMENSION_COUNT,      /* the same, a whole number below ten or pi: 2*L is what L is, 7850*L^3 is free */
    CAROM_DIMENSION_TIME,       /* of t alone: compared with units, but a number times t may have any dimension */
    CAROM_DIMENSION_VARIABLE,   /* of measures and inputs: the same; alone it is free, the factor 1 may have one */
    CAROM_DIMENSION_QUANTITY,   /* of a parameter with a unit */
    CAROM_DIMENSION_UNIT        /* of units that stand in the text; all exponents zero: an angle */
} carom_dimension_kind;

enum { CAROM_LENGTH, CAROM_MASS, CAROM_TIME, CAROM_DIMENSIONS };

typedef struct carom_dimension {
    carom_dimension_kind kind;
    double e[CAROM_DIMENSIONS]; /* exponents; zero unless the kind is TIME, VARIABLE or UNIT */
} carom_dimension;

static inline carom_dimension carom_dimension_of(carom_dimension_kind kind, double length, double mass, double time)
{
    return (carom_dimension){kind, {length, mass, time}};
}
static inline bool carom_dimension_is_known(const carom_dimension *d) { return d->kind >= CAROM_DIMENSION_TIME; }
bool carom_dimension_is_pure(const carom_dimension *d); /* all exponents zero */

/* x * y, or x / y with `sign` -1. */
carom_dimension carom_dimension_product(carom_dimension x, carom_dimension y, int sign);
carom_dimension carom_dimension_power(carom_dimension x, double exponent);
/* What a sum of both has; false if they cannot be added. */
bool carom_dimension_sum(carom_dimension x, carom_dimension y, carom_dimension *out);

/* "a length [m]" in `buffer`. */
const char *carom_dimension_text(const carom_dimension *d, char *buffer, size_t size);
/* The unit alone, such as "kg m^2"; NULL: not known. */
const char *carom_dimension_unit(const carom_dimension *d, char *buffer, size_t size);

/* ---- units as text: "kg m^2", "N s/m or N m s/rad", "N/m^n" ---- */

/* Values of the letters that exponents of units name, NAN: not known, so that the exponent may be any. */
typedef struct carom_unit_scope {
    double n;                   /* exponent of a power law */
    double k;                   /* number of a coefficient, from 0 */
    int alternative;            /* which of the units that "or" separates; -1: any */
} carom_unit_scope;

#define CAROM_UNIT_ANY ((carom_unit_scope){NAN, NAN, -1})

/* Dimension of a unit: of kind VARIABLE; FREE where the text is no unit, is another than SI (mm, kN), or has a letter
   that is not known. */
carom_dimension carom_unit_dimension(const char *text, carom_unit_scope scope);
/* Whether a value of dimension d is right where `unit` is wanted; NULL and texts that are no unit take all. */
bool carom_unit_fits(const char *unit, carom_unit_scope scope, const carom_dimension *d);
/* Whether the text is a unit other than those of SI, such as mm or deg. No value with a dimension fits it: numbers are
   in SI, and nothing is converted. */
bool carom_unit_is_scaled(const char *unit);
/* "a length [m]" of a unit; the unit alone in brackets if it has no word. */
const char *carom_unit_text(const char *unit, carom_unit_scope scope, char *buffer, size_t size);

#endif
