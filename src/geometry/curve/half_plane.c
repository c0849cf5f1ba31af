/* The deepest point of a curve towards a half-plane: the least value of up . (c - origin) along the curve. A part of a
   segment holds no value below that of its lower end less the sagitta of its chord, which excludes it or halves it;
   Newton steps on up . c' = 0 complete the result. */
#include "geometry/curve/segment.h"

#define PARTS 64
#define SHORTEST 9.1e-13

typedef struct lowest {
    carom_vec2 up;
    double value, s, slack;
    int evaluations, iterations;
} lowest;

static void offer(lowest *l, int k, double u, double value)
{
    if (value < l->value) {
        l->value = value;
        l->s = k + u;
    }
}

static double height(lowest *l, const double *segment, double u)
{
    l->evaluations++;
    return carom_v2_dot(l->up, carom_segment_at(segment, u));
}

/* Newton steps on up . c' from u, inside the segment; the place where they end. */
static double sharpen(lowest *l, const double *segment, double u)
{
    double start = u;
    for (int n = 0; n < 12; n++) {
        carom_segment_point c;
        carom_segment_eval(segment, u, &c);
        l->evaluations++;
        l->iterations++;
        double bend = carom_v2_dot(l->up, c.d2), step = -carom_v2_dot(l->up, c.d1) / bend;
        if (!(bend > 0 && u + step > 0 && u + step < 1))
            return start;
        u += step;
        if (fabs(step) < 1e-15)
            break;
    }
    return u;
}

static void search(lowest *l, const double *segment, int k)
{
    struct {
        double a, b, at_a, at_b;
    } stack[PARTS], q;
    int count = 1;
    stack[0].a = 0;
    stack[0].b = 1;
    stack[0].at_a = height(l, segment, 0);
    stack[0].at_b = height(l, segment, 1);
    while (count > 0) {
        q = stack[--count];
        double sagitta = carom_segment_sagitta(segment, q.b - q.a), m = 0.5 * (q.a + q.b);
        if (fmin(q.at_a, q.at_b) - sagitta >= l->value - l->slack || q.b - q.a < SHORTEST || count + 2 > PARTS)
            continue;
        if (q.b - q.a < 0.01) {
            double u = sharpen(l, segment, m);
            offer(l, k, u, height(l, segment, u));
        }
        double at = height(l, segment, m);
        offer(l, k, m, at);
        stack[count].a = q.a;
        stack[count].b = m;
        stack[count].at_a = q.at_a;
        stack[count++].at_b = at;
        stack[count].a = m;
        stack[count].b = q.b;
        stack[count].at_a = at;
        stack[count++].at_b = q.at_b;
    }
}

void carom_curve_half_plane(const double *curve, carom_vec2 origin, carom_vec2 up, carom_curve_contact *out)
{
    lowest l = {.up = up, .value = HUGE_VAL, .slack = 1e-13 * curve[CAROM_CURVE_EXTENT]};
    for (int k = 0; k < carom_curve_segments(curve); k++) {
        const double *segment = carom_segment(curve, k);
        double centre = carom_v2_dot(up, carom_segment_pair(segment, CAROM_SEGMENT_CENTRE));
        if (centre - segment[CAROM_SEGMENT_RADIUS] >= l.value)
            continue;
        offer(&l, k, 0, carom_v2_dot(up, carom_segment_pair(segment, CAROM_SEGMENT_FROM)));
        offer(&l, k, 1, carom_v2_dot(up, carom_segment_pair(segment, CAROM_SEGMENT_TO)));
        if (carom_segment_arc(segment)) {
            double u = carom_arc_parameter(segment, carom_v2_neg(up));
            carom_vec2 at = carom_segment_pair(segment, CAROM_SEGMENT_ARC_CENTRE);
            if (u <= 1)
                offer(&l, k, u, carom_v2_dot(up, at) - segment[CAROM_SEGMENT_ARC_RADIUS]);
        } else if (!carom_segment_line(segment)) {
            search(&l, segment, k);
        }
    }
    double u;
    int k = carom_curve_split(curve, l.s, &u);
    const double *lowest_segment = carom_segment(curve, k);
    if (!carom_segment_arc(lowest_segment) && !carom_segment_line(lowest_segment) && u > 0 && u < 1)
        u = sharpen(&l, lowest_segment, u);
    carom_segment_point c;
    carom_segment_eval(lowest_segment, u, &c);
    carom_vec2 d = carom_v2_sub(c.at, origin);
    int corner = carom_curve_corner(curve, carom_curve_join(curve, k, u));
    out->gap = carom_v2_dot(up, d);
    out->normal = carom_v2_neg(up);
    out->point_i = c.at;
    out->point_j = carom_v2_add_scaled(c.at, -out->gap, up);
    out->s_i = carom_curve_join(curve, k, u);
    out->s_j = carom_v2_dot(carom_v2_left(up), d);
    out->curvature_j = 0;
    out->place_j = CAROM_PLACE_SMOOTH;
    out->place_i = CAROM_PLACE_SMOOTH;
    out->curvature_i = carom_segment_curvature(&c);
    if (corner >= 0) {
        carom_curve_joint joint;
        carom_curve_joint_at(curve, corner, &joint);
        out->place_i = joint.kind == CAROM_JOINT_END ? CAROM_PLACE_END : CAROM_PLACE_CORNER;
        out->curvature_i = joint.kind == CAROM_JOINT_CONCAVE ? -HUGE_VAL : HUGE_VAL;
    }
    out->parallel = corner >= 0 ? 0 : fabs(carom_v2_dot(up, carom_v2_unit(c.d1)));
    out->along = 0;
    out->common = out->parallel < 1e-9;
    out->searched = true;
    out->iterations = l.iterations;
    out->evaluations = l.evaluations + 1;
}

void carom_curve_half_plane_rates(const double *curve, const carom_curve_contact *contact, carom_vec2 origin,
                                  carom_vec2 velocity, double spin, carom_curve_rates *out)
{
    /* The border moves; what is fixed to it at the point of the curve has this velocity. */
    carom_vec2 arm = carom_v2_sub(contact->point_i, origin), up = carom_v2_neg(contact->normal);
    carom_vec2 moved = carom_v2_add_scaled(velocity, spin, carom_v2_left(arm));
    carom_vec2 left = carom_v2_left(up);
    out->gap = carom_v2_dot(contact->normal, moved);
    out->normal = carom_v2_scale(spin, carom_v2_left(contact->normal));
    out->s_i = 0;
    double drift = 0; /* of the point along the border, by the rate of s_i */
    if (contact->place_i == CAROM_PLACE_SMOOTH) {
        carom_curve_point c;
        carom_curve_eval(curve, contact->s_i, &c);
        double bend = carom_v2_dot(up, c.d2);
        if (bend > 0)
            out->s_i = -spin * carom_v2_dot(left, c.d1) / bend;
        drift = out->s_i * carom_v2_dot(left, c.d1);
    }
    out->s_j = drift - carom_v2_dot(left, moved);
}
