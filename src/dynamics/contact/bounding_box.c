/* Boxes about solids, along the axes of their surfaces, from the farthest points along these. */
#include "dynamics/contact/bounding_box.h"

#include "geometry/curve/curve.h"
#include "kinds/shape/shape_solid.h"

#include <math.h>
#include <string.h>

/* Support points are found to this share of a size. */
#define MARGIN 1e-6

/* Of an outline in the plane, by the half planes that it lies in. */
static bool box_of_outline(const carom_model_shape *shape, carom_bounding_box *out)
{
    if (strcmp(carom_shape_surface(shape->kind, true), "curve") != 0)
        return false;
    double middle[2];
    for (int k = 0; k < 2; k++) {
        const carom_vec2 none = {0, 0}, up = {k == 0, k == 1}, down = {-(k == 0), -(k == 1)};
        carom_curve_contact low, high;
        carom_curve_half_plane(shape->p, none, up, &low);
        carom_curve_half_plane(shape->p, none, down, &high);
        middle[k] = 0.5 * (low.gap - high.gap);
        out->half[k] = 0.5 * (1 + MARGIN) * (-high.gap - low.gap);
    }
    out->half[2] = 0;
    out->axes = shape->axes;
    out->centre = carom_v3_add(shape->at, carom_m3_apply(&out->axes, carom_v3(middle[0], middle[1], 0)));
    return isfinite(out->half[0]) && isfinite(out->half[1]);
}

bool carom_bounding_box_of(const carom_model_shape *shape, bool planar, carom_bounding_box *out)
{
    if (planar)
        return box_of_outline(shape, out);
    if (!carom_shape_is_solid(shape->kind, false))
        return false;
    const carom_shape_pose pose = {.p = shape->p, .origin = shape->at, .axes = shape->axes};
    carom_solid solid;
    carom_solid_at(&pose, false, &solid);
    const carom_surface *surface = &solid.surface;
    if (surface->hollow || !surface->kind->support)
        return false;
    double middle[3];
    for (int k = 0; k < 3; k++) {
        const carom_vec3 along = carom_v3(k == 0, k == 1, k == 2);
        const double high = carom_v3_dot(along, surface->kind->support(surface->p, along));
        const double low = carom_v3_dot(along, surface->kind->support(surface->p, carom_v3_neg(along)));
        middle[k] = 0.5 * (low + high);
        out->half[k] = 0.5 * (1 + MARGIN) * (high - low);
    }
    out->axes = solid.pose.axes;
    out->centre = carom_v3_add(solid.pose.origin, carom_m3_apply(&out->axes, carom_v3_load(middle)));
    return true;
}

carom_bounding_box carom_bounding_box_at(const carom_bounding_box *own, const carom_body_pose *body)
{
    return (carom_bounding_box){carom_v3_add(body->p, carom_m3_apply(&body->axes, own->centre)),
                                carom_m3_multiply(&body->axes, &own->axes),
                                {own->half[0], own->half[1], own->half[2]}};
}

double carom_bounding_box_distance2(const carom_bounding_box *box, carom_vec3 x)
{
    const carom_vec3 away = carom_m3_apply_t(&box->axes, carom_v3_sub(x, box->centre));
    const double beyond[3] = {fmax(fabs(away.x) - box->half[0], 0), fmax(fabs(away.y) - box->half[1], 0),
                              fmax(fabs(away.z) - box->half[2], 0)};
    return beyond[0] * beyond[0] + beyond[1] * beyond[1] + beyond[2] * beyond[2];
}

/* Where the axes of both are, and their middles, in the axes of the first. */
typedef struct box_pair {
    double turn[3][3], size[3][3];      /* size: the same without sign, a little more */
    double away[3];
    const double *i, *j;                /* half sizes */
} box_pair;

/* How far apart they are along the one of their six axes along which that is most; negative: they overlap. */
static double gap_by_faces(const box_pair *p)
{
    double gap = -HUGE_VAL;
    for (int k = 0; k < 3; k++) {
        const double reach_j = p->j[0] * p->size[k][0] + p->j[1] * p->size[k][1] + p->j[2] * p->size[k][2];
        const double reach_i = p->i[0] * p->size[0][k] + p->i[1] * p->size[1][k] + p->i[2] * p->size[2][k];
        const double along = p->away[0] * p->turn[0][k] + p->away[1] * p->turn[1][k] + p->away[2] * p->turn[2][k];
        const double by_i = fabs(p->away[k]) - p->i[k] - reach_j, by_j = fabs(along) - reach_i - p->j[k];
        const double most = by_i > by_j ? by_i : by_j;
        gap = gap > most ? gap : most;
    }
    return gap;
}

/* By the cross product of edge m of the first and edge n of the second. */
static bool apart_by_edges(const box_pair *p, int m, int n)
{
    const int m1 = (m + 1) % 3, m2 = (m + 2) % 3, n1 = (n + 1) % 3, n2 = (n + 2) % 3;
    const double along = p->away[m2] * p->turn[m1][n] - p->away[m1] * p->turn[m2][n];
    return fabs(along) > p->i[m1] * p->size[m2][n] + p->i[m2] * p->size[m1][n] + p->j[n1] * p->size[m][n2] +
                             p->j[n2] * p->size[m][n1];
}

static box_pair pair_of(const carom_bounding_box *i, const carom_bounding_box *j)
{
    const carom_vec3 away = carom_m3_apply_t(&i->axes, carom_v3_sub(j->centre, i->centre));
    box_pair p = {.away = {away.x, away.y, away.z}, .i = i->half, .j = j->half};
    for (int m = 0; m < 3; m++)
        for (int n = 0; n < 3; n++) {
            p.turn[m][n] = carom_v3_dot(carom_m3_column(&i->axes, m), carom_m3_column(&j->axes, n));
            /* edges that are parallel have no cross product */
            p.size[m][n] = fabs(p.turn[m][n]) + MARGIN;
        }
    return p;
}

double carom_bounding_boxes_gap(const carom_bounding_box *i, const carom_bounding_box *j)
{
    const box_pair p = pair_of(i, j);
    return gap_by_faces(&p);
}

bool carom_bounding_boxes_apart(const carom_bounding_box *i, const carom_bounding_box *j)
{
    const box_pair p = pair_of(i, j);
    bool apart = gap_by_faces(&p) > 0;
    for (int k = 0; k < 9 && !apart; k++)
        apart = apart_by_edges(&p, k / 3, k % 3);
    return apart;
}
