/* A normal force as contacts use it: elastic and damping part with their constants, the sides they were made for, and
   the policies for impact velocity and tension. It knows no bodies, no shapes and no time. */
#ifndef CAROM_NORMAL_LAW_H
#define CAROM_NORMAL_LAW_H

#include "base/base.h"
#include "base/warnings.h"
#include "carom/spec.h"
#include "kinds/kind.h"

/* Impact velocity that the damping part sees. */
typedef enum carom_velocity_policy {
    CAROM_VELOCITY_PER_IMPACT,          /* that of the onset */
    CAROM_VELOCITY_PER_COMPRESSION,     /* renewed where a compression begins */
    CAROM_VELOCITY_FIXED,               /* the reference speed, whatever the impact */
    CAROM_VELOCITY_ADAPTIVE             /* follows the greatest closing speed of a compression */
} carom_velocity_policy;

#define CAROM_VELOCITY_DEFAULT CAROM_VELOCITY_ADAPTIVE

/* What becomes of a force that pulls. */
typedef enum carom_tension_policy {
    CAROM_TENSION_CLIP,                 /* zero while the law would pull */
    CAROM_TENSION_ALLOW,                /* as the law says */
    CAROM_TENSION_CUT_OFF               /* zero from then on until the contact has opened */
} carom_tension_policy;

/* Their words in model files, ended by NULL. */
extern const char *const carom_velocity_words[], *const carom_tension_words[];

typedef struct carom_normal_law {
    const char *name;           /* of the named law; composed of parts: of the damping part */
    const carom_elastic_kind *elastic;
    const carom_damping_kind *damping;
    double elastic_constants[CAROM_LAW_CONSTANTS], damping_constants[CAROM_LAW_CONSTANTS];
    double *elastic_params, *damping_params;    /* parameter arrays of the parts, for constants of other radii or
                                                   values */
    bool radius_given[2];       /* by radius_i, radius_j: these stay */
    carom_contact_geometry geometry;    /* of the two sides, as the parts see it */
    double stiffness, exponent; /* NAN where not a power law */
    double restitution;         /* asked; NAN where the law takes none */
    double limit;               /* indentation up to which the elastic part holds [m] */
    double minimum_speed, reference_speed;      /* [m/s]; the latter for CAROM_VELOCITY_FIXED */
    carom_velocity_policy velocity;
    carom_tension_policy tension;
} carom_normal_law;

/* What a law is compiled from; texts and lists are borrowed. */
typedef struct carom_normal_law_def {
    const char *owner;                          /* what messages call it */
    const char *law, *elastic, *damping;        /* names; NULL as in carom_contact_def */
    carom_param_list params;
    const char *velocity, *tension;             /* words of the policies; NULL: the first */
    double minimum_speed;                       /* [m/s] */
    carom_contact_geometry geometry;            /* of the two sides, where the parameters do not give another */
    carom_place place, law_place, elastic_place, damping_place, velocity_place, tension_place;
    carom_status (*warn)(void *user, carom_warning_code code, const char *text); /* takes what the user should know */
    void *user;
} carom_normal_law_def;

/* Default of carom_normal_law_def.minimum_speed [m/s]. */
#define CAROM_MINIMUM_SPEED 1e-3

/* Compiles a law; what it keeps is in the arena. Errors: CAROM_ERROR_MODEL, CAROM_ERROR_MEMORY, those of `warn`. */
carom_status carom_normal_law_compile(carom_context *ctx, carom_arena *arena, const carom_normal_law_def *def,
                                      carom_normal_law *out);
/* Gives a law other constants of its elastic part, and what follows from them. */
void carom_normal_law_use(carom_normal_law *law, const double *constants);

/* Parameters of a normal force that no part has alone. */
const carom_param_row *carom_normal_params(size_t *count);
/* What of CAROM_NEEDS_... a parameter of a normal force serves; 0: it is none of the geometry's. */
unsigned carom_normal_geometry_need(const char *name);

/* Damping part on the elastic part with the constants `constants`; v0 [m/s] and effective mass [kg] of the episode. */
static inline void carom_normal_damping(const carom_normal_law *law, const double *constants, double delta, double rate,
                                        double v0, double mass, double elastic, double slope, carom_damping_force *out)
{
    const carom_damping_input in = {.delta = delta,
                                    .rate = rate,
                                    .elastic = elastic,
                                    .elastic_slope = slope,
                                    .v0 = v0,
                                    .mass = mass,
                                    .stiffness = law->elastic->power_law ? constants[0] : law->stiffness,
                                    .exponent = law->elastic->power_law ? constants[1] : law->exponent,
                                    .constants = constants};
    CAROM_KIND_CALL(law->damping, force, law->damping_constants, &in, out);
}

/* Impact velocity v0 that the law sees of an onset at a speed, after its policies [m/s]. */
static inline double carom_normal_impact_velocity(const carom_normal_law *law, double speed)
{
    return law->velocity == CAROM_VELOCITY_FIXED ? law->reference_speed : fmax(speed, law->minimum_speed);
}

/* Impact velocity v0 where a compression begins, at the onset or from an indentation: the speed of the free impact
   whose energy, m v0^2/2, is the kinetic and elastic energy of the contact [m/s]. */
static inline double carom_normal_compression_velocity(const carom_normal_law *law, double speed, double mass,
                                                       double energy)
{
    if (law->velocity == CAROM_VELOCITY_FIXED)
        return law->reference_speed;
    return fmax(sqrt(speed * speed + 2 * energy / mass), law->minimum_speed);
}

/* Share of the speed that the stored energy stands for below which v0 does not stay in a compression. */
#define CAROM_VELOCITY_OF_ENERGY 0.25

/* Impact velocity that `adaptive` takes of a state of a compression: its closing speed, where more is stored than an
   impact at four times that speed brings a share of the speed of the energy [m/s]. */
static inline double carom_normal_followed_velocity(double closing, double mass, double energy)
{
    return fmax(closing, CAROM_VELOCITY_OF_ENERGY * sqrt(2 * energy / mass));
}

/* Whether v0 changes within a compression. */
static inline bool carom_normal_adapts(const carom_normal_law *law)
{
    return law->velocity == CAROM_VELOCITY_ADAPTIVE && !law->damping->ignores_v0;
}

/* Whether the law asks when a compression begins. */
static inline bool carom_normal_tells_compressions(const carom_normal_law *law)
{
    return law->velocity == CAROM_VELOCITY_PER_COMPRESSION || carom_normal_adapts(law);
}

/* A/v0 of laws with Fd = Fe A rate/v0 [s/m]; NAN of others. */
static inline double carom_normal_gain(const carom_normal_law *law, double v0)
{
    return law->damping->ratio ? CAROM_KIND_CALL(law->damping, ratio, law->damping_constants, v0) / v0 : (double)NAN;
}

/* A of Fd = Fe A rate/v for an impact at the speed v, whatever v0 the law sees; NAN of other forms. */
static inline double carom_normal_impact_factor(const carom_normal_law *law, double speed)
{
    double v0 = carom_normal_impact_velocity(law, speed);
    return law->damping->ratio ? CAROM_KIND_CALL(law->damping, ratio, law->damping_constants, v0) * (speed / v0)
                               : (double)NAN;
}

#endif
