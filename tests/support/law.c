#include "support/law.h"

#include <math.h>
#include <string.h>

/* The compiled parameter array of a kind, with defaults and the three parameters a test may set. */
static void fill(const carom_kind *kind, double stiffness, double exponent, double restitution, double *p)
{
    for (int k = 0; k < kind->param_count; k++) {
        const carom_param_row *row = &kind->params[k];
        double value = row->fallback;
        if (strcmp(row->name, "stiffness") == 0)
            value = stiffness;
        else if (strcmp(row->name, "exponent") == 0)
            value = exponent;
        else if (strcmp(row->name, "restitution") == 0)
            value = restitution;
        for (int i = 0; i < row->size; i++)
            p[carom_kind_param_offset(kind, row->name) + i] = value;
    }
}

const char *test_law_make(test_law *law, const char *name, double stiffness, double exponent, double restitution)
{
    const carom_law_kind *kind = (const carom_law_kind *)carom_kind_find(CAROM_FAMILY_LAW, name);
    double p[32] = {0};
    const carom_contact_geometry geometry = {.dimension = 3, .radius = {0.01, HUGE_VAL}};
    if (!kind)
        return "no such law";
    law->elastic = (const carom_elastic_kind *)carom_kind_find(CAROM_FAMILY_ELASTIC, kind->elastic);
    law->damping = (const carom_damping_kind *)carom_kind_find(CAROM_FAMILY_DAMPING, kind->damping);
    if (!law->elastic || !law->damping)
        return "a part is missing";
    fill(&law->elastic->kind, stiffness, isnan(exponent) ? kind->exponent : exponent, restitution, p);
    const char *refusal = law->elastic->prepare(p, &geometry, law->ce);
    if (refusal)
        return refusal;
    fill(&law->damping->kind, stiffness, exponent, restitution, p);
    return law->damping->prepare(p, law->cd);
}

test_law_force test_law_evaluate(const test_law *law, double delta, double rate, double v0)
{
    carom_elastic_force elastic;
    carom_damping_force damping;
    law->elastic->force(law->ce, NULL, delta, &elastic);
    const carom_damping_input in = {.delta = delta,
                                    .rate = rate,
                                    .elastic = elastic.force,
                                    .elastic_slope = elastic.slope,
                                    .v0 = v0,
                                    .mass = 1,
                                    .stiffness = law->ce[0],
                                    .exponent = law->ce[1]};
    law->damping->force(law->cd, &in, &damping);
    return (test_law_force){.force = elastic.force + damping.force,
                            .elastic = elastic.force,
                            .damping = damping.force,
                            .d_delta = elastic.slope + damping.d_delta,
                            .d_rate = damping.d_rate,
                            .energy = elastic.energy};
}
