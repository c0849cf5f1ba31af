/* Episodes of contacts: onset, maxima, release, and how far a step may go that none is passed over. */
#include "dynamics/contact/overlap.h"
#include "kinds/shape/shape.h"
#include "math/largest.h"
#include "sim/events.h"
#include "sim/sim.h"

#include <math.h>
#include <string.h>

bool carom_located_any_open(const carom_simulation *sim)
{
    const carom_system *sys = sim->system;
    for (int n = 0; n < sys->touching_count; n++)
        if (sim->s.located[sys->touching[n]].open)
            return true;
    return false;
}

/* ---- onset and release ---- */

/* Above it the equations of the common normal do not hold; the steps that solve them end far below. */
#define LARGEST_RESIDUAL 1e-6

/* Work that the friction of a contact has taken so far. */
static double friction_work(const carom_simulation *sim, int k)
{
    int index = sim->model->contacts[k].friction_work;
    return index >= 0 ? sim->s.work_friction[index] : 0;
}

/* The elastic constants of the episode. */
static carom_status set_constants(carom_simulation *sim, int k, const carom_contact_point *p)
{
    const carom_model_contact *c = &sim->model->contacts[k];
    carom_episode *e = &sim->s.located[k];
    if (c->radii_of_start)
        return CAROM_OK;
    const char *refusal = carom_episode_set_constants(c, e, p);
    return refusal
               ? carom_fail(sim->ctx, CAROM_ERROR_SOLVER, &c->place,
                            "contact '%s': at t = %.6g s the surfaces touch with the radii %.4g m and %.4g m: %s; give "
                            "radius_i and radius_j, or a stiffness",
                            c->name, *sim->s.time, e->radii[0], e->radii[1], refusal)
               : CAROM_OK;
}

carom_status carom_located_start(carom_simulation *sim)
{
    const carom_model *m = sim->model;
    for (int k = 0; k < m->contact_count; k++) {
        const carom_model_contact *c = &m->contacts[k];
        if (!c->radii_of_start)
            continue;
        const char *refusal = carom_episode_set_constants(c, &sim->s.located[k], &sim->d->contacts[k]);
        if (refusal)
            return carom_fail(sim->ctx, CAROM_ERROR_MODEL, &c->place,
                              "contact '%s': radii: start: where the run starts the surfaces are nearest with the "
                              "radii %.4g m and %.4g m: %s; write `radii: onset`, or give radius_i and radius_j",
                              c->name, sim->s.located[k].radii[0], sim->s.located[k].radii[1], refusal);
    }
    return CAROM_OK;
}

/* Says once that no common normal was found. */
static carom_status report_normal(carom_simulation *sim, int k, const carom_contact_point *p)
{
    carom_state *s = &sim->s;
    const carom_model_contact *c = &sim->model->contacts[k];
    if (!c->pair->varies || (p->common && p->residual <= LARGEST_RESIDUAL) ||
        (s->contact_flags[k] & CAROM_REPORTED_NORMAL))
        return CAROM_OK;
    s->contact_flags[k] |= CAROM_REPORTED_NORMAL;
    return carom_contact_warn(
        sim, CAROM_WARN_NO_NORMAL, CAROM_REPORTED_NORMAL, k,
        "at t = %.6g s the deepest point has no common normal (residual %.2g): it is as near to two places of a "
        "surface; make the profile smoother, or the contact stiffer",
        *s->time, p->residual);
}

carom_status carom_located_check_start(carom_simulation *sim, int k)
{
    if (sim->statistics.steps > 0 || *sim->s.time > 0 || sim->muted)
        return CAROM_OK;
    return carom_overlap_check_deepest(sim->ctx, sim->d, k);
}

/* Speeds below this share of the model's are rounding. */
#define NOISE 1e-12

/* Share of the model's speed below which impacts behind the first one are those of a body that comes to rest: less than
   1e-3 of the energy is left. */
#define SETTLING 0.03

/* Says once that the law uses a higher impact velocity than there was: at the onset, where it is kept from then on, and
   with `adaptive` at the release of a contact whose first impact was that slow, or a later one of a model that moves no
   faster than so. */
static carom_status report_floor(carom_simulation *sim, int k)
{
    const carom_model_contact *c = &sim->model->contacts[k];
    const carom_episode *e = &sim->s.located[k];
    int *flags = &sim->s.contact_flags[k];
    const double least = c->law.minimum_speed;
    if (e->greatest_v0 > least || !(e->speed < least) || c->law.velocity == CAROM_VELOCITY_FIXED ||
        c->law.damping->ignores_v0 || (*flags & CAROM_REPORTED_FLOOR))
        return CAROM_OK;
    const double noise = NOISE * carom_sim_speed(sim);
    const double slow = sim->s.contact_episodes[k] > 1 ? SETTLING * carom_sim_speed(sim) : noise;
    if (carom_normal_adapts(&c->law) && (e->open || !(e->speed > slow)))
        return CAROM_OK;
    /* what opens as it begins, such as a place of a face that comes to bear, is no impact */
    if (!carom_normal_adapts(&c->law) && (!e->open || sim->d->contacts[k].gap_rate > 0))
        return CAROM_OK;
    *flags |= CAROM_REPORTED_FLOOR;
    return carom_contact_warn(sim, CAROM_WARN_FLOOR, CAROM_REPORTED_FLOOR, k,
                              "impact speed %.3g m/s at t = %.6g s is below `minimum_speed`; the law uses %.3g m/s; "
                              "give a smaller one if such impacts matter",
                              e->speed > noise ? e->speed : 0, *sim->s.time, least);
}

/* Friction of an episode that begins: states at zero, stick or slip as the surfaces move. */
static void start_friction(carom_simulation *sim, int k, const carom_contact_point *p)
{
    const carom_model_contact *c = &sim->model->contacts[k];
    carom_state *s = &sim->s;
    for (int i = 0; c->friction_state >= 0 && !s->rests && i < c->friction->state; i++)
        s->friction[c->friction_state + i] = 0;
    if (!c->friction || !c->friction->set_valued)
        return;
    s->located[k].rocking = carom_rocking_slip(sim, k);
    s->located[k].stick = carom_v3_norm(p->slip) < carom_friction_rests_below(c, &s->located[k]);
}

void carom_located_begin_sums(const carom_simulation *sim, int k, carom_episode *e)
{
    const carom_state *s = &sim->s;
    e->impulse = s->normal_impulse[k];
    e->loss = s->work_contact[k];
    e->friction_loss = friction_work(sim, k);
    e->cutoff_loss = s->cutoff_loss[k];
    e->switch_term = s->switch_term[k];
}

void carom_located_end_sums(const carom_simulation *sim, int k, carom_episode *e)
{
    const carom_state *s = &sim->s;
    e->impulse = s->normal_impulse[k] - e->impulse;
    e->loss = s->work_contact[k] - e->loss;
    e->friction_loss = friction_work(sim, k) - e->friction_loss;
    e->cutoff_loss = s->cutoff_loss[k] - e->cutoff_loss;
    e->switch_term = s->switch_term[k] - e->switch_term;
}

carom_contact_of carom_located_of(const carom_simulation *sim, int k)
{
    const carom_model_contact *c = &sim->model->contacts[k];
    return (carom_contact_of){c, c->name, (size_t)k, {c->shape_i, c->shape_j}};
}

carom_status carom_located_begin(carom_simulation *sim, int k)
{
    const carom_model_contact *c = &sim->model->contacts[k];
    carom_state *s = &sim->s;
    carom_episode *e = &s->located[k];
    const carom_contact_point *p = &sim->d->contacts[k];
    carom_episode_open(e, *s->time, fmax(-p->gap_rate, 0), p);
    carom_system_touches(sim->system, k, true);
    s->contact_episodes[k]++;
    e->mass = carom_effective_mass(sim->d, c->body_i, c->body_j, p);
    if (c->segments)
        carom_episode_set_segment(sim->model, c, e, p->parameter);
    CAROM_TRY(set_constants(sim, k, p));
    carom_episode_begin_compression(c, e, p->gap, p->gap_rate);
    carom_episode_begin_history(c, e, p);
    carom_episode_set_scales(c, e, false);
    carom_located_begin_sums(sim, k, e);
    start_friction(sim, k, p);
    sim->restart = true;
    if (c->law.damping->uses_mass && !isfinite(e->mass))
        return carom_fail(
            sim->ctx, CAROM_ERROR_SOLVER, &c->place,
            "contact '%s': damping %s needs an effective mass, but neither side can move along the normal (t = %.6g "
            "s); take a law that needs none, such as kelvin-voigt or flores, or let a side move",
            c->name, c->law.damping->kind.name, *sim->s.time);
    return CAROM_OK;
}

/* Share of the contact's size by which an onset that is located lies no deeper. */
#define BEHIND 1e-2

static bool is_open_outline(const carom_model_shape *shape)
{
    return strcmp(carom_shape_surface(shape->kind, true), "curve") == 0 && !carom_curve_closed(shape->p);
}

/* Where a gap comes from that jumps at the begin, and the remedy. */
static const char *jump_cause(const carom_model *m, const carom_model_contact *c)
{
    if (m->dimension == 3)
        return "another face, edge or line of the solids came to bear; make the contact stiffer, so that it is less "
               "deep, or round the edges there";
    if (is_open_outline(&m->shapes[c->shape_i]) || is_open_outline(&m->shapes[c->shape_j]))
        return "a shape came from behind or inside an outline that is open, which bears on one side only; close the "
               "outline, draw it the other way round, or keep the shape in front of it";
    return "another side or corner of the outlines came to bear; make the contact stiffer, so that it is less deep, or "
           "round the corners there";
}

/* Says once that the shapes are deep in each other where the contact begins: the gap is zero there unless it jumped.
   A place of several may begin to bear beside another one. */
static carom_status report_behind(carom_simulation *sim, int k)
{
    const carom_model *m = sim->model;
    const carom_model_contact *c = &m->contacts[k];
    const carom_contact_point *p = &sim->d->contacts[k];
    const double size = isfinite(c->feature_size) && c->feature_size > 0 ? c->feature_size : m->length_scale;
    const int first = k - c->point;
    int *flags = &sim->s.contact_flags[k];
    if (sim->statistics.steps == 0 || !(-p->gap > BEHIND * size) || (*flags & CAROM_REPORTED_JUMP))
        return CAROM_OK;
    for (int i = first; i < first + carom_contact_points(m, first); i++)
        if (sim->s.located[i].open)
            return CAROM_OK;
    *flags |= CAROM_REPORTED_JUMP;
    return carom_contact_warn(sim, CAROM_WARN_JUMP, CAROM_REPORTED_JUMP, k,
                              "begins %.3g m deep at t = %.6g s, its gap jumps there: %s", -p->gap, *sim->s.time,
                              jump_cause(m, c));
}

static carom_status open_episode(carom_simulation *sim, int k)
{
    CAROM_TRY(carom_located_check_start(sim, k));
    CAROM_TRY(report_behind(sim, k));
    CAROM_TRY(carom_located_begin(sim, k));
    CAROM_TRY(carom_events_onset(sim, (size_t)k));
    return report_floor(sim, k);
}

/* `lost`: the place is no longer there, and hands over to another one; the gap rate is that it had. */
static carom_status close_episode(carom_simulation *sim, int k, bool lost, double gap_rate)
{
    carom_episode *e = &sim->s.located[k];
    e->open = 0;
    e->less = lost ? 1 : e->less;
    carom_system_touches(sim->system, k, false);
    carom_located_end_sums(sim, k, e);
    sim->restart = true;
    CAROM_TRY(report_floor(sim, k));
    const carom_contact_of of = carom_located_of(sim, k);
    return carom_events_release(sim, &of, e, *sim->s.time, gap_rate);
}

/* Whether a branch of the contact has ended at the accepted state. */
static bool ended(const carom_simulation *sim, int k, carom_contact_root root)
{
    const carom_model_contact *c = &sim->model->contacts[k];
    return c->roots[root] >= 0 && carom_step_root(sim, k, root, &sim->d->contacts[k]) <= 0;
}

/* The law begins to pull, at the onset or later, and the force stays zero until it would repel again, or until the
   contact has opened or is pressed again. */
static void update_tension(carom_simulation *sim, int k, bool onset)
{
    carom_episode *e = &sim->s.located[k];
    const carom_contact_point *p = &sim->d->contacts[k];
    const double pull = carom_step_root(sim, k, CAROM_ROOT_TENSION, p);
    const bool changed = carom_episode_tension(&sim->model->contacts[k], e, pull, p);
    if (!(onset && carom_episode_begin_tension(e, pull)) && !changed)
        return;
    sim->restart = true;
    sim->s.cutoff_loss[k] += (e->cut_off ? 1 : -1) * carom_episode_held(p);
}

/* The points on curves are followed from one step to the next; where the surfaces are deeper in each other elsewhere by
   now, the contact continues there. */
#define DEEPER 1e-9
static void update_parameters(carom_simulation *sim, int k)
{
    const carom_model *m = sim->model;
    carom_state *s = &sim->s;
    const carom_contact_point *p = &sim->d->contacts[k];
    const carom_body_pose *i = &sim->d->pose[carom_contact_body(m, k, 0)];
    const carom_body_pose *j = &sim->d->pose[carom_contact_body(m, k, 1)];
    const double least = p->gap - DEEPER * m->contacts[k].feature_size;
    carom_contact_point deepest = *p;
    if (!carom_contact_nowhere_below(m, k, i, j, p->parameter, least))
        carom_contact_geometry_at(m, NULL, k, i, j, &deepest);
    const bool elsewhere = deepest.gap < least;
    if (elsewhere) {
        carom_episode_force(&m->contacts[k], &s->located[k], &deepest);
        const carom_vec3 before = carom_v3_scale(p->force, p->normal);
        const carom_vec3 after = carom_v3_scale(deepest.force, deepest.normal);
        if (carom_episode_jumps(&s->located[k], before, after))
            carom_episode_note_jump(&s->located[k], before, after);
    }
    for (int side = 0; side < 2; side++)
        s->located[k].parameter[side] = elsewhere ? deepest.parameter[side] : p->parameter[side];
    sim->restart = sim->restart || elsewhere;
}

/* Makes the elastic constants again where the contact has passed to another segment of a curve: the force jumps, and
   what the contact then stores more or less has no source but the model. */
static carom_status update_segment(carom_simulation *sim, int k, bool *changed)
{
    const carom_model *m = sim->model;
    const carom_model_contact *c = &m->contacts[k];
    carom_state *s = &sim->s;
    if (!c->segments || carom_episode_inside_segment(m, c, &s->located[k], s->located[k].parameter) > 0)
        return CAROM_OK;
    const carom_contact_point before = sim->d->contacts[k];
    carom_contact_point p;
    carom_contact_geometry_at(m, s, k, &sim->d->pose[c->body_i], &sim->d->pose[c->body_j], &p);
    carom_episode_set_segment(m, c, &s->located[k], p.parameter);
    CAROM_TRY(set_constants(sim, k, &p));
    carom_episode_force(c, &s->located[k], &p);
    s->switch_term[k] += before.energy - p.energy;
    if (c->friction && c->friction->spring && p.elastic_slope > before.elastic_slope)
        carom_located_shorten_spring(sim, k, before.elastic_slope / p.elastic_slope);
    sim->restart = true;
    *changed = true;
    return CAROM_OK;
}

/* Time in which a contact that breaks away has a slip, of that which the drop of its friction would take. */
#define HELD 20

/* Whether a contact that has broken away got no slip: others hold the bodies. */
static bool is_held(const carom_simulation *sim, int k)
{
    const carom_model_contact *c = &sim->model->contacts[k];
    const carom_episode *e = &sim->s.located[k];
    const double normal = fmax(sim->d->contacts[k].force, 0), *constants = c->friction_constants;
    const double drop = CAROM_KIND_CALL(c->friction, map, constants, 0, normal) - carom_friction_sliding(c, normal);
    const double speed = carom_friction_rests_below(c, e);
    return (*sim->s.time - e->parted) * drop > HELD * e->mass * speed;
}

/* Friction that holds ends, or holds from now on. Where it drops as it breaks away the slip is still to begin, against
   the force that has held. */
static void change_stick(carom_simulation *sim, int k)
{
    carom_episode *e = &sim->s.located[k];
    const carom_vec3 held = sim->d->contacts[k].friction;
    const bool drops = e->stick == CAROM_STICKING && carom_friction_drops(&sim->model->contacts[k]);
    e->parted = *sim->s.time;
    if (drops && carom_v3_norm(held) > 0)
        e->parting = carom_v3_scale(-1 / carom_v3_norm(held), held);
    e->stick = drops ? CAROM_BREAKING_AWAY : e->stick == CAROM_SLIPPING ? CAROM_STICKING : CAROM_SLIPPING;
    sim->restart = true;
}

/* Switches inside an episode: policies, branches of the laws, stick and slip. */
static void update_branches(carom_simulation *sim, int k)
{
    const carom_model_contact *c = &sim->model->contacts[k];
    carom_episode *e = &sim->s.located[k];
    const carom_contact_point *p = &sim->d->contacts[k];
    if (c->pair->varies)
        update_parameters(sim, k);
    e->fastest = fmax(e->fastest, -p->gap_rate);
    if (c->roots[CAROM_ROOT_COMPRESSION] >= 0)
        carom_compression_update(sim, k);
    else if (c->law.damping->kinked && (p->gap_rate < 0) != (e->compressing != 0)) {
        e->compressing = p->gap_rate < 0;
        sim->restart = true;
    }
    if (c->roots[CAROM_ROOT_TENSION] >= 0)
        update_tension(sim, k, false);
    const double force = c->roots[CAROM_ROOT_BRANCH] >= 0 ? carom_located_update_history(sim, k) : p->force;
    if (ended(sim, k, CAROM_ROOT_STICK))
        change_stick(sim, k);
    else if (e->stick == CAROM_BREAKING_AWAY && is_held(sim, k)) {
        e->stick = CAROM_STICKING;
        sim->restart = true;
    }
    carom_episode_note_force_end(e, force, p->gap_rate, *sim->s.time);
}

static carom_status check_limit(carom_simulation *sim, int k)
{
    const carom_model_contact *c = &sim->model->contacts[k];
    double delta = -sim->d->contacts[k].gap;
    if (delta <= carom_episode_limit(c, &sim->s.located[k]))
        return CAROM_OK;
    return carom_fail(sim->ctx, CAROM_ERROR_SOLVER, &c->place,
                      "contact '%s': at t = %.6g s the indentation reaches %.4g m, the end of the range of %s, beyond "
                      "which it has no force; `carom explain %s` has the range",
                      c->name, *sim->s.time, delta, c->law.elastic->kind.name, c->law.elastic->kind.name);
}

/* Of the size of what touches, the depth at which a contact that has never pressed is told of. */
#define WITHOUT_FORCE 0.25

static carom_status report_tension(carom_simulation *sim, int k)
{
    const carom_contact_point *p = &sim->d->contacts[k];
    const carom_model_contact *c = &sim->model->contacts[k];
    const carom_episode *e = &sim->s.located[k];
    const bool pulls = p->force < 0 && c->law.tension == CAROM_TENSION_ALLOW;
    const bool never = e->cut_off && !(e->peak_force > 0) && -p->gap > WITHOUT_FORCE * c->feature_size;
    if ((!pulls && !never) || (sim->s.contact_flags[k] & CAROM_REPORTED_TENSION))
        return CAROM_OK;
    sim->s.contact_flags[k] |= CAROM_REPORTED_TENSION;
    if (pulls)
        return carom_contact_warn(sim, CAROM_WARN_TENSION, CAROM_REPORTED_TENSION, k,
                                  "the force is tensile at t = %.6g s; `tension: clip` keeps it at 0", *sim->s.time);
    return carom_contact_warn(sim, CAROM_WARN_TENSION, CAROM_REPORTED_TENSION, k,
                              "has no force yet at an indentation of %.3g m (t = %.6g s): its law pulls from the onset "
                              "on, which `tension` keeps at 0; look at its sign, a force that repels is positive",
                              -p->gap, *sim->s.time);
}

static carom_status report_rate(carom_simulation *sim, int k)
{
    carom_state *s = &sim->s;
    const carom_contact_point *p = &sim->d->contacts[k];
    const carom_model_contact *c = &sim->model->contacts[k];
    /* an elastic contact parts as fast as it came, within the tolerance and what a weight adds */
    bool faster = p->gap_rate > s->located[k].v0 * (1 + 1e-2);
    faster = faster && c->law.velocity == CAROM_VELOCITY_PER_IMPACT && !c->law.damping->ignores_v0;
    if (faster && !(s->contact_flags[k] & CAROM_REPORTED_RATE)) {
        s->contact_flags[k] |= CAROM_REPORTED_RATE;
        CAROM_TRY(carom_contact_warn(sim, CAROM_WARN_RATE, CAROM_REPORTED_RATE, k,
                                     "separates at %.3g m/s, faster than its impact velocity %.3g m/s (t = %.6g s); "
                                     "the law is used outside its derivation",
                                     p->gap_rate, s->located[k].v0, *s->time));
    }
    return report_tension(sim, k);
}

void carom_located_forget(carom_simulation *sim)
{
    for (int k = 0; k < sim->model->contact_count; k++)
        sim->s.located[k].pressed.x = (double)NAN;
}

/* The energy of a point that begins to bear within the surfaces. */
static void book_joined(carom_state *s, int k, const carom_model_contact *c, const carom_contact_point *p)
{
    carom_contact_point at = *p;
    carom_episode_force(c, &s->located[k], &at);
    s->switch_term[k] -= at.energy;
    s->located[k].whole = at.whole;
}

/* How many places a contact of solids has. */
static int places_of(const carom_model *m, int k)
{
    return m->contacts[k].pair->varies ? carom_contact_points(m, k - m->contacts[k].point) : 1;
}

/* What places hand over that end now, others of their pair take. */
static void name_heirs(carom_simulation *sim)
{
    for (int k = 0; k < sim->model->contact_count; k++) {
        carom_episode *e = &sim->s.located[k];
        const int next = !e->open && e->taken < 0 ? carom_located_successor(sim, k, e->taken) : -1;
        if (next >= 0 && sim->s.located[next].open)
            sim->s.located[next].taken = -e->taken;
        e->taken = e->open ? e->taken : 0;
    }
}

carom_status carom_located_update(carom_simulation *sim)
{
    carom_state *s = &sim->s;
    bool changed = false, starting = sim->statistics.steps == 0;
    for (int n = 0; n < sim->near_count; n++) {
        const int k = sim->near[n];
        const carom_contact_point *p = &sim->d->contacts[k];
        const double jumped = carom_jump_of_gap(&sim->model->contacts[k]);
        const bool hands_over = sim->model->contacts[k].hands_over;
        if (!s->located[k].open) {
            /* after a release the gap is zero within rounding and the rate positive: only a start may part an
               overlap, and a gap that has jumped, as where one corner hands over to another one */
            const bool joined = p->less != 0 && p->gap < -jumped;
            if (carom_located_touches(sim, k) || (starting && p->gap < 0) || joined ||
                (hands_over && p->gap < -jumped)) {
                CAROM_TRY(open_episode(sim, k));
                if (joined && !starting)
                    book_joined(s, k, &sim->model->contacts[k], p);
                changed = true;
            }
            continue;
        }
        const bool restart = sim->restart;
        sim->restart = false;
        update_branches(sim, k);
        CAROM_TRY(update_segment(sim, k, &changed));
        if (sim->restart)
            s->located[k].pressed.x = (double)NAN;
        sim->restart = sim->restart || restart;
        /* a place that is no longer there is far apart at once; its law goes on as an odd function, and would pull */
        const bool lost = (hands_over || places_of(sim->model, k) > 1) && p->gap > 0.5 * jumped;
        double gap = 0, rate = p->gap_rate;
        if (lost)
            carom_located_note_lost(sim, k, &gap, &rate);
        CAROM_TRY(carom_contact_warn_jump(sim, k));
        if (carom_located_parts(sim, k) || (p->gap >= 0 && lost)) {
            CAROM_TRY(close_episode(sim, k, lost, rate));
            s->located[k].taken = gap;
            changed = true;
        } else {
            CAROM_TRY(check_limit(sim, k));
            CAROM_TRY(report_rate(sim, k));
            CAROM_TRY(report_normal(sim, k, p));
        }
    }
    if (changed)
        name_heirs(sim);
    if (changed && carom_rhs_again(sim) != 0)
        return carom_rhs_unsolved(sim);
    /* a law that pulls from the onset on, or from the first instant on where bodies that overlap at the start part */
    const carom_system *sys = sim->system;
    bool off = false;
    for (int n = 0; changed && n < sys->touching_count; n++) {
        const int k = sys->touching[n];
        if (s->located[k].open && s->located[k].onset == *s->time &&
            sim->model->contacts[k].roots[CAROM_ROOT_TENSION] >= 0) {
            update_tension(sim, k, true);
            off = off || s->located[k].cut_off;
        }
    }
    if (off && carom_rhs_again(sim) != 0)
        return carom_rhs_unsolved(sim);
    /* laws whose force jumps at the onset, or at a segment of a curve */
    for (int n = 0; changed && n < sys->touching_count; n++) {
        const int k = sys->touching[n];
        if (s->located[k].open && (s->located[k].onset == *s->time || sim->model->contacts[k].segments)) {
            s->located[k].force = sim->d->contacts[k].force;
            carom_episode_add_peak(&s->located[k], s->located[k].force, 0, *s->time);
        }
    }
    return CAROM_OK;
}

/* ---- maxima ---- */

typedef struct force_of {
    carom_simulation *sim;
    int contact;
} force_of;

static double force_inside(void *user, double t)
{
    const force_of *of = user;
    carom_contact_point p;
    return carom_located_inside(of->sim, of->contact, t, &p) ? p.force : 0;
}

/* Slope of the force at the end of the step, from the dense output just before it. */
static double force_slope(carom_simulation *sim, int k, double begin, double end, double force)
{
    carom_contact_point before;
    double near = end - 1e-3 * (end - begin);
    return carom_located_inside(sim, k, near, &before) ? (force - before.force) / (end - near) : 0;
}

/* Within this share of its expected duration the force of a contact changes little, unless it jumps. */
#define JUMP_TIME 1e-3

/* Parts of a long step over which it is integrated. */
#define SHARE_PARTS 8

/* Energy by which shares of a law change what is stored, by the trapezoidal rule: as they change with the outline of a
   patch it has no source but the model. */
static void book_share(carom_state *s, int k, const carom_contact_point *p)
{
    carom_episode *e = &s->located[k];
    /* beyond the release the law goes on for the integrator, and nothing is stored */
    const double now = p->gap > 0 ? 0 : p->whole;
    /* where nothing acts the indentation is that of another place */
    const double whole = p->less >= 1 ? e->whole : e->less >= 1 ? now : 0.5 * (e->whole + now);
    if (p->less != e->less)
        s->switch_term[k] += whole * (p->less - e->less);
    e->less = p->less;
    e->whole = now;
}

/* Over a step, a long one in parts. */
static void book_shares(carom_simulation *sim, int k, double begin, double end, const carom_contact_point *last)
{
    carom_contact_point p;
    const bool shifts = last->less != sim->s.located[k].less && carom_integrator_maps(sim->integrator);
    for (int n = 1; shifts && n < SHARE_PARTS; n++)
        if (carom_located_inside(sim, k, begin + (end - begin) * n / SHARE_PARTS, &p))
            book_share(&sim->s, k, &p);
    book_share(&sim->s, k, last);
}

void carom_located_track(carom_simulation *sim, double begin)
{
    carom_state *s = &sim->s;
    double end = *s->time;
    bool stepped = end > begin && sim->integrator->t_before < sim->integrator->t;
    for (int n = 0; n < sim->system->touching_count && stepped; n++) {
        const int k = sim->system->touching[n];
        if (!s->located[k].open)
            continue;
        const carom_contact_point *last = &sim->d->contacts[k];
        double depth = -last->gap, force = last->force, rate = (force - s->located[k].force) / (end - begin);
        double peak = end, mean = rate, pull = carom_step_root(sim, k, CAROM_ROOT_TENSION, last);
        s->located[k].pull_rate = (pull - s->located[k].pull) / (end - begin);
        s->located[k].pull = pull;
        if (s->located[k].followed_rate < 0 && last->gap_rate >= 0) {
            const double turn = carom_located_root(sim, k, CAROM_FOLLOW_GAP_RATE, begin, s->located[k].followed_rate,
                                                   end, last->gap_rate);
            depth = fmax(depth, -carom_located_follow(sim, k, turn, CAROM_FOLLOW_GAP));
        }
        if (s->located[k].force_rate > 0) {
            /* the mean slopes of this step and the last, continued by a whole step: does the force still rise at the
               end? */
            if (rate > 0 && 2 * rate < s->located[k].force_rate)
                rate = force_slope(sim, k, begin, end, force);
            if (rate <= 0) {
                const double largest = carom_largest_between(force_inside, &(force_of){sim, k}, begin, end, &peak);
                if (largest > force)
                    force = largest;
                else
                    peak = end;
            }
        }
        const bool shifts = last->less != s->located[k].less;
        book_shares(sim, k, begin, end, last);
        if (last->less >= 1)
            depth = 0;
        const carom_vec3 former = s->located[k].pressed, pressed = carom_v3_scale(last->force, last->normal);
        if (sim->model->contacts[k].pair->varies && !shifts && end - begin < JUMP_TIME * s->located[k].time_scale &&
            !isnan(former.x) && carom_episode_jumps(&s->located[k], former, pressed) &&
            !carom_located_hands_over(sim, k, begin) && carom_located_jumped(sim, k, begin, end, former, pressed))
            carom_episode_note_jump(&s->located[k], former, pressed);
        s->located[k].pressed = pressed;
        s->located[k].force = last->force;
        s->located[k].force_rate = rate > 0 ? mean : rate;
        s->located[k].followed_rate = last->gap_rate;
        carom_episode_add_peak(&s->located[k], force, depth, peak);
    }
}

/* Steps inside a contact: at most this share of its expected duration, while it may still be an impact. */
#define CONTACT_STEP_SHARE 0.1
#define CONTACT_STEP_AGE 1.5
/* The same of methods whose long steps have a dense output of their order. */
#define CONTACT_LONG_SHARE 0.3
/* A step that ends beyond the release is cut there by interpolation, which costs digits where the step is long: the
   steps of the restitution go this far towards the release, until the rest is a small share of the depth: the rest's
   force is its power 1.5, so that a share in the power 0.4 of the tolerance is cut within it. */
#define RELEASE_APPROACH 0.9
#define RELEASE_REST 0.03

static double release_rest(const carom_simulation *sim)
{
    return fmin(RELEASE_REST, 20 * pow(carom_rhs_local_tolerance(sim), 0.4));
}

/* How far a step may go towards the release of a contact that opens; a method that can makes its step in a root of the
   time until then. */
static double until_release(const carom_simulation *sim, int k)
{
    const carom_contact_point *p = &sim->d->contacts[k];
    int root = 0;
    const double time = carom_integrator_maps(sim->integrator) ? carom_located_release_time(sim, k, &root) : 0;
    if (time > 0 && (!sim->integrator->closing || *sim->s.time + time < sim->integrator->closes)) {
        sim->integrator->closing = root;
        sim->integrator->closes = *sim->s.time + time;
    }
    if (time > 0)
        return time;
    return -p->gap > release_rest(sim) * sim->s.located[k].peak_depth ? RELEASE_APPROACH * -p->gap / p->gap_rate
                                                                      : HUGE_VAL;
}

double carom_located_safe_time(carom_simulation *sim)
{
    const carom_state *s = &sim->s;
    double horizon = carom_closed_safe_time(sim), now = *s->time, rest = release_rest(sim);
    const double share = carom_integrator_maps(sim->integrator) ? CONTACT_LONG_SHARE : CONTACT_STEP_SHARE;
    for (int n = 0; n < sim->system->touching_count; n++) {
        const int k = sim->system->touching[n];
        double scale = s->located[k].time_scale;
        const carom_contact_point *p = &sim->d->contacts[k];
        if (!s->located[k].open)
            continue;
        /* the gap of surfaces that only touch is rounding */
        const bool touches = carom_episode_touches(&sim->model->contacts[k], &s->located[k]);
        if (!touches && p->gap_rate > 0 && p->gap < 0)
            horizon = fmin(horizon, until_release(sim, k));
        /* likewise where the law will pull before */
        if (!touches && !s->located[k].cut_off && s->located[k].pull_rate < 0 && s->located[k].pull > rest)
            horizon = fmin(horizon, RELEASE_APPROACH * s->located[k].pull / -s->located[k].pull_rate);
        if (carom_integrator_maps(sim->integrator) && now - s->located[k].onset < CONTACT_LONG_SHARE * scale)
            horizon = fmin(fmin(horizon, carom_located_until_crest(sim, k)), carom_located_until_smooth(sim, k));
        if (now - s->located[k].onset < CONTACT_STEP_AGE * scale)
            horizon = fmin(horizon, share * scale);
    }
    return now + horizon;
}
