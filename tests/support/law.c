#include "support/kinds.h"
#include "support/law.h"

#include <math.h>
#include <string.h>

/* Values of the parameters that some law requires and that have no natural default, in SI. */
static const test_law_value samples[] = {
    {"damping", 60}, {"chi", 4e4}, {"alpha", 0.2}, {"epsilon", 2e-5}, {"depth", 2e-5},
};

/* Value by name among `count` values; `fallback` if it is not there. */
static double find(const test_law_value *values, size_t count, const char *name, double fallback)
{
    for (size_t k = 0; k < count; k++)
        if (strcmp(values[k].name, name) == 0)
            return values[k].value;
    return fallback;
}

/* The compiled parameter array of a kind. A parameter that is not named takes its default, one that must be given, or
   the first where none must be and there is no restitution, its sample. */
static void fill(const carom_kind *kind, const test_law_value *values, size_t count, double *p)
{
    bool none = carom_kind_param_offset(kind, "restitution") < 0;
    for (int k = 0; k < kind->param_count; k++)
        none = none && !(kind->params[k].flags & CAROM_PARAM_REQUIRED) && isnan(kind->params[k].default_value);
    for (size_t k = 0; k < count; k++)
        none = none && carom_kind_param_offset(kind, values[k].name) < 0;
    for (int k = 0; k < kind->param_count; k++) {
        const carom_param_row *row = &kind->params[k];
        double value = row->default_value;
        if ((row->flags & CAROM_PARAM_REQUIRED) || (none && k == 0))
            value = find(samples, sizeof samples / sizeof samples[0], row->name, value);
        value = find(values, count, row->name, value);
        for (int i = 0; i < row->size; i++)
            p[carom_kind_param_offset(kind, row->name) + i] = value;
    }
}

const char *test_law_make_with(test_law *law, const char *name, const test_law_value *values, size_t count)
{
    const carom_law_kind *kind = (const carom_law_kind *)carom_kind_find(all_kinds(), CAROM_FAMILY_LAW, name);
    double p[32] = {0};
    const carom_contact_geometry geometry = {.dimension = 3, .radius = {0.01, HUGE_VAL}};
    if (!kind)
        return "no such law";
    law->elastic = (const carom_elastic_kind *)carom_kind_find(all_kinds(), CAROM_FAMILY_ELASTIC, kind->elastic);
    law->damping = (const carom_damping_kind *)carom_kind_find(all_kinds(), CAROM_FAMILY_DAMPING, kind->damping);
    if (!law->elastic || !law->damping)
        return "a part is missing";
    test_law_value all[16] = {{"exponent", kind->exponent}};
    size_t n = 0;
    if (isnan(find(values, count, "exponent", (double)NAN)))
        n = 1;
    for (size_t k = 0; k < count && n < sizeof all / sizeof all[0]; k++)
        if (!isnan(values[k].value))
            all[n++] = values[k];
    fill(&law->elastic->kind, all, n, p);
    const char *refusal = CAROM_KIND_CALL(law->elastic, prepare, p, &geometry, law->ce);
    if (refusal)
        return refusal;
    fill(&law->damping->kind, all, n, p);
    refusal = CAROM_KIND_CALL(law->damping, prepare, p, law->cd);
    if (!refusal && law->damping->fits)
        refusal = CAROM_KIND_CALL(law->damping, fits, law->elastic->power_law, law->ce[1]);
    return refusal;
}

const char *test_law_make(test_law *law, const char *name, double stiffness, double exponent, double restitution)
{
    const test_law_value values[] = {{"stiffness", stiffness}, {"exponent", exponent}, {"restitution", restitution}};
    return test_law_make_with(law, name, values, 3);
}

test_law_force test_law_evaluate(const test_law *law, double delta, double rate, double v0)
{
    return test_law_evaluate_mass(law, delta, rate, v0, 1);
}

test_law_force test_law_evaluate_mass(const test_law *law, double delta, double rate, double v0, double mass)
{
    carom_elastic_force elastic;
    carom_damping_force damping;
    CAROM_KIND_CALL(law->elastic, force, law->ce, NULL, delta, &elastic);
    const carom_damping_input in = {.delta = delta,
                                    .rate = rate,
                                    .elastic = elastic.force,
                                    .elastic_slope = elastic.slope,
                                    .v0 = v0,
                                    .mass = mass,
                                    .stiffness = law->ce[0],
                                    .exponent = law->ce[1],
                                    .constants = law->ce};
    CAROM_KIND_CALL(law->damping, force, law->cd, &in, &damping);
    return (test_law_force){.force = elastic.force + damping.force,
                            .elastic = elastic.force,
                            .damping = damping.force,
                            .d_delta = elastic.slope + damping.d_delta,
                            .d_rate = damping.d_rate,
                            .energy = elastic.energy};
}
