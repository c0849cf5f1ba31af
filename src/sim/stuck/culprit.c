/* What keeps a run from going on: the joint, motion, contact or load whose force is greatest, or is no number. */
#include "sim/kinematics/singular.h"
#include "sim/sim.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

typedef enum suspect_type {
    SUSPECT_NONE,
    SUSPECT_JOINT,
    SUSPECT_MOTION,
    SUSPECT_CONTACT,
    SUSPECT_LOAD
} suspect_type;

typedef struct suspect {
    suspect_type type;
    int index;                  /* of the joint, block, contact or load */
    double force;               /* [N], moments over the model's length */
} suspect;

/* The greater number; what is none is greater. */
static double greater(double a, double b) { return isnan(a) || isnan(b) ? HUGE_VAL : fmax(a, b); }

/* Takes the greater one; what is no number is greatest. */
static void consider(suspect *worst, suspect_type type, int index, double force)
{
    if (greater(force, 0) > worst->force)
        *worst = (suspect){type, index, greater(force, 0)};
}

static double size_of(carom_vec3 force, carom_vec3 torque, double length)
{
    return carom_v3_norm(force) + carom_v3_norm(torque) / length;
}

static suspect find(const carom_evaluation *d, const carom_state *s)
{
    const carom_model *m = d->model;
    suspect worst = {.force = 0};
    for (int k = 0; k < m->load_count; k++) {
        const carom_load_output *l = &d->loads[k];
        if (!s->load_off[k])
            consider(&worst, SUSPECT_LOAD, k,
                     greater(size_of(l->force_i, l->torque_i, m->length_scale),
                             size_of(l->force_j, l->torque_j, m->length_scale)));
    }
    for (int k = 0; k < m->contact_count; k++)
        if (s->located[k].open)
            consider(&worst, SUSPECT_CONTACT, k,
                     isfinite(carom_v3_norm(d->contacts[k].friction)) ? fabs(d->contacts[k].force) : HUGE_VAL);
    for (int k = 0; k < m->block_count; k++) {
        const carom_constraint_block *b = &m->blocks[k];
        if (b->drive >= 0)
            consider(&worst, SUSPECT_MOTION, k, fabs(d->multipliers[b->first_row]));
    }
    /* a joint that only hands on what a load, contact or motion does is not the cause */
    suspect joint = worst;
    joint.force *= 2;
    for (int k = 0; k < m->joint_count; k++) {
        if (m->joints[k].clearance.index >= 0 || m->joints[k].of >= 0)
            continue;
        const carom_wrench w = carom_dynamics_reaction(d, k, d->multipliers, false);
        consider(&joint, SUSPECT_JOINT, k, size_of(w.force, w.torque, m->length_scale));
    }
    return joint.type == SUSPECT_JOINT ? joint : worst;
}

/* So many times what the speeds and weights of the model make, the force of a motion or joint locks a mechanism. */
#define LOCKING 1e10

bool carom_culprit_locks(carom_simulation *sim)
{
    const carom_model *m = sim->model;
    carom_system_reactions(sim->d, &sim->s, sim->d->time);
    const suspect worst = find(sim->d, &sim->s);
    return (worst.type == SUSPECT_MOTION || worst.type == SUSPECT_JOINT) &&
           worst.force > LOCKING * carom_energy_scale(m) / m->length_scale;
}

/* A number with its unit, or that it is none. */
static const char *amount(double number, const char *unit, char text[48])
{
    if (isfinite(number))
        snprintf(text, 48, "%.3g %s", number, unit);
    else
        snprintf(text, 48, "no finite number");
    return text;
}

static void name_block(const carom_model *m, int index, char *text, size_t size)
{
    carom_row_name(m, m->blocks[index].first_row, text, size);
}

/* The load's force, or its moment where it has no force. */
static void tell_load(const carom_evaluation *d, int k, char *text, size_t size)
{
    const carom_load_output *l = &d->loads[k];
    const double force = greater(carom_v3_norm(l->force_i), carom_v3_norm(l->force_j));
    const double moment = greater(carom_v3_norm(l->torque_i), carom_v3_norm(l->torque_j));
    const bool turns = !(force > 0) && !isnan(force);
    if (!isfinite(turns ? moment : force))
        snprintf(text, size,
                 "the %s of load '%s' is no finite number; look at its expressions there, such as roots and logarithms "
                 "of what becomes negative, and quotients",
                 turns ? "moment" : "force", d->model->loads[k].name);
    else
        snprintf(text, size, "load '%s' has a %s of %.3g %s; look at its expressions and numbers there",
                 d->model->loads[k].name, turns ? "moment" : "force", turns ? moment : force, turns ? "N m" : "N");
}

/* Of the size of a contact's features: places and normals of points that are deeper in a body may jump. */
#define DEEP 0.25

static void tell_contact(const carom_evaluation *d, const carom_state *s, int k, char *text, size_t size)
{
    const carom_contact_point *p = &d->contacts[k];
    const carom_model_contact *c = &d->model->contacts[k];
    char number[48];
    if (!isfinite(p->force))
        snprintf(text, size,
                 "the law '%s' of contact '%s' has no finite number at an indentation of %.3g m and a rate of %.3g "
                 "m/s; look at its roots and quotients there, or its parameters",
                 c->law.name, c->name, -p->gap, -p->gap_rate);
    else if (!isfinite(carom_v3_norm(p->friction)))
        snprintf(text, size,
                 "the friction '%s' of contact '%s' has no finite number at a slip of %.3g m/s and a normal force of "
                 "%.3g N; look at its roots and quotients there, or its parameters",
                 c->friction ? c->friction->kind.name : "", c->name, carom_v3_norm(p->slip), p->force);
    else if (-p->gap > DEEP * d->model->contacts[k].feature_size)
        snprintf(text, size,
                 "the bodies of contact '%s' lie %.3g m in each other, %.2g of the size of what touches, where its "
                 "place and direction may jump; take a stiffer law",
                 d->model->contacts[k].name, -p->gap, -p->gap / d->model->contacts[k].feature_size);
    else
        snprintf(text, size,
                 "contact '%s' has a force of %s at an indentation of %.3g m and a rate of %.3g m/s, in its episode "
                 "%d; take a stiff integrator (bdf), a softer law, or one whose damping vanishes with the indentation",
                 d->model->contacts[k].name, amount(p->force, "N", number), -p->gap, -p->gap_rate,
                 s->contact_episodes[k]);
}

static void tell_motion(const carom_evaluation *d, int k, char *text, size_t size)
{
    const int row = d->model->blocks[k].first_row;
    const char *unit = carom_row_is_angle(&d->rows[row]) ? "N m" : "N";
    char name[160], number[48];
    name_block(d->model, k, name, sizeof name);
    if (!isfinite(d->row_rate[row]) || !isfinite(d->row_acceleration[row]) || !isfinite(d->rows[row].phi))
        snprintf(text, size, "the %s is no finite number; look at its expression", name);
    else
        snprintf(text, size,
                 "the %s takes %s at a rate of %.3g: the mechanism is locked there, or at a dead centre; change its "
                 "lengths or the range of the motion, or drive it by a load",
                 name, amount(fabs(d->multipliers[row]), unit, number), d->row_rate[row]);
}

static void tell_joint(const carom_evaluation *d, int k, char *text, size_t size)
{
    const carom_wrench w = carom_dynamics_reaction(d, k, d->multipliers, false);
    const bool projects = d->system->stabilization && d->system->stabilization->projects;
    char force[48], moment[48];
    snprintf(text, size,
             "the reaction of joint '%s' is %s and %s: the mechanism is locked there, or at a dead centre; change its "
             "lengths, or what drives it%s",
             d->model->joints[k].name, amount(carom_v3_norm(w.force), "N", force),
             amount(carom_v3_norm(w.torque), "N m", moment),
             projects ? ", or write `constraints: baumgarte`, which can pass a dead centre" : "");
}

static void tell(const carom_evaluation *d, const carom_state *s, suspect worst, char *text, size_t size)
{
    if (worst.type == SUSPECT_LOAD)
        tell_load(d, worst.index, text, size);
    else if (worst.type == SUSPECT_CONTACT)
        tell_contact(d, s, worst.index, text, size);
    else if (worst.type == SUSPECT_MOTION)
        tell_motion(d, worst.index, text, size);
    else if (worst.type == SUSPECT_JOINT)
        tell_joint(d, worst.index, text, size);
}

/* What a run is not that passes singular positions. */
static const char *singular_remedy(const carom_simulation *sim)
{
    if (sim->system->tree)
        return "`formulation: cartesian`";
    const bool plain = strcmp(sim->run.integrator->kind.name, carom_default_run_def().integrator) == 0 &&
                       strcmp(sim->run.stabilization->kind.name, "baumgarte") == 0;
    return plain ? "integrator `dopri5`" : "integrator `auto` with `constraints: baumgarte`";
}

const char *carom_culprit_drive(carom_simulation *sim, const carom_evaluation *d, char *text, size_t size)
{
    const int drive = carom_singular_drive(sim);
    text[0] = '\0';
    if (drive >= 0)
        tell_motion(d, drive, text, size);
    return text;
}

/* The drive that the mechanism cannot follow past its singular position, else the position itself; false: it is at
   none. */
static bool tell_singular(carom_simulation *sim, const carom_evaluation *d, char *text, size_t size)
{
    if (*carom_culprit_drive(sim, d, text, size))
        return true;
    if (sim->near_singular)
        snprintf(text, size,
                 "the mechanism is at a singular position or next to one, where its joints hold the same twice; %s "
                 "passes most of these, a looser or tighter tolerance others",
                 singular_remedy(sim));
    return sim->near_singular;
}

const char *carom_culprit(carom_simulation *sim, bool numbers, char *text, size_t size)
{
    carom_evaluation *const tried[] = {sim->trial, sim->d};
    text[0] = '\0';
    /* before the first step the integrator has tried nothing */
    for (int k = sim->statistics.steps == 0; k < 2; k++) {
        carom_system_reactions(tried[k], &sim->s, tried[k]->time);
        const suspect worst = find(tried[k], &sim->s);
        if (isfinite(worst.force) && (numbers || k == 0))
            continue;
        const bool position = worst.type == SUSPECT_JOINT && !numbers;
        if (!(position && tell_singular(sim, tried[k], text, size)) && worst.type != SUSPECT_NONE)
            tell(tried[k], &sim->s, worst, text, size);
        return text;
    }
    return text;
}
