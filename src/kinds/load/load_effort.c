/* Efforts along the coordinate of a joint, for loads from outside. */
#include "kinds/load/load.h"

void carom_load_effort(const carom_load_input *in, double effort, carom_load_output *out)
{
    carom_load_output of;
    if (!in || !out)
        return;
    carom_load_along_coordinate(in, effort, &of);
    out->force_i = carom_v3_add(out->force_i, of.force_i);
    out->force_j = carom_v3_add(out->force_j, of.force_j);
    out->torque_i = carom_v3_add(out->torque_i, of.torque_i);
    out->torque_j = carom_v3_add(out->torque_j, of.torque_j);
}
