/* The least gap of two solids: over a face of a box or mesh that of the plane of that face, else the search of all
   pairs. The point x of a convex solid that is farthest along -n, n the normal of a face with the gap g, is told by the
   support function alone; where its distance to the box or mesh is g as well, g is the least gap of both: apart no
   points are nearer, and within the box all other ways out of it are longer for x alone, so for the solid that has x.
   The common-normal equations are ill-conditioned there where the solid is flat, as the pole of a superellipsoid. */
#include "geometry/surface/patch/least.h"

#include "geometry/surface/patch/face.h"

/* Of the size: distances that are equal. */
#define EQUAL 1e-13

static bool has_planes(const carom_surface *a)
{
    const int count = carom_surface_is_box(a) || carom_surface_is_mesh(a) ? carom_face_planes(a) : 0;
    return count > 0;
}

static bool lies_on_planes(const carom_surface *a)
{
    return !a->hollow && !carom_surface_is_box(a) && !carom_surface_is_mesh(a) && a->kind->convex(a->p);
}

/* The face of `a` along which a convex solid is farthest from it, in the axes of `a`; false: that is not where the gap
   is least. */
static bool face_under(const carom_surface *a, const carom_surface *solid, const carom_surface_placed *placed,
                       carom_vec3 *normal, double *offset)
{
    const double size = a->kind->bounding_radius(a->p);
    const carom_surface_placed own = {carom_m3_identity(), {0, 0, 0}};
    double most = -HUGE_VAL;
    carom_vec3 lowest = placed->origin;
    int face = 0;
    for (int k = 0; k < carom_face_planes(a); k++) {
        double gap;
        carom_vec3 n;
        const carom_vec3 x = carom_face_lowest(a, &own, k, solid, placed, &n, &gap);
        if (gap <= most)
            continue;
        most = gap;
        lowest = x;
        face = k;
    }
    *normal = carom_face_plane(a, face, offset);
    carom_surface_point foot;
    return fabs(carom_surface_distance(a, lowest, &foot) - most) <= EQUAL * size;
}

static bool over_face(const carom_surface *a, const carom_shape_pose *pose_a, const carom_surface *solid,
                      const carom_shape_pose *pose, carom_surface_contact *out)
{
    const carom_surface_placed placed = carom_surface_place(pose_a, pose);
    carom_vec3 normal;
    double offset = 0;
    if (!has_planes(a) || !lies_on_planes(solid) || !face_under(a, solid, &placed, &normal, &offset))
        return false;
    const carom_vec3 up = carom_m3_apply(&pose_a->axes, normal), middle = carom_v3_scale(offset, up);
    carom_shape_pose plane = *pose_a;
    plane.origin = carom_v3_add(pose_a->origin, middle);
    carom_surface_plane_deepest(solid, pose, up, &plane, out);
    out->from_j = carom_v3_add(out->from_j, middle);
    return true;
}

int carom_surface_least(const carom_surface *i, const carom_shape_pose *pose_i, const carom_surface *j,
                        const carom_shape_pose *pose_j, carom_surface_contact *out)
{
    if (over_face(j, pose_j, i, pose_i, out))
        return 1;
    if (over_face(i, pose_i, j, pose_j, out)) {
        carom_surface_turn_round(out);
        return 0;
    }
    carom_surface_pair(i, pose_i, j, pose_j, NULL, out);
    return -1;
}

carom_vec3 carom_surface_least_normal_rate(const carom_surface_contact *least, int face, const carom_shape_pose *pose_i,
                                           const carom_shape_pose *pose_j)
{
    return face < 0 ? carom_surface_normal_rate(least, pose_i, pose_j)
                    : carom_v3_cross(face ? pose_j->spin : pose_i->spin, least->normal);
}
