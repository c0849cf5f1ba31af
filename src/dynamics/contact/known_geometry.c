/* The last geometry of each contact between shapes that cost a search, and where it was asked for. At the end of a step
   root functions, the watch for missed contacts, the evaluation of the state and its rows all ask for the same one. */
#include "dynamics/dynamics.h"

#include <string.h>

struct carom_known_geometry {
    bool known, follows;        /* follows: from places of an open episode */
    double near[2];             /* these */
    carom_body_pose pose[2];
    carom_contact_point at;
};

/* Takes over what the geometry is made of, and leaves the forces. */
static void take(const carom_contact_point *from, carom_contact_point *to)
{
    to->gap = from->gap;
    to->gap_rate = from->gap_rate;
    to->normal = from->normal;
    to->point = from->point;
    to->arm_i = from->arm_i;
    to->arm_j = from->arm_j;
    to->slip = from->slip;
    memcpy(to->radius, from->radius, sizeof to->radius);
    memcpy(to->curvature, from->curvature, sizeof to->curvature);
    memcpy(to->parameter, from->parameter, sizeof to->parameter);
    to->residual = from->residual;
    to->common = from->common;
    to->less = from->less;
}

carom_status carom_known_geometry_create(carom_system *sys)
{
    const carom_model *m = sys->model;
    bool costly = false;
    for (int k = 0; k < m->contact_count; k++)
        costly = costly || m->contacts[k].pair->varies;
    if (costly && !(sys->geometry = carom_arena_alloc(&sys->arena, (size_t)m->contact_count, sizeof *sys->geometry)))
        return carom_fail_memory(sys->ctx);
    return CAROM_OK;
}

void carom_contact_known_geometry(carom_system *sys, const carom_state *s, int k, const carom_body_pose *pose_i,
                                  const carom_body_pose *pose_j, carom_contact_point *out)
{
    const carom_model *m = sys->model;
    if (!m->contacts[k].pair->varies) {
        carom_contact_geometry_at(m, s, k, pose_i, pose_j, out);
        return;
    }
    struct carom_known_geometry *known = &sys->geometry[k];
    carom_contact_sides sides = carom_contact_sides_of(m, s, k);
    sides.memory = &sys->pair_memory;
    const bool follows = sides.near != NULL;
    if (known->known && known->follows == follows &&
        (!follows || memcmp(known->near, sides.near, sizeof known->near) == 0) &&
        memcmp(&known->pose[0], pose_i, sizeof *pose_i) == 0 && memcmp(&known->pose[1], pose_j, sizeof *pose_j) == 0) {
        take(&known->at, out);
        return;
    }
    carom_contact_geometry_of(&m->contacts[k], &sides, pose_i, pose_j, &known->at);
    known->known = true;
    known->follows = follows;
    if (follows)
        memcpy(known->near, sides.near, sizeof known->near);
    known->pose[0] = *pose_i;
    known->pose[1] = *pose_j;
    take(&known->at, out);
}
