/* Planar profile curves, and the points and common normals by which they touch.

   A curve is a packed array of doubles, so that it can be the parameter array of a shape: CAROM_CURVE_HEADER numbers
   and then `segments` times CAROM_CURVE_SEGMENT numbers, in the frame of the shape [m]. A segment is an arc or a pair
   of polynomials x(u), y(u), 0 <= u <= 1. The parameter along the whole curve is s = segment index + u, 0 <= s <=
   segments.

   The material lies to the LEFT of the direction of travel, the outward normal points to the right: a closed outline
   that runs counterclockwise is solid, one that runs clockwise is a hollow (material outside). Curvature is positive
   where the material is convex, its reciprocal is the radius of Hertz's theory.

   A joint of two segments is smooth (turn below CAROM_CURVE_SMOOTH) or a corner, convex where the curve turns to the
   left. The ends of an open curve are sharp tips. Behind an open curve there is material along its normals, however
   deep; beside its ends there is none, and what comes in round an end stays beside the curve until it lies wholly
   behind it, where the gap jumps. Let an open profile reach beyond all that may touch it.

   All functions are pure: no allocation, no globals. Source: Machado et al. 2012, section 3, eqs. (7)-(16);
   Rodrigues da Silva et al. 2024, section 3.1, eqs. (28)-(33). */
#ifndef CAROM_CURVE_H
#define CAROM_CURVE_H

#include <stdbool.h>
#include <stddef.h>
#include "geometry/geometry.h"
#include "math/vec2.h"

/* ---- layout ---- */

/* Header. */
enum {
    CAROM_CURVE_COUNT,          /* segments */
    CAROM_CURVE_CLOSED,         /* 1 closed, 0 open */
    CAROM_CURVE_RADIUS,         /* bounding radius about the origin of the frame [m] */
    CAROM_CURVE_EXTENT,         /* diagonal of the bounding box [m]: scale of tolerances */
    CAROM_CURVE_AREA,           /* enclosed, positive counterclockwise [m^2]; 0 of open curves */
    CAROM_CURVE_SHARPEST,       /* largest positive curvature of smooth points, of 65 a segment [1/m]; 0: none */
    CAROM_CURVE_HOLLOWEST,      /* least (negative) curvature of them [1/m]; 0: none */
    CAROM_CURVE_CORNERS,        /* number of corners, open ends left out */
    CAROM_CURVE_SECTIONS,       /* number of sections, between inner corners and seams (section.c) */
    CAROM_CURVE_SUPPORTS,       /* number of points by which it may lie on a plane (support.c) */
    CAROM_CURVE_SIDES,          /* number of straight segments */
    CAROM_CURVE_LEVEL,          /* 1: each of its straight sides can bear along its length (flat.c) */
    CAROM_CURVE_HEADER
};

/* A segment. The polynomials are in powers of w = 2 u - 1. */
enum {
    CAROM_SEGMENT_ARC,            /* 1 an arc, 0 polynomials */
    CAROM_SEGMENT_DEGREE,         /* of the polynomials */
    CAROM_SEGMENT_CENTRE,         /* centre x, y of a circle about the segment [m] */
    CAROM_SEGMENT_RADIUS = CAROM_SEGMENT_CENTRE + 2,
    CAROM_SEGMENT_BEND,           /* bound of |d2/du2| of the point [m] */
    CAROM_SEGMENT_FROM,           /* first point x, y [m] */
    CAROM_SEGMENT_TO = CAROM_SEGMENT_FROM + 2,
    CAROM_SEGMENT_TANGENT_FROM = CAROM_SEGMENT_TO + 2,      /* unit tangent x, y at u = 0 */
    CAROM_SEGMENT_TANGENT_TO = CAROM_SEGMENT_TANGENT_FROM + 2,
    CAROM_SEGMENT_JOINT = CAROM_SEGMENT_TANGENT_TO + 2,     /* carom_curve_joint_kind at u = 0 */
    CAROM_SEGMENT_TURN,           /* turn of the tangent there, left positive [rad] */
    CAROM_SEGMENT_SECTION,        /* in segment k: where section k begins, a joint, or a segment and a half, */
    CAROM_SEGMENT_SUPPORT,        /* the joint of support k, or -1 less the first segment of its run */
    CAROM_SEGMENT_BOX,            /* low x, y, high x, y of the range of segments with this for its middle [m] */
    CAROM_SEGMENT_DATA = CAROM_SEGMENT_BOX + 4,   /* polynomials: 8 coefficients of x, 8 of y */
    CAROM_SEGMENT_ARC_CENTRE = CAROM_SEGMENT_DATA,          /* arc: centre x, y [m] */
    CAROM_SEGMENT_ARC_RADIUS = CAROM_SEGMENT_DATA + 2,      /* > 0 [m] */
    CAROM_SEGMENT_ARC_START,      /* angle of the first point [rad] */
    CAROM_SEGMENT_ARC_SWEEP,      /* counterclockwise positive [rad] */
    CAROM_CURVE_SEGMENT = CAROM_SEGMENT_DATA + 16
};

#define CAROM_CURVE_DEGREE 7
/* Tangents that differ by less are smooth [rad]: ten times the rounding of the sines of arcs and spline solves. */
#define CAROM_CURVE_SMOOTH 1e-10

static inline int carom_curve_size(int segments) { return CAROM_CURVE_HEADER + segments * CAROM_CURVE_SEGMENT; }
static inline int carom_curve_segments(const double *curve) { return (int)curve[CAROM_CURVE_COUNT]; }
static inline bool carom_curve_closed(const double *curve) { return curve[CAROM_CURVE_CLOSED] > 0; }

/* ---- evaluation (curve.c) ---- */

typedef struct carom_curve_point {
    carom_vec2 at, d1, d2, d3;  /* point and its derivatives over s [m] */
    carom_vec2 tangent, normal; /* unit; the normal points out of the material */
    double speed;               /* |d1| [m] */
    double curvature;           /* [1/m], convex positive */
} carom_curve_point;

/* s outside [0, segments] wraps round a closed curve and stops at the ends of an open one; at a joint the later
   segment. */
void carom_curve_eval(const double *curve, double s, carom_curve_point *out);

typedef enum carom_curve_joint_kind {
    CAROM_JOINT_END,            /* of an open curve */
    CAROM_JOINT_C2,             /* tangent and curvature agree */
    CAROM_JOINT_C1,             /* the curvature jumps */
    CAROM_JOINT_CONVEX,         /* corners */
    CAROM_JOINT_CONCAVE
} carom_curve_joint_kind;

typedef struct carom_curve_joint {
    carom_curve_joint_kind kind;
    carom_vec2 at;
    carom_vec2 before, after;   /* unit tangents; the same at an end */
    double turn;                /* left positive [rad] */
} carom_curve_joint;

/* Joint at s = k, 0 <= k <= segments; those at 0 and at `segments` of a closed curve are the same. */
void carom_curve_joint_at(const double *curve, int k, carom_curve_joint *out);

/* ---- point to curve (closest.c, foot.c) ---- */

/* Where on a curve a point of contact lies. */
typedef enum carom_curve_place { CAROM_PLACE_SMOOTH, CAROM_PLACE_CORNER, CAROM_PLACE_END } carom_curve_place;

typedef struct carom_curve_foot {
    double distance;            /* signed, negative inside the material [m] */
    double s;
    carom_vec2 at;              /* nearest point of the curve */
    carom_vec2 normal;          /* unit, out of the material; at a corner or end along the line through the point */
    double curvature;           /* [1/m]; at a convex corner or an end HUGE_VAL, at a concave one -HUGE_VAL */
    carom_curve_place place;
    double residual;            /* |tangent . (point - foot)| over the extent, 0 at corners and ends [-] */
    int evaluations;            /* of the curve */
    bool searched;              /* the whole curve was searched */
} carom_curve_foot;

/* Nearest point of the whole curve: closed form for arcs and lines; for other segments intervals are halved until the
   chord less the greatest sagitta excludes them, or the distance is proved to have one minimum in them, which
   safeguarded Newton steps find. A minimum is lost only if it is smaller by less than 1e-9 of the extent. */
void carom_curve_closest(const double *curve, carom_vec2 point, carom_curve_foot *out);
/* The local minimum that Newton steps along the curve reach from s, over the borders of segments; searches the whole
   curve where they do not converge. */
void carom_curve_closest_from(const double *curve, carom_vec2 point, double s, carom_curve_foot *out);
/* ---- sides of two outlines that lie on each other (corner.c) ---- */

/* Of a curve's extent: nearer sides and corners of two outlines are flush with each other. */
#define CAROM_CURVE_FLUSH 1e-9
/* Of a curve's extent: corners farther away than this do not lie on its sides. */
#define CAROM_CURVE_BESIDE 0.1

/* A straight side where it ends in a convex corner, with the other side there, or in an open end, which has none. */
typedef struct carom_curve_end {
    int side;
    bool tip;                   /* an open end */
    carom_vec2 corner;
    carom_vec2 edge, other_edge;        /* unit, from the corner along both sides */
    carom_vec2 normal, other_normal;    /* unit, out of the material */
    double length, other_length;        /* of both sides [m] */
} carom_curve_end;

/* The edges of a corner, unit, from it along its sides; an open end has one. */
typedef struct carom_curve_edges {
    carom_vec2 edge[2];
    int count;
} carom_curve_edges;

carom_curve_edges carom_curve_edges_of(const carom_curve_end *end);
/* Those at a joint (entered.c). */
carom_curve_edges carom_curve_edges_at(const double *curve, int joint);

/* The end at a joint of the side behind or before it; false: there is none, or the corner is concave. */
bool carom_curve_side_end(const double *curve, int joint, bool behind, carom_curve_end *out);

/* Two such ends whose corners leave through those sides and no other: the corner that presses is that of i where it
   lies within the side of j, else that of j, which lies within the side of i. */
typedef struct carom_curve_meeting {
    double beyond;              /* way of i's corner behind the place where that of j presses, > 0: it does [m] */
    double distance;            /* of i's corner, where it presses, and */
    carom_vec2 normal;          /* the normal out of j */
} carom_curve_meeting;

/* Both in one frame; `extent` of i [m]. The one corner hands over to the other at the bisector of the sides, where both
   are equally deep beneath them, over 2e-5 of the extent, in which the distance is rounded so that the normal turns
   from the one side's to the other's. false: they do not lie on each other, or are apart by more than
   CAROM_CURVE_FLUSH. */
bool carom_curve_ends_meet(const carom_curve_end *i, const carom_curve_end *j, double extent,
                           carom_curve_meeting *out);
/* The joint next to the nearest point; -1: there is none. */
int carom_curve_near_joint(const double *curve, const carom_curve_foot *nearest);
/* The same for a corner with those edges, in the frame of the curve: where it cannot leave through the nearest side,
   the joint next to where it can, no edge leading back; -1: none is near, by what the outline is thick (entered.c). */
int carom_curve_leaving_joint(const double *curve, carom_vec2 point, const carom_curve_edges *edges,
                              const carom_curve_foot *nearest);
/* The foot of a corner with those edges which came in through the side at s; foot: its nearest one. They are the same
   where the nearest side is s's or follows on it by sides that the corner can leave through; beyond the middle of what
   is thin it is that on the line of the side, however deep. */
void carom_curve_entered_foot(const double *curve, carom_vec2 point, const carom_curve_edges *edges, double s,
                              carom_curve_foot *foot);
/* The foot on the line of a side. */
void carom_curve_side_foot(const double *curve, int side, carom_vec2 point, carom_curve_foot *foot);
/* Rate of s and of the normal while the point moves with `velocity`, both in the frame of the curve. */
void carom_curve_foot_rate(const double *curve, const carom_curve_foot *foot, carom_vec2 velocity, double *s_rate,
                           carom_vec2 *normal_rate);

/* Sections of a curve, which meet in inner corners, those that turn by more than 0.001 rad, and in seams (section.c):
   their number, at least 1, where one begins, and its nearest point; from the place *near, if it is not NULL, as
   carom_curve_closest_from(). At an end that is an inner corner the place is CAROM_PLACE_END, the curvature that of the
   section. Of a closed curve the distance is negative only where the point lies in the material and nothing of the
   outline is nearer. Returns the share of a contact with the section that acts [-]: 1, less near a seam, where the
   other section has the rest, and 0 where the section is seen through the material. */
static inline int carom_curve_sections(const double *curve) { return (int)curve[CAROM_CURVE_SECTIONS]; }
carom_vec2 carom_curve_section_begin(const double *curve, int section);
double carom_curve_section_closest(const double *curve, int section, carom_vec2 point, const double *near,
                                   carom_curve_foot *out);

/* ---- curve to curve, curve to half-plane (pair.c, newton.c, cross.c,
   curve_search.c, curve_half_plane.c) ---- */

/* Contact of a curve i and a curve j, in the frame of i. */
typedef struct carom_curve_contact {
    double gap;                 /* [m] */
    carom_vec2 normal;          /* unit, from i to j */
    carom_vec2 point_i, point_j;
    double s_i, s_j;
    double curvature_i, curvature_j;    /* as of carom_curve_foot */
    carom_curve_place place_i, place_j;
    double parallel;            /* residual n_j x n_i, Machado eq. (12); only where both are smooth [-] */
    double along;               /* residual d x n_i over the smaller extent, eq. (13) [-] */
    bool common;                /* the equations hold; false where the deepest point is as near to two places */
    bool searched;              /* both whole curves were searched */
    int iterations;             /* Newton steps */
    int evaluations;            /* of points of both curves */
} carom_curve_contact;

/* X: pose of j's frame in i's. Separated curves: the least distance. Crossing ones: minus the greatest depth, the
   larger of that of points of j below the surface of i and of points of i below that of j, each measured to the
   nearest point of the other curve. Where both are smooth and the depth is less than the radii of curvature the two
   are the same pair of points, which satisfies both common-normal equations. */
void carom_curve_gap(const double *i, const double *j, const carom_pose2 *X, carom_curve_contact *out);
/* The local minimum that Newton steps reach from s_i, s_j, over borders, corners and ends; searches the whole curves
   where they do not converge. */
void carom_curve_gap_from(const double *i, const double *j, const carom_pose2 *X, double s_i, double s_j,
                          carom_curve_contact *out);

/* Whether it is proved that two curves which cross are nowhere deeper in each other than -least, from the points s_i
   and s_j of a common normal that are not as deep: little is to be searched then. false: not known. */
bool carom_curve_nowhere_below(const double *i, const double *j, const carom_pose2 *X, double s_i, double s_j,
                               double least);

/* How deep two closed solid outlines lie in each other at least, and a point in both, in the frame of i: the greatest
   depth of a point of the one in the other, or the width of a circle about a centroid, or between both, that lies in
   both. 0: apart, or one of them is open or hollow (overlap.c) [m]. */
double carom_curve_overlap(const double *i, const double *j, const carom_pose2 *X, carom_vec2 *at);

/* ---- straight sides of two outlines, one of them round elsewhere, along each other (flat.c) ---- */

/* Places of such outlines besides the deepest point: both ends of a side of i and of one of j. */
#define CAROM_CURVE_FLAT_PLACES 4

/* A straight side in the frame of i: its ends and unit vectors along it and out of the material. */
typedef struct carom_curve_side {
    int segment;
    carom_vec2 from, to, along, normal;
} carom_curve_side;

typedef struct carom_curve_flat {
    carom_curve_side side[2];   /* those that look at each other, if the weight is more than 0 */
    carom_vec2 common;          /* direction of both, that of i's; unit */
    double low, high;           /* of the stretch over which they lie, along it */
    double weight;              /* how much of the contact the sides bear: 1 along each other, 0: none do */
    double part;                /* of a law at either end, 1/2 to 1 */
} carom_curve_flat;

/* Marks outlines each of whose straight sides can bear along its length: segments, and closed convex ones of lines and
   arcs that turn from side to side by enough. */
void carom_curve_mark_level(double *curve);
/* Whether the sides of two outlines bear by their ends: both are such, and one of them has rounds. */
static inline bool carom_curve_lie_flat(const double *i, const double *j)
{
    const bool sides = i[CAROM_CURVE_SIDES] == i[CAROM_CURVE_COUNT] && j[CAROM_CURVE_SIDES] == j[CAROM_CURVE_COUNT];
    return i[CAROM_CURVE_LEVEL] > 0 && j[CAROM_CURVE_LEVEL] > 0 && !sides;
}
/* The sides of two such outlines that look at each other, X: pose of j's frame in i's. */
void carom_curve_flat_find(const double *i, const double *j, const carom_pose2 *X, carom_curve_flat *out);
/* An end of a side over the line of the other one, if the weight is more than 0: 0, 1 of i, at its begin and end, 2, 3
   of j. Returns the share of a law that acts there where the sides bear wholly. */
double carom_curve_flat_end(const double *i, const double *j, const carom_curve_flat *flat, int end,
                            carom_curve_contact *out);

typedef struct carom_curve_rates {
    double gap;                 /* normal . relative velocity [m/s] */
    double s_i, s_j;            /* [1/s] */
    carom_vec2 normal;          /* rate of the normal in the frame of i [1/s] */
} carom_curve_rates;

/* velocity: of the origin of j's frame, spin: of j's frame [rad/s], both relative to i and in its frame. */
void carom_curve_contact_rates(const double *i, const double *j, const carom_pose2 *X,
                               const carom_curve_contact *contact, carom_vec2 velocity, double spin,
                               carom_curve_rates *out);

/* Deepest point of the curve towards the half-plane that lies behind `origin` against the unit vector `up`, both in the
   frame of the curve: gap = min up . (c - origin), normal -up; point_j is the foot on the border, s_j its place
   along the border from `origin`, to the left of up. */
void carom_curve_half_plane(const double *curve, carom_vec2 origin, carom_vec2 up, carom_curve_contact *out);
/* velocity of the half-plane's `origin` and its spin relative to the curve, in its frame. */
void carom_curve_half_plane_rates(const double *curve, const carom_curve_contact *contact, carom_vec2 origin,
                                  carom_vec2 velocity, double spin, carom_curve_rates *out);

/* ---- building (build.c, spline.c, outline.c, itself.c) ----
   Each function returns NULL or the sentence of the refusal; `segment` of the builder then tells which one. After a
   refusal the others return it unchanged. */

typedef struct carom_curve_builder {
    double *curve;
    int capacity;               /* segments that have room */
    int count;
    int segment;                  /* the one a refusal speaks of, from 0 */
    const char *refusal;
} carom_curve_builder;

/* `curve` has room for carom_curve_size(capacity) doubles. */
carom_curve_builder carom_curve_begin(double *curve, int capacity);
const char *carom_curve_line(carom_curve_builder *b, carom_vec2 from, carom_vec2 to);
/* Angles [rad]; from `from` to `to`, counterclockwise where to > from; at most a whole turn. */
const char *carom_curve_arc(carom_curve_builder *b, carom_vec2 centre, double radius, double from, double to);
/* y = sum of c[k] x^k from x0 to x1 (either order), degree at most CAROM_CURVE_DEGREE. */
const char *carom_curve_polynomial(carom_curve_builder *b, const double *c, int degree, double x0, double x1);
/* Lines through the points; `closed` also joins the last to the first. */
const char *carom_curve_polyline(carom_curve_builder *b, const carom_vec2 *points, int count, bool closed);

typedef enum carom_curve_spline_ends {
    CAROM_SPLINE_NATURAL,       /* no curvature at the ends */
    CAROM_SPLINE_CLAMPED,       /* tangents given */
    CAROM_SPLINE_PERIODIC       /* closed through the first point, which is not repeated at the end */
} carom_curve_spline_ends;

/* Cubic spline of x and y over the chord length, C2 as a function of it. `tangents`: directions at the first and last
   point, of any length, for clamped ends, else NULL. count - 1 segments, periodic ones `count`. */
const char *carom_curve_spline(carom_curve_builder *b, const carom_vec2 *points, int count,
                               carom_curve_spline_ends ends, const carom_vec2 *tangents);

/* What the outline must be. */
typedef enum carom_curve_material {
    CAROM_MATERIAL_LEFT,
    CAROM_MATERIAL_INSIDE,
    CAROM_MATERIAL_OUTSIDE
} carom_curve_material;

/* Completes the curve and checks it: no gaps, no cusps, no crossing of itself, and that a closed one runs the way
   `material` asks (LEFT: any way, and open curves). */
const char *carom_curve_finish(carom_curve_builder *b, bool closed, carom_curve_material material);
/* Turns the direction of travel, and so the side of the material, of a finished curve. */
void carom_curve_reverse(double *curve);

/* Whole curves, begun and finished. */
#define CAROM_OUTLINE_SEGMENTS 4  /* room that is enough for each but polygons */
const char *carom_outline_segment(double *curve, carom_vec2 from, carom_vec2 to);
/* Whole circle; hollow: material outside. */
const char *carom_outline_circle(double *curve, carom_vec2 centre, double radius, bool hollow);
/* Stadium about the line from - to; hollow: a straight slot with round ends. */
const char *carom_outline_capsule(double *curve, carom_vec2 from, carom_vec2 to, double radius, bool hollow);
const char *carom_outline_box(double *curve, carom_vec2 centre, double length, double height, double angle);
/* Annular sector with two semicircular ends about the centre line of `radius`, half as wide as `half_width`, between
   the angles from < to of the centres of the ends; hollow: a curved slot. */
const char *carom_outline_sector(double *curve, carom_vec2 centre, double radius, double half_width, double from,
                                 double to, bool hollow);
/* Polygon, counterclockwise; room for `count` segments. */
const char *carom_outline_polygon(double *curve, const carom_vec2 *points, int count);

/* ---- outlines of shapes (mesh.c, support.c) ---- */

/* Greatest distance of its points from the origin [m]. */
double carom_curve_bounding_radius(const double *curve);
/* Outline of a curve, and the area of a solid. */
void carom_curve_mesh(const double *curve, bool planar, double reach, const carom_mesh_sink *sink);
/* Points by which a curve may lie on a half-plane: their number, and the gap of one (curve_support.c); `out` as by
   carom_curve_half_plane(). */
static inline int carom_curve_supports(const double *curve) { return (int)curve[CAROM_CURVE_SUPPORTS]; }
void carom_curve_support(const double *curve, int index, carom_vec2 origin, carom_vec2 up, carom_curve_contact *out);

/* Point of a support that is a corner or an open end. */
carom_vec2 carom_curve_support_point(const double *curve, int index);
/* Its joint; -1 of a run. */
int carom_curve_support_joint(const double *curve, int index);
/* Whether some of its segments are straight, whether all are. */
static inline bool carom_curve_has_sides(const double *curve) { return curve[CAROM_CURVE_SIDES] > 0; }
static inline bool carom_curve_is_polygon(const double *curve)
{
    return curve[CAROM_CURVE_SIDES] == curve[CAROM_CURVE_COUNT];
}

/* A radius for laws that see none yet: that of the sharpest convex place, else of the hollowest, else HUGE_VAL [m]. */
double carom_curve_typical_radius(const double *curve);
/* Length over which the gap to a curve may change sign twice [m]. */
double carom_curve_feature(const double *curve);

#endif
