/* The parts of an evaluation (dynamics/system.h): poses, contacts, loads, constraints, friction, accelerations.
   Contacts and loads see poses, twists and wrenches only. */
#ifndef CAROM_DYNAMICS_H
#define CAROM_DYNAMICS_H

#include "dynamics/system.h"

/* ---- pose.c ---- */

/* Pose and twist after the time t [s] with constant linear and angular accelerations. */
carom_body_pose carom_pose_after(const carom_body_pose *pose, carom_vec3 acceleration, carom_vec3 turning, double t);
carom_frame_pose carom_dynamics_frame_pose(const carom_body_pose *body, const carom_marker *marker, int dimension);
/* Acceleration of the origin of a body's frame, behind the accelerations: a + alpha x r + w x (w x r). */
carom_vec3 carom_dynamics_frame_acceleration(const carom_evaluation *d, int body, const carom_frame_pose *frame);

/* ---- contact.c ---- */

/* Gap, normal, point and gap rate of a contact between two body poses. Points on curves are those nearest or deepest of
   all, but with a state and an open episode those followed from where the state has them. */
void carom_contact_geometry_at(const carom_model *model, const carom_state *state, int contact,
                               const carom_body_pose *poses_i, const carom_body_pose *pose_j, carom_contact_point *out);
/* The same, where it was found last without a search: known_geometry.c. */
void carom_contact_known_geometry(carom_system *system, const carom_state *state, int contact,
                                  const carom_body_pose *pose_i, const carom_body_pose *pose_j,
                                  carom_contact_point *out);
/* Room for these. Errors: CAROM_ERROR_MEMORY. */
carom_status carom_known_geometry_create(carom_system *system);
/* The same from what it needs of model and state. */
carom_contact_sides carom_contact_sides_of(const carom_model *model, const carom_state *state, int contact);
void carom_contact_geometry_of(const carom_model_contact *contact, const carom_contact_sides *sides,
                               const carom_body_pose *pose_i, const carom_body_pose *pose_j, carom_contact_point *out);
/* Whether it is proved that its gap is nowhere below `least`, as it is at these places of both sides. */
bool carom_contact_nowhere_below(const carom_model *model, int contact, const carom_body_pose *pose_i,
                                 const carom_body_pose *pose_j, const double *places, double least);
/* Warning of its pair about these poses; empty without one, and of all but the first of several points. */
void carom_contact_remark(const carom_model *model, int contact, const carom_body_pose *pose_i,
                          const carom_body_pose *pose_j, char *text, size_t size);
/* Rate of the normal [1/s]. */
carom_vec3 carom_contact_normal_rate(const carom_model *model, const carom_state *state, int contact,
                                     const carom_body_pose *pose_i, const carom_body_pose *pose_j);
/* Rates of the arms of its point [m/s]; false where the pair does not know them. */
bool carom_contact_arm_rates(const carom_model *model, const carom_state *state, int contact,
                             const carom_body_pose *pose_i, const carom_body_pose *pose_j, carom_vec3 *arm_i,
                             carom_vec3 *arm_j);
/* All open contacts: adds their wrenches; `friction` are the friction states. */
void carom_dynamics_contacts(carom_evaluation *d, const carom_state *state, const double *friction);
int carom_contact_body(const carom_model *model, int contact, int side);
/* Unit vectors across a normal, each across the other; in the plane the first one lies in it. */
void carom_contact_tangents(int dimension, carom_vec3 normal, carom_vec3 out[2]);
/* How many points the contact of two shapes has whose first one this is; their indices follow each other. */
int carom_contact_points(const carom_model *model, int first);
/* The deepest of these that bears; -1: none does. */
int carom_contact_deepest(const carom_evaluation *d, int first);
/* Overlap of the shapes of a contact that its points need not show, and where; 0: there is none [m]. */
double carom_contact_overlap(const carom_evaluation *d, int contact, carom_vec3 *at);
/* Adds a force on j at the contact point, and its opposite on i. */
void carom_contact_add_force(carom_evaluation *d, int contact, carom_vec3 force);

/* ---- contact_friction.c ---- */

/* Friction of an open contact whose normal force is known: force, couple, power; rates of its state (zero where NULL).
   Of a sticking contact only the couple: its force is found by carom_friction_hold(). */
void carom_friction_at(const carom_model *model, const carom_state *state, int contact, const carom_body_pose *pose_i,
                       const carom_body_pose *pose_j, const double *z, carom_contact_point *point, double *rate);
/* Force of a law with state at a point whose forces are known; `turn` is the spin of the tangent plane. */
carom_vec3 carom_friction_with_state(const carom_model *model, const carom_state *state, int contact,
                                     const carom_contact_point *point, carom_vec3 turn, const double *z, double *rate);
/* Of a law that holds: force at a slip that has just begun [N], and whether it is less than what holds. */
double carom_friction_sliding(const carom_model_contact *contact, double normal);
bool carom_friction_drops(const carom_model_contact *contact);
/* Slip below which one is at rest [m/s]: that of its law, and what places slip against each other. */
double carom_friction_rests_below(const carom_model_contact *contact, const carom_episode *episode);
/* Slip of a contact with a law that holds [m/s]: beside another motion (carom_state.slips) that along the slip there,
   negative where it has turned round. */
double carom_friction_slip_speed(const carom_state *state, int contact, const carom_contact_point *point);
/* Greatest force with which a law holds at a normal force [N]; of one that holds by a deflection its cone. */
double carom_friction_greatest(const carom_friction_kind *law, const double *constants, double normal);
/* Angular velocity of the tangent plane: its normal turns as the contact does, and about it the mean of both bodies. */
carom_vec3 carom_friction_plane_spin(const carom_model *model, const carom_state *state, int contact,
                                     const carom_body_pose *pose_i, const carom_body_pose *pose_j, carom_vec3 normal);
/* Couple of rolling and spinning resistance on j, which spins against i, under a normal force [N m]. */
carom_vec3 carom_friction_resistance(const carom_model_contact *contact, carom_vec3 spin, carom_vec3 normal,
                                     double force);
/* ---- sticking.c ---- */

/* Forces of the contacts that stick, such that they do not slip; call after the acceleration, which is made again.
   False if the system cannot be solved. */
bool carom_friction_hold(carom_evaluation *d, const carom_state *state);

/* Rate of the slip of a contact while both bodies go on as they do; what lies in its tangent plane counts [m/s^2]. */
carom_vec3 carom_friction_slip_bias(const carom_evaluation *d, const carom_state *state, int contact);
/* Whether two contacts touch the same body, other than the ground. */
static inline bool carom_contacts_share(const carom_model_contact *a, const carom_model_contact *b)
{
    return (a->body_i > 0 && (a->body_i == b->body_i || a->body_i == b->body_j)) ||
           (a->body_j > 0 && (a->body_j == b->body_i || a->body_j == b->body_j));
}

/* ---- face.c ---- */

/* Planes in which the friction of the sticking contacts from `first` to `end` acts, the places of two shapes; and their
   slips' rates as those of one rigid motion in it. */
void carom_face_place(carom_evaluation *d, int first, int end);
void carom_face_fit(carom_evaluation *d, int first, int end);
/* Distance of places that lie together [m]. */
double carom_face_together(const carom_model_contact *contact);

/* ---- cones.c ---- */

/* Share of the largest singular value, of rows of norm 1 of friction that holds: feet that share a body hold it
   together less well than this only by bracing against each other, which they do not at rest: see
   docs/theory/friction.md. */
#define CAROM_BRACED 1e-2

/* Rate of the slip that accelerations `a` make at the contact's point as it is now, in the tangent plane [m/s^2]. */
carom_vec3 carom_friction_slip_rate(const carom_evaluation *d, int contact, const double *a);
/* What the contacts that stick do to each other, once their columns are there; false if there is no room for it. */
bool carom_friction_couple(carom_evaluation *d);
/* Forces that hold all of them, by so many searches at most; false if one of them is beyond its cone, or if there are
   none. For columns that are symmetric. */
bool carom_friction_hold_all(carom_evaluation *d, int passes);
/* Forces that hold where their cones allow, from those that are there, by so many searches at most; false if they
   cannot be found, the forces being as before the call. */
bool carom_friction_within_cones(carom_evaluation *d, int passes);

/* ---- joint_friction.c, active_set.c: friction of ideal joints ---- */

/* Slips of all places, and what their laws have of the state; after the constraints. `friction` are the friction
   states. */
void carom_dynamics_joint_friction(carom_evaluation *d, const carom_state *state, const double *friction);
/* Rows and slip of one site at the poses. */
void carom_joint_friction_slip(carom_evaluation *d, int site);
/* Its normal force with these multipliers, without its own search [N]. */
double carom_joint_friction_normal(const carom_evaluation *d, int site, const double *multipliers);
/* What a reaction of its joint could add to this at most, whose components are a force [N] at most, and couples that of
   it at the model's length [N]. */
double carom_joint_friction_reach(const carom_evaluation *d, int site, double force);
/* Greatest force with which it sticks at a normal force [N]. */
double carom_joint_friction_cone(const carom_evaluation *d, int site, double normal);
/* What is left of the slip of a site that sticks dies away at this rate [1/s]. */
#define CAROM_JOINT_SETTLE 100
/* Adds to accelerations and multipliers what friction does to them, with normal forces from the multipliers that come
   out; called by the formulation. False if there are none: friction_fault is then the site. */
bool carom_joint_friction_solve(carom_evaluation *d);
/* Rates of the states of the laws, and the work that friction takes; after the accelerations. */
void carom_joint_friction_finish(carom_evaluation *d);
/* Force of a law that slides at a normal force, along the directions of the slip [N]; rates of its state (may be
   NULL). */
void carom_joint_friction_law(const carom_evaluation *d, int site, double normal, double *force, double *rate);
/* Whether a place sticks that breaks away at a force: its friction drops there. */
bool carom_joint_friction_breaks(const carom_model *m, const carom_state *state);
/* Root functions of the places with friction that holds: positive while they stick or slide on, as they do now; where
   one breaks at a force accelerations are evaluated. */
void carom_joint_friction_roots(carom_evaluation *d, const carom_state *state, double *out);
/* What is left of the greatest force of a place that sticks, a share of it; below zero it holds no more. */
double carom_joint_friction_left(const carom_evaluation *d, int site);
/* Lets those of which more is asked than they hold break away, as the accelerations have it. */
void carom_joint_friction_part(const carom_evaluation *d, carom_state *state);
/* Lets places stick or slide as the poses have them; `start`: whatever they did before. */
void carom_joint_friction_switches(carom_evaluation *d, carom_state *state, bool start);
/* Friction on the second body about the origin of its frame. */
carom_wrench carom_joint_friction_wrench(const carom_evaluation *d, int joint);

/* ---- load.c ---- */

/* Gravity and loads: adds their wrenches; `states` are the user's, and behind them those of loads. `coordinates` are
   the joint coordinates last accepted (for unwrapping). */
/* No forces yet but those of the contact sets, which are known. */
void carom_dynamics_begin_wrenches(carom_evaluation *d);
/* Adds the weights of the bodies behind `first` up to `end` to wrenches, of which the array begins with theirs. */
void carom_dynamics_weigh(const carom_system *system, int first, int end, carom_wrench *wrench);
void carom_dynamics_loads(carom_evaluation *d, const carom_state *state, double t, const double *states);
void carom_dynamics_measures(carom_evaluation *d, const carom_state *state, double t, const double *states);
/* Those that the forces make, behind these. */
void carom_dynamics_late_measures(carom_evaluation *d, const carom_state *state);
/* All measures of the evaluated state, also those that outputs alone read. */
void carom_dynamics_all_measures(const carom_evaluation *d, const carom_state *state, double t, double *out);
/* Of a load on a joint its effort along the coordinate; between two frames the force along the line, positive pulls
   them together; on one frame the size of the force [N or N m]. */
double carom_dynamics_load_pull(const carom_evaluation *d, int load);
/* Distance of the two frames of a load, and its rate [m], [m/s]. */
void carom_dynamics_load_line(const carom_evaluation *d, int load, double *length, double *rate);
/* Force and torque about the frame's origin on the second body, or on the body of the one frame [N], [N m]. */
carom_vec3 carom_dynamics_load_force(const carom_evaluation *d, int load);
carom_vec3 carom_dynamics_load_torque(const carom_evaluation *d, int load);
/* Rates of the user's states, from the measures; false if one is not finite, which is then
   state_fault until the loop clears it. */
bool carom_dynamics_state_rates(carom_evaluation *d, const carom_state *state, double t);
/* Value of an input at t, with the derivatives of its record. */
carom_jet carom_dynamics_input(const carom_evaluation *d, const carom_state *state, int input, double t);
/* Value and time derivatives of an expression that reads time and inputs. */
carom_jet carom_dynamics_jet(carom_evaluation *d, const carom_state *state, int expr, double t);
/* One load at the poses and the measures that are there: wrenches about the centres of mass of its two bodies; its
   output and the rates of its states are in the evaluation. `states` are the user's, and behind them those of loads. */
void carom_dynamics_load_wrenches(carom_evaluation *d, const carom_state *state, int load, double t,
                                  const double *states, carom_wrench out[2]);
/* Sets the switches of the loads as the poses, the measures and the time have them. */
void carom_dynamics_load_switches(carom_evaluation *d, carom_state *state, double t);
/* Root functions of the loads' switches: positive while the frozen branch holds. */
void carom_dynamics_load_roots(carom_evaluation *d, const carom_state *s, double t, const double *states, double *out);

/* ---- constraints.c ---- */

/* Constraint rows, their Jacobian in (v, w) and the violations; prescribed values at time t. */
/* Inertias of the bodies behind `first` up to `end` in world axes. */
void carom_dynamics_turn_inertias(carom_evaluation *d, int first, int end);
void carom_dynamics_constraints(carom_evaluation *d, const carom_state *state, double t);
/* Whether it left out the rows of a block, which a tree holds by itself: what is in them is of another state. */
bool carom_dynamics_leaves_out(const carom_evaluation *d, int block);
/* What a block prescribes at t. */
carom_jet carom_dynamics_motion(carom_evaluation *d, const carom_state *state, const carom_constraint_block *block,
                                double t);
/* What the expression of a coupler's block makes of the coordinates at the present poses; returns its rate by t
   alone. */
double carom_dynamics_relation(carom_evaluation *d, const carom_state *state, const carom_constraint_block *block,
                               double t, carom_coupled_row *out);
/* The rows of one block alone. */
void carom_dynamics_block(carom_evaluation *d, const carom_state *state, const carom_constraint_block *block, double t);
/* A row between two bodies in the coordinates; returns its rate. */
double carom_row_between(const carom_evaluation *d, const carom_row *row, int body_i, int body_j,
                         carom_jacobian_row *out);
/* The same of row r of a block, which stands in the evaluation. */
double carom_block_row(const carom_evaluation *d, const carom_constraint_block *block, int r, carom_jacobian_row *out);
/* Adds the entries of row r of a block to a dense row over all velocities. */
void carom_block_entries(const carom_evaluation *d, const carom_constraint_block *block, int r, double *a);
/* Whether a row is of an angle [rad], not of a length [m]. */
bool carom_row_is_angle(const carom_row *row);
/* Shortens a step, over all bodies, that turns one by more than 1 rad or moves one by more than the model's length: it
   would help nobody. Returns the share that is left. */
double carom_step_shorten(const carom_evaluation *d, double *step);
/* Violation of a constraint row, of the model's length or of 1 rad. */
double carom_row_violation(const carom_evaluation *d, int r);
/* Violation that rounding of the places makes where the bodies are, and of their turns as well, of the model's length
   or of 1 rad: no row can be closed better. */
double carom_row_rounding(const carom_evaluation *d, bool turns);
/* ---- rows that are held on the positions: held.c ---- */

int carom_dynamics_held_count(const carom_system *system);
/* What a row misses: pull Phi + hold Phi'. */
typedef struct carom_held_level {
    double pull, hold;          /* [1/s], [-] */
} carom_held_level;
static inline double carom_held_miss(const carom_evaluation *d, int row, carom_held_level level)
{
    if (d->idle && d->idle[row])
        return 0;
    return level.pull * d->rows[row].phi + level.hold * d->phi_rate[row];
}
/* Of an evaluated state what the rows miss, the rows over the velocities, and M^-1 J^T, a column behind the other; rows
   that are idle are 0. `mass` and `pivot` are room for the mass matrix of a tree. False if that is singular.
   `answer` may be NULL, or `jacobian` too: they are left out. */
bool carom_dynamics_held_rows(const carom_evaluation *d, double *mass, int *pivot, carom_held_level level,
                              double *phi, double *jacobian, double *answer);
/* Whether the rows of a block are among these. */
bool carom_dynamics_is_held(const carom_system *system, int block);
/* Of each of these rows whether it is of an angle, and whether it holds velocities alone. */
void carom_dynamics_held_kinds(const carom_evaluation *d, bool *angle, bool *rate);
/* Of each of these rows whether the joints of a tree hold it already, as the last rates took it: over the velocities
   it is rounding. */
void carom_dynamics_held_already(const carom_evaluation *d, bool *held);
/* Of each velocity the inverse root of what it moves, 0 of a prescribed one; `mass` as above. */
void carom_dynamics_velocity_scales(const carom_evaluation *d, double *mass, double *scale);

/* Rows that hold now: all but those of joints that are not locked. */
int carom_dynamics_active_rows(const carom_evaluation *d);
/* Coordinate of a joint (unwrapped near `near`; on a path followed), its rate and row. */
double carom_dynamics_coordinate(const carom_evaluation *d, int joint, double near, carom_row *row, double *rate);
/* What rows and friction of a joint are made from at the poses; `i` and `j` are room for its frames. */
carom_joint_input carom_dynamics_joint_input(const carom_evaluation *d, int joint, carom_frame_pose *i,
                                             carom_frame_pose *j);
/* Force and moment about the second frame that multipliers of the rows of an ideal joint are on its second body;
   `motion`: with those of its prescribed motion. */
carom_wrench carom_dynamics_reaction(const carom_evaluation *d, int joint, const double *multipliers, bool motion);
/* The same of the contacts of a joint with clearance. */
carom_wrench carom_dynamics_clearance_reaction(const carom_evaluation *d, const carom_state *state, int joint);
/* The same of any joint, with its prescribed motion. */
static inline carom_wrench carom_dynamics_joint_reaction(const carom_evaluation *d, const carom_state *state, int joint,
                                                         const double *multipliers)
{
    if (d->model->joints[joint].clearance.index >= 0)
        return carom_dynamics_clearance_reaction(d, state, joint);
    return carom_dynamics_reaction(d, joint, multipliers, true);
}

/* Sum of the forces of all contacts on a body, friction and couples included, and their moment about its centre of
   mass; the ground's is about the origin of the world. */
carom_wrench carom_dynamics_contact_wrench(const carom_evaluation *d, const carom_state *state, int body);

/* ---- words: info.c ---- */

#define CAROM_DIRECTION_NAME 64
/* A direction in words: an axis of the world, or its components; returns the text. */
const char *carom_direction_name(carom_vec3 direction, char text[CAROM_DIRECTION_NAME]);

/* ---- records of inputs: inputs.c ---- */

/* Index of an input by its name; `before` begins the message. Errors: CAROM_ERROR_USAGE (nearest name). */
carom_status carom_records_find(carom_context *ctx, carom_arena *arena, const carom_model *model, const char *name,
                                const char *before, int *out);
/* Copies of records, which the arena owns: as definitions, and as splines by the inputs of the model, NULL: there are
   none. Errors: CAROM_ERROR_USAGE. */
carom_status carom_records_create(carom_context *ctx, carom_arena *arena, const carom_model *model,
                                  const carom_spline_def *defs, size_t count, carom_spline_def **own,
                                  carom_edges **records);
/* Whether the record of an input goes far beyond its points between them, and the words of the warning. */
bool carom_records_warning(const carom_model *model, const carom_edges *records, int input, char *text, size_t size);
/* Refuses inputs without a record whose time derivatives are wanted. */
carom_status carom_records_require(carom_context *ctx, const carom_model *model, const carom_edges *records);
/* Sets the segments of the state as they are just after its time; returns the time of the next knot. */
double carom_records_update(const carom_edges *records, carom_state *state);

/* ---- motors that compute their effort: computed.c ---- */

/* Makes the rows of those within their limits, behind the loads and all other rows. */
void carom_dynamics_computed(carom_evaluation *d, const carom_state *s);
/* A row times the accelerations of its bodies in an evaluated state. */
double carom_row_acceleration(const carom_evaluation *d, const carom_row *row, int body_i, int body_j);
/* Acceleration of a joint's coordinate in an evaluated state [m/s^2] or [rad/s^2]. */
double carom_dynamics_coordinate_acceleration(const carom_evaluation *d, int joint);
/* Puts the efforts that were found into the outputs of the loads. */
void carom_dynamics_computed_efforts(carom_evaluation *d);
/* Quantity of the first switch of one with a limit on a branch: within the limits the effort over the limit, at one of
   them beyond 1 or -1 until the acceleration is more than wanted. */
double carom_dynamics_computed_quantity(const carom_evaluation *d, int load, int branch);
/* Sets these switches as the evaluated state has them; whether one has changed. */
bool carom_dynamics_computed_switches(const carom_evaluation *d, carom_state *s);

/* ---- energies ---- */

/* Sums over bodies: those of each CAROM_BODY_PART bodies first, then of these. */
#define CAROM_BODY_PART 64
typedef struct carom_body_sums {
    double kinetic, potential;  /* energies, the former without that of armatures [J] */
    double fastest;             /* largest square of a speed [m^2/s^2] */
} carom_body_sums;

static inline int carom_body_parts(const carom_model *m)
{
    return (m->body_count + CAROM_BODY_PART - 1) / CAROM_BODY_PART;
}
/* Bodies of a part: those behind `first` up to the one that is returned. */
static inline int carom_body_part(const carom_model *m, int part, int *first)
{
    const int end = (part + 1) * CAROM_BODY_PART;
    *first = part * CAROM_BODY_PART;
    return end < m->body_count ? end : m->body_count;
}
/* Of one part, and of all. */
carom_body_sums carom_dynamics_part_sums(const carom_evaluation *d, int part);
carom_body_sums carom_dynamics_sums(const carom_evaluation *d);
/* Keeps the sums of the parts at the poses that are there. */
void carom_dynamics_sum_up(carom_evaluation *d);
double carom_dynamics_kinetic(const carom_evaluation *d);
/* Of the armatures on joints, which is not in that of the bodies. */
double carom_dynamics_armature_energy(const carom_evaluation *d);

#endif
