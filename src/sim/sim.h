/* A simulation: one run of a model, its state, integrator, episodes, ledger and records. */
#ifndef CAROM_SIM_H
#define CAROM_SIM_H

#include "carom/simulation.h"
#include "dynamics/assembly.h"
#include "dynamics/dynamics.h"
#include "dynamics/formulation/formulation.h"
#include "dynamics/newton/newton.h"
#include "integrate/integrator.h"
#include "sim/events.h"
#include "sim/record/record.h"
#include "sim/run.h"
#include "sim/warnings.h"

#include <math.h>

typedef struct carom_change carom_change;       /* caller/parameters.c */

/* What a change of the state also changes. */
typedef struct carom_sim_undo {
    carom_statistics statistics;
    uint64_t evaluations;
    size_t impacts, sent, warnings, fired, fired_sent;
} carom_sim_undo;

/* Where checkpoints may be taken without a trace. */
typedef struct carom_points {
    size_t every, since;        /* steps at most from one to the next; 0: there are none. Steps since the last one */
    bool settled;               /* the present state is one */
    carom_status (*point)(void *user, carom_simulation *sim);
    void *user;
} carom_points;

/* The name of a pair of a contact set that was open at a place of the list when it was asked for last. */
struct carom_open_name {
    int set, i, j;
    const char *name;
};

struct carom_simulation {
    carom_context *ctx;
    const carom_model *base;    /* the caller's */
    carom_model own;            /* a copy, whose lists are those of `base` until a value of them changes */
    const carom_model *model;   /* `own` */
    carom_run run;              /* with the overrides of the definition */
    carom_simulation_def def;   /* its sink is `sink` or NULL, its controller is in `control` */
    carom_sink sink;
    carom_control control;
    carom_arena arena;
    carom_system *system;
    carom_evaluation *d;        /* the state s, as it was accepted or restarted from */
    carom_evaluation *trial;    /* the integrator's, and rows between steps */
    carom_evaluation *probe;    /* poses only, of the moment: root functions, switches, projections */
    carom_state s;
    carom_integrator *integrator;
    carom_newton *newton;       /* its equations, of methods that are implicit; NULL: it takes differences */
    double *tolerance;          /* absolute, of each integrated number */
    double *rounding;           /* of each */
    int *direction;             /* of each root function */
    double *held_mass;          /* room for constraints that the integrator holds, in joint coordinates */
    int *held_pivot;
    carom_orthogonal *held_rows;        /* the same decomposed, for integrators that ask for it */
    bool *held_rate;            /* of these rows: it holds velocities alone */
    bool *held_already;         /* the same: the joints of a tree hold it */
    double *held_scale;         /* of the velocities */
    double *y_scratch, *rate_scratch;
    double *beside[2];          /* just before and behind a time of the last step; NULL: it is not looked into */
    double *root_scratch;       /* rates that root functions need not */
    double *switch_roots;       /* root functions of the switches of expressions and loads */
    bool *doubted;              /* of each, whether it was zero at the last restart and still is */
    struct carom_compression_past *past;        /* of each contact */
    struct carom_inside_states *inside_states;  /* NULL: less than two contacts are located */
    struct carom_works *works, *works_room;     /* of methods that leave out works of closed contacts; NULL: it is not
                                                   done; and room for it */
    struct carom_far_pairs *far;        /* NULL: all contacts are looked at in each step */
    int *near, near_count;      /* contacts that are not far apart, ascending; all that are open are among them */
    struct carom_switch_watch *switch_watch;    /* NULL: no switch depends on the motion */
    struct carom_hold_watch *hold_watch;        /* NULL: no friction holds */
    bool in_doubt, branches_known;      /* one of them is; their branches are set as those of a step's end */
    int branch_trials;          /* so often in a row */
    carom_start start;          /* of the assembly; its rows are those of the constraints that hold now */
    bool restart;               /* the integrator restarts before the next step */
    bool projected;             /* the last step was projected: it restarts, too, with the step proposed */
    double next_break;          /* [s] of an expression */
    carom_impact *impacts;
    size_t impact_count, impact_capacity, impacts_sent; /* rests that have ended are among them */
    carom_rest *rests;          /* of carom_simulation_rests() */
    size_t rest_count, rest_capacity;
    carom_warning *warnings;    /* by rank */
    const char **warning_texts; /* of each */
    size_t warning_count, warning_capacity, text_capacity;
    carom_recorder recorder;
    carom_statistics statistics;
    double clock_start, cpu_before;
    carom_contact_check *checks;
    const char **redundant_names;
    const char **held_texts, **free_texts, **stuck_texts; /* of the check */
    size_t free_count, free_whole, stuck_count;
    carom_initial_gap *gaps;    /* of the check; NULL: not made yet */
    size_t gap_count;
    bool advancing;             /* within a call that advances: callbacks may not change the run */
    bool controlling;           /* within the controller, which may act */
    struct carom_answer *answer;        /* of evaluate_at, taken when it is first called */
    carom_change *changes;      /* of parameters, the last first */
    carom_sim_undo visit;       /* of carom_sim_visit() */
    bool visit_restart;
    carom_evaluation *spare;    /* of carom_sim_visit(), taken when it is first called */
    bool muted;                 /* nobody is told of events, nothing is warned of */
    size_t own_listeners;       /* the first of the listeners, those of the creation */
    carom_state buffer, former; /* of set_state and evaluate_at, taken when they are first called */
    carom_sim_listener *listeners;
    size_t listener_count, listener_capacity;
    carom_status step_status;   /* what made a step of the sets fail */
    carom_flow flow;            /* of a step whose parts `arrive` moves, */
    bool flows, flowed;         /* and whether it does, and has done so */
    bool lean;                  /* it leaves poses, accelerations and the state behind: */
    carom_motions bodies;       /* where its bodies are, */
    const double *ahead, *ahead_rate;   /* and what these will be made of; NULL: they are there */
    bool taken;                 /* the state has the positions and velocities of the end of a step, its time not yet */
    carom_edges *records;       /* of inputs; NULL: none */
    carom_fired_event *fired;   /* in the order of time */
    size_t fired_count, fired_capacity, fired_sent;
    struct carom_open_name *open_names; /* of pairs of contact sets that a caller asked for */
    size_t open_name_count, open_name_capacity;
    double *free_measures;      /* all measures, for expressions that are read from accepted states alone, */
    int *free_switches;         /* and the switches of one of them */
    double *set_values;         /* of the actions of an event */
    struct carom_given *given;  /* NULL: nothing that is given over the time limits a step */
    struct carom_motion_watch *motions; /* NULL: no motion is prescribed */
    struct carom_partition *partition;  /* of that constraint method, NULL: it is another */
    struct carom_rigid *rigid;  /* of integrators with rigid contacts, NULL: it is another */
    bool remembers;             /* the law of a contact with located events has a memory */
    int short_steps;            /* one after the other, before a prescribed motion ends its way */
    struct carom_singular *singular;        /* watch of singular positions; NULL: there are none to look for */
    bool near_singular;         /* it is near one */
    struct carom_tangents *tangents;    /* derivatives beside the motion; NULL: none are asked for */
    double weakest_pivot;       /* of the evaluations since the last step */
    carom_points points;
};

/* ---- rhs.c: the pipeline ---- */

/* Rates of the integrated vector at (t, y). 0, or 1 if the system cannot be solved. */
int carom_rhs_rates(void *sim, double t, const double *y, double *rate);
/* The same of the method's vector (works.h). */
int carom_rhs_method_rates(void *sim, double t, const double *y, double *rate);
/* The same with the evaluation in `out`. */
int carom_rhs_evaluate(const carom_simulation *sim, carom_evaluation *out, double t, const double *y, double *rate);
/* The same where the poses, and the forces of contact sets at them, are in `out` already. */
int carom_rhs_evaluate_posed(const carom_simulation *sim, carom_evaluation *out, double t, const double *y,
                           double *rate);
/* Root functions: those of the contacts, then those of the expressions. */
int carom_step_roots(void *sim, double t, const double *y, double *values);
/* Those of the switches of expressions and loads alone, at values[first_root] of each; `evaluated`: the probe is. */
int carom_step_switch_roots(carom_simulation *sim, double t, const double *y, bool evaluated, double *values);
/* One root function of a contact whose geometry, forces and friction are known. */
double carom_step_root(const carom_simulation *sim, int contact, carom_contact_root root,
                       const carom_contact_point *point);
/* What is left of the greatest friction of a contact that sticks, a share of it; below zero it holds no more. */
double carom_step_friction_left(const carom_contact_point *point);
/* Projection between steps. */
int carom_step_project(void *sim, double t, double *y, double *error);
/* Violation of a position that is closed to rounding, of the model's length or of 1 rad, and iterations until then. */
#define CAROM_CLOSED 1e-14
#define CAROM_CLOSING_ITERATIONS 40
/* Positions and velocities on the constraints at t, to rounding, least in the metric of the mass matrix. */
int carom_step_close(void *sim, double t, double *y, double *error);
void carom_step_hold(void *sim, double step);
int carom_step_root_count(const carom_model *model);
/* State at a time of the last step; false: there is no dense output. */
bool carom_step_interpolate(carom_simulation *sim, double t, double *y);
/* Its positions and velocities alone. */
bool carom_step_motion(carom_simulation *sim, double t, double *y);
/* Rates of the positions at y. */
int carom_step_position_rate(void *sim, const double *q, const double *v, double *rate);

/* The greatest speed of the run so far, at least that of the model [m/s]. */
static inline double carom_sim_speed(const carom_simulation *sim)
{
    return fmax(sim->model->speed_scale, *sim->s.peak_speed);
}

/* The same for absolute tolerances, where the model's is a guess. */
static inline double carom_scale_speed(const carom_simulation *sim)
{
    return fmax(*sim->s.scale_speed, *sim->s.peak_speed);
}

/* ---- simulation.c ---- */

/* Assembles and begins the run at time 0, from a state that is all zero. */
carom_status carom_sim_start(carom_simulation *sim);
/* A simulation as this one without its callbacks, not assembled. */
carom_status carom_sim_build_like(carom_context *ctx, const carom_simulation *like, carom_simulation **out);

/* Makes the integrator anew, for a vector with tangents or without. A simulation for which that fails is given up. */
carom_status carom_sim_renew_integrator(carom_simulation *sim);
/* Numbers of the longest vector that a simulation integrates: that of now, and the work of forces of the caller. */
static inline size_t carom_sim_vector_room(const carom_simulation *sim)
{
    return sim->s.integrated + (sim->own.applied_count ? 0 : 1);
}
/* Makes state and integrator as long as the model has it now. On failure all is as before. */
carom_status carom_sim_resize(carom_simulation *sim);
/* Gives implicit methods what they have of the system; equations.c. */
carom_status carom_sim_equations(carom_simulation *sim, carom_ode *ode);

/* ---- caller/parameters.c ---- */

/* Makes the changes of another simulation of the same model. */
carom_status carom_parameters_copy(carom_simulation *to, const carom_simulation *from);
/* Adds them to a hash. */
uint64_t carom_parameters_hash(const carom_simulation *sim, uint64_t seed);
/* Hash of the numbers of a contact's law. */
uint64_t carom_parameters_law(const carom_simulation *sim, int contact);
/* Evaluates the present state, which had an energy with other parameters: the balance continues, and what the change
   adds to the energy, or takes, is in the start. */
carom_status carom_parameters_settle(carom_simulation *sim, const carom_energy *before);

/* ---- caller/past.c ---- */

/* What a simulation has of the past of a state that it is given. */
typedef struct carom_past_given {
    carom_impact *impacts;
    size_t impact_count, capacity, sent;
} carom_past_given;

/* Room in a state for the past of the run, and that past: call the second one when the state is the present one. */
carom_status carom_past_take_room(const carom_simulation *sim, carom_state *out);
void carom_past_take(const carom_simulation *sim, carom_state *out);
/* Whether a state with a past was taken with other parameters. */
bool carom_past_of_other_parameters(const carom_simulation *sim, const carom_state *state);
/* Refuses a state with a contact open whose law has other numbers here. */
carom_status carom_past_check(carom_simulation *sim, const carom_state *state);
/* Makes ready what carom_past_give() then makes that of the simulation, or carom_past_drop() gives back. Errors:
   CAROM_ERROR_MEMORY. */
carom_status carom_past_prepare(carom_simulation *sim, const carom_state *state, carom_past_given *out);
void carom_past_give(carom_simulation *sim, const carom_state *state, carom_past_given *given);
void carom_past_drop(carom_simulation *sim, carom_past_given *given);

/* ---- caller/give_state.c ---- */

/* Takes a state for a moment and evaluates it, the contacts that overlap in a changed one included; nobody is told.
   After CAROM_OK carom_sim_return() goes back to the present state. */
carom_status carom_sim_visit(carom_simulation *sim, const carom_state *state);
void carom_sim_return(carom_simulation *sim);

/* ---- allowed.c ---- */

/* Fails from within a step; `what` is the function that was called. */
carom_status carom_simulation_check_idle(const carom_simulation *sim, const char *what);
/* Fails where derivatives are taken beside the run, which must not be changed then. */
carom_status carom_simulation_check_alone(const carom_simulation *sim, const char *what);
/* The same, and from within a step but for the controller. */
carom_status carom_simulation_check_may_act(const carom_simulation *sim, const char *what);

/* ---- caller/control.c ---- */

/* Sets the next sample to the present time or the first one after it. */
void carom_control_begin(carom_simulation *sim);
/* Time of the next sample; HUGE_VAL: none. */
double carom_control_next(const carom_simulation *sim);
/* Calls the controller if the present time is that of a sample. */
carom_status carom_control_update(carom_simulation *sim);
/* The contact that has just been opened. */
carom_open_contact carom_simulation_opened(const carom_simulation *sim, size_t contact);
/* ---- named/actions.c ---- */

/* Room for the actions of events; refuses those that cannot be taken in this run. */
carom_status carom_actions_create(carom_simulation *sim);
/* Finds what depends on the joints that are locked, for a state that is given. */
carom_status carom_actions_restore(carom_simulation *sim);
/* Takes the actions of events whose conditions have become true at the present state; the switches are set. */
carom_status carom_actions_update(carom_simulation *sim);

/* ---- named/notices.c ---- */

/* Adds a row for each load that tells of its switches where these have changed. */
carom_status carom_notices_update(carom_simulation *sim);
/* Errors: CAROM_ERROR_SOLVER where a load has come to its end. */
carom_status carom_notices_ends(carom_simulation *sim);
/* Adds a row for a singular position at a time. */
carom_status carom_notices_singular(carom_simulation *sim, double time);
/* Whether the run has passed a singular position. */
bool carom_notices_passed_singular(const carom_simulation *sim);
/* Refuses joints that start far beyond their limits, and warns of those that start beyond them. */
carom_status carom_notices_start(carom_simulation *sim);
/* Indices of all rows, those of the events first, and the row of an index behind these. */
int carom_notices_rows(const carom_model *model);
carom_fired_event carom_notices_row(const carom_model *model, int index, const carom_fired_event *numbers);
/* Follows the greatest efforts of limits that are met from `begin` to the accepted state, within the last step. */
carom_status carom_notices_track(carom_simulation *sim, double begin);

/* ---- named/stops.c ---- */

/* Sizes the stop of a load whose limit has just been met, the upper one (level 1) or the lower one (-1), by what meets
   it. */
void carom_stops_meet(carom_simulation *sim, int load, int level);
/* The same of a twin at its own evaluated state, for the stops that have become stiffer in the simulation. */
void carom_stops_follow(const carom_simulation *sim, carom_simulation *twin);
/* Leaves stops free that were so and are only touched at the poses of the probe. */
void carom_stops_hold(carom_simulation *sim);
/* Warns of a stop of default stiffness that is indented far beyond the depth that it is made for. */
carom_status carom_stops_watch(carom_simulation *sim, int load);
/* Time of an impact on a stop as it is now [s]. */
double carom_stops_time(const carom_simulation *sim, int load);

/* ---- named/switches.c ---- */

/* How far ahead of the present time the branches of switches are chosen [s]. */
double carom_switches_ahead(const carom_simulation *sim);
/* Sets all switches as they are just after the present time, and when the next one changes by the time alone. */
void carom_switches_update(carom_simulation *sim);
/* The same for a restart, which notes the switches that are at an edge: where the rates at the start of a step are zero
   as well, they do not tell to which side a switch goes. */
void carom_switches_restart(carom_simulation *sim);
/* Whether the step that the integrator has made, and which is not accepted yet, leaves the branch of such a switch.
   Then the branches of its end are set, with which the simulation restarts from the begin of the step. */
bool carom_switches_left(carom_simulation *sim);

/* ---- named/chatter.c ---- */

/* Counts at a restart how often switches go to and fro, unless the time alone has changed them, and warns of it. */
carom_status carom_chatter_restart(carom_simulation *sim);
/* Whether one has since a time [s], as the end of a sentence. */
bool carom_chatters(const carom_simulation *sim, double since, char *text, size_t size);

/* ---- named/own_jumps.c ---- */

typedef enum carom_own_fault { CAROM_OWN_SOUND, CAROM_OWN_JUMPS, CAROM_OWN_VARIES } carom_own_fault;

/* Whether a law, a friction or a load that a program registered jumps where steps of this mean length [s] do not get
   on, or gives other values for the same arguments; then `text` says so, and the run has been told (W48). */
carom_status carom_own_jump(carom_simulation *sim, double step, carom_own_fault *found, char *text, size_t size);

/* ---- named/missed_switches.c ---- */

/* Room for the watch of switches within steps. Errors: CAROM_ERROR_MEMORY. */
carom_status carom_switch_watch_create(carom_simulation *sim);
/* At a restart after which the motion does not go on as before. */
void carom_switch_watch_restart(carom_simulation *sim);
/* Whether a switch leaves its branch and comes back within the last step; *end then becomes the time when the first one
   leaves it, if that is earlier. */
bool carom_switches_missed(carom_simulation *sim, double *end);

/* ---- named/motions.c: prescribed motions and relations that jump, or whose rates do, are refused ---- */

typedef struct carom_motion_watch carom_motion_watch;

carom_status carom_motions_create(carom_simulation *sim);
/* Before the run: at its start, and where the times of changes are known. Errors: CAROM_ERROR_MODEL with place and
   time. */
carom_status carom_motions_check(carom_simulation *sim);
/* After a step, and at a restart when the switches are set. Errors: the same. */
carom_status carom_motions_step(carom_simulation *sim);
carom_status carom_motions_restart(carom_simulation *sim);

/* ---- named/relations.c ---- */

/* Refuses the relation of a block, if it has one, that jumps at the present state, or whose slopes do, as the switches
   change to the present ones from those before; `at`: where in its text the first of them stands. */
carom_status carom_relation_check(carom_simulation *sim, const carom_constraint_block *block, int *before, size_t at);

/* ---- named/inputs.c ---- */

/* Takes the records of the definition. */
carom_status carom_inputs_create(carom_simulation *sim);
/* Warns of records that go far beyond their points. */
carom_status carom_inputs_warn(carom_simulation *sim);
/* Sets the segments of the records as they are just after the present time; returns the time of the next knot. */
double carom_inputs_update(carom_simulation *sim);

/* What the integrator has used of its methods. */
static inline carom_method_memory *carom_sim_methods(const carom_simulation *sim)
{
    return (carom_method_memory *)sim->s.integrator_memory;
}

/* Relative error that the integrator may make in a step. */
double carom_rhs_local_tolerance(const carom_simulation *sim);
/* Warns of a tolerance that rounding does not allow. */
carom_status carom_rhs_check_tolerance(carom_simulation *sim);
/* Fails because the accelerations were not found, and says why where that is known. */
carom_status carom_rhs_unsolved(carom_simulation *sim);
/* Evaluates the present state, for all who read sim->d. Between the calls of the loop's functions sim->d is always the
   evaluation of the present state. */
int carom_rhs_update(carom_simulation *sim);
/* The same within the loop, without the gaps of pairs that are far apart (inside/safe_time.c). */
int carom_rhs_again(carom_simulation *sim);

/* ---- stuck/culprit.c ---- */

/* What has a force that is no finite number where the integrator tried last, else what has the greatest force now, as
   the end of a sentence with numbers and a remedy; "" if there is nothing to name. `numbers`: only the former. */
const char *carom_culprit(carom_simulation *sim, bool numbers, char *text, size_t size);

/* Whether a drive or joint of the present state has a force that no motion of the model asks for. */
bool carom_culprit_locks(carom_simulation *sim);
/* The drive that the mechanism cannot follow past a singular position where it is, as the end of a sentence with its
   force in an evaluation of that and a remedy; "": none. */
const char *carom_culprit_drive(carom_simulation *sim, const carom_evaluation *d, char *text, size_t size);

/* ---- stuck/locked.c ---- */

/* Ends a motion that drives prescribe and the mechanism cannot follow, after each step; `violated`: the greatest
   violation of the constraints before it. Errors: CAROM_ERROR_SOLVER, with the drive and a remedy. */
carom_status carom_locked_watch(carom_simulation *sim, double violated);

/* ---- start.c ---- */

carom_status carom_assemble(carom_simulation *sim);
/* The speed for absolute tolerances. Where nothing gives the model one it is that which the forces at its start could
   give it over the run, if that is less than the guess. */
void carom_start_scale(carom_simulation *sim);

/* ---- bodies.c: in absolute coordinates, for formulations with coordinates of several bodies at once ---- */

/* As carom_assembly_start() and carom_assembly_move(), in absolute coordinates, for the coordinates of the run. */
carom_status carom_bodies_start(carom_simulation *sim, carom_start *out);
carom_status carom_bodies_move(carom_simulation *sim, carom_state *state, const carom_assembly_def *def,
                               carom_assembly *out);
/* carom_assembly_refuse_accelerations() at the state of the run. */
carom_status carom_bodies_refuse_accelerations(carom_simulation *sim, double miss);

/* Of shapes that overlap at the start where no point of contact need be. Errors: CAROM_ERROR_MODEL, where they are
   refused. */
carom_status carom_start_check_crossed(carom_simulation *sim);

/* ---- contact_events.c ---- */

/* Makes the elastic constants of contacts that keep those of the radii where the run starts. */
carom_status carom_located_start(carom_simulation *sim);
/* Keeps the sums of a contact as its episode begins, and takes them off where it ends. */
void carom_located_begin_sums(const carom_simulation *sim, int contact, carom_episode *episode);
void carom_located_end_sums(const carom_simulation *sim, int contact, carom_episode *episode);
carom_contact_of carom_located_of(const carom_simulation *sim, int contact);
/* What overlaps too deeply as the run starts is misplaced; of the points of a contact that act the deepest one is
   told. Errors: CAROM_ERROR_MODEL. */
carom_status carom_located_check_start(carom_simulation *sim, int contact);
/* Opens the episode of a contact at the present state, which is evaluated; nobody is told. */
carom_status carom_located_begin(carom_simulation *sim, int contact);
/* Opens episodes of contacts that touch at the accepted state and closes those that separate; sets `restart`. */
carom_status carom_located_update(carom_simulation *sim);
/* Follows maxima of open contacts from `begin` to the accepted state, within the integrator's last step. */
void carom_located_track(carom_simulation *sim, double begin);
/* Slip of a place against others of the same bodies, as these rock at the present state (rocking.c) [m/s]; follows that
   of all open contacts that hold over a step [s]. */
double carom_rocking_slip(const carom_simulation *sim, int contact);
void carom_rocking_follow(carom_simulation *sim, double step);
/* Conservative advancement: latest time to which the next step may go so that no contact is passed over. */
double carom_located_safe_time(carom_simulation *sim);
/* Velocities have changed at once, and so may forces: they do not jump. */
void carom_located_forget(carom_simulation *sim);
bool carom_located_any_open(const carom_simulation *sim);

/* ---- contact_smooth.c ---- */

/* Tells the integrator in which root of the time the motion after the onset of a contact is smooth; returns the length
   of the first step [s]. */
double carom_located_map_onset(carom_simulation *sim, int contact);
/* Time until the closing speed of a contact has its maximum, if that is near after the onset [s]; HUGE_VAL: not. */
double carom_located_until_crest(const carom_simulation *sim, int contact);
/* How far a long step may go on account of the onset of an open contact [s]. */
double carom_located_until_smooth(const carom_simulation *sim, int contact);
/* Time until the release of a contact that opens, a little later [s], and the root of it in which the motion until then
   is smooth; 0: it is not foreseen. */
double carom_located_release_time(const carom_simulation *sim, int contact, int *root);

/* ---- named/given.c: expressions of the time, looked at before the run ---- */

carom_status carom_given_create(carom_simulation *sim);
/* Warns of an expression that changes within a step of fixed length. */
carom_status carom_given_warn(carom_simulation *sim);
/* Time [s] that a step may not pass, or the integrator may not see what is given there; HUGE_VAL: none. */
double carom_given_horizon(const carom_simulation *sim);

/* ---- slip_reversal.c ---- */

/* Whether the slip of a joint turns round in the last step while its bearing force passes through zero; *end is early
   in it then, and the state's first_step a short one. */
bool carom_slip_reversed(carom_simulation *sim, double *end);

/* ---- inside/safe_time.c ---- */

/* Time in which a length is passed from a speed, with an acceleration [s]. */
static inline double carom_time_over(double length, double speed, double push)
{
    const double root = speed + sqrt(speed * speed + 2 * push * length);
    return root > 0 ? 2 * length / root : HUGE_VAL;
}

/* Room for the pairs of a model with many places. Errors: CAROM_ERROR_MEMORY. */
carom_status carom_far_create(carom_simulation *sim);
/* Whether the shapes of a contact are too far apart to touch in the step that is made: its gap is HUGE_VAL then. */
bool carom_is_far(const carom_simulation *sim, int contact);
/* Places the shapes by positions and velocities behind each other, those of the end of a step. */
void carom_far_place(const carom_simulation *sim, const double *motion);
/* The first contact, from `from` on, of a pair that is not surely apart there; it is far no longer. -1: none. */
int carom_far_meets(carom_simulation *sim, int from);
/* From now on none is, until the next step; the state is evaluated then, or carom_far_settle() finds the gaps. */
void carom_far_none(carom_simulation *sim);
void carom_far_settle(carom_simulation *sim);
/* Gaps of the contacts at the present state, whose bodies are placed, of closed ones with their geometry. */
void carom_closed_gaps(carom_simulation *sim);
/* Time from now on in which no closed contact can pass unseen [s]; it chooses those that are far apart. */
double carom_closed_safe_time(carom_simulation *sim);

/* ---- inside/contact_inside.c ---- */

carom_status carom_located_states_create(carom_simulation *sim);
/* Whether the states inside the last step that contacts are looked at in are kept from now on: while that stays the
   last one, and the motion as it is. */
void carom_located_keep_states(carom_simulation *sim, bool keep);
/* Positions and velocities inside the last step; NULL: they cannot be had. */
const double *carom_located_motion(carom_simulation *sim, double time);
/* Contact k at a time of the last step, by the dense output; false if there is none. */
bool carom_located_inside(carom_simulation *sim, int contact, double time, carom_contact_point *out);
/* The gap [m] or its rate [m/s] there; 0 without a dense output. */
typedef enum carom_followed { CAROM_FOLLOW_GAP, CAROM_FOLLOW_GAP_RATE } carom_followed;
double carom_located_follow(carom_simulation *sim, int contact, double time, carom_followed what);
/* Its root between the times a and b, at which the values fa and fb have different signs; on the side of b. */
double carom_located_root(carom_simulation *sim, int contact, carom_followed what, double a, double fa, double b,
                          double fb);
/* Whether a force that went from `before` to `after` within a part of the last step did so at once. */
bool carom_located_jumped(carom_simulation *sim, int contact, double begin, double end, carom_vec3 before,
                          carom_vec3 after);
/* Whether a contact that is apart at the end of the last step has handed over to another one of its pair, which is as
   deep as it was at `begin`, along the same normal. */
bool carom_located_hands_over(carom_simulation *sim, int contact, double begin);
/* The contact of the pair of another one that begins now and is as deep as that was with a gap; -1: there is none. */
int carom_located_successor(const carom_simulation *sim, int contact, double gap);
/* Notes what the force of a contact jumps to whose gap has jumped at the end of the last step. Gap [m] and rate [m/s]
   are those just before; 0: they are not known. */
void carom_located_note_lost(carom_simulation *sim, int contact, double *gap, double *gap_rate);

/* ---- inside/memory.c ---- */

void carom_located_memory_create(carom_simulation *sim);
/* Where the elastic part becomes stiffer at once a tangential spring keeps its force, and loses energy; where it
   becomes softer the spring keeps its length. */
void carom_located_shorten_spring(carom_simulation *sim, int contact, double share);
/* A branch of a law with memory may end at the accepted state; returns the force that follows. */
double carom_located_update_history(carom_simulation *sim, int contact);
/* Whether the step that the integrator has made, and which is not accepted yet, leaves the branch of a law with memory
   at its very begin: there a contact at rest does not tell whether it will close or open. Then the branch on which it
   goes on is set, with which the simulation restarts from the begin of the step. */
bool carom_located_left_branch(carom_simulation *sim);

/* ---- inside/together.c ---- */

/* Whether a closed contact touches at the present state and does not part, or is about to within rounding. */
bool carom_located_touches(const carom_simulation *sim, int contact);
/* Whether an open one parts there: its gap is zero or more, within rounding of the time, and grows. */
bool carom_located_parts(const carom_simulation *sim, int contact);
/* Largest coordinate of its two bodies [m]. */
double carom_located_farthest(const carom_simulation *sim, int contact);
/* Speed [m/s] that rounding of the positions makes in the open impacts of a body, 0: of all, where that is more than a
   small share of theirs. */
double carom_located_blur(const carom_simulation *sim, int body);

/* ---- inside/missed.c ---- */

/* Looks for an onset inside the last step that no root function has shown; true with the time of the earliest one. */
bool carom_located_missed(carom_simulation *sim, double *onset);

/* ---- inside/missed_holds.c ---- */

/* Room for the watch of friction that holds. Errors: CAROM_ERROR_MEMORY. */
carom_status carom_hold_watch_create(carom_simulation *sim);
/* At a restart after which the motion does not go on as before. */
void carom_hold_watch_restart(carom_simulation *sim);
/* Whether friction that holds is asked for more than it holds within the step that the integrator has made, and which
   is not accepted yet. Then the simulation restarts from the begin of the step, to the stop below. */
bool carom_holds_missed(carom_simulation *sim);
/* Where the step that is made again ends [s]; HUGE_VAL: nowhere. */
double carom_holds_stop(const carom_simulation *sim);
void carom_holds_stop_at(carom_simulation *sim, double time);
/* Whether it has ended there; the state's first_step is then a short one. */
bool carom_holds_arrived(carom_simulation *sim);

/* ---- inside/missed_ends.c ---- */

/* Whether an open contact parts, changes its branch or begins to pull within the last step and comes back; *end then
   becomes the time of the first of these, if that is earlier. */
bool carom_ends_missed(carom_simulation *sim, double *end);

/* ---- inside/passed_over.c ---- */

carom_status carom_passed_create(carom_simulation *sim);
/* Places at which a step of a length [s] is looked into; 0: it is short. */
int carom_step_looks(const carom_simulation *sim, double length);
/* Whether a long step has passed over what its ends do not tell; *end is before it then, and the state's first_step a
   short one. */
bool carom_passed_over(carom_simulation *sim, double *end);

/* ---- compression/policies.c ---- */

/* Fall of a followed velocity that counts, of itself. Within it v0 stays the greatest one all the same. */
#define CAROM_FOLLOWED_FALL 1e-9
/* Follows the impact velocity of contact k to the accepted state; sets `restart` where its policy changes it. */
void carom_compression_update(carom_simulation *sim, int contact);

/* ---- compression/inside_step.c ---- */

/* A contact at the begin of the last step. */
typedef struct carom_compression_past {
    double time, rate, followed;        /* [s], of the gap and the velocity that v0 would follow [m/s] */
    uint64_t restarts;          /* of the simulation until then */
} carom_compression_past;

/* Looks for greatest closing speeds inside the last step, up to `end`, of contacts whose impact velocity follows, and
   for changes of compressions that its ends do not show; true with the time of the first one, where the step is to
   end. */
bool carom_compression_crest(carom_simulation *sim, double *end);

/* ---- sets/contact_steps.c ---- */

/* Opens the episodes that overlap at the start, and warns of deep ones. */
carom_status carom_sets_start(carom_simulation *sim);
/* Makes the list of near pairs from the present state. */
carom_status carom_sets_restart(carom_simulation *sim);
/* Writes what the steps have changed of open episodes back to the state: call before the state is copied or read. */
void carom_sets_write_back(carom_simulation *sim);
/* The parts of the bodies; count 0: they are not free, or the method does not go through them. */
carom_ode_parts carom_sim_parts(const carom_simulation *sim);
/* What the contact sets move the bodies by in a step that flows, and before and behind what opens in it. */
struct carom_set_mover carom_sim_mover(carom_simulation *sim);
void carom_sim_before_openings(carom_simulation *sim);
void carom_sim_behind_openings(carom_simulation *sim);
/* Makes of the present state what such steps have left behind: call before positions, velocities, poses or
   accelerations of it are read. */
void carom_sim_catch_up(carom_simulation *sim);
/* Rates of works alone, and whether numbers are finite. */
bool carom_rhs_book(const carom_simulation *sim, const carom_evaluation *d, double *rate);
bool carom_all_finite(const double *x, size_t count);
/* Follows, closes and opens episodes at the end of a step, see carom_ode.arrive; what failed is in step_status. */
int carom_sets_arrive(void *sim, double t_before, const double *y_before, double t, double *y, double *rate);

/* ---- clearance.c ---- */

/* Adds the time from `begin` to the accepted state to the modes of the joints with clearance; contacts have been open
   or not for all of it. */
void carom_clearance_track(carom_simulation *sim, double begin);
/* Where the second frame of a joint is in the axes of its first frame: along f, g and h [m]. */
carom_vec3 carom_clearance_offset(const carom_evaluation *d, int joint);
/* The part of it that the clearance bounds, as a share of the clearance. */
double carom_clearance_eccentricity(const carom_evaluation *d, int joint);

/* ---- ledger.c ---- */

/* Terms at an evaluated state. */
carom_ledger carom_ledger_at(const carom_evaluation *d, const carom_state *state);
/* Energy of all bodies at the model's speed and over its length [J]. */
double carom_energy_scale(const carom_model *model);
/* The same at the speed for absolute tolerances [J]. */
double carom_ledger_scale(const carom_simulation *sim);
/* Peaks of energy, speed and violation from the accepted state. */
void carom_ledger_accept(carom_simulation *sim);

/* ---- checkpoint/points.c ---- */

/* After a step of a run that has points: makes one of the present state if it is its turn. */
carom_status carom_points_step(carom_simulation *sim);

/* ---- tolerances.c ---- */

/* Sets absolute tolerances: lengths and speeds of the model, and of the impact while one is open. Returns the relative
   one. */
double carom_loop_tolerances(carom_simulation *sim);
/* Rounding of positions and angles, which are added to those of the farthest body. */
void carom_loop_rounding(carom_simulation *sim);

/* ---- loop.c ---- */

carom_status carom_loop_start(carom_simulation *sim);
carom_status carom_loop_advance(carom_simulation *sim, double target, bool record);
/* One step, not beyond `target`. */
carom_status carom_loop_step(carom_simulation *sim, double target, bool record);
#endif
