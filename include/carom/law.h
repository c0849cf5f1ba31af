/* Contact laws outside of a model: their force at any indentation and rate, and the free direct impact with them. */
#ifndef CAROM_LAW_API_H
#define CAROM_LAW_API_H

#include <stdbool.h>
#include <stddef.h>
#include "carom/base.h"
#include "carom/spec.h"

#ifdef __cplusplus
extern "C" {
#endif

/* ---- what there is ---- */

/* A parameter of a normal force, as `normal` of a model file takes it. */
typedef struct carom_law_param {
    const char *name;           /* "stiffness" */
    const char *unit;           /* "N/m^n", "-"; of a parameter that takes a word: the words, "literature|printed" */
    const char *description;
    bool is_word;
} carom_law_param;

/* Names of all named laws that the context knows; those of the parts are carom_explain_names(ctx, "elastic", ...) and
   "damping". They live as long as the context. */
CAROM_API const char *const *carom_law_list(const carom_context *ctx, size_t *count);
/* Parameters of all parts, each name once. False, with *out untouched, beyond the last index. */
CAROM_API bool carom_law_param_at(const carom_context *ctx, size_t index, carom_law_param *out);

/* ---- values from text ---- */

/* Number of a text such as "207*GPa" or "1.2e5*N/mm^1.5": constants, units and functions of the language of model
   files. `what` stands for it in messages. Errors: CAROM_ERROR_MODEL (with the column and the remedy). */
CAROM_API carom_status carom_law_number(carom_context *ctx, const char *what, const char *text, double *out);
/* The same, which must have the dimension of `unit` ("m/s") or none. */
CAROM_API carom_status carom_law_quantity(carom_context *ctx, const char *what, const char *text, const char *unit,
                                          double *out);
/* Value of the parameter `name` of a normal force: a number, a word, or for `from_point` "INDENTATION, FORCE". A word
   points into `text`. Errors: CAROM_ERROR_MODEL, CAROM_ERROR_USAGE (no part has such a parameter; nearest name). */
CAROM_API carom_status carom_law_value(carom_context *ctx, const char *name, const char *text, carom_value *out);

/* ---- a law ---- */

typedef struct carom_law carom_law;

/* A normal force: fields as in carom_contact_def. Fill with carom_default_law_def() first. */
typedef struct carom_law_def {
    size_t size;
    const char *law;            /* a named law, or NULL with elastic and damping given */
    const char *elastic, *damping;      /* parts in place of the law's; NULL: the law's */
    carom_param_list params;    /* stiffness, exponent, restitution, E_i, ... */
    const char *velocity;       /* "adaptive" (NULL), "per-impact", "per-compression", "fixed-reference" */
    const char *release;        /* "clip" (NULL), "allow", "cut-off" */
    double minimum_speed;       /* [m/s] */
} carom_law_def;

CAROM_API carom_law_def carom_default_law_def(void);

/* True if the law, its parts as chosen, takes a parameter of this name; false for unknown laws. */
CAROM_API bool carom_law_takes(const carom_context *ctx, const carom_law_def *def, const char *param);
/* Unit of the stiffness of a law, "N/m^1.5", by its exponent; in `buffer`. NULL: it has no stiffness. */
CAROM_API const char *carom_law_stiffness_unit(const carom_context *ctx, const carom_law_def *def, char *buffer,
                                               size_t size);

/* Compiles a law; the texts and parameters of `def` are copied. Free with carom_law_free().
   Errors: CAROM_ERROR_MODEL (which parameter is missing or wrong and what it may be; an unknown law with the nearest
   name), CAROM_ERROR_MEMORY. What is ignored, such as a restitution that the law does not take, goes to the log as a
   warning. */
CAROM_API carom_status carom_law_compile(carom_context *ctx, const carom_law_def *def, carom_law **out);
CAROM_API void carom_law_free(carom_law *law);

typedef struct carom_law_info {
    const char *law;            /* its name; NULL: composed of the parts. All texts are constants. */
    const char *elastic, *damping;      /* names of the parts */
    const char *velocity, *release;     /* names of the policies */
    double stiffness, exponent; /* K [N/m^n], n; NAN where not a power law */
    double restitution;         /* asked; NAN where the law takes none */
    double factor; /* A of Fd = Fe A rate/v0 at the impact velocity 1 m/s; NAN where the law has another form */
    double limit;               /* indentation up to which the law holds [m]; HUGE_VAL: any */
    bool takes_restitution;
    bool has_history;            /* the force depends on the largest indentation reached */
    bool uses_mass;             /* the damping depends on the effective mass */
} carom_law_info;

CAROM_API carom_law_info carom_law_get_info(const carom_law *law);

/* ---- force ---- */

typedef struct carom_law_input {
    double delta, rate;         /* indentation [m], >= 0, and its rate [m/s], positive in compression */
    double speed;               /* impact velocity v0 of the episode [m/s] */
    double mass;                /* effective mass [kg]; only laws whose damping uses it need one */
    double from;                /* largest indentation reached before, for laws with history [m]; 0: loading */
} carom_law_input;

typedef struct carom_law_output {
    double force;               /* as the law says, before the release policy [N] */
    double elastic, damping;    /* its parts [N] */
    double d_delta, d_rate;     /* partial derivatives [N/m], [N s/m] */
    double energy;              /* stored, what unloading gives back [J] */
} carom_law_output;

/* Whether a law takes this input; if not, `text` has the sentence why, cut to `size` bytes (NULL and 0: not wanted). */
CAROM_API bool carom_law_accepts(const carom_law *law, const carom_law_input *in, char *text, size_t size);
/* Force at one point. Threads may share one law: neither the law nor its context is written to. Errors:
   CAROM_ERROR_USAGE (an input that carom_law_accepts() does not take: a negative indentation, no speed or mass where
   the law needs one, an indentation beyond the law's limit); they leave no text in the context. */
CAROM_API carom_status carom_law_force(const carom_law *law, const carom_law_input *in, carom_law_output *out);

/* ---- power law in place of an elastic part ---- */

typedef struct carom_law_fit_def {
    size_t size;
    double max_force;           /* the fit reaches from 0 to this force [N], > 0 */
    double least_indentation;   /* the largest error counts from here on [m] */
    int points;                 /* equal steps of the force, at least 2 */
} carom_law_fit_def;

CAROM_API carom_law_fit_def carom_default_law_fit_def(void);

typedef struct carom_law_fit {
    double stiffness, exponent; /* K [N/m^n] and n of least squares of Fe - K delta^n */
    double largest_error;       /* largest |K delta^n - Fe|/Fe over the points */
    double at;                  /* indentation of that error [m] */
    double max_indentation;     /* where Fe reaches max_force [m] */
} carom_law_fit;

/* Fits K delta^n to the elastic part of a law, in loading; the context takes the error. Errors:
   CAROM_ERROR_USAGE (an empty range), CAROM_ERROR_MODEL (the law does not reach the force). */
CAROM_API carom_status carom_law_fit_power(carom_context *ctx, const carom_law *law, const carom_law_fit_def *def,
                                           carom_law_fit *out);

/* ---- free direct impact ---- */

/* A body of effective mass `mass` meets the other side at `speed`, no other force acts. */
typedef struct carom_impact_def {
    size_t size;
    carom_law_def law;
    double mass;                /* [kg], > 0 */
    double speed;               /* [m/s], > 0 */
    double tolerance;           /* of the integration where there is no closed form */
    bool integrate;             /* integrate in any case */
    size_t loop;                /* points of the motion to give, 0 or at least 3 */
} carom_impact_def;

CAROM_API carom_impact_def carom_default_impact_def(void);

typedef struct carom_impact_solution {
    carom_law_info law;
    double mass;                /* [kg] */
    double v_in, v_out;         /* speeds of approach and separation, positive [m/s] */
    double e_asked, e_got;      /* restitution; e_asked is NAN where the law takes none */
    double peak_force;          /* [N] */
    double peak_indentation, peak_rate; /* where it acts [m], [m/s] */
    double max_indentation;     /* [m] */
    double duration;            /* from onset to when the force ended [s] */
    double duration_to_zero;    /* from onset to indentation 0 [s]; longer where the force ends before */
    double energy_lost;         /* [J] */
    double factor;              /* A of this impact, Fd = Fe A rate/v0; NAN where the law has another form */
    const char *method;         /* "exact" or "integrated" */
    bool released; /* false: the body came to rest in the contact; speeds and durations are NAN, see note */
    char note[160];             /* sentence on an impact that does not release, else "" */
    size_t loop;                /* points of the motion, from onset to the end of the force */
    double *time, *delta, *rate, *force; /* [s], [m], [m/s], [N]; NULL without loop */
} carom_impact_solution;

/* Solves the impact: in closed form, or by one integral, where the law is Fe(delta)(1 + A rate/v0) with any elastic
   part or has memory and no damping; else by integration. Free with carom_impact_solution_free(), also
   after a failure. Errors: those of carom_law_compile(); CAROM_ERROR_USAGE (mass, speed, tolerance); CAROM_ERROR_MODEL
   (the impact goes beyond the law's limit); CAROM_ERROR_SOLVER. */
CAROM_API carom_status carom_impact_solve(carom_context *ctx, const carom_impact_def *def, carom_impact_solution *out);
CAROM_API void carom_impact_solution_free(carom_context *ctx, carom_impact_solution *solution);

#ifdef __cplusplus
}
#endif
#endif
