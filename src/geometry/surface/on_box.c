/* A solid over a face of a box. The face is that along whose normal the two are apart most. Where the lowest point of
   the solid over its plane lies within it, farther from its edges than the solids are in each other, the gap is that
   to the plane, in closed form: no direction u = cos t n + sin t s has a larger separation, as the box holds the disc
   of the radius m about the foot, so that it is at most -(d cos t + m sin t) <= -d for a depth d <= m. Where the whole
   solid lies over the face it bears as on a plane, with the same places. */
#include "geometry/surface/on_box.h"
#include "geometry/surface/patch/face.h"

#define BAND 0.02               /* of the solid's size: over this way to an edge all places come to bear */
#define FLAT 0.08               /* sines of the side of a cone and the face, between which it lies and is set down */
#define STEEP 0.25

typedef struct face {
    int axis;
    carom_vec3 up;              /* world */
    carom_shape_pose plane;
    double gap;
} face;

static double half_of(const carom_surface *box, int axis) { return box->p[axis]; }

/* The face of the largest separation. */
static void find_face(const carom_surface *solid, const carom_shape_pose *pose, const carom_shape_pose *box_pose,
                      const carom_surface *box, face *out)
{
    const carom_surface_placed at_box = {box_pose->axes, {0, 0, 0}};
    const carom_surface_placed at = {pose->axes, carom_v3_sub(pose->origin, box_pose->origin)};
    out->gap = -HUGE_VAL;
    for (int k = 0; k < carom_face_planes(box); k++) {
        double gap;
        carom_vec3 up;
        carom_face_lowest(box, &at_box, k, solid, &at, &up, &gap);
        if (gap > out->gap) {
            out->gap = gap;
            out->axis = k / 2;
            out->up = up;
        }
    }
    out->plane = *box_pose;
    out->plane.origin = carom_v3_add_scaled(box_pose->origin, half_of(box, out->axis), out->up);
}

/* From the plane's origin to that of the box. */
static void to_box(const face *f, const carom_surface *box, const carom_shape_pose *box_pose,
                   carom_surface_contact *out)
{
    out->from_j = carom_v3_add(out->from_j, carom_v3_sub(f->plane.origin, box_pose->origin));
    box->kind->locate(box->p, carom_m3_apply_t(&box_pose->axes, out->from_j),
                      carom_m3_apply_t(&box_pose->axes, f->up), &out->hint[2], &out->hint[3]);
}

/* How far a point of the box lies within the edges of a face. */
static double within(const face *f, const carom_surface *box, const carom_shape_pose *box_pose, carom_vec3 from_j)
{
    double least = HUGE_VAL;
    for (int k = 1; k < 3; k++) {
        const int axis = (f->axis + k) % 3;
        const double at = carom_v3_dot(from_j, carom_m3_column(&box_pose->axes, axis));
        least = fmin(least, half_of(box, axis) - box->p[3] - fabs(at));
    }
    return least;
}

static bool is_over(const carom_surface *solid, const carom_surface *box)
{
    return !solid->hollow && !box->hollow && box->kind == &carom_surface_box &&
           (solid->kind == &carom_surface_torus || solid->kind == &carom_surface_tube ||
            solid->kind == &carom_surface_cone);
}

bool carom_surface_over_face(const carom_surface *solid, const carom_shape_pose *pose, const carom_surface *box,
                             const carom_shape_pose *box_pose, carom_surface_contact *out)
{
    face f;
    if (!is_over(solid, box))
        return false;
    find_face(solid, pose, box_pose, box, &f);
    const double depth = fmax(-f.gap, 0);
    if (!(depth <= half_of(box, f.axis)))
        return false;
    carom_surface_plane_deepest(solid, pose, f.up, &f.plane, out);
    to_box(&f, box, box_pose, out);
    return within(&f, box, box_pose, out->from_j) >= depth;
}

int carom_surface_on_box_count(const carom_surface *solid, const carom_surface *box)
{
    if (!is_over(solid, box))
        return 0;
    return solid->kind == &carom_surface_cone ? 2 : carom_surface_plane_count(solid);
}

/* How far all of the solid lies within the edges of the face. */
static double room(const face *f, const carom_surface *solid, const carom_shape_pose *pose, const carom_surface *box,
                   const carom_shape_pose *box_pose)
{
    const carom_vec3 away = carom_v3_sub(pose->origin, box_pose->origin);
    double least = HUGE_VAL;
    for (int k = 2; k < 6; k++) {
        const int axis = (f->axis + k / 2) % 3;
        const carom_vec3 column = carom_m3_column(&box_pose->axes, axis);
        const carom_vec3 way = k % 2 ? carom_v3_neg(column) : column;
        const carom_vec3 end = solid->kind->support(solid->p, carom_m3_apply_t(&pose->axes, way));
        const double reach = carom_v3_dot(way, carom_v3_add(away, carom_m3_apply(&pose->axes, end)));
        least = fmin(least, half_of(box, axis) - box->p[3] - reach);
    }
    return least;
}

/* Sine between the side of a cone and the face. */
static double slant(const carom_surface *solid, const carom_shape_pose *pose, const face *f, double *length)
{
    carom_surface_contact end[2];
    for (int k = 0; k < 2; k++)
        carom_surface_plane(solid, pose, f->up, &f->plane, k, &end[k]);
    *length = carom_v3_norm(carom_v3_sub(end[1].from_i, end[0].from_i));
    return *length > 0 ? fabs(end[1].gap - end[0].gap) / *length : 1;
}

/* The share of the places, and how far the solid is from where they bear. */
static double share_of(const carom_surface *solid, const carom_shape_pose *pose, const carom_surface *box,
                       const carom_shape_pose *box_pose, const face *f, double *off)
{
    const double depth = fmax(-f->gap, 0), size = solid->kind->bounding_radius(solid->p);
    const double inside = fmin(room(f, solid, pose, box, box_pose), half_of(box, f->axis)) - depth;
    double share = carom_ramp(inside, 0, BAND * size);
    *off = fmax(-inside, 0);
    if (solid->kind == &carom_surface_cone) { /* that lies on its side */
        double length;
        const double sine = slant(solid, pose, f, &length);
        share *= 1 - carom_ramp(sine, FLAT, STEEP);
        *off += length * fmax(sine - STEEP, 0);
    }
    return share;
}

double carom_surface_on_box_share(const carom_surface *solid, const carom_shape_pose *pose, const carom_surface *box,
                                  const carom_shape_pose *box_pose)
{
    face f;
    double off;
    find_face(solid, pose, box_pose, box, &f);
    return share_of(solid, pose, box, box_pose, &f, &off);
}

void carom_surface_on_box(const carom_surface *solid, const carom_shape_pose *pose, const carom_surface *box,
                          const carom_shape_pose *box_pose, int which, carom_surface_contact *out, double *share)
{
    face f;
    double off;
    find_face(solid, pose, box_pose, box, &f);
    carom_surface_plane(solid, pose, f.up, &f.plane, which, out);
    to_box(&f, box, box_pose, out);
    /* what does not bear leaves the surface as the solid goes on */
    *share = share_of(solid, pose, box, box_pose, &f, &off);
    out->gap += off;
}
