/* Line contact of parallel cylinders, what the elastic kinds of that form share:

       delta = A W (ln(B/W) + c),   W = Fe/L,

   with A, B, c of the law. With Q = B e^c the force rises to its greatest value W = Q/e at delta = A Q/e and has no
   inverse beyond; up to there y = W/(Q/e) and s = delta/(A Q/e) obey y (1 - ln y) = s, which is the lower branch of
   Lambert's W in closed form: W = -delta/(A W_{-1}(-delta/(A Q))).

   With u = -ln y: dFe/d delta = L/(A u), and the stored energy is Fe (delta - A W/2)/2. */
#ifndef CAROM_LINE_H
#define CAROM_LINE_H

#include "kinds/normal/geometry.h"

/* Places of the constants in `c`. */
enum {
    CAROM_LINE_A,               /* [m^2/N] */
    CAROM_LINE_B,               /* [N/m] */
    CAROM_LINE_C,               /* [-] */
    CAROM_LINE_LENGTH,          /* L [m] */
    CAROM_LINE_LIMIT,           /* A Q/e [m] */
    CAROM_LINE_PER_LIMIT,       /* 1/(A Q/e) [1/m] */
    CAROM_LINE_FORCE,           /* L Q/e [N] */
    CAROM_LINE_SLOPE            /* L/A [N/m] */
};

typedef struct carom_line_contact {
    double modulus;             /* E* [Pa] */
    double length;              /* L [m] */
    carom_cylinders cylinders;
} carom_line_contact;

/* Returns NULL or the sentence of the refusal. */
const char *carom_line_read(const carom_contact_geometry *geometry, carom_line_contact *out);

/* Constants of a law; refuses those that are not finite. */
const char *carom_line_prepare(double A, double B, double constant, double length, double *c);

/* Beyond the limit the force stays, with slope zero, and the energy is its work. */
void carom_line_force(const double *c, const double *history, double delta, carom_elastic_force *out);
double carom_line_limit(const double *c);

#endif
