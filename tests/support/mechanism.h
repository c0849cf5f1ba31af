/* Random mechanisms, in the plane and in space: bodies, joints in trees and loops, loads, contacts, as data that can be
   made smaller, and as a model file of the mechanism as it is, or turned, moved, mirrored, renamed and put in another
   order. */
#ifndef TEST_MECHANISM_H
#define TEST_MECHANISM_H

#include "carom_test.h"
#include "support/frames.h"

#define MECHANISM_BODIES 6
#define MECHANISM_JOINTS 8
#define MECHANISM_LOADS 4
#define MECHANISM_CONTACTS 6
#define MECHANISM_TEXT 20000

typedef struct mechanism_body {
    bool left_out;
    const char *shape;
    double mass, inertia[3], radius; /* half of the largest size of the shape, about */
    carom_vec3 at, velocity, spin;
    carom_mat3 axes;
    bool moves; /* velocity and spin are given */
} mechanism_body;

typedef struct mechanism_joint {
    bool left_out;
    const char *kind;
    int i, j;                 /* -1: ground */
    carom_vec3 point, second; /* of both bodies in the world; the second one where the kind has a distance */
    carom_vec3 axis, axis2;
    double pitch, armature, stop, drive, spring, friction, play; /* 0: none */
} mechanism_joint;

typedef struct mechanism_load {
    bool left_out;
    const char *kind;
    int i, j;
    carom_vec3 point, second, vector;
    double stiffness, damping;
} mechanism_load;

typedef struct mechanism_contact {
    bool left_out;
    int i, j;                   /* j = -1: the floor */
    const char *law, *friction; /* NULL: none */
    double stiffness, restitution, kinetic;
} mechanism_contact;

typedef struct mechanism {
    uint64_t seed;
    int dimension;
    bool floats;                   /* nothing acts from outside */
    double until;                  /* [s] */
    carom_vec3 gravity, floor, up; /* a point of the floor and its normal */
    int body_count, joint_count, load_count, contact_count;
    mechanism_body body[MECHANISM_BODIES];
    mechanism_joint joint[MECHANISM_JOINTS];
    mechanism_load load[MECHANISM_LOADS];
    mechanism_contact contact[MECHANISM_CONTACTS];
} mechanism;

/* How it is written: mirrored in y, then turned, then moved. In y, since the three points of a flat end that are fixed
   in the material have that symmetry alone. */
typedef struct mechanism_view {
    carom_mat3 turn;
    carom_vec3 move;
    bool mirror, reversed;                /* names and order of all that is listed */
    const char *formulation, *integrator; /* NULL: as by default */
    double tolerance;                     /* 0: as by default */
} mechanism_view;

mechanism mechanism_random(uint64_t seed);
mechanism_view mechanism_as_is(void);
carom_vec3 mechanism_vector(const mechanism_view *view, carom_vec3 v);
carom_vec3 mechanism_place(const mechanism_view *view, carom_vec3 p);
/* Angular velocities and torques, which a mirror turns the other way. */
carom_vec3 mechanism_spin(const mechanism_view *view, carom_vec3 w);
carom_mat3 mechanism_axes(const mechanism_view *view, const carom_mat3 *axes);
/* The name of a body in that view. */
const char *mechanism_name(const mechanism_view *view, int body, char *out, size_t size);
/* The model file; `out` takes MECHANISM_TEXT characters. */
void mechanism_write(const mechanism *m, const mechanism_view *view, char *out);

/* Leaves out part number k of it, with all that hangs on it: a body, a joint, a load, a contact, or what they have that
   can be done without. False: there is no such part, or it is out already. `parts` in all. */
int mechanism_parts(const mechanism *m);
bool mechanism_leave_out(mechanism *m, int k);

#endif
