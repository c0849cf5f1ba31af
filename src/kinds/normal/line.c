/* Line contact of parallel cylinders: constants and closed-form inverse of delta = A W (ln(B/W) + c).
   Source: Johnson, Contact Mechanics, section 5.6; Autiero et al. 2022, Table 1. */
#include "kinds/normal/line.h"
#include "math/lambert.h"

const char *carom_line_read(const carom_contact_geometry *geometry, carom_line_contact *out)
{
    double compliance;
    const char *refusal = carom_contact_compliance(geometry, &compliance);
    if (refusal)
        return refusal;
    if (!(geometry->length > 0) || isinf(geometry->length))
        return "a line contact needs 'length', the length of the contact [m]";
    out->modulus = 1 / compliance;
    out->length = geometry->length;
    return carom_contact_cylinders(geometry, &out->cylinders);
}

const char *carom_line_prepare(double A, double B, double constant, double length, double *c)
{
    double line = B * exp(constant - 1); /* Q/e [N/m] */
    c[CAROM_LINE_A] = A;
    c[CAROM_LINE_B] = B;
    c[CAROM_LINE_C] = constant;
    c[CAROM_LINE_LENGTH] = length;
    c[CAROM_LINE_LIMIT] = A * line;
    c[CAROM_LINE_PER_LIMIT] = 1 / (A * line);
    c[CAROM_LINE_FORCE] = length * line;
    c[CAROM_LINE_SLOPE] = length / A;
    for (int k = 0; k <= CAROM_LINE_SLOPE; k++)
        if (!isfinite(c[k]) || (k != CAROM_LINE_C && !(c[k] > 0)))
            return "the law has no finite range here: its logarithm needs two cylinders of finite radius, not a plane";
    return NULL;
}

void carom_line_force(const double *c, const double *history, double delta, carom_elastic_force *out)
{
    (void)history;
    double limit = c[CAROM_LINE_LIMIT], greatest = c[CAROM_LINE_FORCE];
    out->loss = 0;
    if (delta <= 0) {
        out->force = out->slope = out->energy = 0;
    } else if (delta >= limit) {
        out->force = greatest;
        out->slope = 0;
        out->energy = greatest * (delta - 0.75 * limit);
    } else {
        double u, per_limit = c[CAROM_LINE_PER_LIMIT];
        double y = carom_lambert_line(delta * per_limit, (limit - delta) * per_limit, &u);
        out->force = greatest * y;
        out->slope = c[CAROM_LINE_SLOPE] / u;
        out->energy = 0.5 * out->force * (delta - 0.5 * limit * y);
    }
}

double carom_line_limit(const double *c) { return c[CAROM_LINE_LIMIT]; }
