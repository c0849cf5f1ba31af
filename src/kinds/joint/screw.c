/* Screw joint (helical pair): body j turns about the axis h_i and advances along it by the pitch a turn.

   3-D: f_i . d = 0, g_i . d = 0, f_i . h_j = 0, g_i . h_j = 0, h_i . d - offset - pitch angle/(2 pi) = 0 (5 rows), the
   last one to the nearest whole pitch: a nut one turn further is on the same thread, so that no turns are counted.
   Coordinate: the angle of revolute joints.
   Friction along the thread at the mean radius r, tan l = pitch/(2 pi r), under the force on its flanks
   N = F/(cos l cos a), F the part of the axial force that they bear and a their angle in the normal section,
   tan a = tan flank cos l; and under the force across the axis.
   Source: Haug 1989, Computer Aided Kinematics and Dynamics of Mechanical Systems, section 9.4 (screw joint); Nikravesh
   1988, Computer-Aided Analysis of Mechanical Systems, section 7.2; Shigley, Mischke 1989, Mechanical Engineering
   Design, section 8-2 (power screws). Valid for any travel; the plane has no such joint. */
#include "kinds/joint/joint.h"

enum { PITCH, OFFSET, FLANK };

static const carom_param_row parameters[] = {
    {"pitch", "m", 1, CAROM_PARAM_REQUIRED, 0, -HUGE_VAL, HUGE_VAL,
     "Advance of the second body along the axis in one turn; negative for a left-handed thread."},
    {"offset", "m", 1, CAROM_PARAM_OPTIONAL, (double)NAN, -HUGE_VAL, HUGE_VAL,
     "Distance of the frames along the axis where the angle is zero; without it what fits the start."},
    {"flank", "rad", 1, CAROM_PARAM_BELOW, 0, 0, CAROM_PI / 2,
     "Of the thread, for its friction: angle of the flanks in a section through the axis, half that of the thread: 0 "
     "square, 15*deg trapezoidal, 30*deg metric."},
};

static double lead(const double *p) { return p[PITCH] / (2 * CAROM_PI); }

static const char *start(double *p, const carom_frame_pose *i, const carom_frame_pose *j)
{
    carom_row angle;
    if (p[PITCH] == 0)
        return "pitch must not be zero: a joint that turns without advance is a revolute joint";
    carom_row_angle(i, j, 3, &angle);
    if (isnan(p[OFFSET]))
        p[OFFSET] = carom_v3_dot(carom_m3_column(&i->axes, 2), carom_v3_sub(j->p, i->p)) - lead(p) * angle.phi;
    return NULL;
}

/* h_i . d - lead angle */
static void thread(const double *p, const carom_frame_pose *i, const carom_frame_pose *j, carom_row *out)
{
    carom_row angle;
    carom_row_along(i, carom_m3_column(&i->axes, 2), j, out);
    carom_row_angle(i, j, 3, &angle);
    out->phi = remainder(out->phi - p[OFFSET] - lead(p) * angle.phi, p[PITCH]);
    out->gamma -= lead(p) * angle.gamma;
    out->Ai = carom_v3_add_scaled(out->Ai, -lead(p), angle.Ai);
    out->Aj = carom_v3_add_scaled(out->Aj, -lead(p), angle.Aj);
}

static void rows(const double *p, const carom_frame_pose *i, const carom_frame_pose *j, int dimension, carom_row *out)
{
    (void)dimension;
    const carom_vec3 f = carom_m3_column(&i->axes, 0), g = carom_m3_column(&i->axes, 1);
    const carom_vec3 h = carom_m3_column(&j->axes, 2);

    carom_row_along(i, f, j, out);
    carom_row_along(i, g, j, out + 1);
    carom_row_perpendicular(i, f, j, h, out + 2);
    carom_row_perpendicular(i, g, j, h, out + 3);
    thread(p, i, j, out + 4);
}

static void coordinate(const double *p, const carom_frame_pose *i, const carom_frame_pose *j, int dimension,
                       carom_row *out)
{
    (void)p;
    carom_row_angle(i, j, dimension, out);
}

static void place(const double *p, const double *q, carom_vec3 *origin, carom_mat3 *axes)
{
    *origin = carom_v3(0, 0, p[OFFSET] + lead(p) * q[0]);
    *axes = carom_joint_turned(q[0]);
}

/* The travel tells the turns. */
static void coordinates(const double *p, const carom_vec3 *origin, const carom_mat3 *axes, double *q)
{
    const double angle = carom_joint_angle(axes);
    q[0] = angle + 2 * CAROM_PI * nearbyint((origin->z - p[OFFSET]) / p[PITCH] - angle / (2 * CAROM_PI));
}

static void subspace(const double *p, const double *q, carom_joint_twist *columns)
{
    (void)q;
    columns[0] = (carom_joint_twist){.turn = {0, 0, 1}, .move = {0, 0, lead(p)}};
}

static const carom_joint_freedoms freedoms = {
    .positions = 1, .speeds = 1, .place = place, .coordinates = coordinates, .subspace = subspace};

/* ---- friction ---- */

/* Cosine and sine of the lead angle at the mean radius of the thread. */
static void lead_angle(const double *p, const double *size, double *cosine, double *sine)
{
    const double radius = size[CAROM_FRICTION_RADIUS], way = hypot(radius, lead(p));
    *cosine = radius / way;
    *sine = lead(p) / way;
}

/* Along the thread: sin l of the advance and cos l of the turn at its radius. */
static int slips(void *user, const double *size, const carom_joint_input *in, int place, carom_row *out)
{
    (void)user;
    double cosine, sine;
    carom_row advance, turn;
    if (place > 0)
        return 0;
    const carom_vec3 h = carom_m3_column(&in->i->axes, 2);
    lead_angle(in->p, size, &cosine, &sine);
    carom_row_along(in->i, h, in->j, &advance);
    carom_row_spin(in->i, h, in->i->w, in->j, size[CAROM_FRICTION_RADIUS], &turn);
    *out = (carom_row){.gamma = sine * advance.gamma + cosine * turn.gamma,
                       .Li = carom_v3_scale(sine, advance.Li),
                       .Ai = carom_v3_add_scaled(carom_v3_scale(sine, advance.Ai), cosine, turn.Ai),
                       .Lj = carom_v3_scale(sine, advance.Lj),
                       .Aj = carom_v3_add_scaled(carom_v3_scale(sine, advance.Aj), cosine, turn.Aj)};
    return 1;
}

static int bearings(void *user, const double *size, const carom_joint_input *in, int place, carom_vec3 force,
                    carom_vec3 moment, carom_vec3 *out)
{
    (void)user;
    (void)place;
    double cosine, sine;
    const carom_vec3 h = carom_m3_column(&in->i->axes, 2);
    lead_angle(in->p, size, &cosine, &sine);
    /* 1/cos a of the normal section */
    const double flank = hypot(1, tan(in->p[FLANK]) * cosine);
    out[0] = carom_v3_scale(carom_v3_dot(force, h) * flank / cosine, h);
    return 1 + carom_joint_friction_bearing(h, size[CAROM_FRICTION_LENGTH], force, moment, out + 1);
}

static const carom_joint_friction_kind friction = {
    .needs = {0, CAROM_FRICTION_SIZE_BIT(RADIUS)},
    .takes = {0, CAROM_FRICTION_SIZE_BIT(LENGTH)},
    .slip_types = CAROM_SLIPS_BOTH,
    .slips = slips,
    .bearings = bearings,
};

static const carom_joint_kind *const coordinates_besides[] = {&carom_coordinate_travel, NULL};

const carom_joint_kind carom_joint_screw = {
    .kind = {
        .name = "screw",
        .aliases = "helical",
        .title = "Nut on a screw: the bodies turn about one common axis and advance along it by the pitch a turn.",
        .formula = "d = p_j - p_i. 3-D: f_i . d = 0, g_i . d = 0, f_i . h_j = 0, g_i . h_j = 0, h_i . d - offset - "
                   "pitch angle/(2 pi) = 0. Coordinate: angle from f_i to f_j about h_i.",
        .source = "Haug 1989, Computer Aided Kinematics and Dynamics of Mechanical Systems, section 9.4; Nikravesh "
                  "1988, Computer-Aided Analysis of Mechanical Systems, section 7.2; Shigley, Mischke 1989, Mechanical "
                  "Engineering Design, section 8-2 (friction)",
        .validity = "Three dimensions only, any travel. The thread has no play. Its friction acts along the thread at "
                    "the mean `radius` under the force on the flanks and under that across the axis, with a `length` "
                    "of the nut under the couple across it as well: a screw whose lead angle is below that of "
                    "friction holds its load. A collar is friction of the bearing that carries the screw. Positions "
                    "that are off by more than half a pitch are assembled to the nearest turn of the thread.",
        .params = parameters,
        .param_count = sizeof parameters / sizeof parameters[0],
    },
    .rows_3d = 5,
    .in_plane = "a turn moves a slide by a `coupler` of a `revolute` and a `translational` joint, or by a `rack`",
    .has_axis = true,
    .coordinate_unit = "rad",
    .drawn = "ring rail",
    .start = start,
    .rows = rows,
    .freedoms = &freedoms,
    .coordinates = coordinates_besides,
    .coordinate = coordinate,
    .friction = &friction,
};
