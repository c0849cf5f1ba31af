/* A point, a sphere, a plane against a surface. The foot of a point comes from the closed form of the family;
   without one (ellipsoid, superellipsoid) by Newton's method on d . t_1 = d . t_2 = 0, d from the surface to the
   point, whose Jacobian in the principal directions is diagonal, -(1 + k d . n); an outer solution is the nearest
   point of a convex solid, inside the polytope of surface_hull.c leads to it. */
#include "base/base.h"
#include "geometry/surface/surface.h"

#define STEPS 40
#define GROWTH 100
#define SETTLED 1e-14           /* of the distance and the size */
#define ENOUGH 1e-11

/* ---- foot of a point on a convex solid ---- */

static double slope_of(carom_vec3 x, const carom_surface_point *here, carom_vec3 *d)
{
    *d = carom_v3_sub(x, here->position);
    return hypot(carom_v3_dot(*d, here->direction[0]), carom_v3_dot(*d, here->direction[1]));
}

/* Newton's method from (u, v) in `foot`; false: no least distance found. Takes the material to be inside. */
static bool settle(const carom_surface_kind *kind, const double *p, carom_vec3 x, carom_surface_point *foot)
{
    const double scale = kind->scale(p), size = kind->bounding_radius(p) + carom_v3_norm(x);
    carom_vec3 d;
    double slope = slope_of(x, foot, &d);
    for (int k = 0; k < STEPS && slope > SETTLED * size; k++) {
        carom_surface_moves moves;
        carom_surface_moves_of(foot->curvature, scale, &moves);
        const double g = carom_v3_dot(d, foot->normal);
        double step[2], most = 0;
        for (int a = 0; a < 2; a++) {
            const double stiff = moves.way[a] + moves.turn[a] * g;
            if (!(stiff > 0))
                return false;
            step[a] = carom_v3_dot(d, foot->direction[a]) / stiff;
            most = fmax(most, fabs(step[a]) * fmax(moves.turn[a] / 0.7, moves.way[a] / size));
        }
        double share = 1 / fmax(most, 1);
        carom_surface_point next;
        carom_vec3 away;
        double better = slope;
        for (int half = 0; half < 12; half++, share *= 0.5) {
            carom_vec3 to = foot->position, n = foot->normal;
            double u, v;
            for (int a = 0; a < 2; a++) {
                to = carom_v3_add_scaled(to, share * moves.way[a] * step[a], foot->direction[a]);
                n = carom_v3_add_scaled(n, share * moves.turn[a] * step[a], foot->direction[a]);
            }
            kind->locate(p, to, carom_unit(n), &u, &v);
            kind->at(p, u, v, &next);
            better = slope_of(x, &next, &away);
            if (better < slope)
                break;
        }
        if (!(better < slope))
            break;
        *foot = next;
        slope = better;
        d = away;
    }
    return slope <= ENOUGH * size;
}

/* Foot from the polytope, for points inside and where Newton's method fails. */
static void from_hull(const carom_surface_kind *kind, const double *p, carom_vec3 x, carom_surface_point *foot)
{
    const carom_surface solid = {kind, p, false};
    const carom_surface_placed placed = {carom_m3_identity(), x};
    carom_gjk hull;
    carom_surface_guess guess;
    carom_surface_known known[2 * GROWTH];
    int count = 0;
    double deepest = -HUGE_VAL, separation = 0, width = 3e-2;
    carom_gjk_start(&hull, &solid, NULL, &placed);
    for (int k = 0; k < GROWTH && carom_gjk_best(&hull, known, count, &guess); k++) {
        if (guess.bound <= deepest + 1e-12 * hull.size)
            break;
        const bool grown = carom_gjk_grow(&hull, guess.normal, &separation);
        if (guess.known && (!grown || guess.bound <= deepest + 1e-9 * hull.size))
            break;
        if (guess.known || (grown && guess.bound - separation > width * hull.size))
            continue;
        carom_surface_point here;
        double u, v;
        kind->locate(p, guess.x_i, guess.normal, &u, &v);
        kind->at(p, u, v, &here);
        const bool settled = settle(kind, p, x, &here);
        const double gap = carom_v3_dot(carom_v3_sub(x, here.position), here.normal);
        if ((settled || !grown) && gap > deepest) {
            deepest = gap;
            *foot = here;
        }
        if (settled)
            known[count++] = (carom_surface_known){here.normal, CAROM_KNOWN_SOLVED};
        if (!grown)
            known[count++] = (carom_surface_known){guess.normal, CAROM_KNOWN_ALONE};
        if (!settled)
            width *= 0.1;
    }
}

static double signed_distance(const carom_surface *surface, carom_vec3 x, const carom_surface_point *solid_foot,
                              carom_surface_point *foot)
{
    const double distance = carom_v3_dot(carom_v3_sub(x, solid_foot->position), solid_foot->normal);
    *foot = *solid_foot;
    if (!surface->hollow)
        return distance;
    carom_surface_turn_out(foot);
    return -distance;
}

/* Signed distance of x and its foot, whose parameters may be wrong without `chart`. */
static double distance_of(const carom_surface *surface, carom_vec3 x, bool chart, carom_surface_point *foot)
{
    const carom_surface_kind *kind = surface->kind;
    carom_surface_point here;
    double u, v;
    if (kind->foot && !surface->hollow)
        return kind->foot(surface->p, x, foot);
    if (kind->nearest) {
        if (kind->nearest_point) {
            kind->nearest_point(surface->p, x, chart, &here);
        } else {
            kind->nearest(surface->p, x, &u, &v);
            kind->at(surface->p, u, v, &here);
        }
        return signed_distance(surface, x, &here, foot);
    }
    const bool central = !(carom_v3_norm(x) > 0);
    const carom_vec3 out = central ? carom_v3(1, 0, 0) : carom_unit(x);
    kind->locate(surface->p, central ? out : x, out, &u, &v);
    kind->at(surface->p, u, v, &here);
    const bool settled = settle(kind, surface->p, x, &here);
    /* next to the surface no other foot can be nearer */
    const double outside = carom_v3_dot(carom_v3_sub(x, here.position), here.normal);
    if (!settled || outside < -1e-9 * kind->scale(surface->p))
        from_hull(kind, surface->p, x, &here);
    return signed_distance(surface, x, &here, foot);
}

double carom_surface_distance(const carom_surface *surface, carom_vec3 x, carom_surface_point *foot)
{
    return distance_of(surface, x, true, foot);
}

double carom_surface_distance_near(const carom_surface *surface, carom_vec3 x, double u, double v,
                                   carom_surface_point *foot)
{
    carom_surface_point here;
    if (surface->kind->nearest)
        return carom_surface_distance(surface, x, foot);
    surface->kind->at(surface->p, u, v, &here);
    if (!settle(surface->kind, surface->p, x, &here))
        return carom_surface_distance(surface, x, foot);
    return signed_distance(surface, x, &here, foot);
}

/* ---- contacts ---- */

/* Side i of a contact from a point of the surface in its axes. */
static void put_i(const carom_shape_pose *pose, const carom_surface_point *point, carom_surface_contact *out)
{
    out->from_i = carom_m3_apply(&pose->axes, point->position);
    out->hint[0] = point->u;
    out->hint[1] = point->v;
    for (int k = 0; k < 2; k++) {
        out->curvature_i[k] = point->curvature[k];
        out->direction_i[k] = carom_m3_apply(&pose->axes, point->direction[k]);
    }
}

/* Side j of equal curvatures: a sphere or a plane. */
static void put_j(double curvature, carom_surface_contact *out)
{
    out->hint[2] = out->hint[3] = 0;
    for (int k = 0; k < 2; k++) {
        out->curvature_j[k] = curvature;
        out->direction_j[k] = out->direction_i[k];
    }
}

void carom_surface_sphere(const carom_surface *i, const carom_shape_pose *pose, double radius,
                          const carom_shape_pose *ball, const double *hint, carom_surface_contact *out)
{
    const carom_vec3 centre = carom_m3_apply_t(&pose->axes, carom_v3_sub(ball->origin, pose->origin));
    carom_surface_point foot;
    const double distance = hint ? carom_surface_distance_near(i, centre, hint[0], hint[1], &foot)
                                 : distance_of(i, centre, false, &foot);
    carom_vec3 d;
    *out = (carom_surface_contact){.gap = distance - radius, .converged = true, .evaluations = 1};
    put_i(pose, &foot, out);
    put_j(radius > 0 ? 1 / radius : HUGE_VAL, out);
    out->normal = carom_m3_apply(&pose->axes, foot.normal);
    out->from_j = carom_v3_scale(-radius, out->normal);
    out->residual = slope_of(centre, &foot, &d) / i->kind->bounding_radius(i->p);
}

/* Cosine between the normal of a surface and the way to a plane from which on the surface has a tangent plane there. */
#define FACING 0.5

static void touch_plane(const carom_surface *i, const carom_shape_pose *pose, carom_vec3 up,
                        const carom_shape_pose *plane, carom_vec3 at, carom_surface_contact *out)
{
    const carom_vec3 down = carom_m3_apply_t(&pose->axes, carom_v3_neg(up));
    carom_surface_point point;
    double u, v;
    i->kind->locate(i->p, at, down, &u, &v);
    carom_surface_at(i, u, v, &point);
    point.position = at;
    /* the end of an upright capsule that is away from the plane has its lowest point within the other half, where there
       are no radii: as at a corner */
    if (!(carom_v3_dot(point.normal, down) > FACING)) {
        const carom_mat3 axes = carom_m3_axes(down, carom_v3(1, 0, 0));
        point.direction[0] = carom_m3_column(&axes, 0);
        point.direction[1] = carom_m3_column(&axes, 1);
        point.curvature[0] = point.curvature[1] = HUGE_VAL;
    }
    *out = (carom_surface_contact){.normal = carom_v3_neg(up), .converged = true, .evaluations = 1};
    put_i(pose, &point, out);
    put_j(0, out);
    const carom_vec3 away = carom_v3_add(carom_v3_sub(pose->origin, plane->origin), out->from_i);
    out->gap = carom_v3_dot(up, away);
    out->from_j = carom_v3_add_scaled(away, -out->gap, up);
}

int carom_surface_plane_count(const carom_surface *i)
{
    return i->kind->bearing ? i->kind->bearing_count(i->p) : 1;
}

void carom_surface_plane(const carom_surface *i, const carom_shape_pose *pose, carom_vec3 up,
                         const carom_shape_pose *plane, int candidate, carom_surface_contact *out)
{
    const carom_vec3 down = carom_m3_apply_t(&pose->axes, carom_v3_neg(up));
    const carom_vec3 at = i->kind->bearing ? i->kind->bearing(i->p, candidate, down) : i->kind->support(i->p, down);
    touch_plane(i, pose, up, plane, at, out);
}

void carom_surface_plane_deepest(const carom_surface *i, const carom_shape_pose *pose, carom_vec3 up,
                                 const carom_shape_pose *plane, carom_surface_contact *out)
{
    const carom_vec3 down = carom_m3_apply_t(&pose->axes, carom_v3_neg(up));
    touch_plane(i, pose, up, plane, i->kind->support(i->p, down), out);
}
