/* Planar profile curves: segments, evaluation, joints. */
#include "geometry/curve/segment.h"

/* ---- segments ---- */

/* Point, first and second derivative over w of both polynomials, d2 as half of it (Horner's scheme). */
static void polynomial(const double *segment, double w, carom_segment_point *out)
{
    const double *x = segment + CAROM_SEGMENT_DATA, *y = x + CAROM_CURVE_DEGREE + 1;
    int degree = (int)segment[CAROM_SEGMENT_DEGREE];
    carom_vec2 p = {0, 0}, d = {0, 0}, dd = {0, 0};
    for (int k = degree; k >= 0; k--) {
        dd = carom_v2_add_scaled(d, w, dd);
        d = carom_v2_add_scaled(p, w, d);
        p = carom_v2_add_scaled(carom_v2(x[k], y[k]), w, p);
    }
    out->at = p;
    out->d1 = d;
    out->d2 = dd;
}

carom_vec2 carom_segment_at(const double *segment, double u)
{
    if (carom_segment_arc(segment)) {
        double angle = segment[CAROM_SEGMENT_ARC_START] + u * segment[CAROM_SEGMENT_ARC_SWEEP];
        double r = segment[CAROM_SEGMENT_ARC_RADIUS];
        return carom_v2_add(carom_segment_pair(segment, CAROM_SEGMENT_ARC_CENTRE),
                            carom_v2(r * cos(angle), r * sin(angle)));
    }
    const double *x = segment + CAROM_SEGMENT_DATA, *y = x + CAROM_CURVE_DEGREE + 1;
    double w = 2 * u - 1;
    carom_vec2 p = {0, 0};
    for (int k = (int)segment[CAROM_SEGMENT_DEGREE]; k >= 0; k--)
        p = carom_v2_add_scaled(carom_v2(x[k], y[k]), w, p);
    return p;
}

void carom_segment_eval(const double *segment, double u, carom_segment_point *out)
{
    if (carom_segment_arc(segment)) {
        double sweep = segment[CAROM_SEGMENT_ARC_SWEEP], angle = segment[CAROM_SEGMENT_ARC_START] + u * sweep;
        carom_vec2 arm = carom_v2_scale(segment[CAROM_SEGMENT_ARC_RADIUS], carom_v2(cos(angle), sin(angle)));
        out->at = carom_v2_add(carom_segment_pair(segment, CAROM_SEGMENT_ARC_CENTRE), arm);
        out->d1 = carom_v2_scale(sweep, carom_v2_left(arm));
        out->d2 = carom_v2_scale(-sweep * sweep, arm);
        return;
    }
    polynomial(segment, 2 * u - 1, out);
    out->d1 = carom_v2_scale(2, out->d1);
    out->d2 = carom_v2_scale(8, out->d2);
}

/* Third derivative over u. */
static carom_vec2 third(const double *segment, double u, carom_vec2 d1)
{
    if (carom_segment_arc(segment))
        return carom_v2_scale(-segment[CAROM_SEGMENT_ARC_SWEEP] * segment[CAROM_SEGMENT_ARC_SWEEP], d1);
    const double *x = segment + CAROM_SEGMENT_DATA, *y = x + CAROM_CURVE_DEGREE + 1;
    carom_vec2 p = {0, 0};
    for (int k = (int)segment[CAROM_SEGMENT_DEGREE]; k >= 3; k--) {
        carom_vec2 c = carom_v2_scale(8.0 * k * (k - 1) * (k - 2), carom_v2(x[k], y[k]));
        p = carom_v2_add_scaled(c, 2 * u - 1, p);
    }
    return p;
}

double carom_arc_parameter(const double *segment, carom_vec2 direction)
{
    double sweep = segment[CAROM_SEGMENT_ARC_SWEEP];
    double turn = atan2(direction.y, direction.x) - segment[CAROM_SEGMENT_ARC_START];
    /* Turns from the start in the direction of the sweep; a hair before the start is the start. */
    double whole = turn / copysign(2 * CAROM_PI, sweep);
    whole -= floor(whole);
    if (whole > 1 - 1e-15)
        whole = 0;
    return whole * 2 * CAROM_PI / fabs(sweep);
}

/* ---- whole curves ---- */

int carom_curve_split(const double *curve, double s, double *u)
{
    int count = carom_curve_segments(curve);
    if (carom_curve_closed(curve))
        s -= count * floor(s / count);
    int k = s > 0 ? (int)fmin(s, count) : 0;
    if (k >= count)
        k = carom_curve_closed(curve) ? 0 : count - 1;
    *u = s >= count ? (carom_curve_closed(curve) ? 0 : 1) : fmin(fmax(s - k, 0), 1);
    return k;
}

double carom_curve_join(const double *curve, int k, double u)
{
    return carom_curve_closed(curve) && k + u >= carom_curve_segments(curve) ? 0 : k + u;
}

void carom_curve_eval(const double *curve, double s, carom_curve_point *out)
{
    double u;
    int k = carom_curve_split(curve, s, &u);
    const double *segment = carom_segment(curve, k);
    carom_segment_point c;
    carom_segment_eval(segment, u, &c);
    out->at = c.at;
    out->d1 = c.d1;
    out->d2 = c.d2;
    out->d3 = third(segment, u, c.d1);
    out->speed = carom_v2_norm(c.d1);
    out->tangent = carom_v2_scale(1 / out->speed, c.d1);
    out->normal = carom_v2_right(out->tangent);
    out->curvature = carom_segment_curvature(&c);
}

void carom_curve_joint_at(const double *curve, int k, carom_curve_joint *out)
{
    int count = carom_curve_segments(curve);
    bool closed = carom_curve_closed(curve);
    int after = closed ? k % count : k, before = after > 0 ? after - 1 : count - 1;
    if (!closed && (k <= 0 || k >= count)) {
        const double *segment = carom_segment(curve, k <= 0 ? 0 : count - 1);
        out->kind = CAROM_JOINT_END;
        out->at = carom_segment_pair(segment, k <= 0 ? CAROM_SEGMENT_FROM : CAROM_SEGMENT_TO);
        out->before = carom_segment_pair(segment, k <= 0 ? CAROM_SEGMENT_TANGENT_FROM : CAROM_SEGMENT_TANGENT_TO);
        out->after = out->before;
        out->turn = 0;
        return;
    }
    const double *segment = carom_segment(curve, after);
    out->kind = (carom_curve_joint_kind)segment[CAROM_SEGMENT_JOINT];
    out->at = carom_segment_pair(segment, CAROM_SEGMENT_FROM);
    out->before = carom_segment_pair(carom_segment(curve, before), CAROM_SEGMENT_TANGENT_TO);
    out->after = carom_segment_pair(segment, CAROM_SEGMENT_TANGENT_FROM);
    out->turn = segment[CAROM_SEGMENT_TURN];
}

int carom_curve_corner(const double *curve, double s)
{
    int count = carom_curve_segments(curve);
    double k = floor(s);
    if (s != k)
        return -1;
    if (!carom_curve_closed(curve) && (s <= 0 || s >= count))
        return s <= 0 ? 0 : count;
    int joint = (int)k % count;
    int kind = (int)carom_segment(curve, joint)[CAROM_SEGMENT_JOINT];
    return kind == CAROM_JOINT_CONVEX || kind == CAROM_JOINT_CONCAVE ? joint : -1;
}

/* ---- sizes of the whole curve ---- */

double carom_curve_bounding_radius(const double *curve) { return curve[CAROM_CURVE_RADIUS]; }

double carom_curve_typical_radius(const double *curve)
{
    if (curve[CAROM_CURVE_SHARPEST] > 0)
        return 1 / curve[CAROM_CURVE_SHARPEST];
    return curve[CAROM_CURVE_HOLLOWEST] < 0 ? 1 / curve[CAROM_CURVE_HOLLOWEST] : HUGE_VAL;
}

/* The mean thickness of a solid, but no less than a twentieth of its extent; of others that share. */
double carom_curve_feature(const double *curve)
{
    const double extent = curve[CAROM_CURVE_EXTENT], area = curve[CAROM_CURVE_AREA];
    return area > 0 ? area / extent : 0.05 * extent;
}
