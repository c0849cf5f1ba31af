/* Inside of the curve functions: segments, parts of them and the two searches. */
#ifndef CAROM_CURVE_SEGMENT_H
#define CAROM_CURVE_SEGMENT_H

#include "geometry/curve/curve.h"

#define CAROM_PI 3.14159265358979323846

/* Point and derivatives over u of a segment. */
typedef struct carom_segment_point {
    carom_vec2 at, d1, d2;
} carom_segment_point;

static inline const double *carom_segment(const double *curve, int k)
{
    return curve + CAROM_CURVE_HEADER + k * CAROM_CURVE_SEGMENT;
}
static inline carom_vec2 carom_segment_pair(const double *segment, int place)
{
    return carom_v2(segment[place], segment[place + 1]);
}
static inline bool carom_segment_arc(const double *segment) { return segment[CAROM_SEGMENT_ARC] > 0; }
static inline bool carom_segment_line(const double *segment)
{
    return !carom_segment_arc(segment) && segment[CAROM_SEGMENT_DEGREE] <= 1;
}
/* Greatest distance between a part of length h in u and its chord [m]. */
static inline double carom_segment_sagitta(const double *segment, double h)
{
    return segment[CAROM_SEGMENT_BEND] * h * h / 8;
}

carom_vec2 carom_segment_at(const double *segment, double u);
void carom_segment_eval(const double *segment, double u, carom_segment_point *out);
/* Parameter of the point of an arc in the direction from its centre; outside [0, 1] where the arc does not reach it. */
double carom_arc_parameter(const double *segment, carom_vec2 direction);
/* Segment and u of s; the later segment at joints. */
int carom_curve_split(const double *curve, double s, double *u);
/* s of a segment and u, 0 in place of the end of a closed curve. */
double carom_curve_join(const double *curve, int k, double u);
/* Signed curvature of a segment at a point [1/m]. */
static inline double carom_segment_curvature(const carom_segment_point *c)
{
    double speed = carom_v2_norm(c->d1);
    return carom_v2_cross(c->d1, c->d2) / (speed * speed * speed);
}
/* Joint at s when s is one and it is no smooth one; -1 otherwise. */
int carom_curve_corner(const double *curve, double s);

/* The segments before and behind a joint; -1 beyond the ends of an open curve. */
int carom_curve_segment_before(const double *curve, int joint);
int carom_curve_segment_behind(const double *curve, int joint);

/* Find the sections, the supports and straight segments, and the boxes of a curve whose joints are set. */
void carom_curve_mark_sections(double *curve);
void carom_curve_mark_supports(double *curve);
void carom_curve_mark_boxes(double *curve);
/* Completes a foot from its s (or segment and u): sign, normal, curvature, place. */
void carom_curve_foot_finish(const double *curve, carom_vec2 point, int k, double u, carom_curve_foot *out);
/* carom_curve_closest with a bound that the distance is known not to exceed. */
void carom_curve_closest_within(const double *curve, carom_vec2 point, double bound, carom_curve_foot *out);
/* Nearest u of one segment and its distance, where it is less than *distance; adds to *evaluations. */
bool carom_segment_closest(const double *segment, carom_vec2 point, double slack, double *u, double *distance,
                         int *evaluations);

/* Newton steps of a contact from s_i, s_j; false: not converged. */
bool carom_curve_gap_newton(const double *i, const double *j, const carom_pose2 *X, double s_i, double s_j,
                            carom_curve_contact *out);
/* Contact of the point of curve `side` (1: j) with its foot on the other curve; adds to the evaluations of `out`. */
void carom_curve_contact_at(const double *i, const double *j, const carom_pose2 *X, double s_i, double s_j, int side,
                            carom_curve_contact *out);

#define CAROM_BREAKS 64

/* Where the side changes on which the points of one curve lie of the other: crossings (and touches), and rays into the
   material behind the ends of the other curve, if it is open. Ascending. */
typedef struct carom_curve_breaks {
    int count;
    double s[CAROM_BREAKS];
    bool ray[CAROM_BREAKS];
} carom_curve_breaks;

/* Breaks of both curves; false: there are more than there is room for. */
bool carom_curve_breaks_find(const double *i, const double *j, const carom_pose2 *X, carom_curve_breaks *of_i,
                             carom_curve_breaks *of_j, bool *crossed, int *evaluations);
/* Least distance of two curves that do not cross, to within `slack`; starts from *distance and keeps it where
   nothing is less. */
void carom_curve_nearest(const double *i, const double *j, const carom_pose2 *X, double slack, double *distance,
                         double *s_i, double *s_j, int *evaluations);
/* Least signed distance from i of the points of j between the parameters a < b, to within `slack` and 1e-6 of it;
   starts from *gap. b may lie beyond the last segment of a closed curve. */
void carom_curve_deepest(const double *i, const double *j, const carom_pose2 *X, double a, double b, double slack,
                         double *gap, double *s_i, double *s_j, int *evaluations);

/* Sine of the angle by which an edge may lead into the facing side: 10 degrees. Where sides lie on each other it does
   so by the difference of the depths at both ends. */
#define CAROM_CURVE_LEANS 0.17

/* Of a straight side (corner.c): the normal out of the material, the distance of a point from its line [m], and the
   place of its foot there, 0 to 1 on the side. */
carom_vec2 carom_curve_side_normal(const double *curve, int side);
double carom_curve_side_distance(const double *curve, int side, carom_vec2 point);
double carom_curve_side_part(const double *curve, int side, carom_vec2 point);
/* How far an edge leads into a side where its corner is pushed out along its normal: the least sine, negative where it
   does. */
double carom_curve_leads(const carom_curve_edges *edges, carom_vec2 normal);

/* The segment that meets another part of the curve, or that such a meeting could not be excluded for; -1: none. */
int carom_curve_crosses_itself(const double *curve);

/* Ends, tangents and bounds of a segment whose data are set. */
void carom_segment_complete(double *segment);
/* Makes a segment a straight line. */
void carom_segment_set_line(double *segment, carom_vec2 from, carom_vec2 to);

/* Distance of the chords a - b and c - d [m]; 0 where they cross. */
double carom_chord_distance(carom_vec2 a, carom_vec2 b, carom_vec2 c, carom_vec2 d);
/* Distance from p to the chord a - b [m]. */
double carom_chord_point_distance(carom_vec2 a, carom_vec2 b, carom_vec2 p);

#endif
