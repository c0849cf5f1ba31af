/* Places where the parts of ideal joints rub: forces of bearings that several joints share. */
#include "kinds/joint.h"

int carom_rubbing_bearing(carom_vec3 h, double length, carom_vec3 force, carom_vec3 moment, carom_vec3 *out)
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
