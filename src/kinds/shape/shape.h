/* Shapes and pairs: their kinds, and what pairs need of shapes. */
#ifndef CAROM_SHAPE_H
#define CAROM_SHAPE_H

#include "carom/spec.h"
#include "geometry/curve/curve.h"
#include "kinds/kind.h"

#define CAROM_KIND(symbol) extern const carom_shape_kind carom_shape_##symbol;
#include "kinds/shape/shape.def"
#undef CAROM_KIND
#define CAROM_KIND(symbol) extern const carom_pair_kind carom_pair_##symbol;
#include "kinds/pair/pair.def"
#undef CAROM_KIND

/* Radius of a sphere [m]; negative: hollow, the material lies outside. */
static inline double carom_sphere_radius(const double *p) { return p[0]; }

/* Radius of a ring or bore [m]. */
static inline double carom_round_radius(const double *p) { return p[0]; }

/* Unit normal of a plane out of the material, world axes [-]. */
static inline carom_vec3 carom_plane_normal(const carom_shape_pose *plane)
{
    return carom_unit(carom_m3_apply(&plane->axes, carom_v3_load(plane->p)));
}

/* Rate of the normal from i to the plane j, which turns with j's body [1/s]. */
static inline carom_vec3 carom_plane_normal_rate(const carom_shape_pose *i, const carom_shape_pose *j)
{
    (void)i;
    return carom_v3_cross(j->spin, carom_v3_neg(carom_plane_normal(j)));
}

/* Room in segments for the curve of a shape whose surface is "curve". */
static inline int carom_shape_segments(const carom_shape_kind *kind, const double *p, const carom_shape_lists *lists)
{
    return kind->segments ? kind->segments(p, lists) : CAROM_OUTLINE_SEGMENTS;
}

/* Unit vector along the axis of a ring or bore, world axes [-]. */
static inline carom_vec3 carom_round_axis(const carom_shape_pose *shape)
{
    return carom_unit(carom_m3_apply(&shape->axes, carom_v3_load(shape->p + 1)));
}

/* Whether a packed solid takes the place of the parameters. */
static inline bool carom_shape_is_solid(const carom_shape_kind *kind, bool planar)
{
    return (kind->solid || kind->hull) && !planar;
}

/* What pairs know a shape by, in planar models or in space. */
static inline const char *carom_shape_surface(const carom_shape_kind *kind, bool planar)
{
    if (carom_shape_is_solid(kind, planar))
        return "surface";
    return kind->surface ? kind->surface : kind->kind.name;
}

/* ---- solids (shape_solid.c, shape_solid_mesh.c) ---- */

#define CAROM_SOLID_SIZE 24             /* doubles that are enough for a packed solid whose kind gives no size */

double carom_solid_bounding_radius(const double *solid);
void carom_solid_mesh(const double *solid, const carom_mesh_sink *sink);

/* Radius about the origin of the shape [m]; HUGE_VAL: unbounded. */
static inline double carom_shape_bounding_radius(const carom_shape_kind *kind, const double *p, bool planar)
{
    return carom_shape_is_solid(kind, planar) ? carom_solid_bounding_radius(p)
                                              : CAROM_KIND_CALL(kind, bounding_radius, p);
}

static inline void carom_shape_draw(const carom_shape_kind *kind, const double *p, bool planar, double reach,
                                    const carom_mesh_sink *sink)
{
    if (carom_shape_is_solid(kind, planar))
        carom_solid_mesh(p, sink);
    else
        CAROM_KIND_CALL(kind, mesh, p, planar, reach, sink);
}

/* ---- shapes that are curves (shape_curve.c, curve/mesh.c) ---- */

/* A segment of an outline; returns NULL or the sentence of the refusal. */
const char *carom_outline_add(carom_curve_builder *b, const carom_outline_def *segment);
/* Segments that it takes. */
int carom_outline_segments(const carom_outline_def *segment);

/* Pose of the frame of a planar shape in the world's. */
carom_pose2 carom_shape_pose2(const carom_shape_pose *shape);
/* The gap, normal, points, radii and residual of a pair of curves, from their contact in the frame of i. */
void carom_curve_pair_point(const carom_shape_pose *i, const carom_shape_pose *j, const carom_curve_contact *contact,
                            carom_pair_point *out);

#endif
