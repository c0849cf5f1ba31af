/* Two solids whose sides are straight lines, nearly parallel: the line along which they touch bears where it ends. */
#ifndef CAROM_LINES_H
#define CAROM_LINES_H

#include "geometry/surface/surface.h"

/* The side of a cylinder or capsule, or the edge of a box, in the axes of i. */
typedef struct carom_line {
    carom_vec3 middle, along;   /* of the axis, of an edge with a radius that of its rounding; unit */
    double half;                /* from the middle to those of the rounded ends */
    double radius;              /* about the axis */
    double ring, rim;           /* radius of the middles of the rounding at an end, and of that rounding */
    bool edge;                  /* of a box, between faces with these normals */
    carom_vec3 face[2];
} carom_line;

typedef struct carom_lines {
    carom_line side[2];
    double sense;               /* of the direction of the second along that of the first: 1 or -1 */
    carom_vec3 common, across;  /* the direction of both; from the first to the second in the middle; unit */
    double low, high;           /* of the common length, along it */
    double weight;              /* how much of the contact the line bears: 1 where parallel, 0: no such line */
    double part;                /* of a law at either end, 1/2 to 1 */
    double deep;                /* for the common length: 1 where another side of the solids is nearer, 0 where not */
    bool tilted;                /* in the plane of both, or deep: the least gap may be that of other parts */
} carom_lines;

/* Ends of two lines that may be places: 4, both of i and both of j; 0: the solids are others. */
int carom_lines_count(const carom_surface *i, const carom_surface *j);
void carom_lines_find(const carom_surface *i, const carom_surface *j, const carom_surface_placed *placed,
                      carom_lines *out);
/* An end of either line over the other solid, in the axes of i, both points from the origin of i, with the curvatures
   of the end and of what it lies over. Returns the share of a law that acts there where the line bears wholly. */
double carom_lines_end(const carom_lines *lines, int end, carom_surface_contact *out);
/* Where the gap is least along the common length, if the weight is more than 0. */
void carom_lines_least(const carom_lines *lines, carom_surface_contact *out);
/* Curvatures that a law has along a line, in the place of those of its ends, of a contact in world axes. */
void carom_lines_straighten(const carom_shape_pose *pose_i, const carom_lines *lines, carom_surface_contact *contact);

#endif
