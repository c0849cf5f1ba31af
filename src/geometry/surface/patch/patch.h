/* Two solids with faces that lie on each other: polyhedra, boxes with edges of a radius, flat ends and sides of
   cylinders, cones and capsules. */
#ifndef CAROM_PATCH_H
#define CAROM_PATCH_H

#include "geometry/surface/surface.h"

/* Places, 0: these are not two such solids, or they are two boxes or two capsules. The first is where the gap is least,
   the others where an edge of one of the faces that look at each other begins to bound the patch on which they lie. */
int carom_surface_patch_count(const carom_surface *i, const carom_surface *j);
/* The place `which`; `share`: how much of a law acts there. */
void carom_surface_patch(const carom_surface *i, const carom_shape_pose *pose_i, const carom_surface *j,
                         const carom_shape_pose *pose_j, int which, carom_surface_contact *out, double *share);
/* Rate of the normal there [1/s], from velocity and spin of the poses. */
carom_vec3 carom_surface_patch_normal_rate(const carom_surface *i, const carom_shape_pose *pose_i,
                                           const carom_surface *j, const carom_shape_pose *pose_j, int which);

#endif
