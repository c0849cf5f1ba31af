/* The least gap of two solids: over a face of a box or mesh that of the plane of that face, else the search of all
   pairs. The point x of a convex solid that is farthest along -n, n the normal of a face with the gap g, is told by the
   support function alone; where its distance to the box or mesh is g as well, g is the least gap of both: apart no
   points are nearer, and within the box all other ways out of it are longer for x alone, so for the solid that has x.
   The common-normal equations are ill-conditioned there where the solid is flat, as the pole of a superellipsoid. */
#include "geometry/surface/patch/least.h"

#include "geometry/surface/patch/face.h"

/* Of the size: distances that are equal. */
#define EQUAL 1e-13
/* Of the size: what is left to find of the gap between polyhedra. */
#define EXACT 1e-12
#define GROWTH 120

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

/* Where the gap is least: between two polyhedra the polytope of their differences comes to its end. Boxes with edges of
   a radius are taken as their cores. */
void carom_surface_least_polyhedra(const carom_surface *i, const carom_shape_pose *pose_i, const carom_surface *j,
                                   const carom_shape_pose *pose_j, carom_surface_contact *out)
{
    const carom_surface *given[2] = {i, j};
    carom_surface core[2] = {*i, *j};
    double half[2][4], edge[2] = {0, 0};
    for (int b = 0; b < 2; b++) {
        if (!carom_surface_is_box(given[b]))
            continue;
        for (int k = 0; k < 3; k++)
            half[b][k] = given[b]->p[k] - given[b]->p[3];
        half[b][3] = 0;
        edge[b] = given[b]->p[3];
        core[b].p = half[b];
    }
    const carom_surface_placed placed = carom_surface_place(pose_i, pose_j);
    carom_gjk hull;
    carom_surface_guess guess = {.normal = {0, 0, 1}};
    carom_gjk_start(&hull, &core[0], &core[1], &placed);
    const double separation = carom_gjk_least(&hull, EXACT, GROWTH, &guess);
    *out = (carom_surface_contact){.gap = separation - edge[0] - edge[1], .converged = true,
                                   .evaluations = hull.evaluations};
    out->normal = carom_m3_apply(&pose_i->axes, guess.normal);
    /* points of both that are not over each other are told as those of a search without a solution are */
    const carom_vec3 d = carom_v3_sub(guess.x_j, guess.x_i);
    out->residual = carom_v3_norm(carom_v3_cross(d, guess.normal)) /
                    fmin(i->kind->bounding_radius(i->p), j->kind->bounding_radius(j->p));
    /* where rounding puts them a little aside of each other their middle is taken */
    const carom_vec3 middle = carom_v3_scale(0.5, carom_v3_add(guess.x_i, guess.x_j));
    const carom_vec3 on_i = carom_v3_add_scaled(middle, edge[0] - 0.5 * separation, guess.normal);
    out->from_i = carom_m3_apply(&pose_i->axes, on_i);
    out->from_j = carom_m3_apply(&pose_i->axes, carom_v3_sub(carom_v3_add_scaled(on_i, out->gap, guess.normal),
                                                             placed.origin));
    const carom_mat3 axes = carom_m3_axes(out->normal, carom_m3_column(&pose_i->axes, 0));
    for (int k = 0; k < 2; k++) {
        out->curvature_i[k] = out->curvature_j[k] = HUGE_VAL;
        out->direction_i[k] = out->direction_j[k] = carom_m3_column(&axes, k);
    }
}

carom_vec3 carom_surface_least_normal_rate(const carom_surface_contact *least, int face, const carom_shape_pose *pose_i,
                                           const carom_shape_pose *pose_j)
{
    return face < 0 ? carom_surface_normal_rate(least, pose_i, pose_j)
                    : carom_v3_cross(face ? pose_j->spin : pose_i->spin, least->normal);
}
