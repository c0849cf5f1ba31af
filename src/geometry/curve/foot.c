/* Feet of points on curves: sign and normal, rates. */
#include "geometry/curve/segment.h"

/* Side and normal at a corner or an end. The sign is that of the sum of both normals; beside an end it is positive, and
   over the end the normal of the curve holds. */
static void finish_corner(const double *curve, int joint, carom_vec2 d, carom_curve_foot *out)
{
    carom_curve_joint at;
    carom_curve_joint_at(curve, joint, &at);
    carom_vec2 sum = carom_v2_right(carom_v2_add(at.before, at.after));
    double distance = carom_v2_norm(d), side = carom_v2_dot(d, sum) < 0 ? -1 : 1;
    out->place = CAROM_PLACE_CORNER;
    out->curvature = at.kind == CAROM_JOINT_CONCAVE ? -HUGE_VAL : HUGE_VAL;
    if (at.kind == CAROM_JOINT_END) {
        double beyond = carom_v2_dot(d, at.after) * (joint == 0 ? -1 : 1);
        out->place = CAROM_PLACE_END;
        if (beyond > 1e-12 * distance)
            side = 1;
    }
    out->distance = side * distance;
    out->normal = distance > 0 ? carom_v2_scale(side / distance, d) : carom_v2_unit(sum);
    out->residual = 0;
}

void carom_curve_foot_finish(const double *curve, carom_vec2 p, int k, double u, carom_curve_foot *out)
{
    out->s = carom_curve_join(curve, k, u);
    carom_segment_point c;
    carom_segment_eval(carom_segment(curve, k), u, &c);
    out->evaluations++;
    int joint = carom_curve_corner(curve, out->s);
    out->at = c.at;
    carom_vec2 d = carom_v2_sub(p, c.at);
    if (joint >= 0) {
        finish_corner(curve, joint, d, out);
        return;
    }
    carom_vec2 tangent = carom_v2_unit(c.d1);
    out->place = CAROM_PLACE_SMOOTH;
    out->normal = carom_v2_right(tangent);
    out->distance = carom_v2_dot(d, out->normal);
    out->curvature = carom_segment_curvature(&c);
    out->residual = fabs(carom_v2_dot(tangent, d)) / curve[CAROM_CURVE_EXTENT];
}

void carom_curve_foot_rate(const double *curve, const carom_curve_foot *foot, carom_vec2 velocity, double *s_rate,
                           carom_vec2 *normal_rate)
{
    *s_rate = 0;
    if (foot->place != CAROM_PLACE_SMOOTH) {
        double along = carom_v2_dot(foot->normal, velocity);
        *normal_rate = foot->distance != 0
                           ? carom_v2_scale(1 / foot->distance, carom_v2_add_scaled(velocity, -along, foot->normal))
                           : carom_v2(0, 0);
        return;
    }
    carom_curve_point c;
    carom_curve_eval(curve, foot->s, &c);
    /* s' |c'| (1 + kappa g) = t . v, and n' = kappa |c'| s' t; seen from behind the normal is turned. */
    const double curvature = carom_v2_dot(c.normal, foot->normal) < 0 ? -c.curvature : c.curvature;
    double rate = carom_v2_dot(c.tangent, velocity) / (1 + curvature * foot->distance);
    *s_rate = rate / c.speed;
    *normal_rate = carom_v2_scale(curvature * rate, c.tangent);
}
