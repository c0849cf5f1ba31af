/* Rules on what the contact laws assume: the one table behind the warnings of `carom check` and of a run and behind
   `carom explain validity`, with the quantities that the rules compare. */
#ifndef CAROM_VALIDITY_H
#define CAROM_VALIDITY_H

#include "base/warnings.h"
#include "kinds/kind.h"

typedef enum carom_rule {
    CAROM_RULE_RESTITUTION,     /* the law returns another restitution than the one asked */
    CAROM_RULE_YIELD,           /* faster than the yield speed */
    CAROM_RULE_WAVES,           /* too fast for a quasi-static law */
    CAROM_RULE_INDENTATION,     /* deep against the radius */
    CAROM_RULE_LIMIT,           /* near or beyond the limit of a line law */
    CAROM_RULE_STATIC,          /* deep under its own weight: too soft */
    CAROM_RULE_FLOOR,           /* slower than minimum_speed */
    CAROM_RULE_RATE,            /* parts faster than it came */
    CAROM_RULE_TENSION,         /* the force pulls */
    CAROM_RULE_COUNT
} carom_rule;

typedef struct carom_validity_rule {
    carom_warning_code warning; /* its code and texts; the meaning is the formula */
    const char *quantity;       /* what is compared, as text */
    double threshold;           /* warned where the quantity is above it */
    const char *source;
    bool expected, onset, later;        /* judged in `carom check`, at the onset of an episode, inside it */
} carom_validity_rule;

extern const carom_validity_rule carom_validity[CAROM_RULE_COUNT];

/* Indentation over radius above which a stiffness that was given, and claims no theory, is warned of. */
#define CAROM_DEEP_GIVEN 0.1
/* First step, largest step inside a contact [durations of the impact]; absolute scale [largest indentations]. */
#define CAROM_ADVISED_FIRST (1.0 / 50)
#define CAROM_ADVISED_STEP (1.0 / 20)
#define CAROM_ADVISED_SCALE 1e-3

/* "Warned by ... where QUANTITY > THRESHOLD."; returns text. */
const char *carom_validity_when(const carom_validity_rule *rule, char *text, size_t size);
/* A threshold as text, 1e-5 for 1e-05; returns text. */
const char *carom_validity_number(double value, char text[32]);

/* Elastic modulus E* of two materials, 1/E* = sum (1 - nu^2)/E [Pa]; NAN where one is unknown. */
double carom_contact_modulus(const carom_contact_geometry *geometry);
/* Radius R, 1/R = 1/R_i + 1/R_j [m]; HUGE_VAL for surfaces that are flat or conform. */
double carom_contact_radius(const carom_contact_geometry *geometry);
/* Smaller of the two radii, whatever its sign [m]. */
double carom_smaller_radius(const carom_contact_geometry *geometry);
/* Radius of the contact area at an indentation, sqrt(R delta) [m]. */
double carom_contact_area_radius(const carom_contact_geometry *geometry, double indentation);
/* Larger sqrt(E/rho) of the two sides [m/s]; NAN where no density is given. */
double carom_wave_speed(const carom_contact_geometry *geometry);
/* Speed at which an impact of the effective mass [kg] first yields, p_0 = 1.6 Y of the weaker side [m/s]; NAN where
   materials, a radius or a yield stress are missing. */
double carom_yield_speed(const carom_contact_geometry *geometry, double mass);

#endif
