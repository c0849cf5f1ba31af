/* Analysis equilibrium: a state of rest near the start at which all accelerations are zero, with what holds it and
   whether it is stable. Motions that are prescribed stand at the start time.
   docs/theory/equilibrium.md. */
#include "analysis/equilibrium/equilibrium.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum {
    ITERATIONS,
    DAMPED,
    LOAD_STEPS,
    FREEDOMS,
    HELD,
    RESIDUAL,
    ACCELERATION,
    MOVED,
    CONTACTS,
    REDUNDANT,
    POTENTIAL,
    ELASTIC,
    UNSTABLE,
    NEUTRAL,
    LEAST,
    QUANTITIES
};

static const carom_analysis_quantity quantities[QUANTITIES] = {
    [ITERATIONS] = {"iterations", "1", "Steps of the search."},
    [DAMPED] = {"damped_steps", "1", "Those of them that were damped, as forces lead to no equilibrium nearby."},
    [LOAD_STEPS] = {"load_steps", "1", "Steps in which the loads were taken on, where damped ones led nowhere."},
    [FREEDOMS] = {"degrees_of_freedom", "1", "Independent motions that the constraints allow."},
    [HELD] = {"held_by_friction", "1", "Those of them that friction which holds takes away."},
    [RESIDUAL] = {"residual", "1", "Forces that are not balanced, of those that act."},
    [ACCELERATION] = {"acceleration", "m/s^2", "Largest acceleration of a centre of mass that is left."},
    [MOVED] = {"moved", "m", "Largest distance by which a centre of mass was moved, the assembly included."},
    [CONTACTS] = {"contacts", "1", "Contacts that bear."},
    [REDUNDANT] = {"redundant", "1", "Constraint equations that depend on earlier ones."},
    [POTENTIAL] = {"potential", "J", "Energy of gravity."},
    [ELASTIC] = {"elastic", "J", "Energy of springs and contacts."},
    [UNSTABLE] = {"unstable", "1", "Motions of negative stiffness; 0: none leads away."},
    [NEUTRAL] = {"neutral", "1", "Motions without stiffness."},
    [LEAST] = {"least_stiffness", "1/s^2",
               "Least stiffness over mass along a motion that is not neutral; 0: there is none."},
};

enum { TABLE_VERDICT, TABLE_MOTIONS, TABLE_JOINTS, TABLE_REACTIONS, TABLE_CONTACTS, TABLE_BODIES, TABLES };

static const carom_analysis_quantity verdict_columns[] = {
    {"sentence", "", "Whether it is stable, and what was done to find it."},
};
static const carom_analysis_quantity motion_columns[] = {
    {"motion", "", "The joint or body that moves most in it."},
    {"kind", "", "neutral or unstable."},
    {"stiffness", "1/s^2", "Stiffness over mass."},
};
static const carom_analysis_quantity joint_columns[] = {
    {"joint", "", "Name of a joint with a coordinate."},
    {"unit", "", "Unit of the coordinate."},
    {"before", "SI", "As the model file places the bodies, or where the run before ended."},
    {"after", "SI", "In the equilibrium."},
};
static const carom_analysis_quantity reaction_columns[] = {
    {"joint", "", "Name of the joint."},
    {"fx", "N", "Force on its second body, world axes."},
    {"fy", "N", "The same along y."},
    {"fz", "N", "The same along z."},
    {"mx", "N m", "Moment on its second body about the joint's frame there, world axes."},
    {"my", "N m", "The same about y."},
    {"mz", "N m", "The same about z."},
    {"unique", "1", "1; 0: other forces would balance as well, these are the least."},
};
static const carom_analysis_quantity contact_columns[] = {
    {"contact", "", "Name of a contact that bears."},
    {"normal", "N", "Its normal force."},
    {"friction", "N", "Its friction."},
    {"indentation", "m", "How deep the shapes overlap."},
    {"fx", "N", "Its force on the second body, world axes."},
    {"fy", "N", "The same along y."},
    {"fz", "N", "The same along z."},
    {"spare", "1", "Share of the friction that holds at most which is not needed; 0: it does not hold."},
};

static const carom_analysis_table_kind tables[TABLES] = {
    [TABLE_VERDICT] = {"verdict", "What was found, in sentences.", verdict_columns, CAROM_COUNT(verdict_columns)},
    [TABLE_MOTIONS] = {"motions", "Motions that nothing brings back.", motion_columns, CAROM_COUNT(motion_columns)},
    [TABLE_JOINTS] = {"joints", "Coordinates of the joints.", joint_columns, CAROM_COUNT(joint_columns)},
    [TABLE_REACTIONS] = {"reactions", "What joints and their prescribed motions bear.", reaction_columns,
                         CAROM_COUNT(reaction_columns)},
    [TABLE_CONTACTS] = {"contacts", "What contacts bear.", contact_columns, CAROM_COUNT(contact_columns)},
    [TABLE_BODIES] = {"bodies", "Coordinates of the bodies.", carom_analysis_body_columns, CAROM_ANALYSIS_BODY_COLUMNS},
};

/* An equilibrium is near if the way to it is at most this share of the model's length. */
#define FAR 1e-2

/* Imaginary part of an eigenvalue, of its real part, that couples motions. */
#define COUPLED 1e-4

/* What is compared with the end. */
typedef struct before {
    double *q, *coordinate;
} before;

/* ---- tables ---- */

static carom_status say(carom_analysis *a, const char *text)
{
    return carom_analysis_add(a, TABLE_VERDICT, &(carom_analysis_cell){.text = text});
}

static carom_status add_motion(carom_analysis *a, const char *name, const char *kind, double stiffness)
{
    return carom_analysis_add(
        a, TABLE_MOTIONS, (const carom_analysis_cell[]){{.text = name}, {.text = kind}, {.number = stiffness}});
}

/* The motions that lead away, the fastest first. */
static carom_status put_unstable(carom_analysis *a, carom_balance *b, int unstable)
{
    char name[CAROM_MOTION_NAME], text[400];
    for (int c = 0; c < unstable; c++) {
        carom_balance_motion(b, b->eigenvector + (size_t)c * (size_t)b->width, b->step);
        carom_balance_name(b, b->step, name, sizeof name);
        CAROM_TRY(add_motion(a, name, "unstable", b->eigenvalue[c]));
        snprintf(text, sizeof text, "unstable: it leaves this pose as %s", name);
        if (c == 0)
            CAROM_TRY(say(a, text));
    }
    return CAROM_OK;
}

static carom_status put_neutral(carom_analysis *a, const carom_balance *b, int first, int neutral)
{
    char text[CAROM_MOTION_NAME * 3 + 100];
    char(*names)[CAROM_MOTION_NAME] = carom_arena_alloc(&a->arena, (size_t)neutral, sizeof *names);
    if (!names)
        return carom_fail_memory(a->ctx);
    CAROM_TRY(carom_balance_neutral(b, first, neutral, names));
    int length = snprintf(text, sizeof text, "neutral: nothing brings back %s", names[0]);
    for (int k = 1; k < neutral && k < 3; k++)
        length += snprintf(text + length, sizeof text - (size_t)length, ", %s", names[k]);
    if (neutral > 3)
        length += snprintf(text + length, sizeof text - (size_t)length, " and %d more", neutral - 3);
    snprintf(text + length, sizeof text - (size_t)length, first == 0 && b->width > neutral ? "; else stable" : "");
    for (int k = 0; k < neutral; k++)
        CAROM_TRY(add_motion(a, names[k], "neutral", 0));
    return say(a, text);
}

static carom_status put_stability(carom_analysis *a, carom_balance *b)
{
    int unstable = 0, neutral = 0;
    while (unstable < b->width && b->eigenvalue[unstable] < -b->none)
        unstable++;
    while (unstable + neutral < b->width && b->eigenvalue[unstable + neutral] <= b->none)
        neutral++;
    a->values[UNSTABLE] = unstable;
    a->values[NEUTRAL] = neutral;
    a->values[LEAST] = unstable ? b->eigenvalue[0] : b->width > neutral ? b->eigenvalue[neutral] : 0;
    CAROM_TRY(put_unstable(a, b, unstable));
    if (neutral)
        CAROM_TRY(put_neutral(a, b, unstable, neutral));
    if (b->width && !unstable && !neutral)
        CAROM_TRY(say(a, "stable"));
    for (int c = unstable + neutral; c < b->width && !unstable; c++)
        if (fabs(b->imaginary[c]) > COUPLED * b->eigenvalue[c])
            return say(a, "forces without a potential couple motions: they grow unless they are damped");
    return b->width ? CAROM_OK : say(a, "stable: nothing can move");
}

static carom_status put_joints(carom_analysis *a, const carom_balance *b, const before *from)
{
    for (int k = 0; k < a->model->joint_count; k++) {
        const carom_model_joint *j = &a->model->joints[k];
        if (j->coordinate < 0)
            continue;
        const carom_analysis_cell cells[] = {{.text = j->name},
                                             {.text = j->kind->coordinate_unit},
                                             {.number = from->coordinate[j->coordinate]},
                                             {.number = b->s->coordinate[j->coordinate]}};
        CAROM_TRY(carom_analysis_add(a, TABLE_JOINTS, cells));
    }
    return CAROM_OK;
}

static carom_status put_reactions(carom_analysis *a, carom_balance *b)
{
    for (int k = 0; k < a->model->joint_count; k++) {
        const carom_model_joint *j = &a->model->joints[k];
        if (j->of >= 0)
            continue;
        const carom_wrench w = carom_dynamics_joint_reaction(b->d, b->s, k, b->d->multipliers);
        const carom_analysis_cell cells[] = {{.text = j->name},       {.number = w.force.x},  {.number = w.force.y},
                                             {.number = w.force.z},   {.number = w.torque.x}, {.number = w.torque.y},
                                             {.number = w.torque.z},
                                             {.number = carom_balance_is_unique(b, k)}};
        CAROM_TRY(carom_analysis_add(a, TABLE_REACTIONS, cells));
    }
    return CAROM_OK;
}

static carom_status put_contacts(carom_analysis *a, const carom_balance *b)
{
    int bearing = 0;
    for (int k = 0; k < a->model->contact_count; k++) {
        const carom_contact_point *p = &b->d->contacts[k];
        if (!b->s->located[k].open || !(p->force != 0))
            continue;
        const carom_vec3 f = carom_v3_add(carom_v3_scale(p->force, p->normal), p->friction);
        const bool holds = b->s->located[k].stick == CAROM_STICKING;
        bearing++;
        const carom_analysis_cell cells[] = {{.text = a->model->contacts[k].name},
                                             {.number = p->force},
                                             {.number = carom_v3_norm(p->friction)},
                                             {.number = -p->gap},
                                             {.number = f.x},
                                             {.number = f.y},
                                             {.number = f.z},
                                             {.number = holds ? fmax(p->spare, 0) : 0}};
        CAROM_TRY(carom_analysis_add(a, TABLE_CONTACTS, cells));
    }
    a->values[CONTACTS] = bearing;
    return CAROM_OK;
}

/* ---- what was found ---- */

static void put_numbers(carom_analysis *a, const carom_balance *b, const before *from)
{
    const carom_model *m = a->model;
    double *value = a->values;
    double acceleration = 0, moved = 0;
    for (int body = 1; body <= m->body_count; body++) {
        carom_body_state at;
        b->s->formulation->get_body(m, body - 1, from->q, b->s->v, &at);
        const carom_vec3 p = carom_v3_load(at.position);
        moved = fmax(moved, carom_v3_norm(carom_v3_sub(b->d->pose[body].p, p)));
        const carom_body_acceleration left = b->d->system->formulation->body_acceleration(b->d, body);
        acceleration = fmax(acceleration, carom_v3_norm(left.linear));
    }
    const carom_energy energy = carom_system_energy(b->d, b->s);
    value[POTENTIAL] = energy.potential;
    value[ELASTIC] = energy.elastic;
    value[ITERATIONS] = b->iterations;
    value[DAMPED] = b->damped;
    value[LOAD_STEPS] = b->load_steps;
    value[FREEDOMS] = b->columns - b->rank;
    value[HELD] = b->columns - b->rank - b->width;
    value[RESIDUAL] = b->scale > 0 ? b->residual / b->scale : 0;
    value[ACCELERATION] = acceleration;
    value[MOVED] = moved;
    value[REDUNDANT] = b->held - b->rank;
}

/* What would hold by friction that is regularised has gone on moving: it is no equilibrium of rest of the motion. */
static carom_status say_regularised(carom_analysis *a, const carom_balance *b)
{
    for (int k = 0; k < a->model->contact_count; k++) {
        const carom_model_contact *c = &a->model->contacts[k];
        char text[300];
        if (!b->s->located[k].open || !c->friction || carom_balance_law_holds(b, c->friction))
            continue;
        snprintf(text, sizeof text,
                 "the friction of contact '%s' is regularised and has no force at rest: it holds nothing here; "
                 "`friction: coulomb` holds",
                 c->name);
        return say(a, text);
    }
    return CAROM_OK;
}

static carom_status say_open(carom_analysis *a, const carom_balance *b)
{
    char motion[CAROM_MOTION_NAME];
    if (!(b->doubt > CAROM_BALANCE_OPEN))
        return CAROM_OK;
    carom_balance_name(b, b->basis + (size_t)b->doubtful * (size_t)b->columns, motion, sizeof motion);
    return carom_balance_say_open(a, b->doubt, motion, TABLE_VERDICT);
}

static carom_status tell(carom_analysis *a, carom_balance *b, const before *from)
{
    bool found;
    char text[300];
    carom_balance_hold(b, true);
    CAROM_TRY(carom_balance_evaluate(b, &found));
    if (!found || b->residual > carom_balance_small(b))
        return carom_fail(a->ctx, CAROM_ERROR_MODEL, &a->run->analysis_place,
                          "equilibrium: none was found: where the search ended, %.2g of the forces are not balanced "
                          "once states and branches are those of the pose; smooth an `if` that jumps there, as by "
                          "step5()",
                          b->residual / b->scale);
    CAROM_TRY(carom_balance_motions(b));
    put_numbers(a, b, from);
    CAROM_TRY(carom_balance_unique(b));
    CAROM_TRY(put_reactions(a, b));
    CAROM_TRY(put_contacts(a, b));
    CAROM_TRY(put_joints(a, b, from));
    CAROM_TRY(carom_balance_stiffness(b, true));
    CAROM_TRY(put_stability(a, b));
    CAROM_TRY(say_open(a, b));
    if (b->load_steps)
        CAROM_TRY(say(a, "the forces lead away from it: it was found by taking them on in steps"));
    else if (b->damped && b->way > FAR * b->m->length_scale) {
        snprintf(text, sizeof text,
                 "the equilibrium was not near: %d of %d steps followed the forces as a damped motion does", b->damped,
                 b->iterations);
        CAROM_TRY(say(a, text));
    }
    if (a->values[HELD] > 0 && b->damped)
        CAROM_TRY(say(a, "friction holds in other poses close by as well: which one is found, and how far the bodies "
                         "are moved to it, depends on the way of the search"));
    CAROM_TRY(say_regularised(a, b));
    CAROM_TRY(carom_balance_say_states(a, b, TABLE_VERDICT));
    if (b->found_count)
        CAROM_TRY(say(a, "the states were taken where they rest in each pose: whether they bring back as well, "
                         "`analysis: modes` tells"));
    if (a->values[REDUNDANT] > 0)
        CAROM_TRY(say(a, "constraints are redundant: reactions marked with unique = 0 are the least that balance"));
    return CAROM_OK;
}

/* Poses and joint coordinates where the model file, or the run before, has the bodies. */
static void keep_before(carom_analysis *a, carom_evaluation *d, carom_state *s, before *out)
{
    const carom_model *m = a->model;
    memcpy(out->q, s->q, (size_t)s->layout.positions * sizeof *s->q);
    carom_state_pose(d, s);
    for (int k = 0; k < m->joint_count; k++) {
        carom_row row;
        double rate;
        const int c = m->joints[k].coordinate;
        if (c >= 0)
            out->coordinate[c] =
                carom_dynamics_coordinate(d, k, carom_run_follows(a->run) ? s->coordinate[c] : 0, &row, &rate);
    }
}

static carom_status find(carom_analysis *a, carom_evaluation *d, carom_state *s)
{
    const carom_model *m = a->model;
    carom_balance b;
    before from;
    bool dropped;
    if (!(from.q = carom_arena_alloc(&a->arena, (size_t)s->layout.positions, sizeof(double))) ||
        !(from.coordinate = carom_arena_alloc(&a->arena, (size_t)m->coordinate_count, sizeof(double))))
        return carom_fail_memory(a->ctx);
    keep_before(a, d, s, &from);
    CAROM_TRY(carom_balance_begin(a, d, s, &b, &dropped));
    CAROM_TRY(carom_balance_search(&b));
    CAROM_TRY(tell(a, &b, &from));
    carom_balance_hold(&b, false);
    return carom_analysis_add_bodies(a, TABLE_BODIES, from.q);
}

static carom_status run(carom_analysis *a) { return carom_balance_run(a, find); }

const carom_analysis_kind carom_analysis_equilibrium = {
    .text = "All velocities are zero and prescribed motions stand as they do at the start. With the motions N that the "
            "constraints allow, N^T M N = 1, the forces along them, F = N^T (M a), are brought to zero by Newton's "
            "method on the projected tangent stiffness K = -N^T d(M a)/dq N, with least steps along motions without "
            "stiffness. Where the stiffness is negative, or forces act along motions without any, damped steps "
            "(K + mu) z = F follow the forces until there is an equilibrium that brings back; if there is none, the "
            "loads are taken on in steps from the start, which may end in one that does not. Contacts and joints "
            "whose friction holds take the tangential forces that they need. States of the user stand "
            "where their rates are zero, those that are integrals as they start. It is stable if all eigenvalues of K "
            "are positive, unstable if one is negative, neutral if one is zero.",
    .source = "Nikravesh 1988, Computer-Aided Analysis of Mechanical Systems, chapter 10; Kelley and Keyes 1998, SIAM "
              "J. Numer. Anal. 35, 508.",
    .quantities = quantities,
    .quantity_count = QUANTITIES,
    .tables = tables,
    .table_count = TABLES,
    .run = run,
};
