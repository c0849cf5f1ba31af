/* Rack and pinion: the pinion on body j rolls along the rack on body i; a wheel on a line likewise.

   t the direction of the rack through the origin of i, h the axis of the pinion, r its pitch radius:
   t . d + r angle - offset = 0 (1 row), r positive where the pinion is on the side h x t of the rack, else negative; to
   the nearest whole turn, so that none are counted. The force of the row is that at the teeth, along the rack at the
   pitch point.
   Source: Haug 1989, Computer Aided Kinematics and Dynamics of Mechanical Systems, section 3.4 (rack and pinion). Valid
   while the pinion keeps its distance from the rack, as joints make it do; any travel. */
#include "kinds/joint/joint.h"

enum { DIRECTION, RADIUS = DIRECTION + 3, OFFSET };

static const carom_param_row parameters[] = {
    {"direction", "-", 3, CAROM_PARAM_REQUIRED | CAROM_PARAM_NONZERO, 0, -HUGE_VAL, HUGE_VAL,
     "Direction of the rack in world axes at the start."},
    {"radius", "m", 1, CAROM_PARAM_OPTIONAL | CAROM_PARAM_NONZERO, (double)NAN, -HUGE_VAL, HUGE_VAL,
     "Pitch radius of the pinion, negative on the other side of the rack; without it the distance of its centre from "
     "the rack's line at the start."},
    {"offset", "m", 1, CAROM_PARAM_OPTIONAL, (double)NAN, -HUGE_VAL, HUGE_VAL,
     "Way of the pinion along the rack where its angle is zero; without it what fits the start."},
};

static void rows(const double *p, const carom_frame_pose *i, const carom_frame_pose *j, int dimension, carom_row *out)
{
    carom_row angle;
    carom_row_along(i, carom_m3_apply(&i->axes, carom_v3_load(p + DIRECTION)), j, out);
    carom_row_angle(i, j, dimension, &angle);
    out->phi = remainder(out->phi + p[RADIUS] * angle.phi - (isnan(p[OFFSET]) ? 0 : p[OFFSET]),
                         2 * CAROM_PI * p[RADIUS]);
    out->gamma += p[RADIUS] * angle.gamma;
    out->Ai = carom_v3_add_scaled(out->Ai, p[RADIUS], angle.Ai);
    out->Aj = carom_v3_add_scaled(out->Aj, p[RADIUS], angle.Aj);
}

static const char *start(double *p, const carom_frame_pose *i, const carom_frame_pose *j)
{
    /* from world axes to those of the frame, across the axis */
    carom_vec3 t = carom_m3_apply_t(&i->axes, carom_v3_load(p + DIRECTION));
    t.z = 0;
    const double size = carom_v3_norm(t);
    if (!(size > 1e-6 * carom_v3_norm(carom_v3_load(p + DIRECTION))))
        return "direction is along the axis of the pinion; the rack runs across it";
    p[DIRECTION] = t.x / size;
    p[DIRECTION + 1] = t.y / size;
    p[DIRECTION + 2] = 0;
    const carom_vec3 across = {-p[DIRECTION + 1], p[DIRECTION], 0};
    if (isnan(p[RADIUS]))
        p[RADIUS] = carom_v3_dot(carom_m3_apply(&i->axes, across), carom_v3_sub(j->p, i->p));
    if (p[RADIUS] == 0)
        return "the centre of the pinion is on the line of the rack; give its radius";
    if (isnan(p[OFFSET])) {
        carom_row along, angle;
        carom_row_along(i, carom_m3_apply(&i->axes, carom_v3_load(p + DIRECTION)), j, &along);
        carom_row_angle(i, j, 3, &angle);
        p[OFFSET] = along.phi + p[RADIUS] * angle.phi;
    }
    return NULL;
}

const carom_joint_kind carom_joint_rack = {
    .kind = {
        .name = "rack",
        .title = "Pinion that rolls along a rack, or a wheel along a line.",
        .formula = "t . d + radius angle - offset = 0, t the rack's direction, d from its frame to the pinion's, angle "
                   "of the pinion against the rack about the axis.",
        .source = "Haug 1989, Computer Aided Kinematics and Dynamics of Mechanical Systems, section 3.4",
        .validity = "Between a frame on the pitch line of the rack and the centre of the pinion, which joints hold at "
                    "its distance; in space `axis` is that of the pinion. Teeth without backlash and losses; the part "
                    "of their force across the rack is left out. A wheel that rolls on a line in the plane is a pinion "
                    "as well, held at its height by `point-in-line`.",
        .params = parameters,
        .param_count = sizeof parameters / sizeof parameters[0],
    },
    .rows_2d = 1,
    .rows_3d = 1,
    .has_axis = true,
    .start = start,
    .rows = rows,
};
