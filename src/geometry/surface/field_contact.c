/* Contacts of balls and solids with a height field. A solid touches at its places, those that bear on a plane: the
   place that is lowest against the normal of the field at its foot, found by going to and fro between both. */
#include "geometry/surface/field.h"
#include "geometry/surface/hull.h"

#define ROUNDS 60
#define CLOSE 1e-9              /* turn of the normal in the last round that is still a solution */
#define ROUND 8                 /* points of the rim of a flat end, */
#define FLAT_SHARE 4.0          /* with as many times the law in all, */
#define STANDS 0.1              /* while the sine of the angle between axis and normal is below; above that of LIES */
#define LIES 0.3                /* the lowest points of the rims bear alone */
#define SETTLED 1e-14
#define SAMPLES 9               /* places along the axis of a capsule */
#define DEEPER 0.05             /* of the radius: by so much deeper than its ends the middle bears wholly */

/* The solid at an instant, in the axes of the field. */
typedef struct solid {
    const carom_surface *surface;
    carom_surface_placed placed;
} solid;

static solid place_solid(const carom_shape_pose *field, const carom_surface *j, const carom_shape_pose *pose)
{
    return (solid){j, carom_surface_place(field, pose)};
}

/* The contact of a foot on the field and a point of the other side, in the axes of the field. */
static void put(const carom_shape_pose *field, const carom_surface_point *foot, double gap, carom_vec3 on_j,
                carom_vec3 origin_j, carom_surface_contact *out)
{
    *out = (carom_surface_contact){.gap = gap, .converged = true, .evaluations = 1};
    out->normal = carom_m3_apply(&field->axes, foot->normal);
    out->from_i = carom_m3_apply(&field->axes, foot->position);
    out->from_j = carom_m3_apply(&field->axes, carom_v3_sub(on_j, origin_j));
    out->hint[0] = foot->u;
    out->hint[1] = foot->v;
    for (int k = 0; k < 2; k++) {
        out->curvature_i[k] = foot->curvature[k];
        out->direction_i[k] = carom_m3_apply(&field->axes, foot->direction[k]);
        out->direction_j[k] = out->direction_i[k];
    }
}

static double put_ball(const double *p, const carom_shape_pose *field, carom_vec3 centre, double radius,
                       carom_vec3 origin, carom_surface_contact *out)
{
    carom_surface_point foot;
    const double distance = carom_field_distance(p, centre, &foot);
    const carom_vec3 d = carom_v3_sub(centre, foot.position);
    put(field, &foot, distance - radius, carom_v3_add_scaled(centre, -radius, foot.normal), origin, out);
    out->residual = carom_v3_norm(carom_v3_cross(d, foot.normal)) / (radius > 0 ? radius : p[CAROM_FIELD_X]);
    for (int k = 0; k < 2; k++)
        out->curvature_j[k] = radius > 0 ? 1 / radius : HUGE_VAL;
    return distance - radius;
}

void carom_field_sphere(const double *p, const carom_shape_pose *field, double radius, const carom_shape_pose *ball,
                        carom_surface_contact *out)
{
    const carom_vec3 centre = carom_m3_apply_t(&field->axes, carom_v3_sub(ball->origin, field->origin));
    put_ball(p, field, centre, radius, centre, out);
}

/* ---- places of solids ---- */

static bool has_flat_ends(const carom_surface *j)
{
    return j->kind == &carom_surface_cylinder || j->kind == &carom_surface_cone || j->kind == &carom_surface_tube;
}

int carom_field_places(const carom_surface *j)
{
    return has_flat_ends(j) ? 2 + 2 * ROUND : carom_surface_plane_count(j) + (j->kind == &carom_surface_capsule);
}

/* The place that is lowest against a normal of the field, in the axes of the field. */
static carom_vec3 lowest(const solid *s, int place, carom_vec3 normal, double *share)
{
    const carom_surface_kind *kind = s->surface->kind;
    const carom_vec3 down = carom_m3_apply_t(&s->placed.axes, carom_v3_neg(normal));
    *share = 1;
    const carom_vec3 at = kind == &carom_surface_polyhedron ? carom_polyhedron_place(s->surface->p, place, down, share)
                          : kind->bearing                   ? kind->bearing(s->surface->p, place, down)
                                                            : kind->support(s->surface->p, down);
    return carom_v3_add(s->placed.origin, carom_m3_apply(&s->placed.axes, at));
}

/* Curvatures of the solid where it touches; corners, and what bears flat ends, are balls of the edges. */
static void bend(const solid *s, const carom_shape_pose *field, int place, carom_vec3 at, carom_vec3 normal,
                 carom_surface_contact *out)
{
    const carom_surface_kind *kind = s->surface->kind;
    const bool corner = kind == &carom_surface_box || kind == &carom_surface_polyhedron;
    if (corner || (kind->bearing && place >= 2)) {
        const double edge = kind->bearing_edge(s->surface->p);
        out->curvature_j[0] = out->curvature_j[1] = edge > 0 ? 1 / edge : HUGE_VAL;
        return;
    }
    carom_surface_point point;
    double u, v;
    kind->locate(s->surface->p, carom_m3_apply_t(&s->placed.axes, carom_v3_sub(at, s->placed.origin)),
                 carom_m3_apply_t(&s->placed.axes, carom_v3_neg(normal)), &u, &v);
    carom_surface_at(s->surface, u, v, &point);
    point = carom_surface_moved(&s->placed, &point);
    for (int k = 0; k < 2; k++) {
        out->curvature_j[k] = point.curvature[k];
        out->direction_j[k] = carom_m3_apply(&field->axes, point.direction[k]);
    }
}

static void bearing_place(const double *p, const carom_shape_pose *field, const solid *s, int place,
                          carom_surface_contact *out, double *share)
{
    carom_surface_point foot;
    carom_field_at(p, s->placed.origin.x, s->placed.origin.y, &foot);
    carom_vec3 normal = foot.normal, at = s->placed.origin;
    double gap = 0, off = HUGE_VAL;
    /* what is farther than the solid is large need not be exact */
    const double size = s->surface->kind->bounding_radius(s->surface->p);
    for (int k = 0; k < ROUNDS && off > SETTLED && (k < 2 || gap < size); k++) {
        at = lowest(s, place, normal, share);
        gap = k == 0 ? carom_field_distance(p, at, &foot) : carom_field_distance_near(p, at, &foot);
        off = carom_v3_norm(carom_v3_sub(foot.normal, normal));
        normal = foot.normal;
    }
    put(field, &foot, gap, at, s->placed.origin, out);
    bend(s, field, place, at, normal, out);
    out->converged = off <= CLOSE || gap >= size;
    out->residual = carom_v3_norm(carom_v3_cross(carom_v3_sub(at, foot.position), normal)) / size;
}

/* ---- flat ends ---- */

/* How much the lowest points of the rims bear, by the sine of the angle between the axis and the normal of the field
   below the middle: the rest bear the points of the ends, as they are in the material. */
static double rolls(const double *p, const solid *s, double *sine)
{
    carom_surface_point below;
    carom_field_at(p, s->placed.origin.x, s->placed.origin.y, &below);
    const double cosine = carom_v3_dot(carom_m3_column(&s->placed.axes, 2), below.normal);
    *sine = sqrt(fmax(1 - cosine * cosine, 0));
    const double share = (*sine - STANDS) / (LIES - STANDS);
    return share <= 0 ? 0 : share < 1 ? share * share * (3 - 2 * share) : 1;
}

/* A place of a solid with flat ends. Those that do not bear leave the surface the more the farther the solid is from
   the tilt at which they do. */
static void end_place(const double *p, const carom_shape_pose *field, const solid *s, int place,
                      carom_surface_contact *out, double *share)
{
    const carom_surface_kind *kind = s->surface->kind;
    const double edge = kind->bearing_edge(s->surface->p);
    double sine;
    const double rolling = rolls(p, s, &sine), size = kind->bounding_radius(s->surface->p);
    if (place < 2) {
        double whole;
        bearing_place(p, field, s, place, out, &whole);
        out->converged = out->converged || rolling <= 0;
        out->gap += fmax(STANDS - sine, 0) * size;
        *share = rolling;
        return;
    }
    /* the middle of the rounded rim, below and above */
    const double angle = 2 * CAROM_PI * (place - 2) / ROUND, half = sqrt(0.5);
    const carom_vec3 d = carom_v3(half * cos(angle), half * sin(angle), place < 2 + ROUND ? -half : half);
    const carom_vec3 core = carom_v3_add_scaled(kind->support(s->surface->p, d), -edge, d);
    const carom_vec3 at = carom_v3_add(s->placed.origin, carom_m3_apply(&s->placed.axes, core));
    put_ball(p, field, at, edge, s->placed.origin, out);
    out->gap += fmax(sine - LIES, 0) * size;
    *share = FLAT_SHARE / ROUND * (1 - rolling);
}

/* ---- capsules ---- */

static carom_vec3 on_axis(const solid *s, double z)
{
    return carom_v3_add(s->placed.origin, carom_m3_apply(&s->placed.axes, carom_v3(0, 0, z)));
}

/* Where between its ends the axis of a capsule is nearest to the field: there the normal is square to it. `z` is the
   lowest sample, between neighbours that are higher. */
static double nearest_on_axis(const double *p, const solid *s, double z, double step)
{
    const carom_vec3 axis = carom_m3_column(&s->placed.axes, 2);
    double low = z - step, high = z + step;
    carom_surface_point foot;
    carom_field_distance(p, on_axis(s, low), &foot);
    double f_low = carom_v3_dot(foot.normal, axis);
    carom_field_distance(p, on_axis(s, high), &foot);
    double f_high = carom_v3_dot(foot.normal, axis);
    /* the distance falls along the axis where the normal is against it */
    for (int k = 0; k < 60 && f_low < 0 && f_high > 0 && high - low > 1e-13 * step; k++) {
        double middle = low - f_low * (high - low) / (f_high - f_low);
        if (k % 3 == 2)
            middle = 0.5 * (low + high);
        carom_field_distance(p, on_axis(s, middle), &foot);
        const double f = carom_v3_dot(foot.normal, axis);
        z = middle;
        if (fabs(f) < SETTLED)
            break;
        if (f < 0) {
            low = middle;
            f_low = f;
        } else {
            high = middle;
            f_high = f;
        }
    }
    return z;
}

static void capsule_place(const double *p, const carom_shape_pose *field, const solid *s, int place,
                          carom_surface_contact *out, double *share)
{
    const double radius = s->surface->p[0], half = s->surface->p[1], step = 2 * half / (SAMPLES - 1);
    *share = 1;
    if (place < 2) {
        put_ball(p, field, on_axis(s, place ? half : -half), radius, s->placed.origin, out);
        return;
    }
    double distance[SAMPLES];
    int best = 1;
    for (int k = 0; k < SAMPLES; k++) {
        carom_surface_point foot;
        distance[k] = carom_field_distance(p, on_axis(s, k * step - half), &foot);
        if (k > 0 && k + 1 < SAMPLES && distance[k] < distance[best])
            best = k;
    }
    double z = best * step - half;
    if (distance[best] < distance[best - 1] && distance[best] < distance[best + 1])
        z = nearest_on_axis(p, s, z, step);
    const double gap = put_ball(p, field, on_axis(s, z), radius, s->placed.origin, out);
    const double deeper = (fmin(distance[0], distance[SAMPLES - 1]) - radius - gap) / (DEEPER * radius);
    *share = deeper <= 0 ? 0 : deeper < 1 ? deeper * deeper * (3 - 2 * deeper) : 1;
}

void carom_field_solid(const double *p, const carom_shape_pose *field, const carom_surface *j,
                       const carom_shape_pose *pose, int place, carom_surface_contact *out, double *share)
{
    const solid s = place_solid(field, j, pose);
    if (has_flat_ends(j))
        end_place(p, field, &s, place, out, share);
    else if (j->kind == &carom_surface_capsule)
        capsule_place(p, field, &s, place, out, share);
    else
        bearing_place(p, field, &s, place, out, share);
}
