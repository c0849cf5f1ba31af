/* Gear: two toothed wheels that mesh, outside or one in a ring, with parallel axes.

   a_i the angle of the line of centres in the frame of i about its axis h, a_j that of the same line, the other way, in
   the frame of j: wheel i has turned by minus a_i against the line. With the pitch radii r_i = D0 z_i/(z_i + z_j),
   z_j negative of a ring and D0 the distance of the centres at the start,
   -r_i a_i - r_j a_j - offset = 0 (1 row), to the nearest whole tooth, so that no turns are counted.
   The force of the row is that at the teeth: tangential at the pitch point, on both wheels, so that the bearings carry
   it; no carrier is needed. The part along the line of centres (tangent of the pressure angle times it) is left out.
   Source: Haug 1989, Computer Aided Kinematics and Dynamics of Mechanical Systems, section 3.4 (gear sets); Mueller
   1982, Epicyclic Drive Trains. Valid while the wheels keep their distance, as joints make them do. */
#include "kinds/joint/joint.h"

enum { TEETH, TEETH_J, INTERNAL, RADIUS, RADIUS_J, OFFSET };

static const carom_param_row parameters[] = {
    {"teeth", "-", 2, CAROM_PARAM_REQUIRED | CAROM_PARAM_ABOVE, 0, 0, HUGE_VAL,
     "Numbers of teeth of the first and the second wheel."},
    {"internal", "false|true", 1, CAROM_PARAM_TEXT, 0, 0, 1,
     "`true`: the second wheel is a ring with its teeth inside."},
    {"radii", "m", 2, CAROM_PARAM_OPTIONAL | CAROM_PARAM_ABOVE, (double)NAN, 0, HUGE_VAL,
     "Pitch radii, in the ratio of the teeth; without them those that the distance of the frames at the start gives."},
    {"offset", "m", 1, CAROM_PARAM_OPTIONAL, (double)NAN, -HUGE_VAL, HUGE_VAL,
     "Way between the teeth along the pitch circle; without it what fits the start."},
};

/* Share by which radii may be off the ratio of the teeth. */
#define RATIO_OFF 1e-6

static double pitch(const double *p) { return 2 * CAROM_PI * p[RADIUS] / p[TEETH]; }

/* Angle of p_j in the plane of the axes f and g of i: (x y' - y x')/(x^2 + y^2). */
static void bearing_of(const carom_frame_pose *i, const carom_frame_pose *j, carom_row *out)
{
    const carom_vec3 f = carom_m3_column(&i->axes, 0), g = carom_m3_column(&i->axes, 1);
    const carom_vec3 d = carom_v3_sub(j->p, i->p), rate = carom_v3_sub(j->v, i->v);
    carom_row x, y;
    carom_row_along(i, f, j, &x);
    carom_row_along(i, g, j, &y);
    const double x_rate = carom_v3_dot(carom_v3_cross(i->w, f), d) + carom_v3_dot(f, rate);
    const double y_rate = carom_v3_dot(carom_v3_cross(i->w, g), d) + carom_v3_dot(g, rate);
    const double square = x.phi * x.phi + y.phi * y.phi, inverse = square > 0 ? 1 / square : 0;
    const double a = x.phi * inverse, b = -y.phi * inverse;
    *out = (carom_row){.phi = atan2(y.phi, x.phi),
                       .Li = carom_v3_add_scaled(carom_v3_scale(a, y.Li), b, x.Li),
                       .Ai = carom_v3_add_scaled(carom_v3_scale(a, y.Ai), b, x.Ai),
                       .Lj = carom_v3_add_scaled(carom_v3_scale(a, y.Lj), b, x.Lj),
                       .Aj = carom_v3_add_scaled(carom_v3_scale(a, y.Aj), b, x.Aj)};
    out->gamma = a * y.gamma + b * x.gamma +
                 2 * (x.phi * x_rate + y.phi * y_rate) * (x.phi * y_rate - y.phi * x_rate) * inverse * inverse;
}

static void rows(const double *p, const carom_frame_pose *i, const carom_frame_pose *j, int dimension, carom_row *out)
{
    (void)dimension;
    carom_row one, two;
    bearing_of(i, j, &one);
    bearing_of(j, i, &two);
    const double a = -p[RADIUS], b = p[INTERNAL] != 0 ? p[RADIUS_J] : -p[RADIUS_J];
    *out = (carom_row){.phi = remainder(a * one.phi + b * two.phi - (isnan(p[OFFSET]) ? 0 : p[OFFSET]), pitch(p)),
                       .gamma = a * one.gamma + b * two.gamma,
                       .Li = carom_v3_add_scaled(carom_v3_scale(a, one.Li), b, two.Lj),
                       .Ai = carom_v3_add_scaled(carom_v3_scale(a, one.Ai), b, two.Aj),
                       .Lj = carom_v3_add_scaled(carom_v3_scale(a, one.Lj), b, two.Li),
                       .Aj = carom_v3_add_scaled(carom_v3_scale(a, one.Aj), b, two.Ai)};
}

static const char *start(double *p, const carom_frame_pose *i, const carom_frame_pose *j)
{
    const double x = carom_v3_dot(carom_m3_column(&i->axes, 0), carom_v3_sub(j->p, i->p));
    const double y = carom_v3_dot(carom_m3_column(&i->axes, 1), carom_v3_sub(j->p, i->p));
    const double distance = hypot(x, y), sum = p[INTERNAL] != 0 ? p[TEETH_J] - p[TEETH] : p[TEETH_J] + p[TEETH];
    if (p[TEETH] != nearbyint(p[TEETH]) || p[TEETH_J] != nearbyint(p[TEETH_J]))
        return "teeth are whole numbers; wheels without teeth are a coupler of their hinges";
    if (!(sum > 0))
        return "a ring has more teeth than the wheel that runs in it; the ring is the second one";
    if (!(distance > 0))
        return "the frames are on one axis; they are the centres of the wheels";
    if (isnan(p[RADIUS])) {
        p[RADIUS] = distance * p[TEETH] / sum;
        p[RADIUS_J] = distance * p[TEETH_J] / sum;
    }
    if (fabs(p[RADIUS] * p[TEETH_J] - p[RADIUS_J] * p[TEETH]) > RATIO_OFF * p[RADIUS] * p[TEETH_J])
        return "radii are not in the ratio of the teeth";
    if (isnan(p[OFFSET])) {
        carom_row row;
        rows(p, i, j, 3, &row);
        p[OFFSET] = row.phi;
    }
    return NULL;
}

const carom_joint_kind carom_joint_gear = {
    .kind = {
        .name = "gear",
        .title = "Two toothed wheels with parallel axes that mesh, outside or one in a ring.",
        .formula = "a_i, a_j the angles of the line of centres in both frames: -r_i a_i - r_j a_j - offset = 0, r_j "
                   "negative of a ring. Force on the second wheel: tangential at the pitch point.",
        .source = "Haug 1989, Computer Aided Kinematics and Dynamics of Mechanical Systems, section 3.4; Mueller 1982, "
                  "Epicyclic Drive Trains",
        .validity = "Between the centres of two wheels that joints hold at their distance, on any carrier or none; in "
                    "space `axis` is that of both. Teeth without backlash and losses; the part of their force along "
                    "the line of centres is left out. A pair of shapes `gear` has all that; for axes that are not "
                    "parallel take a `coupler` of the hinges.",
        .params = parameters,
        .param_count = sizeof parameters / sizeof parameters[0],
    },
    .rows_2d = 1,
    .rows_3d = 1,
    .has_axis = true,
    .start = start,
    .rows = rows,
};
