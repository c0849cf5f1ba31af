/* Rolling joint: a disc, wheel or ball on body j rolls on a plane of body i without slip.

   n = h_i through the origin of i, a = h_j the axis of the disc, whose edge is a circle of the radius r - s about the
   origin of j, rounded with the radius s: s = 0 is a thin disc, s = r a ball. Contact point
   c = p_j + (r - s) e - s n, e = -(n - (n . a) a)/|n - (n . a) a|.
   3-D: n . (c - p_i) = 0, and of the velocities of the material points there f_i . u = 0, g_i . u = 0 (3 rows), u =
   v_j + w_j x (c - x_j) - v_i - w_i x (c - x_i). All rows are t . u, t = n, f_i, g_i: c is the lowest point, so that
   its own motion along the edge does not change the height. The last two constrain velocities alone (nonholonomic).
   Friction: a couple against rolling, of the lever `radius` under n . F, so that the coefficient of the law is that of
   rolling resistance, and with a radius of the contact one against spinning about n.
   Source: Neimark, Fufaev 1972, Dynamics of Nonholonomic Systems, chapter 1, sections 2 and 3; Bloch 2003,
   Nonholonomic Mechanics and Control, section 1.4 (the falling disc); Johnson 1985, Contact Mechanics, chapter 9
   (resistance to rolling and spin). Valid unless a thin disc lies flat. */
#include "kinds/joint/joint.h"

enum { RADIUS, EDGE };

static const carom_param_row parameters[] = {
    {"radius", "m", 1, CAROM_PARAM_REQUIRED | CAROM_PARAM_ABOVE, 0, 0, HUGE_VAL,
     "Radius at which the wheel rolls when it stands upright."},
    {"edge", "m", 1, 0, 0, 0, HUGE_VAL,
     "Radius by which the edge of the wheel is rounded: 0 a thin disc, as large as `radius` a ball."},
};

/* Below this sine of the angle between the axis of a disc and the normal it lies flat. */
#define FLAT 1e-6

static const char *start(double *p, const carom_frame_pose *i, const carom_frame_pose *j)
{
    const carom_vec3 n = carom_m3_column(&i->axes, 2), a = carom_m3_column(&j->axes, 2);
    if (p[EDGE] > p[RADIUS])
        return "edge is larger than radius; a ball has an edge as large as its radius";
    if (p[EDGE] < p[RADIUS] && !(carom_v3_norm(carom_v3_cross(n, a)) > FLAT))
        return "the disc lies flat on the plane: `axis2`, the axis of the disc, is along `axis`, the normal of the "
               "plane";
    return NULL;
}

/* Contact point from the origin of j, and its rate. */
static void contact(const double *p, const carom_frame_pose *i, const carom_frame_pose *j, carom_vec3 *at,
                    carom_vec3 *rate)
{
    const carom_vec3 n = carom_m3_column(&i->axes, 2), a = carom_m3_column(&j->axes, 2);
    const carom_vec3 n_rate = carom_v3_cross(i->w, n), a_rate = carom_v3_cross(j->w, a);
    const double circle = p[RADIUS] - p[EDGE];
    *at = carom_v3_scale(-p[EDGE], n);
    *rate = carom_v3_scale(-p[EDGE], n_rate);
    if (!(circle > 0))
        return;
    /* e = -m/|m|, m = n - (n . a) a */
    const double along = carom_v3_dot(n, a), along_rate = carom_v3_dot(n_rate, a) + carom_v3_dot(n, a_rate);
    const carom_vec3 m = carom_v3_add_scaled(n, -along, a);
    const carom_vec3 m_rate =
        carom_v3_add_scaled(carom_v3_add_scaled(n_rate, -along_rate, a), -along, a_rate);
    const double size = fmax(carom_v3_norm(m), FLAT);
    const carom_vec3 e = carom_v3_scale(-1 / size, m);
    *at = carom_v3_add_scaled(*at, circle, e);
    *rate = carom_v3_add_scaled(*rate, -circle / size, carom_v3_add_scaled(m_rate, -carom_v3_dot(e, m_rate), e));
}

static void rows(const double *p, const carom_frame_pose *i, const carom_frame_pose *j, int dimension, carom_row *out)
{
    (void)dimension;
    carom_vec3 at, at_rate;
    contact(p, i, j, &at, &at_rate);
    /* arms of the contact point about both centres of mass, x = p - arm, and their rates */
    const carom_vec3 d = carom_v3_sub(j->p, i->p), slide = carom_v3_sub(j->v, i->v);
    const carom_vec3 arm_j = carom_v3_add(at, j->arm), arm_i = carom_v3_add(carom_v3_add(at, d), i->arm);
    const carom_vec3 arm_j_rate = carom_v3_add(at_rate, carom_v3_cross(j->w, j->arm));
    const carom_vec3 arm_i_rate = carom_v3_add(carom_v3_add(at_rate, slide), carom_v3_cross(i->w, i->arm));
    /* u, and of its rate the part without accelerations */
    const carom_vec3 u = carom_v3_sub(carom_v3_add(j->v, carom_v3_cross(j->w, at)),
                                      carom_v3_add(i->v, carom_v3_cross(i->w, carom_v3_add(at, d))));
    const carom_vec3 bend =
        carom_v3_sub(carom_v3_cross(j->w, arm_j_rate), carom_v3_cross(i->w, arm_i_rate));
    static const int order[3] = {2, 0, 1};
    for (int k = 0; k < 3; k++) {
        const carom_vec3 t = carom_m3_column(&i->axes, order[k]);
        out[k] = (carom_row){.gamma = -carom_v3_dot(carom_v3_cross(i->w, t), u) - carom_v3_dot(t, bend),
                             .Li = carom_v3_neg(t),
                             .Ai = carom_v3_neg(carom_v3_cross(arm_i, t)),
                             .Lj = t,
                             .Aj = carom_v3_cross(arm_j, t)};
    }
    out[0].phi = carom_v3_dot(out[0].Lj, carom_v3_add(d, at));
}

/* Rolling about axes in the plane, as a speed at the radius of the wheel; spinning about its normal. */
static int slips(void *user, const double *size, const carom_joint_input *in, int place, carom_row *out)
{
    (void)user;
    const double arm = size[CAROM_FRICTION_RADIUS];
    if (place > 1 || (place == 1 && !(arm > 0)))
        return 0;
    if (place == 1) {
        carom_row_spin(in->i, carom_m3_column(&in->i->axes, 2), in->i->w, in->j, arm, out);
        return 1;
    }
    for (int k = 0; k < 2; k++)
        carom_row_spin(in->i, carom_m3_column(&in->i->axes, k), in->i->w, in->j, in->p[RADIUS], out + k);
    return 2;
}

static const carom_joint_friction_kind friction = {
    .takes = {0, CAROM_FRICTION_SIZE_BIT(RADIUS)},
    .slip_types = CAROM_SLIPS_TURN,
    .slips = slips,
    .bearings = carom_joint_friction_face,
};

const carom_joint_kind carom_joint_rolling = {
    .kind = {
        .name = "rolling",
        .title = "Wheel, disc or ball that rolls on a plane without slip.",
        .formula = "n = h_i, a = h_j, c = p_j + (radius - edge) e - edge n the lowest point, e across a and down. 3-D: "
                   "n . (c - p_i) = 0; velocity of j against i at c: f_i . u = 0, g_i . u = 0.",
        .source = "Neimark, Fufaev 1972, Dynamics of Nonholonomic Systems, chapter 1; Bloch 2003, Nonholonomic "
                  "Mechanics and Control, section 1.4; Johnson 1985, Contact Mechanics, chapter 9 (friction)",
        .validity = "Three dimensions only; in the plane a wheel rolls on its line by `rack` and `point-in-line`. "
                    "`axis` is the normal of the plane on the first body, which may move, `axis2` the axis of "
                    "the wheel on the second, in world axes at the start. Rolling constrains velocities, not "
                    "positions: it has two freedoms of motion less than of position. The wheel neither slips nor "
                    "lifts off, whatever the force; `outputs` tell whether friction could hold it. Its `friction` "
                    "is that of rolling: a couple of the coefficient times the normal force times the radius of "
                    "the wheel against rolling, and with a `radius` of the contact one of that radius against "
                    "spinning about the normal. A thin disc must not lie flat.",
        .params = parameters,
        .param_count = sizeof parameters / sizeof parameters[0],
    },
    .rows_3d = 3,
    .in_plane = "a wheel rolls on a line by a `rack`, held at its height by `point-in-line`",
    .rate_rows = 2,
    .has_axis = true,
    .axis2_on_j = true,
    .drawn = "ball",
    .start = start,
    .rows = rows,
    .friction = &friction,
};
