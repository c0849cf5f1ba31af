/* Shapes that overlap as a motion starts. */
#ifndef CAROM_DYNAMICS_OVERLAP_H
#define CAROM_DYNAMICS_OVERLAP_H

#include "dynamics/dynamics.h"

/* Two shapes that overlap at the start. */
typedef struct carom_overlap {
    const carom_model_contact *contact;
    const char *name;           /* of the contact, or of the set */
    const carom_place *place;
    int shapes[2];
    const carom_contact_point *point;
} carom_overlap;

/* Shares of the size of the smaller shape from which an overlap at the start is told of, and refused. */
#define CAROM_OVERLAP_TOLD 0.01
#define CAROM_OVERLAP_REFUSED 0.25

/* The size that an overlap is compared with [m]. */
double carom_overlap_size(const carom_model *model, const carom_overlap *overlap);
/* At the poses of an evaluation; tells whether the assembly has moved a body there. Errors: CAROM_ERROR_MODEL, where it
   is refused. */
carom_status carom_overlap_check(carom_context *ctx, const carom_evaluation *d, const carom_overlap *overlap);
/* The same of the deepest point that bears of the two shapes of a contact, at the poses of an evaluation. */
carom_status carom_overlap_check_deepest(carom_context *ctx, const carom_evaluation *d, int contact);
/* The same of shapes that overlap where no point of contact need be. */
carom_status carom_overlap_check_crossed(carom_context *ctx, const carom_evaluation *d);

#endif
