/* Two spheres, side by side or one inside the other (negative radius, hollow). Side by side: gap = |c_j - c_i| - R_i -
   R_j, normal from centre i to centre j. Inside: gap = H - r - |c_j - c_i| with the hollow radius H and the ball's r;
   d(gap)/dt = n . (v_j - v_i) then asks for the normal from centre j to centre i, which points from the ball to the
   wall when i is the ball. The contact point halves the gap on the line of centres.
   Source: Machado et al. 2012, section 3, eqs. (8)-(11); Autiero et al. 2022, table 1 (internal contact).
   Validity: one of the radii at most is negative, and the ball fits into the hollow sphere; where the centres coincide
   the normal is the x-axis. */
#include "kinds/batch.h"
#include "kinds/shape/shape.h"

/* Centres nearer than this [m] coincide: the square of their distance leaves the range of doubles. */
#define COINCIDENT 1e-150

/* a - b - c, the larger of b and c first, so that the difference near contact is exact. */
static double minus_both(double a, double b, double c) { return b > c ? a - b - c : a - c - b; }

static const char *check(const double *pi, const double *pj)
{
    double a = carom_sphere_radius(pi), b = carom_sphere_radius(pj);
    if (a < 0 && b < 0)
        return "two hollow spheres cannot touch: give one of them a positive radius";
    if ((a < 0 || b < 0) && a + b >= 0)
        return "the ball does not fit into the hollow sphere: its radius must be the smaller one";
    return NULL;
}

static void gap(const carom_shape_pose *i, const carom_shape_pose *j, carom_pair_point *out)
{
    double a = carom_sphere_radius(i->p), b = carom_sphere_radius(j->p);
    carom_vec3 line = carom_v3_sub(j->origin, i->origin);
    double distance = carom_v3_norm(line);
    carom_vec3 along = distance > COINCIDENT ? carom_v3_scale(1 / distance, line) : carom_v3(1, 0, 0);
    if (a > 0 && b > 0) {
        out->gap = minus_both(distance, a, b);
        out->normal = along;
        out->from_i = carom_v3_scale(a + 0.5 * out->gap, along);
        out->from_j = carom_v3_scale(-(b + 0.5 * out->gap), along);
    } else if (a > 0) {
        out->gap = minus_both(-b, a, distance);
        out->normal = carom_v3_neg(along);
        out->from_i = carom_v3_scale(-(a + 0.5 * out->gap), along);
        out->from_j = carom_v3_scale(-(a + 0.5 * out->gap + distance), along);
    } else {
        out->gap = minus_both(-a, b, distance);
        out->normal = carom_v3_neg(along);
        out->from_j = carom_v3_scale(b + 0.5 * out->gap, along);
        out->from_i = carom_v3_scale(b + 0.5 * out->gap + distance, along);
    }
    out->point = a > 0 ? carom_v3_add(i->origin, out->from_i) : carom_v3_add(j->origin, out->from_j);
}

static carom_vec3 normal_rate(const carom_shape_pose *i, const carom_shape_pose *j)
{
    carom_vec3 line = carom_v3_sub(j->origin, i->origin);
    double distance = carom_v3_norm(line);
    if (!(distance > COINCIDENT))
        return carom_v3(0, 0, 0);
    carom_vec3 along = carom_v3_scale(1 / distance, line);
    carom_vec3 turn = carom_v3_scale(1 / distance, carom_v3_sub(j->velocity, i->velocity));
    carom_vec3 rate = carom_v3_add_scaled(turn, -carom_v3_dot(turn, along), along);
    bool outside = carom_sphere_radius(i->p) > 0 && carom_sphere_radius(j->p) > 0;
    return outside ? rate : carom_v3_neg(rate);
}

static void arm_rates(const carom_shape_pose *i, const carom_shape_pose *j, carom_vec3 *from_i, carom_vec3 *from_j)
{
    const double a = carom_sphere_radius(i->p), b = carom_sphere_radius(j->p);
    const carom_vec3 line = carom_v3_sub(j->origin, i->origin), relative = carom_v3_sub(j->velocity, i->velocity);
    const double distance = carom_v3_norm(line);
    *from_i = *from_j = carom_v3(0, 0, 0);
    if (!(distance > COINCIDENT))
        return;
    const carom_vec3 along = carom_v3_scale(1 / distance, line);
    const double rate = carom_v3_dot(relative, along);
    const carom_vec3 turn = carom_v3_scale(1 / distance, carom_v3_add_scaled(relative, -rate, along));
    if (a > 0 && b > 0) {
        const double half = 0.5 * minus_both(distance, a, b);
        *from_i = carom_v3_add_scaled(carom_v3_scale(a + half, turn), 0.5 * rate, along);
        *from_j = carom_v3_neg(carom_v3_add_scaled(carom_v3_scale(b + half, turn), 0.5 * rate, along));
    } else if (a > 0) {
        const double half = 0.5 * minus_both(-b, a, distance);
        *from_i = carom_v3_neg(carom_v3_add_scaled(carom_v3_scale(a + half, turn), -0.5 * rate, along));
        *from_j = carom_v3_neg(carom_v3_add_scaled(carom_v3_scale(a + half + distance, turn), 0.5 * rate, along));
    } else {
        const double half = 0.5 * minus_both(-a, b, distance);
        *from_j = carom_v3_add_scaled(carom_v3_scale(b + half, turn), -0.5 * rate, along);
        *from_i = carom_v3_add_scaled(carom_v3_scale(b + half + distance, turn), 0.5 * rate, along);
    }
}

static void curvature(const double *pi, const double *pj, double *radius_i, double *radius_j)
{
    *radius_i = carom_sphere_radius(pi);
    *radius_j = carom_sphere_radius(pj);
}

static double feature_size(const double *pi, const double *pj)
{
    return fmin(fabs(carom_sphere_radius(pi)), fabs(carom_sphere_radius(pj)));
}

static double play(const double *pi, const double *pj)
{
    const double a = carom_sphere_radius(pi), b = carom_sphere_radius(pj);
    return a < 0 || b < 0 ? -(a + b) : HUGE_VAL;
}

CAROM_PAIR_BATCH_ROUND(gap)

const carom_pair_kind carom_pair_sphere_sphere = {
    .kind = {.name = "sphere-sphere",
             .title = "Two spheres (discs), side by side or one inside the other.",
             .formula = "gap = |c_j - c_i| - R_i - R_j; inside a hollow sphere gap = H - r - |c_j - c_i|",
             .source = "Machado et al. 2012, section 3, eqs. (8)-(11); Autiero et al. 2022, table 1.",
             .validity =
                 "At most one radius is negative, and the ball is smaller than the hollow sphere. The wrench acts "
                 "halfway between the surfaces on the line of centres; where the centres coincide the normal is the "
                 "x-axis."},
    .shape_i = "sphere",
    .shape_j = "sphere",
    .check = check,
    .gap = gap,
    .normal_rate = normal_rate,
    .arm_rates = arm_rates,
    .curvature = curvature,
    .feature_size = feature_size,
    .play = play,
    .batch = batch,
};
