/* Names of the free motions of a mechanism and of what its redundant rows hold. */
#ifndef CAROM_DIAGNOSE_FREEDOMS_H
#define CAROM_DIAGNOSE_FREEDOMS_H

#include "sim/sim.h"

/* The texts belong to the simulation. */
typedef struct carom_freedoms {
    const char **free;          /* "'pin' turns", "'rod' spins about the line through 'a' and 'b'" */
    size_t free_count, whole;   /* and how many more motions these are, as of a body that moves freely */
    const char **held;          /* of each redundant row, in their order: "turning about x, held by 'a', 'b'" */
    size_t held_count;
} carom_freedoms;

/* At the assembled start; `redundant` tells it of each constraint row. Nothing is found of models with more than 700
   velocities or rows. Errors: CAROM_ERROR_MEMORY, CAROM_ERROR_SOLVER. */
carom_status carom_freedoms_find(carom_simulation *sim, const bool *redundant, size_t mobility, carom_freedoms *out);

#endif
