/* The loads and what they share. Loads between two frames act along the line of the origins or about h_i; the forces
   and torques on the two sides are opposite and share that line, so that their resultant is zero. */
#ifndef CAROM_LOAD_H
#define CAROM_LOAD_H

#include "kinds/kinds.h"

#define CAROM_KIND(symbol) extern const carom_load_kind carom_load_##symbol;
#include "kinds/load/load.def"
#undef CAROM_KIND

/* Line from origin i to origin j. */
typedef struct carom_load_line {
    carom_vec3 direction;       /* unit, from i to j; zero where the origins coincide [-] */
    double length;              /* [m] */
    double rate;                /* rate of the length [m/s]; zero where the origins coincide */
} carom_load_line;

static inline carom_load_line carom_load_line_of(const carom_frame_pose *i, const carom_frame_pose *j)
{
    const carom_vec3 d = carom_v3_sub(j->p, i->p);
    const double length = carom_v3_norm(d);
    const carom_vec3 u = carom_v3_scale(length > 0 ? 1 / length : 0, d);
    return (carom_load_line){u, length, carom_v3_dot(u, carom_v3_sub(j->v, i->v))};
}

/* A vector given in world axes, or in those of the frame when `axes` is the index 1 of "world|body". */
static inline carom_vec3 carom_load_to_world(const carom_frame_pose *frame, const double *vector, double axes)
{
    const carom_vec3 v = carom_v3_load(vector);
    return axes > 0.5 ? carom_m3_apply(&frame->axes, v) : v;
}

#endif
