/* An episode of a contact: from the onset, where the surfaces touch, to the release, where they part. Contacts with
   located events and contact sets with fixed steps have the same; only when its functions are called differs. */
#ifndef CAROM_EPISODE_H
#define CAROM_EPISODE_H

#include "carom/simulation.h"
#include "model/model.h"

/* A contact at one instant. */
typedef struct carom_contact_point {
    double gap, gap_rate;       /* [m], [m/s] */
    carom_vec3 normal, point;
    carom_vec3 arm_i, arm_j;    /* of the point about the centres of mass [m] */
    double elastic, damping;    /* parts of the force, after the release policy [N] */
    double force;               /* [N] */
    double raw_force;           /* before the release policy [N] */
    double energy;              /* stored [J] */
    double loss;                /* part of the elastic force whose work is lost in permanent indentation [N] */
    carom_vec3 slip;            /* velocity of j against i in the tangent plane [m/s] */
    carom_vec3 friction;        /* force on j [N] */
    double spare;               /* of friction that holds: what is left of its greatest force beside the one that is
                                   needed, of the greatest; negative: it cannot hold [-] */
    carom_vec3 couple;          /* of rolling and spinning resistance, on j [N m] */
    double friction_power;      /* work that friction takes [W] */
    double elastic_slope;       /* [N/m] */
    double radius[2];           /* of pairs whose radii vary: those of both surfaces there [m] */
    double curvature[2];        /* their principal relative curvatures, low and high [1/m]; 0: not known */
    double parameter[2];        /* on curves, along them */
    double residual;            /* of the common-normal equations [-] */
    bool common;                /* there is a common normal */
    double less;                /* share of the law that does not act, of pairs whose points share it [-] */
    double whole;               /* energy that would be stored if all acted [J] */
} carom_contact_point;

/* Where a contact is between a compression and the next one. */
typedef enum carom_compression {
    CAROM_OPENING,              /* restitution; the surfaces may come nearer again */
    CAROM_COMPRESSING,
    CAROM_FOLLOWING,            /* compression during which v0 follows the closing speed: velocity `adaptive` */
    CAROM_CREST                 /* and whose greatest closing speed lies at the end of the step */
} carom_compression;

/* Friction that holds. A contact that breaks away slides along a given direction until its slip has one. */
typedef enum carom_stick {
    CAROM_SLIPPING,
    CAROM_STICKING,
    CAROM_BREAKING_AWAY
} carom_stick;

/* All numbers of an episode, without pointers and without padding: it is copied, hashed and stored as bytes. */
typedef struct carom_episode {
    /* of contact sets: the set, two of the model's members, i before j, and which point of pairs with several */
    int set, i, j, point;
    int open;
    int cut_off;                /* the law would pull, the force is zero */
    int compressing;            /* one of carom_compression */
    int stick;                  /* friction that holds: one of carom_stick */
    int segment[2];             /* with the radii of segments, those of both curves */
    double onset, speed;        /* [s], of approach there [m/s] */
    double fastest;             /* greatest closing speed of the episode so far [m/s] */
    double v0;                  /* impact velocity that the law uses; while it follows, that of the last accepted
                                   time [m/s] */
    double greatest_v0;         /* of the episode so far [m/s] */
    double gain;                /* A/v0 of a law with Fd = Fe A rate/v0 [s/m]; NAN of others */
    double mass;                /* effective, at the onset [kg] */
    double depth_scale, time_scale;     /* expected indentation and duration [m], [s] */
    double gap, gap_rate;       /* at the last accepted time [m], [m/s]; of located contacts also between episodes */
    double force;               /* then [N] */
    double loss_power, friction_power;  /* of contact sets, then [W] */
    double force_rate;          /* of located contacts: mean slope over the last step; negative once it falls [N/s] */
    double followed_rate;       /* gap rate at the end of the step that was followed last [m/s] */
    double pull, pull_rate;     /* value of the release's root function and its mean slope over the last step [-],
                                   [1/s] */
    double peak_force, peak_depth, peak_time;   /* so far [N], [m]; of the force [s] */
    /* So far; of located contacts, whose sums are kept in the state, those at the onset until it ends. */
    double impulse, loss, friction_loss;        /* [N s], [J], [J] */
    double cutoff_loss;         /* elastic energy lost because the law would pull and the force is zero instead [J] */
    double switch_term;         /* elastic energy that vanished as constants were made again; negative: appeared [J] */
    double force_end;           /* when the force became zero; before the onset while it acts [s] */
    double elastic[CAROM_LAW_CONSTANTS];        /* constants of the elastic part, if they are made at the onset */
    double radii[2];            /* of both surfaces then [m] */
    double history[CAROM_LAW_HISTORY];           /* history variables of the elastic part */
    double friction[CAROM_FRICTION_STATE];      /* of contact sets: state of the friction law */
    double parameter[2];        /* of curves, the parameters of the points that are followed */
    /* Of located contacts: the force at the last accepted time, NAN where an event may have changed it since, and of
       rigid ones, friction included, the impulse on j of the last step over its length [N]; the
       forces before and after a jump that no event explains [N], and by how much it turned [rad], NAN: none. */
    carom_vec3 pressed;
    double jump[3];
    double less, whole;         /* of the contact point at the last accepted time [-], [J]; of contact sets those of
                                   pairs with several points */
    double taken;               /* depth that it took over from another place of its pair; negative for an instant: that
                                   it hands over [m] */
    double parted;              /* when it broke away [s] */
    carom_vec3 parting;         /* direction of the slip of a contact that breaks away */
    double rocking;             /* of located contacts that hold: slip of places against each other as the bodies rock
                                   on them, which is none of the bodies [m/s] */
} carom_episode;

/* ---- its law: constants, velocity, scales ---- */

/* Duration of a Hertz impact over depth/speed (Hertz 1882); other exponents lie between 2.7 and pi. */
#define CAROM_HERTZ_DURATION 2.9432

/* Constants of the elastic part: those made at the onset, or the contact's. */
static inline const double *carom_episode_constants(const carom_model_contact *c, const carom_episode *e)
{
    return c->varies ? e->elastic : c->law.elastic_constants;
}

/* Makes constants and radii from the radii at the contact, or takes the contact's. Returns NULL or the sentence of the
   refusal. */
const char *carom_episode_set_constants(const carom_model_contact *contact, carom_episode *episode,
                                        const carom_contact_point *point);
/* Indentation up to which the elastic part holds [m]. */
double carom_episode_limit(const carom_model_contact *contact, const carom_episode *episode);
/* Stored energy at an indentation, without history [J]. */
double carom_episode_energy(const carom_model_contact *contact, const carom_episode *episode, double delta);
/* Sets the impact velocity v0 where compression begins, at a speed [m/s] and with an energy [J] stored: that of the
   free impact whose energy, m v0^2/2, is the kinetic and elastic energy of the contact. */
void carom_episode_set_velocity(const carom_model_contact *contact, carom_episode *episode, double speed,
                                double energy);
/* The same where a contact begins or its indentation grows anew, at a gap [m] and its rate [m/s]. */
void carom_episode_begin_compression(const carom_model_contact *contact, carom_episode *episode, double gap,
                                     double rate);
/* Velocity `adaptive`: the impact velocity that a state of a compression asks for [m/s]. */
static inline double carom_episode_followed(const carom_model_contact *c, const carom_episode *e,
                                            const carom_contact_point *p)
{
    const double energy = p->less != 0 ? p->whole : p->energy;
    return fmax(carom_normal_followed_velocity(-p->gap_rate, e->mass, energy), c->law.minimum_speed);
}
/* The velocity from which v0 follows [m/s], a little above it. */
double carom_episode_following_from(const carom_episode *episode);
/* Whether that is greater than v0 by so much that v0 follows; falls through zero where it becomes so [m/s]. */
double carom_episode_until_following(const carom_model_contact *contact, const carom_episode *episode,
                                     const carom_contact_point *point);
/* Takes over the velocity of a state in which v0 follows, or its greatest one [m/s]. */
void carom_episode_follow(const carom_model_contact *contact, carom_episode *episode, double velocity);
/* Expected indentation and duration of a free impact; `closed_form`: of power laws without a search. */
void carom_episode_set_scales(const carom_model_contact *contact, carom_episode *episode, bool closed_form);

/* ---- its course ---- */

/* Opens it where the surfaces touch: at the time [s] and the speed of approach [m/s]. Velocity and scales are set after
   its mass and constants. */
void carom_episode_open(carom_episode *episode, double onset, double speed, const carom_contact_point *point);
/* A gap that is as large where a contact opens or ends has jumped; points of a pair that share its law may begin to
   bear where the surfaces overlap by as much [m]. */
static inline double carom_jump_of_gap(const carom_model_contact *contact) { return 1e-9 * contact->feature_size; }
/* Rounding of speeds [m/s]. */
#define CAROM_EPISODE_AT_REST 1e-12
/* Whether the surfaces of an open contact, of a pair whose gaps may jump, only touch: they met without speed and
   have no depth, but for rounding. */
static inline bool carom_episode_touches(const carom_model_contact *contact, const carom_episode *e)
{
    return e->speed <= CAROM_EPISODE_AT_REST && e->open && contact->hands_over &&
           e->peak_depth < carom_jump_of_gap(contact);
}
/* Force of a point whose gap and rate are known. */
void carom_episode_force(const carom_model_contact *contact, const carom_episode *episode, carom_contact_point *out);
/* Whether the force is zero until the contact has opened or is pressed again: cut off after it has pressed. */
bool carom_episode_latched(const carom_model_contact *contact, const carom_episode *episode);
/* Of such a contact: rises through zero where the surfaces begin to approach each other again [m/s]. */
static inline double carom_episode_until_pressed(const carom_contact_point *p) { return -p->gap_rate; }
/* Elastic energy that the surfaces hold: none where they are apart, up to where the law is continued [J]. */
static inline double carom_episode_held(const carom_contact_point *p) { return p->gap < 0 ? p->energy : 0; }
/* At the onset: a law that pulls there has no force from the first instant on. True if so. */
bool carom_episode_begin_tension(carom_episode *episode, double pull);
/* Tension clip and cut-off: the force becomes zero where `pull`, positive while the law repels, has fallen to zero, and
   acts again once it repels, with cut-off, if it has pressed, only once it is pressed again. True at a change. */
bool carom_episode_tension(const carom_model_contact *contact, carom_episode *episode, double pull,
                           const carom_contact_point *point);
/* Falls through zero at a branch event of a law with history variables. */
double carom_episode_branch(const carom_model_contact *contact, const carom_episode *episode,
                            const carom_contact_point *point);
/* Updates the history variables if the branch has ended; true if they were. */
bool carom_episode_update_history(const carom_model_contact *contact, carom_episode *episode,
                                  const carom_contact_point *point);
/* A law with memory that begins indented and opens has turned there: it does not go back along its virgin curve. */
void carom_episode_begin_history(const carom_model_contact *contact, carom_episode *episode,
                                 const carom_contact_point *point);
/* A force [N] and a depth [m] at a time [s]. */
void carom_episode_add_peak(carom_episode *episode, double force, double depth, double time);
/* Whether a force that goes from `before` to `after` [N] in a very short time changes by more than an impact does. */
bool carom_episode_jumps(const carom_episode *episode, carom_vec3 before, carom_vec3 after);
void carom_episode_note_jump(carom_episode *episode, carom_vec3 before, carom_vec3 after);
/* Notes when the force becomes zero, as it has at the time [s] with this force [N] and gap rate [m/s]. */
void carom_episode_note_force_end(carom_episode *episode, double force, double gap_rate, double time);
/* Share of a law below which a place of a patch has no impact of its own: it hands over to others. */
#define CAROM_OWN_SHARE 0.1

/* Whether an episode that ends then was an impact: surfaces that touched and parted without a force are none, such as
   those of a place that takes over from another one, opens at once, and whose law would pull. */
static inline bool carom_episode_was_impact(const carom_episode *e, double end)
{
    return e->peak_depth > 0 && end > e->onset &&
           (e->peak_force > 0 || (!(e->taken > 0) && e->less < 1 - CAROM_OWN_SHARE));
}

/* The row of an episode that ends; its sums are those of the episode. Names and indices are left out. */
carom_impact carom_episode_impact(const carom_model_contact *contact, const carom_episode *episode, double end,
                                  double v_out);

/* Whether an episode lasted, see carom_rest; and the row of one. */
bool carom_impact_is_rest(const carom_impact *impact);
carom_rest carom_rest_of(const carom_impact *impact, bool ended);

/* ---- segments of curves ---- */

/* Positive while the parameters of both points lie in the segments of the episode [shares of a segment], and falls
   through zero where one of them leaves it. */
double carom_episode_inside_segment(const carom_model *model, const carom_model_contact *contact,
                                    const carom_episode *episode, const double parameter[2]);
/* Makes the segments of these parameters those of the episode. */
void carom_episode_set_segment(const carom_model *model, const carom_model_contact *contact, carom_episode *episode,
                               const double parameter[2]);

#endif
