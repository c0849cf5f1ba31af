/* Places of a face that stick hold as one. Each place of two solids has its own point, within its indentation, and its
   own normal: the points lie beside a common plane and the normals beside that of it, by micrometres and microradians.
   As bodies rock on them places so slip against each other, which no motion along the face stops: forces that were to
   stop it would brace the places with all that they can bear, and turn round at once where the rocking does. What holds
   therefore acts in the common plane: the points are moved into it along its normal, forces and slips lie in it, and of
   the slips' rates without accelerations counts the nearest one of a rigid motion in it, by the forces of the places,
     r = u + w n x (p - c).                                                                                        (1)
   The forces with W f = -r are then shares of one force and one couple. Places whose normals are turned against that of
   the first one are parts of the face up to an angle, and none from a larger one on; places that lie together are one,
   about which nothing turns. */
#include "dynamics/dynamics.h"

#include <math.h>

/* Those angles [rad]. */
#define FLAT 0.01
#define TURNED 0.03
/* Places that are this share of the shapes' size apart lie together. */
#define TOGETHER 1e-3

/* 1: a part of the face, 0: none. */
static double part_of(carom_vec3 normal, carom_vec3 first)
{
    const double x = (carom_v3_norm(carom_v3_sub(normal, first)) - FLAT) / (TURNED - FLAT);
    const double y = fmin(fmax(x, 0), 1);
    return 1 - y * y * (3 - 2 * y);
}

double carom_face_together(const carom_model_contact *c)
{
    return TOGETHER * (isfinite(c->feature_size) && c->feature_size > 0 ? c->feature_size : 1);
}

static double weight_of(const carom_evaluation *d, int k)
{
    const carom_sticking *own = &d->system->sticking[k];
    return own->count ? own->part * d->contacts[k].force : 0;
}

static carom_vec3 place_of(const carom_evaluation *d, int k)
{
    return carom_v3_add(d->contacts[k].point, d->system->sticking[k].shift);
}

static carom_vec3 unit(carom_vec3 v) { return carom_v3_scale(1 / carom_v3_norm(v), v); }

/* The plane of places as they are, and their mean slip's rate; false: there is none. */
static bool find_plane(const carom_evaluation *d, int first, int end, carom_vec3 *normal, carom_vec3 *centre,
                       carom_vec3 *mean)
{
    double all = 0;
    *normal = *centre = *mean = carom_v3(0, 0, 0);
    for (int k = first; k < end; k++) {
        const double weight = weight_of(d, k);
        if (!(weight > 0))
            continue;
        all += weight;
        *normal = carom_v3_add_scaled(*normal, weight, d->system->sticking[k].normal);
        *centre = carom_v3_add_scaled(*centre, weight, place_of(d, k));
        *mean = carom_v3_add_scaled(*mean, weight, d->system->sticking[k].wanted);
    }
    if (!(all > 0))
        return false;
    *normal = unit(*normal);
    *centre = carom_v3_scale(1 / all, *centre);
    *mean = carom_v3_scale(1 / all, *mean);
    return true;
}

void carom_face_place(carom_evaluation *d, int first, int end)
{
    carom_vec3 normal, centre, mean;
    int count = 0, lead = first;
    for (int k = end - 1; k >= first; k--) {
        carom_sticking *own = &d->system->sticking[k];
        own->normal = d->contacts[k].normal;
        own->shift = own->wanted = carom_v3(0, 0, 0);
        count += own->count > 0;
        lead = own->count ? k : lead;
    }
    /* where an equilibrium is looked for nothing rocks, and places may be far from where they will bear */
    count = d->system->at_rest ? 0 : count;
    for (int k = first; k < end; k++)
        d->system->sticking[k].part = count > 1 ? part_of(d->contacts[k].normal, d->contacts[lead].normal) : 0;
    if (!find_plane(d, first, end, &normal, &centre, &mean))
        return;
    for (int k = first; k < end; k++) {
        carom_sticking *own = &d->system->sticking[k];
        if (!(weight_of(d, k) > 0))
            continue;
        const double height = carom_v3_dot(carom_v3_sub(d->contacts[k].point, centre), normal);
        own->shift = carom_v3_scale(-own->part * height, normal);
        own->normal = unit(carom_v3_add_scaled(own->normal, own->part, carom_v3_sub(normal, own->normal)));
    }
}

void carom_face_fit(carom_evaluation *d, int first, int end)
{
    carom_vec3 normal, centre, mean;
    double turn = 0, size = 0, all = 0;
    const double together = carom_face_together(&d->model->contacts[first]);
    if (!find_plane(d, first, end, &normal, &centre, &mean))
        return;
    for (int k = first; k < end; k++) {
        if (!(weight_of(d, k) > 0))
            continue;
        const carom_vec3 r = carom_v3_cross(normal, carom_v3_sub(place_of(d, k), centre));
        turn += weight_of(d, k) * carom_v3_dot(r, d->system->sticking[k].wanted);
        size += weight_of(d, k) * carom_v3_dot(r, r);
        all += weight_of(d, k);
    }
    for (int k = first; k < end; k++) {
        carom_sticking *own = &d->system->sticking[k];
        if (!(weight_of(d, k) > 0))
            continue;
        const carom_vec3 r = carom_v3_cross(normal, carom_v3_sub(place_of(d, k), centre));
        const carom_vec3 rigid = carom_v3_add_scaled(mean, turn / (size + all * together * together), r);
        own->wanted = carom_v3_add_scaled(own->wanted, own->part, carom_v3_sub(rigid, own->wanted));
    }
}
