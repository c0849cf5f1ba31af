/* The list of formulations, and what all of them have. */
#include "dynamics/formulation/formulation.h"

#include <math.h>
#include <string.h>

static const carom_formulation *const formulations[] = {
#define CAROM_FORMULATION(name, description) &carom_formulation_##name,
#include "spec/formulation.def"
#undef CAROM_FORMULATION
};

/* In space joint coordinates are fewer and smoother, and their equations cheaper, as soon as joints carry most of the
   bodies; of few bodies that touch more than they are joined the analytic Jacobians of the absolute ones are worth
   more. In the plane both cost the same (docs/theory/tree.md has the measurements). */
static const carom_formulation *choose(const carom_model *m)
{
    int carried = 0;
    for (int body = 1; body <= m->body_count; body++)
        carried += m->tree.bodies[body].joint >= 0;
    return m->dimension == 3 && m->site_count == 0 && 2 * carried > m->body_count ? &carom_formulation_tree
                                                                                  : &carom_formulation_cartesian;
}

const carom_formulation carom_formulation_auto = {
    .name = "auto",
    .title = "Joint coordinates in space where joints carry most of the bodies, else absolute ones.",
    .source = "`tree` and `cartesian` have their own; `carom check` tells which one a model takes, and why.",
    .choose = choose,
};

const carom_formulation *carom_formulation_for(const carom_model *m, const carom_formulation *formulation)
{
    return formulation->choose ? formulation->choose(m) : formulation;
}

const carom_formulation *carom_formulation_find(const char *name)
{
    for (size_t k = 0; k < CAROM_COUNT(formulations); k++)
        if (!name || strcmp(formulations[k]->name, name) == 0)
            return formulations[k];
    return NULL;
}

/* Their names, for what is refused. */
static const char formulation_names[] = ""
#define CAROM_FORMULATION(name, description) " " #name
#include "spec/formulation.def"
#undef CAROM_FORMULATION
    ;

carom_status carom_formulation_require(carom_context *ctx, const carom_place *place, const char *name,
                                       const carom_formulation **out)
{
    *out = carom_formulation_find(name);
    return *out ? CAROM_OK
                : carom_fail(ctx, CAROM_ERROR_MODEL, place,
                             "run: formulation '%s' is not available; this version has:%s", name, formulation_names);
}

static carom_force_pair pair_of(int body_i, int body_j, const carom_contact_point *p)
{
    return (carom_force_pair){body_i, body_j, p->arm_i, p->arm_j, p->normal};
}

double carom_effective_mass(const carom_evaluation *d, int body_i, int body_j, const carom_contact_point *point)
{
    const carom_force_pair pair = pair_of(body_i, body_j, point);
    double free;
    double inverse = d->system->formulation->delassus(d, &pair, false, d->system->column, &free);
    return inverse > 1e-12 * free ? 1 / inverse : HUGE_VAL;
}

double carom_free_inverse_mass(const carom_evaluation *d, int body_i, int body_j, const carom_contact_point *point)
{
    const carom_force_pair pair = pair_of(body_i, body_j, point);
    return d->system->formulation->free_delassus(d, &pair);
}
