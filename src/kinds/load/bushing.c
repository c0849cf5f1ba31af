/* Bushing between two frames: springs and dampers in the three directions and about the three axes of the first
   frame.

   With A the axes of frame i, d = p_j - p_i, e = A^T d and e' = A^T (v_j - v_i - w_i x d); force of each direction
   f_k = F_k(e_k) + c_k e_k'. force_j = -A f at the origin of j; the first body gets the opposite at the same
   point, so force_i = A f with torque_i = d x A f. With the rotation vector r of A^T A_j (in the plane the angle
   from i to j about z) and r' = L w, w = A^T (w_j - w_i), L = 1 - [r]/2 + b [r]^2, b = 1/|r|^2 - cot(|r|/2)/(2
   |r|): m_k = M_k(r_k) + c_k r_k' and torque_i = A L^T m, torque_j = -torque_i, so that the power of the torques
   is -m . r' at any angle. Each F_k, M_k is the characteristic of kinds/load/load.h; stored energy is the sum of their
   integrals.
   Source: Nikravesh 1988, Computer-Aided Analysis of Mechanical Systems, chapter 9 (springs and dampers); Bauchau
   2011, Flexible Multibody Dynamics, chapters 4 and 13 (rotation vector and its tangent).
   Valid: translations of any size; in the plane any number of turns, in space relative rotations within half a
   turn, where the rotation vector jumps. */
#include "kinds/load/load.h"

#define DIRECTIONS 6

/* Below this the series of b holds to rounding [rad]. */
#define SMALL_ANGLE 1e-2

static const carom_param_row parameters[] = {
    {"stiffness", "N/m", 3, 0, 0, 0, HUGE_VAL, "Force per displacement along each axis of the first frame."},
    {"damping", "N s/m", 3, 0, 0, 0, HUGE_VAL, "Force per speed along each axis."},
    {"gap", "m", 3, 0, 0, 0, HUGE_VAL, "Free play to both sides along each axis."},
    {"turn_stiffness", "N m/rad", 3, CAROM_PARAM_AXIAL, 0, 0, HUGE_VAL,
     "Torque per rotation about each axis; in the plane one number."},
    {"turn_damping", "N m s/rad", 3, CAROM_PARAM_AXIAL, 0, 0, HUGE_VAL,
     "Torque per rate of the rotation about each axis; in the plane one number."},
    {"turn_gap", "rad", 3, CAROM_PARAM_AXIAL, 0, 0, HUGE_VAL,
     "Free play to both sides about each axis; in the plane one number."},
    {"curve_x", "spline of m to N", 1, CAROM_PARAM_TEXT | CAROM_PARAM_SPLINE, 0, 0, HUGE_VAL,
     "Spline of the model: force [N] over the displacement along x [m], in place of the stiffness."},
    {"curve_y", "spline of m to N", 1, CAROM_PARAM_TEXT | CAROM_PARAM_SPLINE, 0, 0, HUGE_VAL,
     "Spline of the model: force [N] over the displacement along y [m], in place of the stiffness."},
    {"curve_z", "spline of m to N", 1, CAROM_PARAM_TEXT | CAROM_PARAM_SPLINE, 0, 0, HUGE_VAL,
     "Spline of the model: force [N] over the displacement along z [m], in place of the stiffness."},
    {"curve_turn_x", "spline of rad to N m", 1, CAROM_PARAM_TEXT | CAROM_PARAM_SPLINE, 0, 0, HUGE_VAL,
     "Spline of the model: torque [N m] over the rotation about x [rad], in place of the stiffness."},
    {"curve_turn_y", "spline of rad to N m", 1, CAROM_PARAM_TEXT | CAROM_PARAM_SPLINE, 0, 0, HUGE_VAL,
     "Spline of the model: torque [N m] over the rotation about y [rad], in place of the stiffness."},
    {"curve_turn_z", "spline of rad to N m", 1, CAROM_PARAM_TEXT | CAROM_PARAM_SPLINE, 0, 0, HUGE_VAL,
     "Spline of the model: torque [N m] over the rotation about z [rad], in place of the stiffness."},
};

/* Where the parameters start. */
enum { STIFFNESS = 0, DAMPING = 3, GAP = 6, TURN = 9, CURVES = 18 };

static carom_characteristic characteristic(const double *p, int k)
{
    const double *first = p + (k < 3 ? 0 : TURN) + k % 3;
    return (carom_characteristic){
        .stiffness = first[STIFFNESS], .damping = first[DAMPING], .gap = first[GAP], .curve = p[CURVES + k]};
}

/* The switch behind those of the directions: the angle between the frames in space, where it has a moment. */
#define HALF_TURN (CAROM_CHARACTERISTIC_SWITCHES * DIRECTIONS)
/* What is left of half a turn where a run ends [rad]. */
#define LEFT 1e-3

static bool has_moment(const double *p)
{
    for (int k = 3; k < DIRECTIONS; k++) {
        const carom_characteristic c = characteristic(p, k);
        if (c.stiffness != 0 || c.damping != 0 || c.curve > 0.5)
            return true;
    }
    return false;
}

static size_t edges(const double *p, const carom_spline_table *curves, int dimension, int which, double *out)
{
    if (which == HALF_TURN) {
        const bool ends = dimension == 3 && has_moment(p);
        if (out && ends)
            out[0] = CAROM_PI - LEFT;
        return ends;
    }
    const carom_characteristic c = characteristic(p, which / CAROM_CHARACTERISTIC_SWITCHES);
    return carom_characteristic_edges(&c, curves, which % CAROM_CHARACTERISTIC_SWITCHES, out);
}

static const char *start(double *p, const carom_frame_pose *i, const carom_frame_pose *j, int dimension)
{
    (void)i;
    (void)j;
    for (int k = 0; k < DIRECTIONS; k++) {
        const carom_characteristic c = characteristic(p, k);
        if (c.curve > 0.5 && c.stiffness != 0)
            return "a curve is the whole elastic force of its direction; set the stiffness of that direction to 0";
        if (c.curve > 0.5 && dimension == 2 && k >= 2 && k < 5)
            return "a planar bushing has the curves curve_x, curve_y and curve_turn_z";
    }
    return NULL;
}

/* ---- rotation vector ---- */

static carom_vec3 rotation_vector(const carom_mat3 *axes)
{
    double q[4];
    int largest;
    carom_quat_along_axes(axes, q, &largest);
    return carom_quat_rotation((carom_quat){q[0], q[1], q[2], q[3]});
}

/* L x, or with `side` = -1 the transpose: x - side/2 r x x + b r x (r x x). */
static carom_vec3 tangent(carom_vec3 r, double side, carom_vec3 x)
{
    const double angle = carom_v3_norm(r), square = angle * angle;
    const double b = angle < SMALL_ANGLE ? (1 + square / 60 * (1 + square / 42)) / 12
                                         : (1 - 0.5 * angle / tan(0.5 * angle)) / square;
    const carom_vec3 cross = carom_v3_cross(r, x);
    return carom_v3_add_scaled(carom_v3_add_scaled(x, -0.5 * side, cross), b, carom_v3_cross(r, cross));
}

/* ---- forces ---- */

/* Characteristics of three directions. */
static carom_vec3 three(const carom_load_input *in, carom_load_output *out, int first, carom_vec3 s, carom_vec3 rate)
{
    const double x[3] = {s.x, s.y, s.z}, v[3] = {rate.x, rate.y, rate.z};
    double force[3];
    for (int k = 0; k < 3; k++) {
        const carom_characteristic c = characteristic(in->p, first + k);
        const carom_deflection e = first ? carom_load_angle(in, x[k], v[k]) : carom_load_distance(in, x[k], v[k]);
        const carom_characteristic_force f =
            carom_characteristic_at(&c, in, out, CAROM_CHARACTERISTIC_SWITCHES * (first + k), &e);
        force[k] = f.force;
        out->stored += f.stored;
        out->dissipation += f.dissipation;
    }
    return carom_v3_load(force);
}

static void apply(const carom_load_input *in, carom_load_output *out)
{
    const carom_mat3 *axes = &in->i.axes;
    *out = (carom_load_output){0};

    /* translation */
    const carom_vec3 d = carom_v3_sub(in->j.p, in->i.p);
    const carom_vec3 force = three(in, out, 0, carom_m3_apply_t(axes, d),
                                   carom_m3_apply_t(axes, carom_load_relative_velocity(&in->i, &in->j)));
    out->force_i = carom_m3_apply(axes, force);
    out->force_j = carom_v3_neg(out->force_i);
    out->torque_i = carom_v3_cross(d, out->force_i);

    /* rotation */
    const carom_vec3 w = carom_m3_apply_t(axes, carom_v3_sub(in->j.w, in->i.w));
    carom_vec3 r = carom_v3(0, 0, in->j.angle - in->i.angle);
    if (in->dimension == 3) {
        const carom_mat3 relative = carom_m3_multiply_t(axes, &in->j.axes);
        r = rotation_vector(&relative);
        if (has_moment(in->p))
            carom_load_branch(in, out, HALF_TURN, carom_v3_norm(r), 0, 0);
    }
    const bool planar = in->dimension == 2;
    const carom_vec3 moment = three(in, out, 3, r, planar ? w : tangent(r, 1, w));
    const carom_vec3 torque = carom_m3_apply(axes, planar ? moment : tangent(r, -1, moment));
    out->torque_i = carom_v3_add(out->torque_i, torque);
    out->torque_j = carom_v3_neg(torque);
}

const carom_load_kind carom_load_bushing = {
    .kind = {
        .name = "bushing",
        .title = "Bushing between two frames: spring, damper and free play along and about the axes of the first.",
        .formula = "f_k = F_k(e_k) + c_k e_k' with e = A_i^T (p_j - p_i), and m_k = M_k(r_k) + c_k r_k' with the "
                   "rotation vector r of frame j in frame i. -f acts at the origin of the second frame, f on the "
                   "first body at the same point; the torques are opposite. Energy: the integrals of F_k and M_k.",
        .source = "Nikravesh 1988, Computer-Aided Analysis of Mechanical Systems, chapter 9; Bauchau 2011, Flexible "
                  "Multibody Dynamics, chapters 4 and 13",
        .validity = "The frames coincide where it is at rest. Displacements may be of any size. In the plane any "
                    "number of turns; in space the relative rotation stays within half a turn, where a run ends. The "
                    "components of the rotation vector are the small rotations about the three axes, and about one "
                    "axis alone the angle; the torque is conservative at any of them. With a gap the damping acts "
                    "while the direction is engaged and does not turn its force around.",
        .params = parameters,
        .param_count = sizeof parameters / sizeof parameters[0],
    },
    .frame_count = 2,
    .drawn = "bushing",
    .switches = HALF_TURN + 1,
    .ends = "its frames have turned against each other by half a turn, beyond which it has no moment in space; let a "
            "joint with `spring` or a torsion-spring bear such turns",
    .edges = edges,
    .start = start,
    .apply = apply,
};
