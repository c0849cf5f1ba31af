/* The system: its workspace and the pipeline. */
#include "dynamics/contact/contact_set.h"
#include "dynamics/dynamics.h"
#include "dynamics/formulation/formulation.h"

#include <math.h>
#include <string.h>

/* From this many rows on the multiplier equation is solved sparsely. */
#define SPARSE_ROWS 48
/* Up to so many the rows are decomposed as well where a mechanism passes a singular position. */
#define SINGULAR_ROWS 600

/* Room of the search for the friction of joints. */
static bool allocate_search(carom_system *sys)
{
    const size_t n = (size_t)sys->model->slip_count;
    carom_friction_active_set *s = &sys->active_set;
    carom_arena *a = &sys->arena;
    double **vectors[] = {&s->residual, &s->scale, &s->force, &s->base, &s->change, &s->slope};
    sys->friction_fault = -1;
    if (!n)
        return true;
    bool done = (s->mobility = carom_arena_alloc(a, n * n, sizeof(double))) &&
                (s->matrix = carom_arena_alloc(a, n * n, sizeof(double))) &&
                (s->pivot = carom_arena_alloc(a, n, sizeof *s->pivot));
    for (size_t k = 0; k < CAROM_COUNT(vectors) && done; k++)
        done = (*vectors[k] = carom_arena_alloc(a, n, sizeof(double))) != NULL;
    return done;
}

/* Room of the search for forces within cones; more tangents than this at a time take sweeps. */
#define MOST_TANGENTS 400

static bool allocate_cones(carom_system *sys)
{
    carom_cone_search *s = &sys->cones;
    double **vectors[] = {&s->solution, &s->begin, &s->rate, &s->rate_change, &s->force, &s->change};
    s->room = 2 * sys->model->contact_count < MOST_TANGENTS ? 2 * sys->model->contact_count : MOST_TANGENTS;
    const size_t n = (size_t)s->room;
    bool done = (s->mobility = carom_arena_alloc(&sys->arena, n * n, sizeof(double))) &&
                (s->matrix = carom_arena_alloc(&sys->arena, n * n, sizeof(double))) &&
                (s->first = carom_arena_alloc(&sys->arena, n, sizeof *s->first));
    for (size_t k = 0; k < CAROM_COUNT(vectors) && done; k++)
        done = (*vectors[k] = carom_arena_alloc(&sys->arena, n, sizeof(double))) != NULL;
    return done;
}

/* Room of contacts that stick, where a law holds; `deflected`: also by a deflection. */
static bool allocate_sticking(carom_system *sys, bool deflected)
{
    const carom_model *m = sys->model;
    const size_t speeds = (size_t)(m->body_count * carom_twist_size(m) + m->tree.armature_count);
    bool holds = false;
    for (int k = 0; k < m->contact_count; k++) {
        const carom_friction_kind *law = m->contacts[k].friction;
        holds = holds || (law && (law->set_valued || (deflected && law->state)));
    }
    if (!holds || sys->sticking)
        return true;
    double *columns = carom_arena_alloc(&sys->arena, (size_t)m->contact_count * 2 * speeds, sizeof *columns);
    sys->sticking = carom_arena_alloc(&sys->arena, (size_t)m->contact_count, sizeof *sys->sticking);
    sys->sticking_column = carom_arena_alloc(&sys->arena, speeds, sizeof(double));
    sys->holding = carom_arena_alloc(&sys->arena, (size_t)m->contact_count, sizeof *sys->holding);
    if (!columns || !sys->sticking || !sys->sticking_column || !sys->holding || !allocate_cones(sys))
        return false;
    for (int k = 0; k < m->contact_count; k++)
        for (int t = 0; t < 2; t++)
            sys->sticking[k].delassus[t] = columns + ((size_t)k * 2 + (size_t)t) * speeds;
    return true;
}

static bool allocate_arrays(carom_system *sys)
{
    const carom_model *m = sys->model;
    carom_arena *a = &sys->arena;
    size_t speeds = (size_t)(m->body_count * carom_twist_size(m)), values = 1;
    for (int k = 0; k < m->load_count; k++)
        if ((size_t)m->loads[k].param_size > values)
            values = (size_t)m->loads[k].param_size;
    return (sys->solve = carom_arena_alloc(a, (size_t)m->row_count, sizeof(double))) &&
           (sys->held_correction = carom_arena_alloc(a, (size_t)m->row_count, sizeof(double))) &&
           (sys->step = carom_arena_alloc(a, speeds, sizeof(double))) &&
           (sys->column = carom_arena_alloc(a, speeds, sizeof(double))) &&
           (sys->load_values = carom_arena_alloc(a, values, sizeof(double))) &&
           (sys->load_rates = carom_arena_alloc(a, values, sizeof(double))) &&
           (sys->load_accelerations = carom_arena_alloc(a, values, sizeof(double))) &&
           (sys->load_zeros = carom_arena_alloc(a, values, sizeof(double))) &&
           (sys->touching = carom_arena_alloc(a, (size_t)m->contact_count, sizeof *sys->touching)) &&
           allocate_search(sys) &&
           allocate_sticking(sys, false);
}

carom_status carom_system_hold_deflected(carom_system *sys)
{
    return allocate_sticking(sys, true) ? CAROM_OK : carom_fail_memory(sys->ctx);
}

static void take_inertia(carom_system *sys, int body)
{
    const carom_model_body *b = &sys->model->bodies[body];
    const bool planar = sys->model->dimension == 2;
    sys->inertias[body] = (carom_body_inertia){.mass = b->mass, .inverse_mass = b->inverse_mass};
    if (planar || b->isotropic) {
        sys->inertias[body].inertia = b->inertia.m[planar ? 2 : 0][planar ? 2 : 0];
        sys->inertias[body].inverse_inertia = b->inverse_inertia.m[planar ? 2 : 0][planar ? 2 : 0];
    }
}

static void compare_inertias(carom_system *sys)
{
    sys->alike = true;
    for (int body = 2; body <= sys->model->body_count && sys->alike; body++)
        sys->alike = memcmp(&sys->inertias[body], &sys->inertias[1], sizeof *sys->inertias) == 0;
}

void carom_system_change_inertia(carom_system *sys, int body)
{
    take_inertia(sys, body);
    compare_inertias(sys);
}

carom_status carom_system_create(carom_context *ctx, const carom_model *model, const carom_formulation *formulation,
                                 carom_system **out)
{
    carom_system *sys = carom_allocate(ctx, 1, sizeof *sys);
    if (!sys)
        return carom_fail_memory(ctx);
    sys->ctx = ctx;
    sys->model = model;
    sys->state_fault = -1;
    sys->formulation = formulation;
    sys->layout = formulation->layout(model);
    sys->passed_share = CAROM_PASSED_SHARE;
    sys->isotropic = true;
    for (int body = 1; body <= model->body_count; body++)
        sys->isotropic = sys->isotropic && model->bodies[body].isotropic;
    carom_arena_init(&sys->arena, ctx);
    sys->inertias = carom_arena_alloc(&sys->arena, (size_t)model->body_count + 1, sizeof *sys->inertias);
    for (int body = 0; sys->inertias && body <= model->body_count; body++)
        take_inertia(sys, body);
    if (sys->inertias)
        compare_inertias(sys);
    carom_status status = sys->inertias && allocate_arrays(sys) ? CAROM_OK : carom_fail_memory(ctx);
    if (status == CAROM_OK)
        carom_system_touch_all(sys);
    if (status == CAROM_OK)
        status = carom_known_geometry_create(sys);
    if (status == CAROM_OK && formulation->create)
        status = formulation->create(sys);
    const bool rows = status == CAROM_OK && (!formulation->needs_rows || formulation->needs_rows(sys));
    if (status == CAROM_OK && rows && model->row_count >= SPARSE_ROWS)
        status = carom_system_create_sparse(sys);
    if (status == CAROM_OK)
        status = carom_system_set_redundant(sys, false);
    if (status == CAROM_OK && model->contact_set_count)
        status = carom_sets_create(ctx, model, &sys->sets);
    if (status != CAROM_OK) {
        carom_system_free(sys);
        return status;
    }
    *out = sys;
    return CAROM_OK;
}

carom_status carom_system_set_redundant(carom_system *sys, bool redundant)
{
    const carom_model *m = sys->model;
    if (sys->formulation->needs_rows && !sys->formulation->needs_rows(sys)) {
        sys->formulation->set_redundant(sys, redundant);
        sys->redundant = redundant;
        return CAROM_OK;
    }
    /* where joints are locked in a run, which takes no memory then, it is there from the start */
    const bool needed = m->row_count && (redundant || !sys->sparse || carom_model_may_idle(m) ||
                                         m->row_count <= SINGULAR_ROWS);
    if (needed && !sys->sparse && !sys->dense)
        CAROM_TRY(carom_dense_create(sys->ctx, m->row_count, &sys->dense));
    if (needed && !sys->orthogonal)
        CAROM_TRY(carom_orthogonal_create(sys->ctx, m->row_count,
                                          m->body_count * carom_twist_size(m) + m->armature_count,
                                          &sys->orthogonal));
    sys->redundant = redundant;
    return CAROM_OK;
}

double carom_system_correction(const carom_evaluation *d, int row)
{
    const carom_system *sys = d->system;
    const carom_stabilization_kind *kind = sys->stabilization;
    if (!kind || !kind->correction)
        return 0;
    if (sys->corrections_held)
        return sys->held_correction[row];
    return CAROM_KIND_CALL(kind, correction, sys->stabilization_params, d->rows[row].phi, d->phi_rate[row]);
}

/* 2 alpha and beta^2 of the correction; returns the greater of alpha and beta. */
static double gains(const carom_system *sys, double *of_rate, double *of_value)
{
    *of_rate = CAROM_KIND_CALL(sys->stabilization, correction, sys->stabilization_params, 0, 1);
    *of_value = CAROM_KIND_CALL(sys->stabilization, correction, sys->stabilization_params, 1, 0);
    return fmax(0.5 * *of_rate, sqrt(*of_value));
}

/* The most that a gain is over a step of which its correction is held, so that violations fall to 0.74 of it or less;
   and the most by which it is lowered for that. */
#define HELD_GAIN 0.4
#define MOST_LOWERED 6

void carom_system_hold_corrections(const carom_evaluation *d, double step)
{
    carom_system *sys = d->system;
    sys->corrections_held = step != 0 && sys->stabilization && sys->stabilization->correction;
    if (!sys->corrections_held || step < 0)
        return;
    double of_rate, of_value;
    const double share = fmin(1, HELD_GAIN / (gains(sys, &of_rate, &of_value) * step));
    for (int r = 0; r < d->model->row_count; r++)
        sys->held_correction[r] = share * (of_rate * d->phi_rate[r] + share * of_value * d->rows[r].phi);
}

double carom_system_longest_hold(const carom_system *sys)
{
    double of_rate, of_value;
    return MOST_LOWERED * HELD_GAIN / gains(sys, &of_rate, &of_value);
}

carom_status carom_system_set_method(carom_system *sys, const carom_stabilization_kind *kind, const double *params)
{
    const carom_model *m = sys->model;
    sys->stabilization = kind;
    sys->stabilization_params = params;
    if (!kind || !m->row_count || (!kind->softness && !kind->orthogonal))
        return CAROM_OK;
    if (m->row_count > SINGULAR_ROWS)
        return carom_fail(sys->ctx, CAROM_ERROR_USAGE, NULL,
                          "constraints: %s solves dense equations, of %d rows at most, and the model has %d; use "
                          "baumgarte or projection",
                          kind->kind.name, SINGULAR_ROWS, m->row_count);
    const double share = kind->softness ? kind->softness(params) : 0;
    if (!sys->dense)
        CAROM_TRY(carom_dense_create(sys->ctx, m->row_count, &sys->dense));
    if (!sys->orthogonal)
        CAROM_TRY(carom_orthogonal_create(
            sys->ctx, m->row_count, m->body_count * carom_twist_size(m) + m->armature_count, &sys->orthogonal));
    return share > 0 ? carom_proximal_create(&sys->arena, m->row_count, share, kind->rounds, &sys->soft) : CAROM_OK;
}

bool carom_system_is_driven(const carom_system *sys)
{
    if (sys->follows)
        return false;
    for (int k = 0; k < sys->model->block_count; k++)
        if (sys->model->blocks[k].expr >= 0)
            return true;
    return false;
}

void carom_system_set_share(carom_system *sys, double share)
{
    carom_orthogonal *own = sys->formulation->orthogonal ? sys->formulation->orthogonal(sys) : sys->orthogonal;
    if (!own || sys->share > 0)
        return;
    sys->share = share > 0 ? share : carom_orthogonal_share(own, sys->passed_share);
    carom_orthogonal_set_share(own, sys->share);
}

void carom_system_free(carom_system *sys)
{
    if (!sys)
        return;
    if (sys->formulation->destroy)
        sys->formulation->destroy(sys);
    carom_dense_free(sys->dense);
    carom_orthogonal_free(sys->orthogonal);
    carom_sparse_free(sys->sparse);
    carom_sets_free(sys->sets);
    carom_release(sys->ctx, sys->applied, sys->applied_capacity, sizeof *sys->applied);
    carom_arena_free(&sys->arena);
    carom_release(sys->ctx, sys, 1, sizeof *sys);
}

/* ---- which contacts touch ---- */

void carom_system_touch_all(carom_system *sys)
{
    sys->touching_kept = false;
    sys->touching_count = sys->model->contact_count;
    for (int k = 0; k < sys->touching_count; k++)
        sys->touching[k] = k;
}

void carom_system_keep_touching(carom_system *sys, const carom_state *s)
{
    sys->touching_kept = true;
    sys->touching_count = 0;
    for (int k = 0; k < sys->model->contact_count; k++)
        if (s->located[k].open)
            sys->touching[sys->touching_count++] = k;
}

void carom_system_touches(carom_system *sys, int contact, bool open)
{
    int place = 0, *const list = sys->touching;
    while (place < sys->touching_count && list[place] < contact)
        place++;
    const bool there = place < sys->touching_count && list[place] == contact;
    if (!sys->touching_kept || there == open)
        return;
    const size_t behind = (size_t)(sys->touching_count - place - there);
    memmove(list + place + open, list + place + there, behind * sizeof *list);
    list[place] = open ? contact : list[place];
    sys->touching_count += open ? 1 : -1;
}

/* ---- evaluations ---- */

/* Friction sites of joints, and the directions in which they slip. */
static bool allocate_friction_sites(carom_arena *a, carom_evaluation *d)
{
    const carom_model *m = d->model;
    const size_t n = (size_t)m->slip_count, rows = (size_t)m->row_count, places = (size_t)m->site_count;
    if (!places)
        return true;
    double *lines = carom_arena_alloc(a, 2 * n * rows, sizeof *lines);
    carom_vec3 *bearings = carom_arena_alloc(a, n * places * CAROM_FRICTION_BEARINGS, sizeof *bearings);
    d->sites = carom_arena_alloc(a, places, sizeof *d->sites);
    d->slips = carom_arena_alloc(a, n, sizeof *d->slips);
    if (!lines || !bearings || !d->sites || !d->slips)
        return false;
    for (size_t k = 0; k < n; k++) {
        d->slips[k].coupling = lines + 2 * k * rows;
        d->slips[k].multipliers = lines + (2 * k + 1) * rows;
        d->slips[k].bearing = bearings + k * places * CAROM_FRICTION_BEARINGS;
    }
    return true;
}

carom_evaluation *carom_system_workspace(carom_system *sys)
{
    const carom_model *m = sys->model;
    const size_t bodies = (size_t)m->body_count + 1, rows = (size_t)m->row_count;
    carom_arena *a = &sys->arena;
    carom_evaluation *d = carom_arena_alloc(a, 1, sizeof *d);
    if (!d)
        return NULL;
    d->system = sys;
    d->model = m;
    if (!(d->pose = carom_arena_alloc(a, bodies, sizeof *d->pose)) ||
        !(d->wrench = carom_arena_alloc(a, bodies, sizeof *d->wrench)) ||
        !(d->inverse_inertia = carom_arena_alloc(a, bodies, sizeof *d->inverse_inertia)) ||
        !(d->rows = carom_arena_alloc(a, rows, sizeof *d->rows)) ||
        (m->other_row_count &&
         !(d->other_rows = carom_arena_alloc(a, (size_t)m->other_row_count, sizeof *d->other_rows))) ||
        !(d->row_rate = carom_arena_alloc(a, rows, sizeof(double))) ||
        !(d->row_acceleration = carom_arena_alloc(a, rows, sizeof(double))) ||
        !(d->phi_rate = carom_arena_alloc(a, rows, sizeof(double))) ||
        !(d->jacobian = carom_arena_alloc(a, rows, sizeof *d->jacobian)) ||
        !(d->multipliers = carom_arena_alloc(a, rows, sizeof(double))) ||
        !(d->acceleration = carom_arena_alloc(a, bodies * (size_t)carom_twist_size(m), sizeof(double))) ||
        !(d->contacts = carom_arena_alloc(a, (size_t)m->contact_count, sizeof *d->contacts)) ||
        !(d->forced = carom_arena_alloc(a, (size_t)m->contact_count, sizeof *d->forced)) ||
        (m->contact_set_count && !(d->set_wrench = carom_arena_alloc(a, bodies, sizeof *d->set_wrench))) ||
        !(d->part_sums = carom_arena_alloc(a, (size_t)carom_body_parts(m), sizeof *d->part_sums)) ||
        !(d->sums = carom_arena_alloc(a, (size_t)m->contact_set_count, sizeof *d->sums)) ||
        !(d->friction_rate = carom_arena_alloc(a, (size_t)m->friction_state_count, sizeof(double))) ||
        !(d->loads = carom_arena_alloc(a, (size_t)m->load_count, sizeof *d->loads)) ||
        !(d->measures = carom_arena_alloc(a, (size_t)m->measure_count, sizeof(double))) ||
        !(d->measure_jets = carom_arena_alloc(a, (size_t)m->measure_count, sizeof *d->measure_jets)) ||
        !(d->state_rate = carom_arena_alloc(a, (size_t)m->state_count, sizeof(double))) ||
        !(d->load_state_rate = carom_arena_alloc(a, (size_t)m->load_state_count, sizeof(double))) ||
        !allocate_friction_sites(a, d))
        return NULL;
    if (carom_model_may_idle(m) && !(d->idle = carom_arena_alloc(a, rows, sizeof *d->idle)))
        return NULL;
    if (m->path_count && !(d->followed = carom_arena_alloc(a, (size_t)m->coordinate_count, sizeof *d->followed)))
        return NULL;
    for (int k = 0; k < m->contact_count; k++)
        d->contacts[k].spare = 1;
    d->pose[0].axes = carom_m3_identity();
    for (int body = 1; body <= m->body_count && m->dimension == 3; body++)
        if (m->bodies[body].isotropic)
            d->inverse_inertia[body] = m->bodies[body].inverse_inertia;
    return sys->formulation->prepare && sys->formulation->prepare(d) != CAROM_OK ? NULL : d;
}

/* ---- the pipeline ---- */

bool carom_system_evaluate(carom_evaluation *d, const carom_state *s, double t, const double *y)
{
    carom_system_pose(d, s, t, y, y + (s->v - s->q));
    if (d->system->sets)
        carom_sets_evaluate(d, s);
    return carom_system_evaluate_posed(d, s, t, y);
}

bool carom_system_evaluate_posed(carom_evaluation *d, const carom_state *s, double t, const double *y)
{
    const double *friction = y + (s->friction - s->q);
    d->system->evaluations++;
    d->time = t;
    d->sums_known = false;
    carom_dynamics_begin_wrenches(d);
    carom_dynamics_contacts(d, s, friction);
    carom_dynamics_loads(d, s, t, y + (s->states - s->q));
    carom_dynamics_constraints(d, s, t);
    carom_dynamics_computed(d, s);
    carom_dynamics_joint_friction(d, s, friction);
    if (!d->system->formulation->accelerate(d) || !carom_friction_hold(d, s))
        return false;
    carom_joint_friction_finish(d);
    carom_dynamics_computed_efforts(d);
    if (d->model->reaction_measure_count)
        carom_system_reactions(d, s, t);
    if (d->model->late_measure_count)
        carom_dynamics_late_measures(d, s);
    return !d->model->state_count || carom_dynamics_state_rates(d, s, t);
}

void carom_system_closed_contact(carom_evaluation *d, int k)
{
    const carom_model *m = d->model;
    carom_contact_known_geometry(d->system, NULL, k, &d->pose[carom_contact_body(m, k, 0)],
                                 &d->pose[carom_contact_body(m, k, 1)], &d->contacts[k]);
}

carom_energy carom_system_energy(const carom_evaluation *d, const carom_state *s)
{
    const carom_model *m = d->model;
    const carom_body_sums sums = carom_dynamics_sums(d);
    carom_energy out = {.kinetic = sums.kinetic + carom_dynamics_armature_energy(d), .potential = sums.potential};
    for (int n = 0; n < d->system->touching_count; n++)
        if (s->located[d->system->touching[n]].open)
            out.elastic += d->contacts[d->system->touching[n]].energy;
    for (int k = 0; k < m->contact_set_count; k++)
        out.elastic += d->sums[k].energy;
    for (int k = 0; k < m->load_count; k++) {
        out.loads += d->loads[k].stored;
        out.elastic += d->loads[k].stored;
    }
    return out;
}
