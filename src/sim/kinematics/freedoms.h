/* Names of the free motions of a mechanism and of what its redundant rows hold. */
#ifndef CAROM_SIM_FREEDOMS_H
#define CAROM_SIM_FREEDOMS_H

#include "sim/sim.h"

/* The texts belong to the simulation. */
typedef struct carom_freedoms {
    const char **free;          /* "'pin' turns", "'rod' spins about the line through 'a' and 'b'" */
    size_t free_count, whole;   /* and how many more motions these are, as of a body that moves freely */
    const char **stuck;         /* joint coordinates that nothing drives, and that cannot move at these poses, nor would
                                   without drives: "'seat' cannot turn"; none where nothing can move */
    size_t stuck_count;
    const char **held;          /* of each redundant row, in their order: "turning about x, held by 'a', 'b'" */
    size_t held_count;
} carom_freedoms;

/* Beyond so many velocities or rows a list would help nobody, and the decomposition takes long. */
#define CAROM_FREEDOMS_MOST 700

/* At the poses of an evaluation, as a rule of the assembled start; `redundant` tells it of each constraint row. Nothing
   is found of models with more than CAROM_FREEDOMS_MOST velocities or rows. Errors: CAROM_ERROR_MEMORY,
   CAROM_ERROR_SOLVER. */
carom_status carom_freedoms_find(carom_simulation *sim, carom_evaluation *d, const bool *redundant, size_t mobility,
                                 carom_freedoms *out);

/* Independent motions that the rows leave at the start. */
int carom_freedoms_count(const carom_simulation *sim);

/* The rows that hold at the poses of an evaluation, over the velocities of all bodies, angular ones in lengths, each of
   norm 1, one after the other; `row_of`: which rows of the model they are. Returns how many there are. */
int carom_freedoms_rows(const carom_simulation *sim, carom_evaluation *d, double t, double *matrix, int *row_of);
/* Takes the parts along `count` orthonormal rows of n numbers out of row r; returns what is left of it. */
double carom_freedoms_clear(const double *rows, size_t n, size_t count, double *r);

#endif
