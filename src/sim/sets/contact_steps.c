/* Episodes of contact sets. Steps are fixed and are not cut at an event: the gap between two steps is the cubic
   Hermite polynomial of gap and rate at both, whose root is the onset or the release and whose slope there the impact
   velocity or the speed of separation (docs/theory/many-bodies.md). */
#include "dynamics/contact/contact_set.h"
#include "dynamics/contact/overlap.h"
#include "math/hermite.h"
#include "math/roots.h"
#include "sim/events.h"
#include "sim/sim.h"

#include <math.h>
#include <string.h>

/* ---- the gap between two steps ---- */

/* Where the gap changes its sign, which it does between both ends: Newton's method within bisection. */
static double root(const carom_hermite *k)
{
    double low = 0, high = 1, x = k->a / (k->a - carom_hermite_value(k, 1));
    const bool falls = k->a > 0;
    for (int n = 0; n < 60; n++) {
        const double f = carom_hermite_value(k, x);
        if (f == 0)
            break;
        *((f > 0) == falls ? &low : &high) = x;
        const double to = carom_newton_between(x, f, carom_hermite_slope(k, x), low, high);
        if (fabs(to - x) < 1e-14)
            break;
        x = to;
    }
    return x;
}

/* ---- onset ---- */

static int shape_of(const carom_simulation *sim, int member) { return sim->model->members[member].shape; }
static int body_of(const carom_simulation *sim, int member) { return sim->model->members[member].body; }

/* The elastic constants of an episode, of shapes that differ in size from those that the law was made for. */
static carom_status set_constants(carom_simulation *sim, const carom_model_contact *c, carom_episode *e,
                                  carom_contact_point *p)
{
    const carom_model *m = sim->model;
    if (!c->pair->varies) {
        const carom_model_shape *i = &m->shapes[shape_of(sim, e->i)], *j = &m->shapes[shape_of(sim, e->j)];
        const int first = c->swapped ? 1 : 0;
        CAROM_KIND_CALL(c->pair, curvature, c->swapped ? j->p : i->p, c->swapped ? i->p : j->p, &p->radius[first],
                           &p->radius[1 - first]);
    }
    const char *refusal = carom_episode_set_constants(c, e, p);
    if (!refusal)
        return CAROM_OK;
    return carom_fail(
        sim->ctx, CAROM_ERROR_SOLVER, &m->contact_sets[e->set].place,
        "contact '%s': at t = %.6g s shapes '%s' and '%s' touch with the radii %.4g m and %.4g m: %s; give radius_i "
        "and radius_j, or a stiffness",
        m->contact_sets[e->set].name, *sim->s.time, m->shapes[shape_of(sim, e->i)].name,
        m->shapes[shape_of(sim, e->j)].name, e->radii[0], e->radii[1], refusal);
}

/* Steps of an impact below which the restitution is far from what is asked. */
#define FEWEST_STEPS 20

static carom_status report_step(carom_simulation *sim, const carom_episode *e)
{
    int *flags = &sim->s.contact_flags[sim->model->contact_count + e->set];
    if (!(sim->run.step * FEWEST_STEPS > e->time_scale) ||
        e->speed < carom_set_law(sim->model, e)->law.minimum_speed ||
        (*flags & CAROM_REPORTED_STIFF))
        return CAROM_OK;
    *flags |= CAROM_REPORTED_STIFF;
    return carom_simulation_warn(
        sim, CAROM_WARN_LONG_STEP,
        "contact '%s': at t = %.6g s an impact at %.3g m/s is expected to last %.3g s, %.2g steps: take a "
        "`step` of %.2g s or less",
        sim->model->contact_sets[e->set].name, *sim->s.time, e->speed, e->time_scale, e->time_scale / sim->run.step,
        e->time_scale / 50);
}

/* With the rows and inertias of the step's begin. */
static double effective_mass(carom_simulation *sim, int body_i, int body_j, const carom_contact_point *p)
{
    if (sim->model->row_count)
        return carom_effective_mass(sim->d, body_i, body_j, p);
    const double inverse = carom_free_inverse_mass(sim->d, body_i, body_j, p);
    return inverse > 0 ? 1 / inverse : HUGE_VAL;
}

/* Energy that its share of the law holds [J]. */
static double stored(const carom_episode *e) { return (1 - e->less) * e->whole; }

/* Time and speed of approach at which a candidate that overlaps at `t` has touched; `y0` is the state at t0 before it,
   where the shapes may be apart. Whether it begins deeper than its speed explains. */
static bool find_onset(const carom_simulation *sim, const carom_model_contact *law, const carom_episode *at,
                       const carom_contact_point *p, double t0, const double *y0, double t, double *onset,
                       double *speed)
{
    const carom_model *m = sim->model;
    *onset = t;
    *speed = fmax(-p->gap_rate, 0);
    if (!(t > t0))
        return false;
    const double *v0 = y0 + (sim->s.v - sim->s.q);
    const carom_body_pose i = sim->s.formulation->body_pose(m, body_of(sim, at->i), y0, v0);
    const carom_body_pose j = sim->s.formulation->body_pose(m, body_of(sim, at->j), y0, v0);
    const carom_contact_sides sides = {&m->shapes[shape_of(sim, at->i)], &m->shapes[shape_of(sim, at->j)], at->point,
                                       NULL, NULL};
    carom_contact_point before;
    carom_contact_geometry_of(law, &sides, &i, &j, &before);
    /* what only touches at t0 has its onset there */
    if (before.gap >= 0) {
        const double h = t - t0;
        if (carom_set_jumped(law, h, before.gap, before.gap_rate, p->gap, p->gap_rate)) {
            *onset = *speed > 0 ? fmax(t + p->gap / *speed, t0) : t;
            return !(*speed * h >= -p->gap);
        }
        const carom_hermite gap = carom_hermite_between(h, before.gap, before.gap_rate, p->gap, p->gap_rate);
        const double x = root(&gap);
        *onset = t0 + x * h;
        *speed = fmax(-carom_hermite_slope(&gap, x) / h, 0);
    }
    return false;
}

static carom_status open_episode(carom_simulation *sim, carom_evaluation *d, const carom_set_event *at, double t0,
                                 const double *y0, double t)
{
    const carom_model *m = sim->model;
    carom_sets *sets = d->system->sets;
    const size_t k = sim->s.episode_count;
    double onset, speed;
    CAROM_TRY(carom_sets_grow(sets, &sim->s, k + 1));
    carom_set_block *block = &sets->blocks[at->block];
    const carom_model_contact *c = block->law;
    carom_episode *e = &sim->s.episodes[k];
    memset(e, 0, sizeof *e);
    e->set = block->set;
    e->i = block->member[0][at->column];
    e->j = block->member[1][at->column];
    e->point = block->point[at->column];
    const int body_i = body_of(sim, e->i), body_j = body_of(sim, e->j);
    const carom_model_shape *shape_i = &m->shapes[shape_of(sim, e->i)], *shape_j = &m->shapes[shape_of(sim, e->j)];
    const carom_contact_sides sides = {shape_i, shape_j, e->point, NULL, NULL};
    carom_contact_point p;
    carom_contact_geometry_of(c, &sides, &d->pose[body_i], &d->pose[body_j], &p);
    const bool appears = find_onset(sim, c, e, &p, t0, y0, t, &onset, &speed);
    carom_episode_open(e, onset, speed, &p);
    e->mass = effective_mass(sim, body_i, body_j, &p);
    if (c->law.damping->uses_mass && !isfinite(e->mass))
        return carom_fail(
            sim->ctx, CAROM_ERROR_SOLVER, &m->contact_sets[e->set].place,
            "contact '%s': damping %s needs an effective mass, but neither '%s' nor '%s' can move along the normal "
            "(t = %.6g s); take a law that needs none, such as kelvin-voigt or flores, or let a side move",
            m->contact_sets[e->set].name, c->law.damping->kind.name, m->shapes[shape_of(sim, e->i)].name,
            m->shapes[shape_of(sim, e->j)].name, t);
    if (c->varies)
        CAROM_TRY(set_constants(sim, c, e, &p));
    /* what overlaps at the start holds energy */
    carom_episode_set_velocity(c, e, e->speed,
                               carom_normal_adapts(&c->law) && !(t > t0) ? carom_episode_energy(c, e, -p.gap) : 0);
    carom_episode_begin_history(c, e, &p);
    carom_episode_set_scales(c, e, true);
    sim->s.episode_count = k + 1;
    carom_set_bind(sets, k, at->block, at->column);
    carom_set_put(e, block, at->column);
    carom_sets_open(d, &sim->s, k, t - e->onset, t);
    carom_set_take(block, at->column, e);
    /* what no work has stored */
    if (appears)
        sim->s.switch_term_set[e->set] -= stored(e);
    CAROM_TRY(carom_events_onset(sim, (size_t)(m->contact_count + e->set)));
    return report_step(sim, e);
}

/* ---- release ---- */

static carom_status add_impact(carom_simulation *sim, const carom_episode *e, double end, double v_out)
{
    const carom_model *m = sim->model;
    const int i = shape_of(sim, e->i), j = shape_of(sim, e->j);
    if (!carom_episode_was_impact(e, end))
        return CAROM_OK;
    const char *name = carom_set_contact_name(sim, e->set, i, j);
    if (!name)
        return carom_fail_memory(sim->ctx);
    const carom_contact_of of = {carom_set_law(m, e), name, (size_t)(m->contact_count + e->set), {i, j}};
    return carom_events_release(sim, &of, e, end, v_out);
}

/* Ends the episode of a column; the last one takes its place. */
static carom_status close_episode(carom_simulation *sim, const carom_set_event *at, double t0, double t)
{
    carom_sets *sets = sim->system->sets;
    carom_set_block *block = &sets->blocks[at->block];
    const size_t k = (size_t)block->episode[at->column];
    carom_episode *e = &sim->s.episodes[k];
    double end = t, v_out = at->gap_rate;
    carom_set_take(block, at->column, e);
    if (e->gap < 0 && t > t0) {
        const double h = t - t0;
        if (carom_set_jumped(block->law, h, e->gap, e->gap_rate, at->gap, at->gap_rate)) {
            v_out = fmax(e->gap_rate, 0);
            e->cutoff_loss -= e->force_end >= 0 ? stored(e) : 0;
            sim->s.switch_term_set[e->set] += stored(e);
        } else {
            const carom_hermite gap = carom_hermite_between(h, e->gap, e->gap_rate, at->gap, at->gap_rate);
            const double x = root(&gap);
            end = t0 + x * h;
            v_out = fmax(carom_hermite_slope(&gap, x) / h, 0);
            if (e->gap_rate < 0)
                e->peak_depth = fmax(e->peak_depth,
                                     carom_set_turn_depth(h, e->gap, e->gap_rate, at->gap, at->gap_rate));
        }
        e->impulse += 0.5 * (end - t0) * e->force;
        e->loss += 0.5 * (end - t0) * e->loss_power;
        e->friction_loss += 0.5 * (end - t0) * e->friction_power;
    }
    sim->s.cutoff_loss_set[e->set] += e->cutoff_loss;
    CAROM_TRY(add_impact(sim, e, end, v_out));
    const size_t last = --sim->s.episode_count;
    block->episode[at->column] = -1;
    if (k != last) {
        *e = sim->s.episodes[last];
        carom_set_bind(sets, k, sets->columns[last].block, sets->columns[last].column);
    }
    memset(&sim->s.episodes[last], 0, sizeof *e);
    return CAROM_OK;
}

/* ---- one step ---- */

static carom_status passes_limit(carom_simulation *sim, const carom_set_event *at, double t)
{
    const carom_model *m = sim->model;
    const carom_set_block *block = &sim->system->sets->blocks[at->block];
    const carom_normal_law *law = &block->law->law;
    return carom_fail(
        sim->ctx, CAROM_ERROR_SOLVER, &m->contact_sets[block->set].place,
        "contact '%s': at t = %.6g s the indentation of '%s' and '%s' reaches %.4g m, the end of the range of %s; "
        "`carom explain %s` has the range",
        m->contact_sets[block->set].name, t, m->shapes[shape_of(sim, block->member[0][at->column])].name,
        m->shapes[shape_of(sim, block->member[1][at->column])].name, -at->gap, law->elastic->kind.name,
        law->elastic->kind.name);
}

/* Takes the events of the chunks that are of a kind, in their order. */
static carom_status take_events(carom_simulation *sim, carom_evaluation *d, carom_set_change what, double t0,
                                const double *y0, double t)
{
    const carom_sets *sets = d->system->sets;
    for (int c = 0; c < sets->chunk_count; c++)
        for (size_t n = 0; n < sets->chunks[c].event_count; n++) {
            const carom_set_event *at = &sets->chunks[c].events[n];
            if (at->change != what)
                continue;
            CAROM_TRY(what == CAROM_SET_CLOSES  ? close_episode(sim, at, t0, t)
                      : what == CAROM_SET_OPENS ? open_episode(sim, d, at, t0, y0, t)
                                                : passes_limit(sim, at, t));
        }
    return CAROM_OK;
}

/* What points that hand over to others have changed. */
static void book_vanished(carom_simulation *sim, const carom_evaluation *d)
{
    for (int k = 0; k < sim->model->contact_set_count; k++)
        sim->s.switch_term_set[k] += d->sums[k].vanished;
}

/* Makes the list of near pairs again, with the open episodes in it. */
static carom_status list_pairs(carom_simulation *sim, carom_evaluation *d)
{
    size_t lost;
    CAROM_TRY(carom_sets_build(sim->system->sets, d->pose, &sim->s, &lost));
    if (lost == SIZE_MAX)
        return CAROM_OK;
    const carom_episode *e = &sim->s.episodes[lost];
    return carom_fail(sim->ctx, CAROM_ERROR_SOLVER, &sim->model->contact_sets[e->set].place,
                      "contact '%s': at t = %.6g s '%s' and '%s' are open and far apart",
                      sim->model->contact_sets[e->set].name, *sim->s.time, sim->model->shapes[shape_of(sim, e->i)].name,
                      sim->model->shapes[shape_of(sim, e->j)].name);
}

/* A step in which the sets move the bodies. The list of near pairs stays; what has opened sees predicted velocities. */
static carom_status flow_on(carom_simulation *sim, carom_evaluation *d, double t0, const double *y0, double t)
{
    const carom_set_mover mover = carom_sim_mover(sim);
    carom_sets_follow(d, &sim->s, t0, t, &mover);
    book_vanished(sim, d);
    CAROM_TRY(take_events(sim, d, CAROM_SET_PASSES_LIMIT, t0, y0, t));
    CAROM_TRY(take_events(sim, d, CAROM_SET_CLOSES, t0, y0, t));
    carom_sim_before_openings(sim);
    const carom_status status = take_events(sim, d, CAROM_SET_OPENS, t0, y0, t);
    carom_sim_behind_openings(sim);
    return status;
}

static carom_status flow(carom_simulation *sim, carom_evaluation *d, double t0, const double *y0, double t,
                         double *rate)
{
    const carom_layout layout = sim->s.layout;
    const int q = layout.positions / sim->model->body_count, v = layout.velocities / sim->model->body_count;
    sim->flow.f_new = rate;
    sim->taken = true;
    sim->bodies = (carom_motions){sim->flow.y_new, sim->flow.y_new + (sim->s.v - sim->s.q), q, v, 1};
    d->motions = sim->lean ? &sim->bodies : NULL;
    const carom_status status = flow_on(sim, d, t0, y0, t);
    d->motions = NULL;
    if (sim->lean)
        carom_broad_pass(sim->system->sets->broad, t - t0);
    else
        carom_broad_moved(sim->system->sets->broad);
    sim->flowed = status == CAROM_OK;
    return status;
}

static carom_status step(carom_simulation *sim, carom_evaluation *d, double t0, const double *y0, double t)
{
    carom_sets *sets = sim->system->sets;
    if (carom_broad_moved(sets->broad) || !sets->built)
        CAROM_TRY(list_pairs(sim, d));
    carom_sets_follow(d, &sim->s, t0, t, NULL);
    book_vanished(sim, d);
    CAROM_TRY(take_events(sim, d, CAROM_SET_PASSES_LIMIT, t0, y0, t));
    CAROM_TRY(take_events(sim, d, CAROM_SET_CLOSES, t0, y0, t));
    return take_events(sim, d, CAROM_SET_OPENS, t0, y0, t);
}

/* The accelerations of bodies are found part by part afterwards. */
static int arrive_in_parts(carom_simulation *sim, double t, double *rate)
{
    carom_evaluation *d = sim->trial;
    d->system->evaluations++;
    d->time = t;
    d->sums_known = false;
    sim->taken = true;
    return carom_rhs_book(sim, d, rate) ? 0 : 1;
}

int carom_sets_arrive(void *user, double t_before, const double *y_before, double t, double *y, double *rate)
{
    carom_simulation *sim = user;
    const bool in_parts = sim->integrator->ode.parts.count > 0;
    if (!in_parts) {
        /* quaternions drift from unit length as the square of the step */
        sim->s.formulation->normalise(sim->model, y);
        carom_system_settle(sim->s.formulation, sim->trial, &sim->s, t, y, y + (sim->s.v - sim->s.q));
        carom_system_pose(sim->trial, &sim->s, t, y, y + (sim->s.v - sim->s.q));
        carom_broad_move_all(sim->system->sets->broad, sim->trial->pose);
    }
    sim->step_status = sim->flows ? flow(sim, sim->trial, t_before, y_before, t, rate)
                                  : step(sim, sim->trial, t_before, y_before, t);
    sim->flows = false;
    if (sim->step_status != CAROM_OK)
        return 1;
    return in_parts ? arrive_in_parts(sim, t, rate) : carom_rhs_evaluate_posed(sim, sim->trial, t, y, rate);
}

/* ---- start ---- */

/* `point` is filled with the contact. */
static carom_overlap overlap_of(const carom_simulation *sim, size_t k, carom_contact_point *point)
{
    const carom_model *m = sim->model;
    const carom_episode *e = &sim->s.episodes[k];
    *point = carom_set_point(sim->probe, &sim->s, k);
    return (carom_overlap){carom_set_law(m, e), m->contact_sets[e->set].name, &m->contact_sets[e->set].place,
                           {shape_of(sim, e->i), shape_of(sim, e->j)}, point};
}

/* The deepest overlap of a set is told of, with the energy of all, or refused. */
static carom_status report_overlap(carom_simulation *sim, int set)
{
    const carom_model *m = sim->model;
    double share = CAROM_OVERLAP_TOLD, energy = 0;
    size_t deepest = 0;
    int count = 0;
    carom_contact_point point;
    for (size_t k = 0; k < sim->s.episode_count; k++) {
        const carom_episode *e = &sim->s.episodes[k];
        const carom_overlap overlap = overlap_of(sim, k, &point);
        const double own = -e->gap / carom_overlap_size(m, &overlap);
        if (e->set != set || !(own > CAROM_OVERLAP_TOLD) || overlap.point->less >= 1)
            continue;
        count++;
        energy += (1 - overlap.point->less) * carom_episode_energy(overlap.contact, e, -e->gap);
        deepest = own > share ? k : deepest;
        share = fmax(share, own);
    }
    if (!count)
        return CAROM_OK;
    const carom_overlap worst = overlap_of(sim, deepest, &point);
    CAROM_TRY(carom_overlap_check(sim->ctx, sim->d, &worst));
    return carom_simulation_warn(
        sim, CAROM_WARN_OVERLAP,
        "contact '%s': %d pair%s overlap%s at the start, the deepest '%s' and '%s' by %.4g m, "
        "%.2g %% of the smaller one's size, which hold%s %.4g J%s; move the bodies",
        worst.name, count, count == 1 ? "" : "s", count == 1 ? "s" : "", m->shapes[worst.shapes[0]].name,
        m->shapes[worst.shapes[1]].name, -worst.point->gap, 100 * share, count == 1 ? "s" : "", energy,
        count == 1 ? "" : " together");
}

void carom_sets_write_back(carom_simulation *sim)
{
    carom_sim_catch_up(sim);
    if (sim->system->sets)
        carom_sets_store(sim->system->sets, &sim->s);
}

carom_status carom_sets_restart(carom_simulation *sim)
{
    if (!sim->system->sets)
        return CAROM_OK;
    sim->system->sets->built = false;
    carom_state_pose(sim->probe, &sim->s);
    carom_broad_move_all(sim->system->sets->broad, sim->probe->pose);
    return list_pairs(sim, sim->probe);
}

carom_status carom_sets_start(carom_simulation *sim)
{
    if (!sim->system->sets)
        return CAROM_OK;
    CAROM_TRY(carom_sets_restart(sim));
    const double now = *sim->s.time;
    carom_sets_follow(sim->probe, &sim->s, now, now, NULL);
    CAROM_TRY(take_events(sim, sim->probe, CAROM_SET_OPENS, now, sim->s.q, now));
    for (int k = 0; k < sim->model->contact_set_count; k++)
        CAROM_TRY(report_overlap(sim, k));
    return CAROM_OK;
}
