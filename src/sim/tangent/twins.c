/* Twins of a simulation: where they are, what they have in common with it. */
#include "sim/tangent/tangent.h"

#include "dynamics/formulation/formulation.h"

#include <math.h>
#include <stddef.h>
#include <string.h>

size_t carom_tangent_fields(void)
{
    size_t count, numbers = 0;
    const carom_field *field = carom_impact_fields(&count);
    for (size_t k = 0; k < count; k++)
        numbers += field[k].type == CAROM_FIELD_NUMBER;
    return numbers;
}

void carom_tangents_free(carom_tangents *all)
{
    if (!all)
        return;
    carom_context *ctx = all->ctx;
    const size_t numbers = all->count * carom_tangent_fields();
    for (size_t k = 0; k < all->impact_count; k++)
        carom_release(ctx, all->impacts[k].d, numbers, sizeof(double));
    carom_release(ctx, all->impacts, all->impact_capacity, sizeof *all->impacts);
    carom_arena_free(&all->arena);
    carom_release(ctx, all, 1, sizeof *all);
}

void carom_tangents_slips_of(carom_tangents *all, const carom_evaluation *motion)
{
    const carom_model *m = motion->model;
    for (int k = 0; k < m->contact_count; k++)
        all->slips[k] = motion->contacts[k].slip;
}

/* Those at a state of which the motion has no evaluation: of the contacts where they matter. */
static void find_slips(carom_simulation *sim, double t, const double *y)
{
    const carom_model *m = sim->model;
    bool posed = false;
    for (int k = 0; k < m->contact_count; k++) {
        const carom_model_contact *c = &m->contacts[k];
        carom_contact_point p;
        if (!c->friction || !c->friction->set_valued)
            continue;
        if (!posed)
            carom_system_pose(sim->probe, &sim->s, t, y, y + (sim->s.v - sim->s.q));
        posed = true;
        carom_contact_geometry_at(m, &sim->s, k, &sim->probe->pose[c->body_i], &sim->probe->pose[c->body_j], &p);
        sim->tangents->slips[k] = p.slip;
    }
}

void carom_tangent_put(const carom_simulation *sim, size_t tangent, int side, double t, const double *y,
                       const double *s)
{
    const carom_tangents *all = sim->tangents;
    const carom_tangent *of = &all->of[tangent];
    carom_simulation *twin = of->twin[side];
    for (size_t k = 0; k < all->n; k++)
        twin->s.q[k] = y[k] + of->offset[side] * s[k];
    *twin->s.time = t + of->offset[side] * of->clock;
}

double carom_tangent_slope(const carom_tangent *of, double a, double b)
{
    return a == b ? 0 : (b - a) / (of->offset[1] - of->offset[0]);
}

double carom_tangent_size(const carom_simulation *sim, size_t tangent)
{
    const carom_tangents *all = sim->tangents;
    const double *s = carom_tangent_vector(all, all->y, tangent);
    const size_t numbers = (size_t)(sim->s.layout.positions + sim->s.layout.velocities);
    double size = 0;
    for (size_t k = 0; k < numbers; k++)
        size = fmax(size, fabs(s[k]) / all->scale[k]);
    return size;
}

carom_status carom_tangent_place_at(carom_simulation *sim, size_t tangent, double t, const double *y, const double *s)
{
    carom_tangents *all = sim->tangents;
    const carom_tangent *of = &all->of[tangent];
    const double share = of->offset[1] / (of->offset[1] - of->offset[0]);
    find_slips(sim, t, y);
    for (int side = 0; side < 2; side++) {
        carom_tangent_put(sim, tangent, side, t, y, s);
        if (carom_rhs_update(of->twin[side]) != 0)
            return carom_fail(sim->ctx, CAROM_ERROR_SOLVER, NULL,
                              "t = %.9g s: derivatives by '%s': the accelerations cannot be solved beside the motion",
                              t, of->name);
        memcpy(all->side[side], of->twin[side]->rate_scratch, all->n * sizeof(double));
    }
    for (size_t k = 0; k < all->n; k++)
        all->flow[k] = share * all->side[0][k] + (1 - share) * all->side[1][k];
    return CAROM_OK;
}

carom_status carom_tangent_place(carom_simulation *sim, size_t tangent)
{
    return carom_tangent_place_at(sim, tangent, *sim->s.time, sim->s.q,
                                  carom_tangent_vector(sim->tangents, sim->tangents->y, tangent));
}

const carom_evaluation *carom_tangent_at(carom_simulation *sim, size_t tangent, int side, double t, const double *y,
                                         const double *s)
{
    carom_tangents *all = sim->tangents;
    const carom_tangent *of = &all->of[tangent];
    carom_simulation *twin = of->twin[side];
    find_slips(sim, t, y);
    for (size_t k = 0; k < all->n; k++)
        all->moved[k] = y[k] + of->offset[side] * s[k];
    const double time = t + of->offset[side] * of->clock;
    return carom_rhs_evaluate(twin, twin->probe, time, all->moved, twin->root_scratch) == 0 ? twin->probe : NULL;
}

/* Numbers that choose a branch of the motion, and those that searches begin with. */
static void copy_branches(const carom_simulation *sim, carom_simulation *twin)
{
    const carom_state *from = &sim->s;
    carom_state *to = &twin->s;
    const carom_model *m = sim->model;
    const carom_layout layout = from->layout;
#define CAROM_DOUBLE(name, count, unit, description)
#define CAROM_EPISODE(name, count, description)
#define CAROM_INT(name, count, unit, description) memcpy(to->name, from->name, (size_t)(count) * sizeof *to->name);
#include "dynamics/state_fields.def"
#undef CAROM_DOUBLE
#undef CAROM_INT
#undef CAROM_EPISODE
    (void)layout;
    memcpy(to->coordinate, from->coordinate, (size_t)m->coordinate_count * sizeof(double));
    memcpy(to->site_direction, from->site_direction, CAROM_FRICTION_SLIPS * (size_t)m->site_count * sizeof(double));
    memcpy(to->load_deflection, from->load_deflection, (size_t)m->load_count * sizeof(double));
    memcpy(to->load_deflection_rate, from->load_deflection_rate, (size_t)m->load_count * sizeof(double));
    *to->load_deflection_time = *from->load_deflection_time;
    for (int k = 0; k < m->contact_count; k++) {
        const carom_episode *e = &from->located[k];
        carom_episode *twin_e = &to->located[k];
        twin_e->open = e->open;
        twin_e->cut_off = e->cut_off;
        twin_e->compressing = e->compressing;
        twin_e->stick = e->stick;
        twin_e->rocking = e->rocking;
        memcpy(twin_e->segment, e->segment, sizeof e->segment);
        memcpy(twin_e->parameter, e->parameter, sizeof e->parameter);
    }
}

void carom_tangents_copy(carom_simulation *sim)
{
    for (size_t i = 0; i < sim->tangents->count; i++)
        for (int side = 0; side < 2; side++)
            copy_branches(sim, sim->tangents->of[i].twin[side]);
}

carom_status carom_tangent_lose(carom_simulation *sim, size_t tangent, const char *why)
{
    carom_tangents *all = sim->tangents;
    carom_tangent *of = &all->of[tangent];
    memset(carom_tangent_vector(all, all->y, tangent), 0, all->n * sizeof(double));
    of->clock = 0;
    if (of->lost < HUGE_VAL)
        return CAROM_OK;
    of->lost = *sim->s.time;
    return carom_simulation_warn(sim, CAROM_WARN_DERIVATIVE_LOST,
                                 "derivatives by '%s' are not defined from t = %.9g s on: %s", of->name, *sim->s.time,
                                 why);
}

/* ---- nearer ---- */

/* Distance of a twin from the motion, as a share of the size of a number, above which it is divided by NEARER: the
   differences of the rates have errors of the order of its square, which constraints that are pulled back multiply. */
#define FARTHEST 1e-4
#define NEARER 10
/* No nearer than this share of the parameter. */
#define LEAST_OFFSET 1e-12

/* Moves numbers of a twin to a share of their distance. */
static void come_nearer(double *x, const double *from, size_t count)
{
    for (size_t k = 0; k < count; k++)
        if (isfinite(x[k]) && isfinite(from[k]))
            x[k] = from[k] + (x[k] - from[k]) / NEARER;
}

static void scale_state(const carom_simulation *sim, carom_state *to)
{
    const carom_state *from = &sim->s;
    const carom_model *m = sim->model;
    const carom_layout layout = from->layout;
    const size_t first = offsetof(carom_episode, onset), numbers = (sizeof(carom_episode) - first) / sizeof(double);
#define CAROM_DOUBLE(name, count, unit, description) come_nearer(to->name, from->name, (size_t)(count));
#define CAROM_INT(name, count, unit, description)
#define CAROM_EPISODE(name, count, description) \
    for (int k = 0; k < (count); k++)           \
        come_nearer(&to->name[k].onset, &from->name[k].onset, numbers);
#include "dynamics/state_fields.def"
#undef CAROM_DOUBLE
#undef CAROM_INT
#undef CAROM_EPISODE
    (void)layout;
}

/* Twins leave the constraints by the square of their distance, which the gains of Baumgarte's method would multiply:
   theirs are a tenth, enough against the drift of tangents. */
#define SOFTER 0.1

void carom_tangent_prepare(const carom_tangents *all, carom_simulation *twin)
{
    twin->s.slips = all->slips;
    if (twin->run.stabilization != &carom_stabilization_baumgarte)
        return;
    twin->run.softness = SOFTER;
    carom_run_suit(&twin->run, twin->run.suited);
}

static carom_status remake(carom_simulation *sim, size_t i)
{
    carom_tangents *all = sim->tangents;
    carom_tangent *of = &all->of[i];
    for (int side = 0; side < 2; side++) {
        carom_simulation *twin;
        carom_state kept = {.ctx = sim->ctx};
        CAROM_TRY(carom_state_init(sim->ctx, sim->model, sim->s.formulation, &kept));
        carom_status status = carom_state_assign(&kept, &of->twin[side]->s);
        if (status == CAROM_OK)
            status = all->remake(all->user, i, side, of->offset[side] / NEARER, &twin);
        if (status == CAROM_OK) {
            carom_tangent_prepare(all, twin);
            of->twin[side] = twin;
            of->offset[side] /= NEARER;
            scale_state(sim, &kept);
            status = carom_state_assign(&twin->s, &kept);
        }
        carom_state_clear(&kept);
        if (status != CAROM_OK)
            of->lost = *sim->s.time; /* a twin is gone */
        CAROM_TRY(status);
    }
    CAROM_TRY(carom_tangent_place(sim, i));
    carom_tangents_copy(sim);
    return CAROM_OK;
}

/* From this share of the motion for each share of the parameter on neighbours part wholly within rounding of what is
   known of most parameters. */
#define LARGE 1e6

static carom_status report_growth(carom_simulation *sim, size_t i)
{
    carom_tangent *of = &sim->tangents->of[i];
    const double growth = of->size * carom_tangent_size(sim, i);
    if (of->told || !(growth > LARGE))
        return CAROM_OK;
    of->told = true;
    return carom_simulation_warn(sim, CAROM_WARN_GROWN,
                                 "derivatives by '%s' have grown to %.2g of value over parameter at t = %.6g s: "
                                 "neighbouring motions part there, and a derivative holds for changes of the parameter "
                                 "below %.1g of it alone",
                                 of->name, growth, *sim->s.time, 0.01 / growth);
}

carom_status carom_tangents_watch(carom_simulation *sim)
{
    carom_tangents *all = sim->tangents;
    for (size_t i = 0; i < all->count; i++) {
        const carom_tangent *of = &all->of[i];
        const double offset = fmax(-of->offset[0], of->offset[1]);
        CAROM_TRY(report_growth(sim, i));
        if (of->lost == HUGE_VAL && carom_tangent_size(sim, i) * offset > FARTHEST && offset > LEAST_OFFSET * of->size)
            CAROM_TRY(remake(sim, i));
    }
    return CAROM_OK;
}
