/* Broad phase: which members of the contact sets are near each other. */
#ifndef CAROM_BROAD_H
#define CAROM_BROAD_H

#include "dynamics/dynamics.h"

/* Two members that may touch before the list is made again. */
typedef struct carom_candidate {
    int set, i, j, point;       /* i before j among the model's members; one of the points of the pair */
    int place;                  /* for its owner: where it stands in the blocks */
    double reach;               /* sum of the bounding radii [m]; HUGE_VAL: one is unbounded */
    const carom_model_contact *law;
} carom_candidate;

typedef struct carom_broad carom_broad;

carom_status carom_broad_create(carom_context *ctx, const carom_model *model, carom_broad **out);
void carom_broad_free(carom_broad *broad);
/* Takes the poses of a part of the bodies (carom_body_part), or of all. */
void carom_broad_move(carom_broad *broad, int part, const carom_body_pose *pose);
void carom_broad_move_all(carom_broad *broad, const carom_body_pose *pose);
/* Greatest speed of a part from now on, until it moves [m/s]. */
void carom_broad_set_speed(carom_broad *broad, int part, double speed);
/* Whether no member moves so far in a step of h [s] that the list must be made again, by these speeds. */
bool carom_broad_stays(const carom_broad *broad, double h);
/* Takes for moved, in place of carom_broad_move(), all parts by these speeds over h [s]. */
void carom_broad_pass(carom_broad *broad, double h);
/* At the end of a step: true if a member has moved so far that the list must be made again. */
bool carom_broad_moved(carom_broad *broad);
/* Makes the list from the poses last taken, by set, i, j and point; threads share the search. Errors:
   CAROM_ERROR_MEMORY. */
carom_status carom_broad_build(carom_broad *broad, const carom_body_pose *pose, int threads);
carom_candidate *carom_broad_candidates(carom_broad *broad, size_t *count);
/* Where those of each member i begin in the list, and behind the last member their number. */
const size_t *carom_broad_firsts(const carom_broad *broad);
/* Whether the bounding spheres of two members, whose radii are `reach` together, and the boxes about solids meet in the
   poses last taken, which are asked for. */
bool carom_broad_near(const carom_broad *broad, int i, int j, double reach, const carom_body_pose *pose);

#endif
