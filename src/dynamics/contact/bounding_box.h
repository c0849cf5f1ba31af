/* Boxes about solids: most of what the bounding sphere of a bar or a plate holds for near is not. */
#ifndef CAROM_BOUNDING_BOX_H
#define CAROM_BOUNDING_BOX_H

#include "model/model.h"

/* Its middle, its axes as columns, half its sizes along them [m]. */
typedef struct carom_bounding_box {
    carom_vec3 centre;
    carom_mat3 axes;
    double half[3];
} carom_bounding_box;

/* The box about a solid in space, or an outline in the plane, from the centre of mass of its body and in the body's
   axes; false: none is known. */
bool carom_bounding_box_of(const carom_model_shape *shape, bool planar, carom_bounding_box *out);
/* The same box in world axes, with its body at a pose. */
carom_bounding_box carom_bounding_box_at(const carom_bounding_box *own, const carom_body_pose *body);
/* Square of the distance of a point from a box, 0 inside [m^2]. */
double carom_bounding_box_distance2(const carom_bounding_box *box, carom_vec3 x);
/* How far two boxes are apart at least, by the normals of their faces [m]; negative: they do not tell. */
double carom_bounding_boxes_gap(const carom_bounding_box *i, const carom_bounding_box *j);
/* Whether a plane lies between two boxes (Gottschalk, Lin and Manocha 1996, SIGGRAPH, section 5). */
bool carom_bounding_boxes_apart(const carom_bounding_box *i, const carom_bounding_box *j);

#endif
