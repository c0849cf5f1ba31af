/* The integrated vector with its tangents behind it: rates, Newton's equations, restarts, projections. */
#include "sim/tangent/tangent.h"

#include <math.h>
#include <string.h>

int carom_tangents_rate(carom_simulation *sim, size_t tangent, double t, const double *y, const double *s,
                        double *rate)
{
    carom_tangents *all = sim->tangents;
    const carom_tangent *of = &all->of[tangent];
    if (of->lost < HUGE_VAL) {
        memset(rate, 0, all->n * sizeof *rate);
        return 0;
    }
    for (int side = 0; side < 2; side++) {
        carom_simulation *twin = of->twin[side];
        const double offset = of->offset[side];
        for (size_t k = 0; k < all->n; k++)
            all->moved[k] = y[k] + offset * s[k];
        const int result = carom_rhs_evaluate(twin, twin->trial, t + offset * of->clock, all->moved, all->side[side]);
        if (result != 0)
            return result;
    }
    const double step = 1 / (of->offset[1] - of->offset[0]);
    for (size_t k = 0; k < all->n; k++)
        rate[k] = step * (all->side[1][k] - all->side[0][k]);
    return 0;
}

static int rates(void *user, double t, const double *y, double *rate)
{
    carom_simulation *sim = user;
    const carom_tangents *all = sim->tangents;
    int result = carom_rhs_rates(sim, t, y, rate);
    carom_tangents_slips_of(sim->tangents, sim->trial);
    for (size_t i = 0; i < all->count && result == 0; i++)
        result = carom_tangents_rate(sim, i, t, y, y + (i + 1) * all->n, rate + (i + 1) * all->n);
    return result;
}

bool carom_tangents_ode(carom_simulation *sim, carom_ode *ode)
{
    const carom_tangents *all = sim->tangents;
    const bool done = carom_tangents_newton(sim, ode);
    ode->size = ode->coupled_count = (int)(all->n * (all->count + 1));
    ode->rhs = rates;
    ode->rounding = all->rounding;
    return done;
}

/* Quaternions stay unit ones, and their tangents on the sphere. */
static void normalise(carom_simulation *sim, size_t tangent)
{
    carom_tangents *all = sim->tangents;
    const carom_tangent *of = &all->of[tangent];
    double *s = carom_tangent_vector(all, all->y, tangent);
    const size_t positions = (size_t)sim->s.layout.positions;
    if (sim->model->dimension == 2)
        return;
    for (int side = 0; side < 2; side++) {
        carom_tangent_put(sim, tangent, side, *sim->s.time, sim->s.q, s);
        sim->s.formulation->normalise(of->twin[side]->model, of->twin[side]->s.q);
    }
    for (size_t k = 0; k < positions; k++)
        s[k] = carom_tangent_slope(of, of->twin[0]->s.q[k], of->twin[1]->s.q[k]);
}

/* Local error of a tangent, over the size of its parameter, in units of what the tolerance of each number is a share
   of: it grows with that of the state, and stays above the noise of the differences. */
#define TANGENT_POWER 0.75
#define LEAST_TANGENT_ERROR 1e-9

static double tangent_error(double local)
{
    return fmax(fmax(pow(local, TANGENT_POWER), LEAST_TANGENT_ERROR), local);
}

/* The errors of the state are kept as they are without tangents: a norm over more numbers is smaller. */
bool carom_tangents_begin(carom_simulation *sim, double *relative, const double **y, const double **tolerance)
{
    carom_tangents *all = sim->tangents;
    const size_t n = all->n;
    const double local = carom_rhs_local_tolerance(sim), share = 1 / sqrt((double)(all->count + 1));
    memcpy(all->y, sim->s.q, n * sizeof *all->y);
    memcpy(all->rate, sim->rate_scratch, n * sizeof *all->rate);
    memcpy(all->rounding, sim->rounding, n * sizeof *all->rounding);
    for (size_t k = 0; k < n; k++)
        all->tolerance[k] = share * sim->tolerance[k];
    *relative *= share;
    carom_tangents_slips_of(all, sim->d);
    for (size_t i = 0; i < all->count; i++) {
        /* of one that has grown, as where impacts part neighbours, that share of it */
        const double grown = fmax(all->of[i].size * carom_tangent_size(sim, i), 1);
        const double unit = grown * tangent_error(local) / local / all->of[i].size;
        double *bound = carom_tangent_vector(all, all->tolerance, i);
        for (size_t k = 0; k < n; k++)
            bound[k] = unit * sim->tolerance[k];
        normalise(sim, i);
        if (carom_tangents_rate(sim, i, *sim->s.time, all->y, carom_tangent_vector(all, all->y, i),
                                carom_tangent_vector(all, all->rate, i)) != 0)
            return false;
    }
    sim->integrator->known = all->rate;
    *y = all->y;
    *tolerance = all->tolerance;
    all->by_root = all->by_time = false;
    return true;
}

bool carom_tangents_take(carom_simulation *sim, double t)
{
    carom_tangents *all = sim->tangents;
    carom_integrator *integrator = sim->integrator;
    const size_t size = all->n * (all->count + 1);
    double *former = all->last;
    all->last = all->y;
    all->y = former;
    if (t != integrator->t && integrator->t_before < integrator->t)
        return integrator->kind->interpolate(integrator, t, (int)size, all->y);
    memcpy(all->y, integrator->y, size * sizeof *all->y);
    return true;
}

void carom_tangents_project(carom_simulation *sim)
{
    carom_tangents *all = sim->tangents;
    for (size_t i = 0; i < all->count; i++) {
        const carom_tangent *of = &all->of[i];
        double *s = carom_tangent_vector(all, all->y, i);
        bool done = of->lost == HUGE_VAL;
        for (int side = 0; side < 2 && done; side++) {
            carom_simulation *twin = of->twin[side];
            /* from the state before its projection, as the state itself */
            carom_tangent_put(sim, i, side, *sim->s.time, all->y, s);
            done = carom_step_project(twin, *twin->s.time, twin->s.q, NULL) == 0;
        }
        for (size_t k = 0; k < all->n && done; k++)
            s[k] = carom_tangent_slope(of, of->twin[0]->s.q[k], of->twin[1]->s.q[k]);
    }
}
