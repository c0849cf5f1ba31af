/* The pipeline at one instant: pose, contact, load, constrain, accelerate, book. */
#include "base/team.h"
#include "dynamics/contact/contact_set.h"
#include "sim/works.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* ---- tolerance and failure ---- */

/* The integrator's local tolerance is this share of the run's, so that the errors of some hundred steps, grown by what
   the motion does to them, stay near the latter. A method of order p makes global errors in proportion to the power
   p/(p+1) of the local tolerance; LOCAL_POWER more than makes up for that, so that a decade of tolerance is a decade of
   error. docs/theory/tolerances.md has the measurements. */
#define LOCAL_SHARE 0.001
#define LOCAL_POWER 0.3
#define LEAST_LOCAL 1e-14

double carom_rhs_local_tolerance(const carom_simulation *sim)
{
    double tolerance = sim->run.tolerance;
    return fmax(LOCAL_SHARE * tolerance * pow(tolerance / 1e-8, LOCAL_POWER), LEAST_LOCAL);
}

/* Tolerance of the run at which the local one is LEAST_LOCAL. */
static double least_tolerance(void)
{
    return pow(LEAST_LOCAL / LOCAL_SHARE * pow(1e-8, LOCAL_POWER), 1 / (1 + LOCAL_POWER));
}

carom_status carom_rhs_check_tolerance(carom_simulation *sim)
{
    const double least = least_tolerance(), asked = sim->run.tolerance;
    if (sim->run.integrator->fixed_step || !(asked < least))
        return CAROM_OK;
    return carom_simulation_warn(sim, CAROM_WARN_BELOW_ROUNDING,
                                 "tolerance %.3g is below rounding: the run is that of the tolerance %.2g, the least "
                                 "there is; give `tolerance: 1e-10`, and see by `carom converge` what error is left",
                                 asked, least);
}

/* Ends the message of accelerations that were not found. */
static const char *unsolved_because(carom_simulation *sim, char *text, size_t size)
{
    static const char cannot[] = "the accelerations cannot be solved";
    const int site = sim->system->friction_fault;
    if (sim->system->state_fault >= 0) {
        snprintf(text, size, "the rate of state '%s' is not finite", sim->model->states[sim->system->state_fault].name);
        return text;
    }
    if (site < 0) {
        char culprit[400];
        carom_culprit(sim, true, culprit, sizeof culprit);
        snprintf(text, size, "%s%s%s", cannot, culprit[0] ? ": " : "", culprit);
        return text;
    }
    snprintf(
        text, size,
        "the friction of joint '%s' has no solution: the normal force grows faster with friction than friction with it "
        "(the joint locks or jams); lower its coefficient, or let its parts touch by `clearance`",
        sim->model->joints[sim->model->sites[site].joint].name);
    return text;
}

carom_status carom_rhs_unsolved(carom_simulation *sim)
{
    char text[512];
    const int site = sim->system->friction_fault;
    const carom_place *place = site >= 0 ? &sim->model->joints[sim->model->sites[site].joint].place : NULL;
    if (sim->system->state_fault >= 0)
        place = &sim->model->states[sim->system->state_fault].place;
    return carom_fail(sim->ctx, CAROM_ERROR_SOLVER, place, "t = %.9g s: %s", *sim->s.time,
                      unsolved_because(sim, text, sizeof text));
}

/* ---- rates ---- */

/* Powers and forces whose integrals are the works; `place`: of the method's vector, NULL: of the whole one. */
static inline void book_at(const carom_simulation *sim, const carom_evaluation *d, const int *place, double *rate)
{
#define AT(number, k) rate[place ? place[(s->number - s->q) + (k)] : (s->number - s->q) + (k)]
    const carom_model *m = sim->model;
    const carom_state *s = &sim->s;
    for (int n = 0; n < d->forced_count; n++) {
        const int k = d->forced[n];
        const carom_contact_point *p = &d->contacts[k];
        AT(work_contact, k) = -(p->damping + p->loss) * p->gap_rate;
        if (m->contacts[k].friction_work >= 0)
            AT(work_friction, m->contacts[k].friction_work) = p->friction_power;
        AT(normal_impulse, k) = p->force;
    }
    for (int k = 0; k < m->site_count; k++)
        AT(work_friction, m->joints[m->sites[k].joint].friction.friction_work) += d->sites[k].power;
    for (int k = 0; k < m->load_count; k++) {
        AT(work_load, k) = d->loads[k].work_power;
        AT(work_load_damper, k) = d->loads[k].dissipation;
    }
    for (int k = 0; k < m->contact_set_count; k++) {
        AT(work_set, k) = d->sums[k].loss_power;
        if (m->contact_sets[k].friction_work >= 0)
            AT(work_set_friction, m->contact_sets[k].friction_work) = d->sums[k].friction_power;
    }
    if (m->applied_count)
        AT(work_applied, 0) = d->applied_power;
    for (int k = 0; k < m->block_count; k++) {
        const carom_constraint_block *e = &m->blocks[k];
        if (e->drive >= 0)
            AT(work_drive, e->drive) = d->multipliers[e->first_row] * d->row_rate[e->first_row];
    }
#undef AT
}

/* Of the method's vector of so many numbers, or of the whole one. */
static void book(const carom_simulation *sim, const carom_evaluation *d, const int *place, size_t count, double *rate)
{
    const size_t first = (size_t)(sim->s.work_contact - sim->s.q);
    memset(rate + first, 0, (count - first) * sizeof *rate);
    if (place)
        book_at(sim, d, place, rate);
    else
        book_at(sim, d, NULL, rate);
}

/* States of friction laws stand still while their contact is closed. */
static void fill_friction_rates(const carom_simulation *sim, const carom_evaluation *d, double *rate)
{
    const carom_model *m = sim->model;
    memset(rate, 0, (size_t)m->friction_state_count * sizeof *rate);
    for (int k = 0; k < m->site_count; k++)
        for (int i = 0; m->sites[k].state >= 0 && i < m->joints[m->sites[k].joint].friction.law->state; i++)
            rate[m->sites[k].state + i] = d->friction_rate[m->sites[k].state + i];
    for (int n = 0; n < d->forced_count; n++) {
        const carom_model_contact *c = &m->contacts[d->forced[n]];
        for (int i = 0; c->friction_state >= 0 && i < c->friction->state; i++)
            rate[c->friction_state + i] = d->friction_rate[c->friction_state + i];
    }
}

typedef struct rates_task {
    const carom_simulation *sim;
    const double *q, *v;
    double *rate;
} rates_task;

static void position_rates(void *user, int first, int end)
{
    const rates_task *task = user;
    task->sim->s.formulation->each->position_rate(task->sim->model, first, end, task->q, task->v, task->rate);
}

int carom_step_position_rate(void *user, const double *q, const double *v, double *rate)
{
    const carom_simulation *sim = user;
    rates_task task = {sim, q, v, rate};
    if (sim->system->threads > 1 && sim->s.formulation->each)
        carom_team_share(sim->system->threads, sim->model->body_count, position_rates, &task);
    else
        sim->s.formulation->position_rate(sim->model, q, v, rate);
    return 0;
}

/* Whether numbers are finite: of one that is not the difference to itself is not zero. Four at a time, since each sum
   waits for the one before. */
bool carom_all_finite(const double *x, size_t count)
{
    double sum[4] = {0, 0, 0, 0};
    size_t k = 0;
    for (; k + 4 <= count; k += 4)
        for (size_t n = 0; n < 4; n++)
            sum[n] += x[k + n] - x[k + n];
    for (; k < count; k++)
        sum[0] += x[k] - x[k];
    return sum[0] + sum[1] + sum[2] + sum[3] == 0;
}

/* Rates of the integrated vector at an evaluated state, of the positions only if they are asked for; with `place` of
   the method's vector. */
static int rates_of(const carom_simulation *sim, const carom_evaluation *d, const double *y, bool positions,
                    const int *place, double *rate)
{
    const size_t count = place ? (size_t)sim->integrator->ode.size : sim->s.integrated;
    const carom_state *s = &sim->s;
    const carom_model *m = sim->model;
    memcpy(rate + (s->states - s->q), d->state_rate, (size_t)m->state_count * sizeof(double));
    memcpy(rate + (s->load_states - s->q), d->load_state_rate, (size_t)m->load_state_count * sizeof(double));
    if (positions)
        carom_step_position_rate((void *)(uintptr_t)sim, y, y + (s->v - s->q), rate);
    carom_system_velocity_rate(d, rate + (s->v - s->q));
    fill_friction_rates(sim, d, rate + (s->friction - s->q));
    book(sim, d, place, count, rate);
    const size_t first = positions ? 0 : (size_t)(s->v - s->q);
    return carom_all_finite(rate + first, count - first) ? 0 : 1;
}

bool carom_rhs_book(const carom_simulation *sim, const carom_evaluation *d, double *rate)
{
    const carom_state *s = &sim->s;
    const size_t first = (size_t)(s->v - s->q) + (size_t)s->layout.velocities;
    book(sim, d, NULL, s->integrated, rate);
    return carom_all_finite(rate + first, s->integrated - first);
}

int carom_rhs_evaluate(const carom_simulation *sim, carom_evaluation *d, double t, const double *y, double *rate)
{
    return carom_system_evaluate(d, &sim->s, t, y) ? rates_of(sim, d, y, true, NULL, rate) : 1;
}

int carom_rhs_evaluate_posed(const carom_simulation *sim, carom_evaluation *d, double t, const double *y, double *rate)
{
    const bool positions = !sim->integrator->ode.arrive_leaves_positions;
    return carom_system_evaluate_posed(d, &sim->s, t, y) ? rates_of(sim, d, y, positions, NULL, rate) : 1;
}

static int rates(carom_simulation *sim, double t, const double *y, const int *place, double *rate)
{
    const int result =
        carom_system_evaluate(sim->trial, &sim->s, t, y) ? rates_of(sim, sim->trial, y, true, place, rate) : 1;
    /* a long step may pass a position between its ends */
    if (sim->singular && sim->system->corrections_held && !sim->run.kinematic)
        sim->weakest_pivot = fmin(sim->weakest_pivot, sim->s.formulation->weakest(sim->system));
    return result;
}

int carom_rhs_rates(void *user, double t, const double *y, double *rate) { return rates(user, t, y, NULL, rate); }

int carom_rhs_method_rates(void *user, double t, const double *y, double *rate)
{
    return rates(user, t, y, carom_works_places(user), rate);
}

static void settle(carom_simulation *sim, double t, double *y)
{
    carom_system_settle(sim->s.formulation, sim->probe, &sim->s, t, y, y + (sim->s.v - sim->s.q));
}

bool carom_step_interpolate(carom_simulation *sim, double t, double *y)
{
    if (!carom_works_interpolate(sim, t, y))
        return false;
    settle(sim, t, y);
    return true;
}

bool carom_step_motion(carom_simulation *sim, double t, double *y)
{
    carom_integrator *integrator = sim->integrator;
    const int count = sim->s.layout.positions + sim->s.layout.velocities;
    if (t == integrator->t || !(integrator->t_before < integrator->t))
        memcpy(y, integrator->y, (size_t)count * sizeof *y);
    else if (!integrator->kind->interpolate(integrator, t, count, y))
        return false;
    settle(sim, t, y);
    return true;
}

int carom_step_root_count(const carom_model *m) { return m->contact_root_count + m->root_count; }

/* The share by which the parts of the force differ in sign: it falls through zero where the law begins to pull, and
   keeps its sign where both parts vanish together, at the release. */
static double pull(const carom_contact_point *p, double raw_damping)
{
    double sum = fabs(p->elastic) + fabs(raw_damping);
    return sum > 0 ? (p->elastic + raw_damping) / sum * (p->gap <= 0 ? 1 : -1) : 1;
}

/* Slip speed at which a contact that sticks has broken away, of that at which it sticks. */
#define BREAK_AWAY 2
/* The same of one whose friction drops, if no force has broken it away. */
#define SLIPPED 100
/* Share of the greatest force by which the one that is needed exceeds it where friction drops as it breaks away: above
   the accuracy to which the forces of several contacts are found. */
#define EXCESS 1e-9

/* Whether a contact breaks away where the force that is needed exceeds what holds: its friction drops then. */
static bool breaks_by_force(const carom_simulation *sim, int k)
{
    const carom_model_contact *c = &sim->model->contacts[k];
    const carom_episode *e = &sim->s.located[k];
    return c->roots[CAROM_ROOT_STICK] >= 0 && e->open && e->stick == CAROM_STICKING && carom_friction_drops(c);
}

/* Positive while friction keeps sticking or slipping, as it does now. */
static double stick_value(const carom_simulation *sim, int k, const carom_contact_point *p)
{
    const carom_model_contact *c = &sim->model->contacts[k];
    const double speed = carom_friction_slip_speed(&sim->s, k, p);
    const double least = carom_friction_rests_below(c, &sim->s.located[k]);
    if (breaks_by_force(sim, k))
        return fmin(p->spare + EXCESS, SLIPPED - speed / least);
    return sim->s.located[k].stick ? BREAK_AWAY * least - speed : speed - least;
}

double carom_step_friction_left(const carom_contact_point *p) { return p->spare + EXCESS; }

double carom_step_root(const carom_simulation *sim, int k, carom_contact_root root, const carom_contact_point *p)
{
    const carom_model_contact *c = &sim->model->contacts[k];
    const carom_state *s = &sim->s;
    if (root == CAROM_ROOT_GAP) /* where they only touch there is no sign from which it rises */
        return p->gap - (carom_episode_touches(c, &s->located[k]) ? 0.5 * carom_jump_of_gap(c) : 0);
    if (!s->located[k].open)
        return 1;
    switch (root) {
    case CAROM_ROOT_COMPRESSION:
        if (!carom_normal_adapts(&c->law))
            return p->gap_rate - (s->located[k].compressing ? c->law.minimum_speed : 0);
        if (s->located[k].compressing == CAROM_OPENING)
            return p->gap_rate;
        return s->located[k].compressing == CAROM_COMPRESSING ? carom_episode_until_following(c, &s->located[k], p) : 1;
    case CAROM_ROOT_TENSION:
        if (carom_episode_latched(c, &s->located[k]))
            return carom_episode_until_pressed(p);
        return pull(p, p->raw_force - p->elastic);
    case CAROM_ROOT_BRANCH:
        return c->law.elastic->history ? carom_episode_branch(c, &s->located[k], p) : p->gap_rate;
    case CAROM_ROOT_STICK:
        return stick_value(sim, k, p);
    case CAROM_ROOT_SEGMENT:
        return carom_episode_inside_segment(sim->model, c, &s->located[k], p->parameter);
    default:
        return 1;
    }
}

/* Geometry of a contact for its root functions; where a pose depends on those of other bodies all of them are found at
   once, unless they are known. */
static void root_geometry(const carom_simulation *sim, int k, double t, const double *q, const double *v, bool known,
                          carom_contact_point *out)
{
    const carom_model *m = sim->model;
    const carom_formulation *f = sim->s.formulation;
    const int bodies[2] = {carom_contact_body(m, k, 0), carom_contact_body(m, k, 1)};
    if (f->pose_at) {
        if (!known)
            f->pose_at(sim->probe, &sim->s, t, q, v);
        carom_contact_known_geometry(sim->system, &sim->s, k, &sim->probe->pose[bodies[0]],
                                     &sim->probe->pose[bodies[1]], out);
        return;
    }
    const carom_body_pose i = f->body_pose(m, bodies[0], q, v), j = f->body_pose(m, bodies[1], q, v);
    carom_contact_known_geometry(sim->system, &sim->s, k, &i, &j, out);
}

int carom_step_switch_roots(carom_simulation *sim, double t, const double *y, bool evaluated, double *values)
{
    const carom_state *s = &sim->s;
    const carom_model *m = sim->model;
    if ((m->late_measure_count || m->computed_count) && !evaluated) {
        if (carom_rhs_evaluate(sim, sim->probe, t, y, sim->root_scratch) != 0)
            return 1;
    } else if (!evaluated && (m->step_measure_count || m->switching_load_count || m->site_count)) {
        carom_system_pose(sim->probe, s, t, y, y + (s->v - s->q));
        carom_dynamics_measures(sim->probe, s, t, y + (s->states - s->q));
    }
    for (int k = 0; k < m->expr_count; k++)
        carom_expr_roots(m->exprs[k].expr, t, sim->probe->measures, s->switches + m->exprs[k].first_switch,
                         values + m->exprs[k].first_root);
    carom_dynamics_load_roots(sim->probe, s, t, y + (s->load_states - s->q), values);
    return 0;
}

int carom_step_roots(void *user, double t, const double *y, double *values)
{
    carom_simulation *sim = user;
    const carom_state *s = &sim->s;
    const carom_model *m = sim->model;
    const double *q = y, *v = y + (s->v - s->q);
    bool evaluated = false, posed = false;
    /* rigid contacts are told by impulses, and those far apart keep their signs */
    for (int k = 0; (sim->rigid || sim->near_count < m->contact_count) && k < m->contact_root_count; k++)
        values[k] = 1;
    for (int n = 0; !sim->rigid && n < sim->near_count; n++) {
        const int k = sim->near[n];
        const carom_model_contact *c = &m->contacts[k];
        carom_contact_point point = {.spare = 1};
        if (breaks_by_force(sim, k)) {
            if (!evaluated && carom_rhs_evaluate(sim, sim->probe, t, y, sim->root_scratch) != 0)
                return 1;
            evaluated = true;
            point.spare = sim->probe->contacts[k].spare;
        }
        root_geometry(sim, k, t, q, v, posed || evaluated, &point);
        posed = posed || sim->s.formulation->pose_at;
        if (s->located[k].open && (c->roots[CAROM_ROOT_TENSION] >= 0 || c->roots[CAROM_ROOT_COMPRESSION] >= 0))
            carom_episode_force(c, &s->located[k], &point);
        for (int r = 0; r < CAROM_CONTACT_ROOTS; r++)
            if (c->roots[r] >= 0)
                values[c->roots[r]] = carom_step_root(sim, k, (carom_contact_root)r, &point);
    }
    if (!m->root_count)
        return 0;
    double *out = values + m->contact_root_count;
    if (!evaluated && carom_joint_friction_breaks(m, s)) {
        if (carom_rhs_evaluate(sim, sim->probe, t, y, sim->root_scratch) != 0)
            return 1;
        evaluated = true;
    }
    if (carom_step_switch_roots(sim, t, y, evaluated, out) != 0)
        return 1;
    carom_joint_friction_roots(sim->probe, s, out);
    return 0;
}

/* While an impact is open the projection waits, so that it cannot move the indentation; a contact that lasts much
   longer than an impact is a support, and the constraints are kept under it. */
static bool impact_open(const carom_simulation *sim, double t)
{
    const carom_state *s = &sim->s;
    for (int n = 0; n < sim->system->touching_count; n++) {
        const carom_episode *e = &s->located[sim->system->touching[n]];
        if (e->open && t - e->onset < 20 * e->time_scale)
            return true;
    }
    return false;
}

int carom_step_project(void *user, double t, double *y, double *error)
{
    carom_simulation *sim = user;
    (void)error;
    if (impact_open(sim, t))
        return 0;
    double *v = y + (sim->s.v - sim->s.q);
    const double tolerance = fmax(0.01 * carom_rhs_local_tolerance(sim), 1e-15);
    return sim->s.formulation->project(sim->probe, &sim->s, t, y, v, tolerance, 20) ? 0 : 1;
}

int carom_step_close(void *user, double t, double *y, double *error)
{
    carom_simulation *sim = user;
    (void)error;
    double *v = y + (sim->s.v - sim->s.q);
    sim->s.formulation->normalise(sim->model, y);
    return sim->s.formulation->project(sim->probe, &sim->s, t, y, v, CAROM_CLOSED, CAROM_CLOSING_ITERATIONS) ? 0 : 1;
}

void carom_step_hold(void *user, double step)
{
    const carom_simulation *sim = user;
    carom_system_hold_corrections(sim->d, step);
}

/* ---- the present state ---- */

int carom_rhs_again(carom_simulation *sim)
{
    const int result = carom_rhs_evaluate(sim, sim->d, *sim->s.time, sim->s.q, sim->rate_scratch);
    carom_closed_gaps(sim);
    return result;
}

int carom_rhs_update(carom_simulation *sim)
{
    carom_far_none(sim);
    return carom_rhs_again(sim);
}
