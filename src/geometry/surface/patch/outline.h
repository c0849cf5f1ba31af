/* The patch on which two faces lie on each other, its outline, and how much it bears. */
#ifndef CAROM_OUTLINE_H
#define CAROM_OUTLINE_H

#include "geometry/surface/patch/face.h"

/* Corners of a patch. */
#define CAROM_PATCH_CORNERS (4 * CAROM_FACE_SIDES)

typedef struct carom_patch {
    carom_face side[2];
    carom_vec3 across, origin_j;
    double weight;              /* how much the patch bears in place of the deepest point, */
    double law;                 /* with so much of a law at a right angle of its outline or an end of its line */
    double full;                /* how much of it as its faces are large */
    double edge_weight;         /* how much the edge on which a tilted face stands bears in place of that point, */
    double edge_law[2];         /* with so much of a law where what lies over the other face begins and ends: */
    double edge_full, edge_spread;      /* as it is long; half of what the gap differs by along it */
    int edge_at;                /* from this corner of the outline to the next one */
    double slope[2];            /* of the gap, along x and y */
    int count;
    double x[CAROM_PATCH_CORNERS], y[CAROM_PATCH_CORNERS];
    int line;                   /* the side that is a line, -1: none */
    double begin, end;          /* of the line what lies over the other face, */
    int cut_by[2];              /* ended by these edges of that, -1: by the line itself */
    int leaving[CAROM_PATCH_CORNERS];   /* the edge that leaves a corner: of j from CAROM_FACE_SIDES on */
} carom_patch;

/* Outline and weights of the patch of both sides, as far as they lie flat. */
void carom_patch_find(carom_patch *p);
/* The edge of one of them, if it is one of two polyhedra, that lies along the face of the other one; n: where the gap
   is least, from i to j. */
void carom_patch_find_edge(carom_patch *p, carom_vec3 n);
/* Faces that are large bear a law at each right angle, those that are small one law in all as long as they are even. */
void carom_patch_share_out(carom_patch *p, double gap);
void carom_patch_bear_less(carom_patch *p, double share);
/* How much of a law acts at the corner k of the outline. */
double carom_patch_share(const carom_patch *p, int k);
/* By how much the crossing of the line with the edge that ends it bears in place of the line's end: 0 to 1. */
double carom_patch_overhang(const carom_patch *p, int end);
/* How far a point in the plane of the patch lies outside of a face. */
double carom_patch_outside(const carom_face *f, double x, double y);

#endif
