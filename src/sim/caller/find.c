/* Indices by names. */
#include "sim/sim.h"

#include <string.h>

typedef const char *(*name_of)(const carom_model *m, int k);

static const char *body_name(const carom_model *m, int k) { return m->bodies[k + 1].name; }
static const char *joint_name(const carom_model *m, int k) { return m->joints[k].name; }
static const char *load_name(const carom_model *m, int k) { return m->loads[k].name; }
static const char *contact_name(const carom_model *m, int k) { return m->contacts[k].name; }

static carom_status find(carom_simulation *sim, const char *what, const char *name, name_of each, int count,
                         size_t *out)
{
    if (!name)
        return carom_fail(sim->ctx, CAROM_ERROR_USAGE, NULL, "the name of a %s, or the place for its index, is NULL",
                          what);
    for (int k = 0; k < count; k++)
        if (strcmp(each(sim->model, k), name) == 0) {
            *out = (size_t)k;
            return CAROM_OK;
        }
    const char **names = carom_allocate(sim->ctx, (size_t)count, sizeof *names);
    if (!names)
        return carom_fail_memory(sim->ctx);
    for (int k = 0; k < count; k++)
        names[k] = each(sim->model, k);
    const char *nearest = carom_nearest_name(name, names, (size_t)count);
    carom_status status = carom_fail(sim->ctx, CAROM_ERROR_USAGE, NULL, "no %s '%.100s'%s%s%s", what, name,
                                     nearest ? "; did you mean '" : "", nearest ? nearest : "", nearest ? "'?" : "");
    carom_release(sim->ctx, names, (size_t)count, sizeof *names);
    return status;
}

carom_status carom_simulation_find_body(carom_simulation *sim, const char *name, size_t *out)
{
    CAROM_NEED(NULL, sim);
    CAROM_NEED(sim->ctx, out);
    return find(sim, "body", name, body_name, sim->model->body_count, out);
}

carom_status carom_simulation_find_joint(carom_simulation *sim, const char *name, size_t *out)
{
    CAROM_NEED(NULL, sim);
    CAROM_NEED(sim->ctx, out);
    return find(sim, "joint", name, joint_name, sim->model->joint_count, out);
}

carom_status carom_simulation_find_load(carom_simulation *sim, const char *name, size_t *out)
{
    CAROM_NEED(NULL, sim);
    CAROM_NEED(sim->ctx, out);
    return find(sim, "load", name, load_name, sim->model->load_count, out);
}

carom_status carom_simulation_find_contact(carom_simulation *sim, const char *name, size_t *out)
{
    CAROM_NEED(NULL, sim);
    CAROM_NEED(sim->ctx, out);
    return find(sim, "contact", name, contact_name, sim->model->contact_count, out);
}
