/* Boxes about solids on the ground: most of what the bounding sphere of a bar or a plate holds for near is not. */
#ifndef CAROM_FIXED_BOX_H
#define CAROM_FIXED_BOX_H

#include "model/model.h"

/* In world axes: its middle, its axes as columns, half its sizes along them [m]. */
typedef struct carom_fixed_box {
    carom_vec3 centre;
    carom_mat3 axes;
    double half[3];
} carom_fixed_box;

/* The box about a shape in space at a pose of its body; false: none is known. */
bool carom_fixed_box_of(const carom_model_shape *shape, const carom_body_pose *ground, carom_fixed_box *out);
/* Square of the distance of a point from the box, 0 inside [m^2]. */
double carom_fixed_box_distance2(const carom_fixed_box *box, carom_vec3 x);

#endif
