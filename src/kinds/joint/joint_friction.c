/* Friction sites of ideal joints: slips and forces of bearings that several joints share. */
#include "kinds/joint/joint.h"

int carom_joint_friction_bearing(carom_vec3 h, double length, carom_vec3 force, carom_vec3 moment, carom_vec3 *out)
{
    const carom_vec3 across = carom_v3_add_scaled(force, -carom_v3_dot(force, h), h);
    if (!(length > 0)) {
        out[0] = across;
        return 1;
    }

    /* the couple P, -P at both ends: length h x P is the moment across h */
    const carom_vec3 couple = carom_v3_scale(1 / length, carom_v3_cross(moment, h));
    out[0] = carom_v3_add_scaled(couple, 0.5, across);
    out[1] = carom_v3_add_scaled(carom_v3_neg(couple), 0.5, across);
    return 2;
}

int carom_joint_friction_slide(void *user, const double *size, const carom_joint_input *in, int place, carom_row *out)
{
    (void)user;
    (void)size;
    if (place > 0)
        return 0;
    carom_row_along(in->i, carom_m3_column(&in->i->axes, 2), in->j, out);
    return 1;
}

int carom_joint_friction_face(void *user, const double *size, const carom_joint_input *in, int place, carom_vec3 force,
                              carom_vec3 moment, carom_vec3 *out)
{
    (void)user;
    (void)size;
    (void)place;
    (void)moment;
    const carom_vec3 h = carom_m3_column(&in->i->axes, 2);
    out[0] = carom_v3_scale(carom_v3_dot(force, h), h);
    return 1;
}
