/* Bodies that fall through everything: shapes that contacts were forgotten for. Bodies that joints, motions and loads
   connect are one group. A group that nothing connects to the ground falls freely where the forces on it take less than
   half of its weight off. It is told of where it has shapes that are not for the picture alone, none of them is in a
   contact, and what stands on the ground has such shapes as well. Robots whose shapes are drawn alone are held by their
   joints, or have nothing to fall on. */
#include "diagnose/falling.h"
#include "sim/warnings.h"

#include <stdio.h>

/* What is known of a body, and of its group at the body that stands for it. */
typedef struct fallen {
    int group;
    int shape;                  /* the first that may touch, -1: none */
    bool touches;               /* one is in a contact */
    double pull;                /* forces along gravity without the weight, and the weight, times gravity [N m/s^2] */
    double weight;
} fallen;

static int group_of(const fallen *all, int body)
{
    while (all[body].group != body)
        body = all[body].group;
    return body;
}

static void join(fallen *all, int a, int b)
{
    const int i = group_of(all, a), j = group_of(all, b);
    all[i > j ? i : j].group = i < j ? i : j;
}

static void connect(const carom_model *m, fallen *all)
{
    for (int k = 0; k < m->joint_count; k++)
        join(all, m->joints[k].i.body, m->joints[k].j.body);
    for (int k = 0; k < m->block_count; k++) {
        const carom_constraint_block *e = &m->blocks[k];
        for (int side = 1; side < carom_block_sides(e); side++)
            join(all, carom_block_body(e, 0), carom_block_body(e, side));
        if (e->type == CAROM_BLOCK_BODY_MOTION)
            join(all, 0, e->object);
    }
    for (int k = 0; k < m->load_count; k++)
        if (m->loads[k].frames > 1)
            join(all, m->loads[k].i.body, m->loads[k].j.body);
}

/* Sums over bodies, then over groups, whose first body comes first. */
static void gather(const carom_simulation *sim, fallen *all)
{
    const carom_model *m = sim->model;
    const double g = carom_v3_dot(m->gravity, m->gravity);
    for (int b = 1; b <= m->body_count; b++)
        all[b].weight = m->bodies[b].mass * g;
    for (int k = 0; k < m->load_count; k++) {
        const carom_load_output *now = &sim->d->loads[k];
        all[m->loads[k].i.body].pull += carom_v3_dot(now->force_i, m->gravity);
        if (m->loads[k].frames > 1)
            all[m->loads[k].j.body].pull += carom_v3_dot(now->force_j, m->gravity);
    }
    for (int k = m->shape_count - 1; k >= 0; k--)
        if (!m->shapes[k].visual)
            all[m->shapes[k].body].shape = k;
    for (int k = 0; k < m->contact_count; k++)
        for (int side = 0; side < 2; side++)
            all[carom_contact_body(m, k, side)].touches = true;
    for (int p = 0; p < m->contact_set_count; p++)
        for (int k = 0; k < m->contact_sets[p].count; k++)
            all[m->members[m->contact_sets[p].first + k].body].touches = true;
    for (int b = m->body_count; b > 0; b--) {
        fallen *of = &all[all[b].group];
        if (of == &all[b])
            continue;
        of->weight += all[b].weight;
        of->pull += all[b].pull;
        of->touches = of->touches || all[b].touches;
        of->shape = of->shape < 0 || (all[b].shape >= 0 && all[b].shape < of->shape) ? all[b].shape : of->shape;
    }
}

static bool falls(const fallen *all, int body)
{
    const fallen *f = &all[body];
    return f->group == body && f->shape >= 0 && !f->touches && f->weight > 0 && f->pull > -0.5 * f->weight;
}

static carom_status tell(carom_simulation *sim, const fallen *all)
{
    const carom_model *m = sim->model;
    int first = 0, more = -1;
    char text[400], also[80] = "";
    for (int b = m->body_count; b > 0; b--)
        if (falls(all, b)) {
            first = b;
            more++;
        }
    if (!first)
        return CAROM_OK;
    if (more)
        snprintf(also, sizeof also, ", and so %s %d more", more > 1 ? "do" : "does", more);
    const carom_model_shape *own = &m->shapes[all[first].shape];
    const carom_model_body *body = &m->bodies[own->body];
    snprintf(text, sizeof text,
             "falls freely, through '%.60s' as well%s: no contact names a shape of it, such as '%.60s'; name it in "
             "`contacts`, or write `visual: yes` for shapes of the picture alone",
             m->shapes[all[0].shape].name, also, own->name);
    return carom_simulation_warn_part(sim, CAROM_WARN_FALLING, &body->place, "body", body->name, text);
}

carom_status carom_falling_judge(carom_simulation *sim)
{
    const carom_model *m = sim->model;
    const size_t bodies = (size_t)m->body_count + 1;
    if (carom_v3_norm(m->gravity) == 0 || !m->shape_count)
        return CAROM_OK;
    fallen *all = carom_allocate(sim->ctx, bodies, sizeof *all);
    if (!all)
        return carom_fail_memory(sim->ctx);
    for (int b = 0; b <= m->body_count; b++)
        all[b] = (fallen){.group = b, .shape = -1};
    connect(m, all);
    for (int b = 1; b <= m->body_count; b++)
        all[b].group = group_of(all, b);
    gather(sim, all);
    const carom_status status = all[0].shape >= 0 ? tell(sim, all) : CAROM_OK;
    carom_release(sim->ctx, all, bodies, sizeof *all);
    return status;
}
