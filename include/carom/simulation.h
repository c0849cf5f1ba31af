/* Simulations: one analysis of a model, stepped or run to its end; its impacts, ledger and channels. */
#ifndef CAROM_SIMULATION_H
#define CAROM_SIMULATION_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include "carom/model.h"
#include "carom/state.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct carom_simulation carom_simulation;

/* A controller, called at the start of the run and then every `period` [s]; the integrator stops there. It reads the
   simulation and acts on it by carom_simulation_set_input() and carom_simulation_apply_force(), which then hold until
   they are called again. `time` is that of the sample, a multiple of the period. A status other than CAROM_OK ends the
   run with it. */
typedef struct carom_control {
    size_t size;
    double period;              /* [s] */
    carom_status (*function)(void *user, carom_simulation *sim, double time);   /* NULL: none */
    void *user;
} carom_control;

CAROM_API carom_control carom_default_control(void);

/* One ended episode of a contact that was an impact, in order of onset. */
typedef struct carom_impact {
    const char *contact;        /* name; lives as long as the simulation. Of a contact set: NAME.SHAPE-SHAPE */
    size_t contact_index;       /* those of contact sets stand behind the others */
    size_t shapes[2];           /* indices of its shapes */
    double onset, duration;     /* [s] located onset, and from there to indentation 0 */
    /* [s] from the onset to the last end of the force, before indentation 0 where a law with permanent indentation, or
       one that would pull, has none from there on */
    double force_duration;
    double v_in, v_out;         /* [m/s] speeds of approach and separation, positive */
    double e_asked, e_got;      /* restitution; e_asked is NAN where the law takes none */
    double peak_force;          /* [N] maximum on the dense output */
    double peak_time;           /* [s] when it had it */
    double max_indentation;     /* [m] maximum on the dense output */
    double impulse;             /* [N s] of the normal force */
    double energy_lost;         /* [J] work of the damping part and of permanent indentation */
    double cutoff_loss; /* [J] of it, elastic energy that the release policy gives up where the law would pull */
    double
        switch_term; /* [J] elastic energy that vanished where `radii: segments` changed the constants; < 0: appeared */
    double friction_lost;       /* [J] work of friction */
    double mass; /* [kg] effective mass at the contact point along the normal, at onset; HUGE_VAL: none */
    double v_max;               /* [m/s] greatest closing speed of the episode, v_in of a free impact */
    double v0;                  /* [m/s] impact velocity that the law used, the greatest; NAN where it uses none */
} carom_impact;

/* An episode that lasted: one that took more than CAROM_REST_DURATIONS times the duration of a free impact with its
   force and indentation, of one that began without a closing speed CAROM_HELD_DURATIONS times, and whose normal force
   had more than twice the impulse that its speeds of approach and separation need. Such an episode is no impact. In
   order of begin. */
#define CAROM_REST_DURATIONS 100
#define CAROM_HELD_DURATIONS 10
typedef struct carom_rest {
    const char *contact;        /* name; lives as long as the simulation. Of a contact set: NAME.SHAPE-SHAPE */
    size_t contact_index;       /* as in carom_impact */
    size_t shapes[2];           /* indices of its shapes */
    double begin, duration;     /* [s] located begin, and from there to indentation 0, or to now while it lasts */
    double mean_force;          /* [N] normal impulse over the duration */
    double peak_force;          /* [N] greatest normal force */
    double peak_time;           /* [s] when it had it */
    double max_indentation;     /* [m] */
    double impulse;             /* [N s] of the normal force */
    double energy_lost;         /* [J] as in carom_impact */
    double friction_lost;       /* [J] work of friction */
    double ended;               /* 1: the surfaces have parted; 0: they are in contact still */
} carom_rest;

/* An episode that is open now. */
typedef struct carom_open_contact {
    const char *contact;
    size_t contact_index;
    double onset, v_in, indentation, force, peak_force, max_indentation, mass;
} carom_open_contact;

/* Friction of a joint now. */
typedef struct carom_joint_friction {
    const char *joint, *law;    /* names; live as long as the model */
    double normal;              /* the sum of its places, preload included [N]; where it turns [N m] */
    double force;               /* greatest force of friction of a place, at its surface [N]; where it turns [N m] */
    double speed;               /* greatest slip of a place [m/s]; where it turns [rad/s] */
    bool sticks;                /* all places stick by a law that holds, with less than its greatest force */
    bool begins;                /* all rest, one with the greatest force of its law, which does not hold it */
    bool turns;                 /* `constant` gives a joint that turns a moment, which acts at no surface */
} carom_joint_friction;

/* How a joint with clearance has spent the run [s]: its parts apart, in impacts, and one following the other. A contact
   counts as impact for CAROM_IMPACT_DURATIONS times the duration that is expected of its impact, then as following. */
#define CAROM_IMPACT_DURATIONS 3
typedef struct carom_joint_modes {
    const char *joint;          /* name; lives as long as the model */
    double flight, impact, following;
    size_t impacts;             /* ended ones, of all its contacts */
    double eccentricity;        /* now, as the channel of that name */
} carom_joint_modes;

/* An event of the model whose actions were taken, a limit of a joint that was met or left, or a motor that came to the
   limit of its effort or left it. */
typedef struct carom_fired_event {
    const char *event;          /* name, of limits and motors that of the load; lives as long as the model */
    size_t event_index;         /* of limits and motors behind those of the events */
    double time;                /* [s] located */
    double energy;              /* that the actions took, negative: gave; the plastic impact of a lock, springs
                                   switched; of a limit that is left, what its damping took [J] */
    const char *kind;           /* types of its actions: "lock", "set+stop"; "limit", "saturation" */
    const char *action;         /* what they are: "lock latch", "set drive, stop"; "upper limit met" */
    double rate;                /* of the joint of limits and motors, else 0 [m/s] or [rad/s] */
    double peak;                /* of a limit that is left, its greatest effort, else 0 [N] or [N m] */
    double depth;               /* and its greatest indentation [m] or [rad] */
} carom_fired_event;

/* The energy ledger [J]; each term is accumulated independently of the others. residual = kinetic + potential + elastic
   + dissipated + switch_term - work - start, residual_fraction is its share of the largest value that kinetic
   + elastic of contacts + |change of that of loads| + |change of potential| + |work| + |dissipated| had in the run. */
typedef struct carom_ledger {
    double start;               /* kinetic + potential + elastic at the start */
    double kinetic, potential, elastic;
    double dissipated_contact;
    double cutoff_loss;            /* part of dissipated_contact: elastic energy that release policies gave up */
    double dissipated_friction, dissipated_other;
    double switch_term; /* elastic energy that vanished where constants changed within episodes; < 0: appeared */
    double events; /* energy that events took: plastic impacts of locked joints, springs switched off; < 0: gave */
    double work;                /* of loads and drives */
    double residual, residual_fraction;
} carom_ledger;

/* What a member of a struct holds: const char *, size_t or double. */
typedef enum carom_field_type { CAROM_FIELD_TEXT, CAROM_FIELD_INDEX, CAROM_FIELD_NUMBER } carom_field_type;

/* A member of carom_impact or carom_ledger, which is a column or a term in files, tables and pages. */
typedef struct carom_field {
    const char *name;           /* of the member, of the column in files */
    const char *unit;           /* "1": none; "": a text */
    const char *head;           /* short, above a column */
    const char *description;
    const char *role;           /* of a term of the ledger: "start", "stored", "dissipated", "part" (of the term
                                   before), "vanished", "work", "result"; "" of impacts */
    carom_field_type type;
    bool instant;               /* a time of the run, which takes more digits than what is measured of an impact */
    int rank;                   /* place among the columns where there is no room for all, from 1; 0: behind them */
    size_t offset;              /* in the struct */
} carom_field;

/* The columns of the tables of impacts and rests, the terms of the ledger, in the order of the members; constant. */
CAROM_API const carom_field *carom_impact_fields(size_t *count);
CAROM_API const carom_field *carom_rest_fields(size_t *count);
CAROM_API const carom_field *carom_ledger_fields(size_t *count);

/* Largest violations of the constraints in the run. */
typedef struct carom_violation {
    double position;            /* [m or rad] */
    double velocity;            /* [m/s or rad/s] */
    double peak_speed;          /* largest speed of any body [m/s] */
} carom_violation;

/* Whether the numbers of a run are those of its model: the residual of the energy, as in the ledger, is at most
   CAROM_GREATEST_RESIDUAL of its peak, or rounding of the energies that its weights can have, no constraint was
   violated by more than CAROM_GREATEST_VIOLATION of the model's length, or as many rad, and the places of no contact
   have changed the stored energy by more than CAROM_GREATEST_HANDOVER of the peak as they handed over to each other. */
#define CAROM_GREATEST_RESIDUAL 1e-3
#define CAROM_GREATEST_HANDOVER 1e-2
#define CAROM_GREATEST_VIOLATION 1e-4
typedef struct carom_accuracy {
    bool accurate;
    double residual;            /* of the energy's peak [-] */
    double violation;           /* largest of the run, of the model's length or of 1 rad [-] */
    const char *text;           /* what is wrong, the likely cause and what helps; "" if accurate */
} carom_accuracy;

typedef struct carom_statistics {
    double time;                /* [s] simulated so far */
    uint64_t steps, rhs_evaluations, restarts;
    double cpu_seconds;
} carom_statistics;

/* What the integrator has used of one method. */
typedef struct carom_method_use {
    const char *method;         /* its integrator: "adams" */
    double time;                /* [s] of the run */
    uint64_t steps;
} carom_method_use;

/* Motion of a body. */
typedef struct carom_body_state {
    double position[3], velocity[3];    /* centre of mass, world [m], [m/s] */
    double angle;                       /* 2-D, unwrapped [rad] */
    double orientation[4];              /* 3-D, w x y z, w >= 0 as in channels */
    double angular_velocity[3];         /* world axes [rad/s]; 2-D: z */
} carom_body_state;

/* What a channel is. `size` numbers a row; components are named x, y, z or w, x, y, z. */
typedef struct carom_channel {
    const char *name;           /* "body.slider.position" */
    const char *unit;
    const char *description;
    int size;
    const char *const *components;      /* `size` names, or NULL for a scalar */
    int group; /* 0: at the output interval; 1: at every solver step while a contact is open; 2: snapshots, from
                                   which a motion is drawn: at the output interval and densely around impacts */
    /* The parts of the name, "TYPE.OBJECT.QUANTITY", or "TYPE.QUANTITY" of what belongs to no object, "TYPE.OBJECT"
       of what is one number. */
    const char *type;           /* "body", "joint", "contact", "energy", "constraint", "solver" */
    const char *object;         /* "slider"; "": none */
    const char *quantity;       /* "position" */
} carom_channel;

/* A channel of a simulation that was found by its name. */
typedef struct carom_channel_ref {
    size_t index;               /* for Carom */
    int component;              /* -1: all of them */
    int size;                   /* numbers that carom_simulation_read() writes, 1 to 4 */
    const char *unit;           /* lives as long as the simulation */
    uint64_t list;              /* for Carom: the channels among which it was found */
} carom_channel_ref;

/* Receives what a run records. Functions may be NULL. A status other than CAROM_OK ends the run with it. */
typedef struct carom_sink {
    size_t size;
    void *user;
    /* Rows of one group: `rows` times, and data row by row: the channels of the group in order, all components. */
    carom_status (*rows)(void *user, int group, size_t rows, const double *time, const double *data);
    carom_status (*impact)(void *user, const carom_impact *impact);
    carom_status (*event)(void *user, const carom_fired_event *event);
    carom_status (*rest)(void *user, const carom_rest *rest);   /* one that has ended */
} carom_sink;

CAROM_API carom_sink carom_default_sink(void);

typedef struct carom_progress {
    double time, until;         /* [s] */
    double cpu_seconds;
    uint64_t steps, impacts;
    double step;                /* [s] size of the last step */
} carom_progress;

/* The motion of a joint that is prescribed in the model (`motion`), given by a function instead: the joint's
   coordinate at a time [s], with its first and second derivative [m] or [rad] and per second. They must fit each
   other: accelerations are imposed. It is smooth, keeps nothing, and gives the same numbers for the same time; a clone
   calls it too. */
typedef struct carom_motion_def {
    const char *joint;
    void (*at)(void *user, double time, double *value, double *rate, double *acceleration);
    void *user;
} carom_motion_def;

typedef struct carom_simulation_def {
    size_t size;
    size_t run;                 /* index in the model's list of runs */
    const carom_sink *sink;     /* copied; NULL: nothing is recorded */
    /* Called after steps, at most every few milliseconds; returning false stops with CAROM_INTERRUPTED. */
    bool (*progress)(void *user, const carom_progress *progress);
    void *progress_user;
    const carom_control *control;       /* copied; NULL: none */
    double tolerance;           /* 0: the run's */
    const char *integrator;     /* NULL: the run's */
    /* Records of inputs: `name` is the input's, the points are times [s] and values. Between the points the input
       follows a cubic spline, before the first and after the last it keeps their value. Copied. */
    const carom_spline_def *inputs;
    size_t input_count;
    double touch_speed; /* closing speed that carom_simulation_check() expects of each contact [m/s]; 0: estimated */
    uint64_t trial_steps;       /* steps that carom_simulation_check() may take with a copy of the simulation to find
                                   how contacts touch that are apart; fewer of many bodies; 0: estimated */
    const carom_run_def *run_def;       /* a run that the model need not have, copied; NULL: number `run` of the
                                           model */
    const carom_motion_def *motions;    /* copied */
    size_t motion_count;
    int threads;                /* that share loops over many contacts and bodies; 0: all cores where it pays. No bit of
                                   a result depends on it */
} carom_simulation_def;

CAROM_API carom_simulation_def carom_default_simulation_def(void);

/* Prepares a simulation: assembles positions, velocities and accelerations. The model must outlive it.
   Errors: CAROM_ERROR_MODEL (the run is wrong, with its place; initial conditions contradict), CAROM_ERROR_USAGE (no
   such run, a wrong override), CAROM_ERROR_MEMORY. */
CAROM_API carom_status carom_simulation_create(carom_context *ctx, const carom_model *model,
                                               const carom_simulation_def *def, carom_simulation **out);
CAROM_API void carom_simulation_free(carom_simulation *sim);

/* Advances to `time` [s] exactly (at most the run's `until`), processing events on the way; earlier states are gone. An
   event that stops the run ends it before that time: the state stays there, and a loop by times asks for
   carom_simulation_stopped_by(). Errors: CAROM_ERROR_SOLVER (with the time and what failed), CAROM_ERROR_USAGE (a time
   that is past or behind `until`), CAROM_INTERRUPTED, what the sink returned. */
CAROM_API carom_status carom_simulation_advance(carom_simulation *sim, double time);
/* Advances to the end of the run, recording at the output interval and to the sink. */
CAROM_API carom_status carom_simulation_run(carom_simulation *sim);
/* As carom_simulation_run(); calls `sample` at each of `count` ascending times, exact to the tolerance. */
CAROM_API carom_status carom_simulation_run_sampled(carom_simulation *sim, size_t count, const double *times,
                                                    void (*sample)(void *user, carom_simulation *sim, double time),
                                                    void *user);

/* One step of the integrator, at most to the end of the run; several where an event cuts it. Errors: as advance;
   CAROM_ERROR_USAGE at the end of the run (`until`, or the event that has stopped it). */
CAROM_API carom_status carom_simulation_step(carom_simulation *sim);
/* Back to time 0, as it was created: assembled again, no impact, no warning. Observers, controller and sink stay. On
   failure the simulation is as before. */
CAROM_API carom_status carom_simulation_reset(carom_simulation *sim);

/* Replaces the sink, which is copied; NULL: nothing is recorded. The former one is given what it has not got yet. The
   new one gets rows from the present time on, and the impacts, rests and events of the whole run. Errors:
   CAROM_ERROR_USAGE (not filled by its default; from within a step), CAROM_ERROR_MEMORY; those of the former sink,
   which is replaced all the same, and what it did not take is lost. */
CAROM_API carom_status carom_simulation_set_sink(carom_simulation *sim, const carom_sink *sink);
/* Gives the sink what it has not got yet, and takes it away if its `user` is this one: for what is about to be closed
   and was made the sink. Without a sink it does nothing. Errors: CAROM_ERROR_USAGE (from within a step), those of the
   sink, which is taken away all the same. */
CAROM_API carom_status carom_simulation_end_sink(carom_simulation *sim, const void *user);
/* Replaces the progress function (carom_simulation_def.progress); NULL: none. Errors: CAROM_ERROR_USAGE (from within a
   step). */
CAROM_API carom_status carom_simulation_set_progress(carom_simulation *sim,
                                                     bool (*progress)(void *user, const carom_progress *progress),
                                                     void *user);

/* What an observer of events is called for. */
typedef enum carom_event_type {
    CAROM_EVENT_ONSET,          /* a contact has touched */
    CAROM_EVENT_RELEASE,        /* a contact has separated, after an impact or not */
    CAROM_EVENT_ACTION          /* an event of the model: its actions have been taken */
} carom_event_type;

typedef struct carom_event {
    carom_event_type type;
    const char *name;           /* of the contact, or of the event in the model file; lives as long as the simulation */
    size_t index;               /* of the contact, as carom_impact.contact_index, or of the event in the file */
    double time;                /* [s] located */
    const char *action;         /* as carom_fired_event.action; "" of contacts */
} carom_event;

/* Watches a simulation. Functions may be NULL; they read the simulation and do not change it. A status other than
   CAROM_OK ends the run with it; carom_context_error() is then the text that the function gave by carom_fail(), or
   tells who stopped. */
typedef struct carom_observer {
    size_t size;
    void *user;
    carom_status (*step)(void *user, carom_simulation *sim);    /* a step is accepted, its contacts are updated */
    /* A contact has touched; its force, peak and largest indentation are not known yet. Contact sets tell of onsets and
       releases while the step in which they lie ends, and carom_simulation_time() is that of its beginning. */
    carom_status (*onset)(void *user, carom_simulation *sim, const carom_open_contact *contact);
    carom_status (*release)(void *user, carom_simulation *sim, const carom_impact *impact);     /* or a rest */
    /* All that is located, in the order in which it is found: onsets, releases, events of the model. What happens as a
       simulation is created nobody has seen; carom_simulation_fired_events() has it. */
    carom_status (*event)(void *user, carom_simulation *sim, const carom_event *event);
    /* Both sides of what jumps: the end of a step that leads to an event, before contacts are updated, and the state
       from which the integrator starts, at the start of the run and behind events. */
    carom_status (*arrive)(void *user, carom_simulation *sim);
    carom_status (*restart)(void *user, carom_simulation *sim);
} carom_observer;

CAROM_API carom_observer carom_default_observer(void);

/* Adds an observer, which is copied; several are called in the order in which they were added. Errors:
   CAROM_ERROR_MEMORY, CAROM_ERROR_USAGE (NULL, not filled by its default; from within a step). */
CAROM_API carom_status carom_simulation_observe(carom_simulation *sim, const carom_observer *observer);
/* Replaces the controller; NULL: none. Its next sample is the first multiple of the period that is not past.
   Errors: CAROM_ERROR_USAGE (a period that is not positive, not filled by its default; from within a step). */
CAROM_API carom_status carom_simulation_set_control(carom_simulation *sim, const carom_control *control);

/* ---- states ---- */

/* How a state is brought onto the constraints of joints and prescribed motions. */
typedef struct carom_assembly_def {
    size_t size;
    bool refuse;                /* a state that does not fit is refused, not assembled */
    double tolerance;           /* what fits: violations relative to the model's length and speed; 0: 1e-9 */
} carom_assembly_def;

CAROM_API carom_assembly_def carom_default_assembly_def(void);

typedef struct carom_assembly {
    double position_residual, velocity_residual;        /* largest violation before, wishes included [m or rad], [/s] */
    double position_left, velocity_left;                /* after */
    double moved;               /* largest distance by which a body was moved [m] */
} carom_assembly;

/* Copies the present state, in the coordinates of the run, and what has been of the run until then: its impacts and
   events. The simulation continues as if nothing had been asked. */
CAROM_API carom_status carom_simulation_get_state(carom_simulation *sim, carom_state *out);
/* Moves the bodies of a state onto the constraints, and joints to the coordinates and rates that were set in it:
   positions by the least motion, velocities by the least change in the metric of the mass matrix. A state that fits is
   left as it is, to the last bit where its quaternions are unit ones. `def` and `out` may be NULL. Errors:
   CAROM_ERROR_MODEL (cannot be assembled, contradicts, is refused), state as before. */
CAROM_API carom_status carom_simulation_assemble(carom_simulation *sim, carom_state *state,
                                                 const carom_assembly_def *def, carom_assembly *out);
/* Gives the sink a row at the output interval, and a snapshot, of a state that is none of the run's motion, at the
   state's time; the run stays as it is. Errors: CAROM_ERROR_USAGE (of another model or formulation, wished coordinates,
   no sink), CAROM_ERROR_SOLVER (it
   cannot be evaluated), CAROM_ERROR_MEMORY, and those of the sink. */
CAROM_API carom_status carom_simulation_record_state(carom_simulation *sim, const carom_state *state);
/* Gives the simulation a state; the integrator restarts there.
   A state that was taken by carom_simulation_get_state() and not changed is resumed: open contacts, works, energy
   balance, impacts and events are those of the run until then, whichever simulation of the model it was. Where it was
   taken with other parameters (carom_simulation_set_parameter()), what these change of its energy is nobody's work: it
   is added to `start`; a contact that is open must have the law that it has there. A sink is given again what it does
   not have.
   A changed one is assembled as by carom_simulation_assemble(), `state` itself stays, and begins a run: contacts that
   overlap open with the speed that they have, the list of impacts, statistics, works and the energy balance begin
   there. Errors: those of assemble; CAROM_ERROR_USAGE (of another model or formulation, beyond the end of the run, an
   open contact with another law); CAROM_ERROR_SOLVER (it cannot be evaluated); the simulation is then as before. */
CAROM_API carom_status carom_simulation_set_state(carom_simulation *sim, const carom_state *state,
                                                  const carom_assembly_def *def, carom_assembly *out);

/* ---- forces at a state ---- */

/* Of a joint: force on its second body and moment about its second frame, its friction left out, in world axes and in
   those of that body; NAN where the joint has no coordinate. */
typedef struct carom_joint_forces {
    double force[3], moment[3], force_body[3], moment_body[3];  /* [N], [N m] */
    double coordinate, rate, acceleration;      /* [rad] or [m], and per second */
} carom_joint_forces;

/* Of a load, on its first and second frame, world axes. */
typedef struct carom_load_forces {
    double force[2][3], torque[2][3];   /* [N], [N m] */
    double power, dissipation;  /* of an outside source, lost [W] */
    double stored;              /* [J] */
} carom_load_forces;

/* Of a contact; zero where it is not open. */
typedef struct carom_contact_forces {
    bool open;
    double gap, gap_rate;       /* [m], [m/s] */
    double point[3], normal[3]; /* world [m]; the normal points to the second body */
    double force;               /* along the normal, positive repels [N] */
    double friction[3], couple[3];      /* on the second body [N], [N m] */
    double stored;              /* [J] */
} carom_contact_forces;

/* What a state leads to. The arrays belong to the simulation and are good until the next call; joints, loads and
   contacts stand in the order of the file, those of contact sets are not among them. */
typedef struct carom_evaluated {
    double time;                /* [s] */
    double kinetic, potential, elastic; /* [J] */
    double position_residual, velocity_residual;        /* largest violation of a constraint [m or rad], [/s] */
    size_t velocity_count, row_count, joint_count, load_count, contact_count;
    const double *accelerations;        /* as the velocities of a state, per second */
    const double *multipliers;  /* of the constraint rows [N or N m] */
    const carom_joint_forces *joints;
    const carom_load_forces *loads;
    const carom_contact_forces *contacts;
} carom_evaluated;

/* Evaluates forces, accelerations and energies at a state without integrating; NULL: the present one. The run is left
   alone. The contacts of a state that was not changed are open as it says, in a changed one those that overlap are,
   with the speed that they have. The state is taken as it is: what violates the constraints is corrected by the
   stabilization as in a run, see carom_simulation_assemble(). Errors: CAROM_ERROR_USAGE (of another model or
   formulation, wished coordinates), CAROM_ERROR_SOLVER (singular). */
CAROM_API carom_status carom_simulation_evaluate_at(carom_simulation *sim, const carom_state *state,
                                                    carom_evaluated *out);
/* Mass matrix M and Jacobian J of the constraint rows at a state, NULL: the present one, over the velocities as a state
   has them: M a = forces + J^T multipliers. The last rows are those of armatures on joints, whose multipliers are the
   forces of these inertias. Dense, row by row; `count` is velocity_count^2, and row_count*velocity_count, of
   carom_evaluated. Errors: as carom_simulation_evaluate_at(), CAROM_ERROR_USAGE (another count). */
CAROM_API carom_status carom_simulation_mass_matrix(carom_simulation *sim, const carom_state *state, double *out,
                                                    size_t count);
CAROM_API carom_status carom_simulation_jacobian(carom_simulation *sim, const carom_state *state, double *out,
                                                 size_t count);

/* Indices by names, counted from 0 in the order of the file: of bodies without the ground. Errors: CAROM_ERROR_USAGE
   (no such name, with the nearest). */
CAROM_API carom_status carom_simulation_find_body(carom_simulation *sim, const char *name, size_t *out);
CAROM_API carom_status carom_simulation_find_joint(carom_simulation *sim, const char *name, size_t *out);
CAROM_API carom_status carom_simulation_find_load(carom_simulation *sim, const char *name, size_t *out);
CAROM_API carom_status carom_simulation_find_contact(carom_simulation *sim, const char *name, size_t *out);

/* ---- forces of the caller ---- */

typedef enum carom_axes {
    CAROM_AXES_WORLD,           /* keeps its direction */
    CAROM_AXES_BODY             /* turns with the body */
} carom_axes;

/* Applies a force [N] to a body from now on, beside those applied before. `point` is fixed on the body, in its axes
   from the centre of mass [m]; NULL: there. Its work is integrated with the state and is part of `work` in the ledger.
   The integrator starts again. Forces belong to the simulation, not to its states and checkpoints. They may be applied
   between calls that advance and from a controller. Errors: CAROM_ERROR_USAGE (no such body, not finite, out of the
   plane; from an observer), CAROM_ERROR_MEMORY. */
CAROM_API carom_status carom_simulation_apply_force(carom_simulation *sim, size_t body, const double force[3],
                                                    const double point[3], carom_axes axes);
/* The same of a torque [N m]; in the plane about z. */
CAROM_API carom_status carom_simulation_apply_torque(carom_simulation *sim, size_t body, const double torque[3],
                                                     carom_axes axes);
/* Takes all of them away. */
CAROM_API carom_status carom_simulation_clear_forces(carom_simulation *sim);

/* ---- parameters ---- */

/* A number of the model in this simulation, by its name:
     gravity.x, .y, .z                                                  [m/s^2]
     body.NAME.mass                                                     [kg]; the inertia stays
     body.NAME.inertia                                                  in the plane [kg m^2]
     load.NAME.PARAMETER                                                as `carom explain TYPE` names it, components .x,
                                                                        .y, .z;
                                                                        springs and dampers of joints are
                                                                        load.JOINT.spring, .damper, .limits
     contact.NAME.PARAMETER                                             of the normal force, such as stiffness,
                                                                        exponent, restitution
   Errors: CAROM_ERROR_USAGE (no such name, with the nearest; structure, an expression, a number that the model does not
   give). */
CAROM_API carom_status carom_simulation_get_parameter(carom_simulation *sim, const char *name, double *out);
/* Sets it from the present time on, for this simulation and its later clones; the compiled model and other simulations
   of it keep theirs. The integrator restarts; the state stays, and what the change makes of its energy is nobody's
   work: it is added to `start` of the ledger. carom_simulation_reset() assembles with the new numbers. Scales from
   which tolerances are made are those of the compiled model. All else (joints, shapes, materials, points, friction,
   expressions, contact sets) is structure: change the document (carom_document_set()) or the spec, and compile. Errors:
   as get; CAROM_ERROR_USAGE (out of range, refused by the law, a contact that is open), CAROM_ERROR_MEMORY; all is then
   as before. */
CAROM_API carom_status carom_simulation_set_parameter(carom_simulation *sim, const char *name, double value);

/* A copy with the same model and state, its impacts and open contacts included, in a context of its own (NULL: the same
   one); without sink, progress, controller and observers. The integrators of both restart, and both then give the same
   bits. The copy may run in another thread if it has another context; while it is made no other thread may use either.
   Free with carom_simulation_free(). Errors: CAROM_ERROR_MEMORY. */
CAROM_API carom_status carom_simulation_clone(carom_simulation *sim, carom_context *ctx, carom_simulation **out);

/* Index of an input of the model by its name. Errors: CAROM_ERROR_USAGE (no such input, with the nearest). */
CAROM_API carom_status carom_simulation_find_input(carom_simulation *sim, const char *name, size_t *out);
/* Sets an input from the present time on, in its unit; the integrator restarts there. May be called between calls that
   advance and from a controller. Errors: CAROM_ERROR_USAGE (no such index, the input follows its record, the value is
   not finite; from an observer or a sink), CAROM_ERROR_SOLVER (the state cannot be evaluated with it; the input is as
   before). */
CAROM_API carom_status carom_simulation_set_input(carom_simulation *sim, size_t input, double value);

/* Evaluates forces, accelerations and multipliers at the present state: one right-hand side, as the integrator does it.
   Errors: CAROM_ERROR_SOLVER (singular). */
CAROM_API carom_status carom_simulation_evaluate(carom_simulation *sim);

CAROM_API double carom_simulation_time(const carom_simulation *sim);
/* End of the run [s]. */
CAROM_API double carom_simulation_until(const carom_simulation *sim);
/* The present positions and velocities themselves, as those of a state (carom/state.h), of which `count` (may be NULL)
   is the number. They stay where they are as long as the simulation lives, and follow it. */
CAROM_API const double *carom_simulation_positions(const carom_simulation *sim, size_t *count);
CAROM_API const double *carom_simulation_velocities(const carom_simulation *sim, size_t *count);
/* Ended impacts in order of onset, without rests; valid until the simulation continues. */
CAROM_API const carom_impact *carom_simulation_impacts(carom_simulation *sim, size_t *count);
/* Contacts that lasted, in order of begin, then those that are open now and have lasted; valid until the next call or
   step. Errors: CAROM_ERROR_MEMORY. */
CAROM_API carom_status carom_simulation_rests(carom_simulation *sim, const carom_rest **out, size_t *count);
/* Episodes that are open, up to `capacity` of them into `out`; those of contact sets with fixed steps are behind the
   others, by the names of their pairs. Places of a patch that bear nothing, since others do for them, are left out.
   Returns how many there are. */
CAROM_API size_t carom_simulation_open_contacts(const carom_simulation *sim, carom_open_contact *out, size_t capacity);
/* Joints with clearance, up to `capacity` of them into `out`; returns how many there are. */
CAROM_API size_t carom_simulation_joint_modes(const carom_simulation *sim, carom_joint_modes *out, size_t capacity);
/* Ideal joints with friction, likewise. */
CAROM_API size_t carom_simulation_joint_friction(const carom_simulation *sim, carom_joint_friction *out,
                                                 size_t capacity);
/* Events whose actions were taken, in the order of time; valid until the simulation continues. */
CAROM_API const carom_fired_event *carom_simulation_fired_events(const carom_simulation *sim, size_t *count);
/* Name of the event whose action `stop` has ended the run, NULL: none. A simulation that was stopped does not
   advance. */
CAROM_API const char *carom_simulation_stopped_by(const carom_simulation *sim);
CAROM_API carom_ledger carom_simulation_ledger(const carom_simulation *sim);
CAROM_API carom_violation carom_simulation_violation(const carom_simulation *sim);
/* Accuracy of the run so far; the text lives as long as the simulation. Errors: CAROM_ERROR_MEMORY. */
CAROM_API carom_status carom_simulation_accuracy(carom_simulation *sim, carom_accuracy *out);
CAROM_API carom_statistics carom_simulation_statistics(const carom_simulation *sim);
CAROM_API const char *const *carom_simulation_warnings(const carom_simulation *sim, size_t *count);
CAROM_API const char *carom_simulation_integrator(const carom_simulation *sim);
/* The methods that the integrator has changed between in the run so far, of those that do, else the integrator itself:
   writes at most `capacity` (of 3 that there can be) and returns their number. *changes is the number of changes from
   one to another. Both outputs may be NULL. */
CAROM_API size_t carom_simulation_methods(const carom_simulation *sim, carom_method_use *out, size_t capacity,
                                          uint64_t *changes);
/* Step of an integrator with fixed steps [s]; 0: it chooses them. */
CAROM_API double carom_simulation_step_size(const carom_simulation *sim);
CAROM_API const char *carom_simulation_formulation(const carom_simulation *sim);

/* Bodies by index 0 … bodies-1 in the file's order. */
CAROM_API carom_status carom_simulation_body(const carom_simulation *sim, size_t body, carom_body_state *out);

/* Channels that the run records; NULL and count 0 when out of memory. They live as long as the simulation. */
CAROM_API const carom_channel *carom_simulation_channels(carom_simulation *sim, size_t *count);
/* What the rows of the output interval will need in a file, snapshots included; steps in contact come to that. */
typedef struct carom_output_estimate {
    double rows;                /* from the present time to the end of the run */
    size_t numbers;             /* of a row */
    double bytes;               /* of the file, about: 0.8 of those of the numbers, at rest a tenth, and 2640 a
                                   channel */
    double most;                /* `max_size` of the run [bytes]; 0: none */
    size_t at_interval;         /* contacts of sets that are so many that by default they are recorded at the output
                                   interval alone; 0: none */
    size_t not_recorded;        /* the same of those that are not recorded each by itself, but by sums */
} carom_output_estimate;

/* Errors: CAROM_ERROR_MODEL (no such channel, with place and the nearest name), CAROM_ERROR_MEMORY. */
CAROM_API carom_status carom_simulation_estimate_output(carom_simulation *sim, carom_output_estimate *out);
/* Rows of a block of a group, 0 to 2: 256, of the output interval to 8192 in a long run, of the steps 1024. But at the
   end of the run the sink is given parts of 256 rows, or a sixteenth of a block. */
CAROM_API size_t carom_simulation_block_rows(carom_simulation *sim, int group);
/* Rows of a group that are recorded and not yet given to the sink, which takes them in blocks; laid out as for
   carom_sink.rows, valid until the simulation continues. Returns their number, 0 without a sink. For the progress
   function. */
CAROM_API size_t carom_simulation_pending_rows(const carom_simulation *sim, int group, const double **time,
                                               const double **data);
/* Finds a channel by name with component ("joint.pin.reaction.x") or the whole vector ("joint.pin.reaction"), whether
   the run records it or not. Errors: CAROM_ERROR_USAGE (no such channel; suggests the nearest), CAROM_ERROR_MEMORY. */
CAROM_API carom_status carom_simulation_find_channel(carom_simulation *sim, const char *name, carom_channel_ref *out);
/* Value of a channel now: of that one alone, with one right-hand side at most, none if the present state is evaluated;
   `out` takes `channel->size` numbers. Clones, and simulations with channels of the same names, take it as well.
   Errors: CAROM_ERROR_USAGE (found in a simulation that has other channels), CAROM_ERROR_SOLVER. */
CAROM_API carom_status carom_simulation_read(carom_simulation *sim, const carom_channel_ref *channel, double *out);
/* Finds and reads a channel; `out` takes its 1 to 4 numbers. */
CAROM_API carom_status carom_simulation_channel(carom_simulation *sim, const char *name, double *out);

/* Checkpoints: a checkpoint is a restart of the integrator, so that the run that writes one and continues and the run
   resumed from it give the same bits. The bytes belong to the caller (free with carom_bytes_free()); equal states give
   equal bytes, so they hold no CPU time, which counts from the resumption. Resuming sends the ended impacts to the sink
   again and takes over the warnings, which the log is not told of again; on failure the simulation is as before.
   Errors: CAROM_ERROR_IO (damaged, truncated), CAROM_ERROR_USAGE (of another model or run), CAROM_ERROR_SOLVER,
   CAROM_ERROR_MEMORY. */
CAROM_API carom_status carom_simulation_checkpoint(carom_simulation *sim, unsigned char **bytes, size_t *size);
CAROM_API carom_status carom_simulation_resume(carom_simulation *sim, const unsigned char *bytes, size_t size);
/* As carom_simulation_resume(), for a sink that has what was given until then, such as a result that goes on
   (carom_writer_continue()): no impact, event or rest is sent again. */
CAROM_API carom_status carom_simulation_continue(carom_simulation *sim, const unsigned char *bytes, size_t size);
/* Goes on with a group of rows of which the sink has `before`, and these wait for the end of their block, as
   carom_simulation_pending_rows() gave them at the checkpoint. Errors: CAROM_ERROR_USAGE (no sink, no such group, more
   rows than wait). */
CAROM_API carom_status carom_simulation_continue_rows(carom_simulation *sim, int group, size_t before, size_t rows,
                                                      const double *time, const double *data);
/* Gives a run points at which checkpoints leave no trace: where the integrator restarts anyway, and where it is made to
   after `steps` steps without one; 0: none. `point` (may be NULL) is called at each and may call
   carom_simulation_checkpoint(); an error that it returns ends the run. All bits of the run
   depend on `steps`, none on whether checkpoints are taken. Errors: CAROM_ERROR_USAGE (within a step, or where
   derivatives are taken). */
CAROM_API carom_status carom_simulation_set_points(carom_simulation *sim, size_t steps,
                                                   carom_status (*point)(void *user, carom_simulation *sim),
                                                   void *user);
CAROM_API void carom_bytes_free(carom_context *ctx, unsigned char *bytes, size_t size);

/* ---- what `carom check` prints ---- */

/* A rule of `carom explain validity` that a contact is expected to violate. */
typedef struct carom_contact_warning {
    const char *rule;           /* keyword, e.g. "restitution" */
    const char *text;           /* sentence with the numbers */
    const char *body;           /* the same without the contact's name at its beginning */
    bool told;                  /* the simulation tells the same of the contact, which touches at the start */
} carom_contact_warning;

typedef struct carom_contact_check {
    const char *contact;
    const char *law, *elastic, *damping;        /* the law and its parts */
    double stiffness, exponent; /* K [N/m^n], n; NAN where not a power law */
    double modulus,
        radius; /* E* [Pa] of the materials, else with which Hertz's law has this K, NAN: none; 1/R = 1/R_i +
                                   1/R_j [m], HUGE_VAL: flat */
    double reference_indentation,
        reference_force;        /* a point of the elastic part [m], [N], at the expected indentation */
    double local_exponent;      /* d ln F/d ln delta there */
    double limit;               /* indentation up to which the elastic part holds [m]; HUGE_VAL: any */
    double mass;                /* effective mass [kg] at the first touch of a trial run, else at the start; HUGE_VAL:
                                   none */
    double speed;               /* closing speed at the start [m/s] */
    double gap;                 /* [m] at the start */
    double expected_speed;      /* closing speed at the first touch [m/s]; NAN: no touch is expected */
    const char *assumed;        /* how it was found */
    double restitution;         /* asked; NAN where the law takes none */
    double achieved_restitution;        /* of a free direct impact at that speed */
    double peak_force, max_indentation, duration; /* of that impact [N], [m], [s]; NAN where there is none */
    const char *method;         /* "exact", "integrated" or "beyond limit"; NULL: no impact is expected */
    double static_indentation;  /* under the weight of the lighter side along the normal [m]; NAN: none */
    double first_step, contact_step;    /* advised at the onset, and at most inside the contact [s] */
    double absolute_scale;      /* advised absolute tolerance of the coordinates [m] */
    double wave_speed,
        yield_speed; /* speeds above which impacts are not quasi-static, and yield [m/s]; NAN: not known */
    const carom_contact_warning *warnings;
    size_t warning_count;
} carom_contact_check;

/* How far a joint or motion is open at the poses that the model file gives its bodies, before the assembly. */
typedef struct carom_initial_gap {
    const char *name;           /* "joint 'pin'", "motion of joint 'pin'" */
    double distance, angle;     /* norms of its rows [m], [rad] */
} carom_initial_gap;

typedef struct carom_check {
    size_t bodies, joints, coordinates, rows, rank, mobility;
    const char *const *redundant;       /* names of redundant rows, e.g. "joint pin, row 5" */
    size_t redundant_count;
    const char *const *redundant_held;  /* of each: what it keeps from moving, and the joints that hold that as well,
                                           e.g. "turning about x, held by 'pin'"; NULL: of no large model */
    const char *const *free;            /* motions that are free, e.g. "'pin' turns", "'torso' moves freely" */
    size_t free_count, free_whole;      /* and how many more motions these are, as of a body that moves freely */
    const char *const *stuck;           /* joint coordinates that their type leaves free, that nothing drives, and that
                                           cannot move at the start: "'seat' cannot turn"; none where nothing can */
    size_t stuck_count;
    double assembly_residual;   /* largest |Phi| after the assembly [m or rad] */
    double assembly_moved;      /* largest distance by which the assembly moved a body [m] */
    double velocity_residual;
    const carom_contact_check *contacts;
    size_t contact_count;
    const char *formulation;    /* that of the run: never `auto` */
    size_t unknowns;            /* velocities that it integrates, less those that motions prescribe */
    size_t held;                /* constraint rows that stay in it */
    const char *const *cut;     /* joints that close loops in joint coordinates, by name; none in absolute ones */
    size_t cut_count;
    const carom_initial_gap *gaps;      /* those that are open, the worst first */
    size_t gap_count;
} carom_check;

/* Structure, initial assembly, and what to expect of contacts; valid as long as the simulation. With `trial_steps` in
   its definition a copy runs until the contacts that are apart have touched. Errors: CAROM_ERROR_MEMORY. */
CAROM_API carom_status carom_simulation_check(carom_simulation *sim, carom_check *out);

#ifdef __cplusplus
}
#endif
#endif
