/* Shapes that overlap as a motion starts: those that lie deep in each other are refused. */
#include "dynamics/contact/overlap.h"

#include "base/context.h"
#include "kinds/shape/shape_solid.h"

#include <math.h>
#include <stdio.h>

double carom_overlap_size(const carom_model *m, const carom_overlap *o)
{
    const carom_model_contact *c = o->contact;
    const double *pi = m->shapes[o->shapes[c->swapped ? 1 : 0]].p;
    const double *pj = m->shapes[o->shapes[c->swapped ? 0 : 1]].p;
    return CAROM_KIND_CALL(c->pair, feature_size, pi, pj);
}

/* Share of the overlap from which a way that the assembly has moved a body may be its cause. */
#define MOVED 0.1

/* Tells of the body that the assembly has moved farther, where that is far. */
static void tell_moved(const carom_evaluation *d, const carom_overlap *o, double depth, char *text, size_t size)
{
    const carom_model *m = d->model;
    double farthest = MOVED * depth;
    text[0] = 0;
    for (int side = 0; side < 2; side++) {
        const int body = side ? o->contact->body_j : o->contact->body_i;
        const double way = carom_v3_norm(carom_v3_sub(d->pose[body].p, m->bodies[body].position));
        if (!(way > farthest))
            continue;
        farthest = way;
        snprintf(text, size,
                 "; the assembly has moved body '%s' by %.4g m from where it is placed, to close its joints: place it "
                 "and their other ends so that they meet, or",
                 m->bodies[body].name, way);
    }
}

/* A hollow solid, whose material is all around. */
static bool is_room(const carom_model *m, int shape)
{
    const carom_model_shape *s = &m->shapes[shape];
    return m->dimension == 3 && carom_shape_is_solid(s->kind, false) && !isfinite(carom_solid_bounding_radius(s->p));
}

carom_status carom_overlap_check(carom_context *ctx, const carom_evaluation *d, const carom_overlap *o)
{
    const carom_model *m = d->model;
    const double depth = -o->point->gap, size = carom_overlap_size(m, o);
    const carom_vec3 at = o->point->point;
    char where[100], moved[300];
    if (!isfinite(size) || !(depth > CAROM_OVERLAP_REFUSED * size))
        return CAROM_OK;
    const int used = snprintf(where, sizeof where, "(%.4g, %.4g", at.x, at.y);
    if (m->dimension == 2)
        snprintf(where + used, sizeof where - (size_t)used, ")");
    else
        snprintf(where + used, sizeof where - (size_t)used, ", %.4g)", at.z);
    const char *remedy = o->contact->pair->apart    ? o->contact->pair->apart
                         : is_room(m, o->shapes[0]) || is_room(m, o->shapes[1])
                             ? "move a body: what is hollow is closed at its ends, and the other shape belongs inside"
                         : o->contact->pair->varies ? "move a body, or turn the side of the material (`flip`, or the "
                                                      "order of the points)"
                                                    : "move a body, or change a shape or the side of its material";
    tell_moved(d, o, depth, moved, sizeof moved);
    return carom_fail(ctx, CAROM_ERROR_MODEL, o->place,
                      "contact '%s': the shapes '%s' and '%s' overlap by %.4g m at the start, at %s m, which is "
                      "%.0f %% of the smaller one's size of %.4g m%s %s",
                      o->name, m->shapes[o->shapes[0]].name, m->shapes[o->shapes[1]].name, depth, where,
                      100 * depth / size, size, moved[0] ? moved : ":", remedy);
}

carom_status carom_overlap_check_deepest(carom_context *ctx, const carom_evaluation *d, int contact)
{
    const carom_model *m = d->model;
    const int deepest = carom_contact_deepest(d, contact - m->contacts[contact].point);
    if (deepest < 0)
        return CAROM_OK;
    const carom_model_contact *c = &m->contacts[deepest];
    const carom_overlap overlap = {c, c->name, &c->place, {c->shape_i, c->shape_j}, &d->contacts[deepest]};
    return carom_overlap_check(ctx, d, &overlap);
}

carom_status carom_overlap_check_crossed(carom_context *ctx, const carom_evaluation *d)
{
    const carom_model *m = d->model;
    for (int k = 0; k < m->contact_count; k++) {
        const carom_model_contact *c = &m->contacts[k];
        carom_contact_point point = d->contacts[k];
        point.gap = -carom_contact_overlap(d, k, &point.point);
        const carom_overlap overlap = {c, c->name, &c->place, {c->shape_i, c->shape_j}, &point};
        if (point.gap < 0)
            CAROM_TRY(carom_overlap_check(ctx, d, &overlap));
    }
    return CAROM_OK;
}
