/* An episode of a contact: from the onset, where the surfaces touch, to the release, where they part. Contacts with located
   events and contact sets with fixed steps have the same; only when its functions are called differs. */
#ifndef CAROM_EPISODE_H
#define CAROM_EPISODE_H

#include "model/model.h"

/* All numbers of an episode, without pointers and without padding: it is copied, hashed and stored as bytes. */
typedef struct carom_episode {
    /* of contact sets: the set, two of the model's members, i before j, and which point of pairs with several */
    int set, i, j, point;
    int open;
    int latched;                /* the law would pull, the force is zero */
    int compressing;            /* the indentation grows */
    int stick;                  /* friction that holds: 0 slip, 1 stick */
    int segment[2];             /* with the radii of segments, those of both curves */
    double onset, speed;        /* [s], of approach there [m/s] */
    double v0;                  /* impact velocity that the law uses [m/s] */
    double gain;                /* A/v0 of a law with Fd = Fe A rate/v0 [s/m]; NAN of others */
    double mass;                /* effective, at the onset [kg] */
    double depth_scale, time_scale;     /* expected indentation and duration [m], [s] */
    double gap, gap_rate;       /* at the last accepted time [m], [m/s]; of located contacts also between episodes */
    double force;               /* then [N] */
    double loss_power, friction_power;  /* of contact sets, then [W] */
    double force_rate;          /* of located contacts: mean slope over the last step; negative once it falls [N/s] */
    double followed_rate;       /* gap rate at the end of the step that was followed last [m/s] */
    double pull, pull_rate;     /* value of the release's root function and its mean slope over the last step [-], [1/s] */
    double peak_force, peak_depth;      /* so far [N], [m] */
    /* So far; of located contacts, whose sums are integrated with the state, those at the onset [N s], [J], [J]. */
    double impulse, loss, friction_loss;
    double start_released, start_switched;      /* the contact's sums at the onset [J] */
    double force_end;           /* when the force became zero; before the onset while it acts [s] */
    double elastic[CAROM_LAW_CONSTANTS];        /* constants of the elastic part, if they are made at the onset */
    double radii[2];            /* of both surfaces then [m] */
    double memory[CAROM_LAW_MEMORY];            /* of the elastic part */
    double friction[CAROM_FRICTION_STATE];      /* of contact sets: state of the friction law */
    double place[2];            /* of curves, the parameters of the points that are followed */
} carom_episode;

#endif
