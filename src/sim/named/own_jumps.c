/* Kinds of a program where the motion does not get on: laws, friction and loads are functions that nothing is known of,
   so that a jump in them is found by their values alone. A little ahead of the present state, where a motion that is
   driven back over a jump has passed it, each of them is compared with its present value; where it differs the way
   between is halved until what is left of the difference lies between two states next to each other, or is gone. */
#include "sim/sim.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

/* What a program's function gives: force of a law, friction of a contact or of a joint, wrenches of a load. */
typedef enum part_type { PART_LAW, PART_FRICTION, PART_SITE, PART_LOAD } part_type;

typedef struct part {
    part_type type;
    int index;
} part;

#define NUMBERS 20
/* Difference, of the greater value, that is looked at, and what of it must be left at the end: a friction is zero where
   the slip is, in the middle of its jump. */
#define DIFFERS 1e-2
#define LEFT 0.4
#define HALVINGS 60

typedef struct sample {
    int count;
    double number[NUMBERS];
} sample;

static void add(sample *s, const double *numbers, int count)
{
    for (int i = 0; i < count && s->count < NUMBERS; i++)
        s->number[s->count++] = numbers[i];
}

static void add_vec(sample *s, carom_vec3 v) { add(s, (const double[3]){v.x, v.y, v.z}, 3); }

/* Values of a part at the state that was evaluated last, forces first; rates of its states behind them. */
static sample values(const carom_simulation *sim, part p)
{
    const carom_model *m = sim->model;
    const carom_evaluation *d = sim->trial;
    sample out = {0};
    if (p.type == PART_LAW) {
        add(&out, &d->contacts[p.index].raw_force, 1);
    } else if (p.type == PART_FRICTION) {
        const carom_model_contact *c = &m->contacts[p.index];
        add_vec(&out, d->contacts[p.index].friction);
        if (c->friction_state >= 0)
            add(&out, d->friction_rate + c->friction_state, c->friction->state);
    } else if (p.type == PART_SITE) {
        const carom_model_friction_site *site = &m->sites[p.index];
        add(&out, d->sites[p.index].friction, site->slip_count);
        if (site->state >= 0)
            add(&out, d->friction_rate + site->state, m->joints[site->joint].friction.law->state);
    } else {
        const carom_load_output *l = &d->loads[p.index];
        add_vec(&out, l->force_i);
        add_vec(&out, l->torque_i);
        add_vec(&out, l->force_j);
        add_vec(&out, l->torque_j);
        add(&out, d->load_state_rate + m->loads[p.index].first_state, m->loads[p.index].state_count);
    }
    return out;
}

/* The n-th part that a program wrote and that acts now; false: there are not so many. */
static bool part_at(const carom_simulation *sim, int n, part *out)
{
    const carom_model *m = sim->model;
    for (int k = 0; k < m->contact_count; k++) {
        const carom_model_contact *c = &m->contacts[k];
        if (!sim->s.located[k].open)
            continue;
        *out = (part){PART_LAW, k};
        if ((c->law.elastic->outside || c->law.damping->outside || c->pair->outside) && n-- == 0)
            return true;
        *out = (part){PART_FRICTION, k};
        if (c->friction && c->friction->outside && n-- == 0)
            return true;
    }
    for (int k = 0; k < m->site_count; k++) {
        *out = (part){PART_SITE, k};
        if (m->joints[m->sites[k].joint].friction.law->outside && n-- == 0)
            return true;
    }
    for (int k = 0; k < m->load_count; k++) {
        *out = (part){PART_LOAD, k};
        if (m->loads[k].kind->outside && !sim->s.load_off[k] && n-- == 0)
            return true;
    }
    return false;
}

/* A number of both that differs most, of the greater of the two. */
static double difference(const sample *a, const sample *b, int *at)
{
    double most = 0;
    for (int i = 0; i < a->count; i++) {
        const double size = fmax(fabs(a->number[i]), fabs(b->number[i]));
        const double share = size > 0 ? fabs(b->number[i] - a->number[i]) / size : 0;
        if (share > most) {
            most = share;
            *at = i;
        }
    }
    return most;
}

/* Evaluates the state that lies `h` ahead along the rates of the present one; false: they are no numbers there. */
static bool look(carom_simulation *sim, double h, const double *rate)
{
    const carom_state *s = &sim->s;
    for (size_t k = 0; k < s->integrated; k++)
        sim->y_scratch[k] = s->q[k] + h * rate[k];
    return carom_rhs_rates(sim, *s->time + h, sim->y_scratch, sim->root_scratch) == 0;
}

/* Whether the difference of number `i` of a part between `a`, now, and `b`, which lies `h` ahead, is a jump. */
static bool jumps(carom_simulation *sim, part p, int i, double h, sample a, sample b)
{
    const double whole = fabs(b.number[i] - a.number[i]);
    double low = 0, high = h;
    for (int k = 0; k < HALVINGS; k++) {
        const double middle = 0.5 * (low + high);
        if (!look(sim, middle, sim->rate_scratch))
            return false;
        const sample c = values(sim, p);
        const bool first = fabs(c.number[i] - a.number[i]) >= fabs(b.number[i] - c.number[i]);
        *(first ? &high : &low) = middle;
        *(first ? &b : &a) = c;
    }
    return fabs(b.number[i] - a.number[i]) >= LEFT * whole;
}

/* Whether a function gives another value for the same arguments. */
static bool varies(carom_simulation *sim, part p)
{
    int at;
    if (!look(sim, 0, sim->rate_scratch))
        return false;
    const sample first = values(sim, p);
    if (!look(sim, 0, sim->rate_scratch))
        return false;
    const sample again = values(sim, p);
    return difference(&first, &again, &at) > 0;
}

/* ---- what is said ---- */

#define OF_FRICTION                                                                                               \
    "a friction law is 0 at rest and rises over a small slip speed, as `mu*normal*tanh(speed/0.001)` does, or take " \
    "one that holds, such as `coulomb`"

static void name(const carom_simulation *sim, part p, char *text, size_t size)
{
    const carom_model *m = sim->model;
    if (p.type == PART_LAW)
        snprintf(text, size, "the law '%s' of contact '%s'", m->contacts[p.index].law.name, m->contacts[p.index].name);
    else if (p.type == PART_FRICTION)
        snprintf(text, size, "the friction '%s' of contact '%s'", m->contacts[p.index].friction->kind.name,
                 m->contacts[p.index].name);
    else if (p.type == PART_SITE)
        snprintf(text, size, "the friction '%s' of joint '%s'",
                 m->joints[m->sites[p.index].joint].friction.law->kind.name, m->joints[m->sites[p.index].joint].name);
    else
        snprintf(text, size, "the kind '%s' of load '%s'", m->loads[p.index].kind->kind.name, m->loads[p.index].name);
}

static const char *remedy(part p)
{
    return p.type == PART_LAW    ? "make its force a continuous function of indentation and rate"
           : p.type == PART_LOAD ? "write it as a ramp, such as `tanh(v/0.01)`, or give on-off control a dead band"
                                 : OF_FRICTION;
}

/* Tells of a part once, also after a checkpoint. */
static carom_status warn(carom_simulation *sim, const char *what, const char *text)
{
    for (size_t k = 0; k < sim->warning_count; k++)
        if (sim->warnings[k].code == CAROM_WARN_CHATTER && strncmp(sim->warnings[k].body, what, strlen(what)) == 0)
            return CAROM_OK;
    return carom_simulation_warn(sim, CAROM_WARN_CHATTER, "%s (t = %.6g s)", text, *sim->s.time);
}

/* How many mean lengths of the last steps ahead is looked, and behind. */
static const double reach[] = {10, -10};

/* What a part does that keeps the run from going on; `text` says it and `what` names the part. */
static carom_own_fault look_at(carom_simulation *sim, part p, double step, char what[400], char *text, size_t size)
{
    sample a, b;
    int at = 0;
    name(sim, p, what, 400);
    if (varies(sim, p)) {
        snprintf(text, size,
                 "%s gives other values for the same arguments: it keeps nothing and draws no random numbers; what "
                 "changes over the time is a load, or an input that the program sets at times of its own",
                 what);
        return CAROM_OWN_VARIES;
    }
    for (size_t k = 0; k < CAROM_COUNT(reach); k++) {
        const double h = reach[k] * step;
        if (!look(sim, 0, sim->rate_scratch))
            return CAROM_OWN_SOUND;
        a = values(sim, p);
        if (!look(sim, h, sim->rate_scratch))
            continue;
        b = values(sim, p);
        if (!(difference(&a, &b, &at) > DIFFERS) || !jumps(sim, p, at, h, a, b))
            continue;
        snprintf(text, size,
                 "%s jumps from %.3g to %.3g%s, and on either side the motion is driven back over the jump: %s", what,
                 a.number[at], b.number[at], p.type == PART_LAW || at < 3 ? " N" : "", remedy(p));
        return CAROM_OWN_JUMPS;
    }
    return CAROM_OWN_SOUND;
}

carom_status carom_own_jump(carom_simulation *sim, double step, carom_own_fault *found, char *text, size_t size)
{
    part p;
    char what[400];
    *found = CAROM_OWN_SOUND;
    if (!part_at(sim, 0, &p) || carom_rhs_rates(sim, *sim->s.time, sim->s.q, sim->rate_scratch) != 0)
        return CAROM_OK;
    const double length = fmax(step, 4 * DBL_EPSILON * *sim->s.time);
    for (int n = 0; *found == CAROM_OWN_SOUND && part_at(sim, n, &p); n++)
        *found = look_at(sim, p, length, what, text, size);
    sim->integrator->rates = CAROM_RATES_ELSEWHERE;
    return *found != CAROM_OWN_SOUND ? warn(sim, what, text) : CAROM_OK;
}
