/* States: all that moves in a simulation, held by the caller. A state is taken from a simulation or made from a model,
   changed by names or as arrays, evaluated, and given back: carom_simulation_get_state() and what follows it in
   simulation.h.

   Positions and velocities are arrays in the coordinates of the formulation. In `cartesian`, body after body in the
   order of the file, without the ground:
     in the plane  x, y, angle                vx, vy, angular velocity             3 and 3 numbers a body
     in space      x, y, z, qw, qx, qy, qz    vx, vy, vz, wx, wy, wz               7 and 6
   of the centre of mass in world axes [m], [rad], [m/s], [rad/s]; the unit quaternion turns body axes into world axes,
   the angular velocity is in world axes. In `tree` a body that a joint carries has the coordinates and rates of that
   joint, the others have the same numbers as in `cartesian` (docs/theory/tree.md). The names of
   carom_state_get() and carom_state_set() are the same in both. */
#ifndef CAROM_STATE_PUBLIC_H
#define CAROM_STATE_PUBLIC_H

#include <stdbool.h>
#include <stddef.h>
#include "carom/model.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct carom_state carom_state;

/* Makes a state of the model: time 0, the bodies where and as fast as the file has them, not assembled, no contact
   open. The model must outlive it. Free with carom_state_free(). Errors: CAROM_ERROR_MEMORY, CAROM_ERROR_USAGE. */
CAROM_API carom_status carom_state_create(carom_context *ctx, const carom_model *model, carom_state **out);
/* Makes `to` equal to `from`, a state of the same model. On failure `to` is as before. Errors: CAROM_ERROR_USAGE (of
   another model), CAROM_ERROR_MEMORY. */
CAROM_API carom_status carom_state_copy(carom_state *to, const carom_state *from);
/* NULL is allowed. */
CAROM_API void carom_state_free(carom_state *state);

/* The arrays; `count` (may be NULL) is their length. They live as long as the state and follow its changes. */
CAROM_API const double *carom_state_positions(const carom_state *state, size_t *count);
CAROM_API const double *carom_state_velocities(const carom_state *state, size_t *count);
/* Sets all of them; quaternions become unit ones. Errors: CAROM_ERROR_USAGE (`count` is not the length, a number is not
   finite, a quaternion is zero); the state is then as before. */
CAROM_API carom_status carom_state_set_positions(carom_state *state, const double *q, size_t count);
CAROM_API carom_status carom_state_set_velocities(carom_state *state, const double *v, size_t count);

/* Value of a part by its name into the `count` numbers of `out`:
     time                                                                [s]
     body.NAME.position, .velocity                       2 or 3 numbers  [m], [m/s]
     body.NAME.angle (plane), .orientation (space)       1 or 4          [rad], -
     body.NAME.angular_velocity                          1 or 3          [rad/s]
     joint.NAME.coordinate, .rate                        1               [rad] or [m], and per second
     load.NAME.STATE, of kinds with states of their own  1               in its unit
     input.NAME, state.NAME                              1               in the unit that the model gives it
   A component of a vector is .x, .y, .z, .w behind its name. Errors: CAROM_ERROR_USAGE (no such name, with the nearest;
   the joint has no coordinate; another count). */
CAROM_API carom_status carom_state_get(const carom_state *state, const char *name, double *out, size_t count);
/* Sets it. Coordinates and rates of joints are wishes: the simulation that the state is given to moves the bodies so
   that they are met, see carom_simulation_assemble(). Until then carom_state_get() returns the wish and the bodies
   stand still. In `tree`, a body that a joint carries is set in the same way: the state keeps where all bodies shall be
   and how they shall move, the arrays stay as they were, and the simulation finds the coordinates. A body that no joint
   carries takes those along that hang on it. An input that follows a record in the simulation does so whatever the
   state has.
   Errors: as carom_state_get(), a value that is not finite, a time below 0; the state is then as before. */
CAROM_API carom_status carom_state_set(carom_state *state, const char *name, const double *values, size_t count);

/* A name that carom_state_get() and carom_state_set() take. */
typedef struct carom_state_part {
    const char *name;           /* "body.ball.position" */
    size_t size;                /* numbers; more than 1: each is also a part of its own, with .x, .y, .z or .w behind
                                   the name */
    const char *unit;           /* "m"; "-": none */
} carom_state_part;

/* All of them: the time, bodies, joints that have a coordinate, inputs, states, those of loads. The list lives as long
   as the state; NULL and count 0 when out of memory. */
CAROM_API const carom_state_part *carom_state_parts(carom_state *state, size_t *count);

#ifdef __cplusplus
}
#endif
#endif
