/* The start of a run: the model is assembled, and has accelerations. */
#include "dynamics/contact/overlap.h"
#include "sim/sim.h"

#include <float.h>
#include <math.h>
#include <stdio.h>

/* Share of its size by which the acceleration of a row may be off. */
#define AGREES 1e-6
/* The acceleration of the model counts with this share: all accelerations may be zero. */
#define AT_REST 1e-3

/* The sum of the sizes that the acceleration of a row is made of: those of its bodies, and of the model. */
static double row_size(const carom_simulation *sim, int r)
{
    const carom_model *m = sim->model;
    const carom_evaluation *d = sim->d;
    const double model = carom_v3_norm(m->gravity) + m->speed_scale * m->speed_scale / m->length_scale;
    double size = AT_REST * model / (carom_row_is_angle(&d->rows[r]) ? m->length_scale : 1);
    carom_jacobian_row sizes = d->jacobian[r];
    for (int n = 0; n < sizes.count; n++)
        for (size_t k = 0; k < CAROM_COUNT(sizes.part[n].j); k++)
            sizes.part[n].j[k] = fabs(sizes.part[n].j[k]);
    double *accelerations = sim->system->column;
    /* of each body as a whole: rounding of its axes turns some of one direction into the others */
    for (int body = 0; body < m->body_count; body++) {
        double *of = accelerations + body * carom_twist_size(m), linear = 0, angular = 0;
        const double *a = d->acceleration + body * carom_twist_size(m);
        for (int k = 0; k < carom_twist_size(m); k++)
            *(k < m->dimension ? &linear : &angular) = hypot(k < m->dimension ? linear : angular, a[k]);
        for (int k = 0; k < carom_twist_size(m); k++)
            of[k] = k < m->dimension ? linear : angular;
    }
    size += sim->system->formulation->row_times(d, &sizes, accelerations);
    return size + fabs(d->row_acceleration[r]) + fabs(d->rows[r].gamma);
}

/* What rounding leaves of a row where large accelerations cancel, as of a light body that reactions hold against a
   strong drive: of n rows S y = b the solution by S = L L^T misses row r by (3 n + 1) u sum_k sqrt(S_rr S_kk) |y_k| at
   most. Source: Higham 2002, Accuracy and Stability of Numerical Algorithms, theorem 10.4, where |L||L^T| is at most
   that. */
static double rounding(const carom_simulation *sim, int r)
{
    const carom_evaluation *d = sim->d;
    const carom_formulation *f = sim->system->formulation;
    const int rows = sim->model->row_count;
    double sum = 0;
    for (int k = 0; k < rows; k++)
        if (d->jacobian[k].count)
            sum += sqrt(f->couple(d, &d->jacobian[k], &d->jacobian[k])) * fabs(d->multipliers[k]);
    return (3 * rows + 1) * DBL_EPSILON * sqrt(f->couple(d, &d->jacobian[r], &d->jacobian[r])) * sum;
}

/* With redundant rows the accelerations exist only if the dependent ones agree. */
static carom_status accelerations(carom_simulation *sim)
{
    const carom_model *m = sim->model;
    carom_evaluation *d = sim->d;
    bool solved = carom_rhs_update(sim) == 0;
    if (!solved && sim->system->state_fault >= 0)
        return carom_fail(sim->ctx, CAROM_ERROR_MODEL, &m->states[sim->system->state_fault].place,
                          "state '%s': its rate is not finite at the start", m->states[sim->system->state_fault].name);
    if (!solved) {
        char text[400];
        carom_culprit(sim, true, text, sizeof text);
        return carom_fail(sim->ctx, CAROM_ERROR_MODEL, &(carom_place){m->file, 0, 0},
                          "the accelerations cannot be solved at the start; %s",
                          text[0] ? text : "a force or motion is not finite there");
    }
    if (sim->run.stabilization->softness && sim->run.stabilization->rounds == 1)
        return CAROM_OK; /* rows that yield agree with all others */
    for (int r = 0; r < carom_model_hard_rows(m); r++) {
        if (!d->jacobian[r].count)
            continue; /* the coordinates hold it */
        double sum = -d->rows[r].gamma - d->row_acceleration[r];
        sum += sim->system->formulation->row_times(d, &d->jacobian[r], d->acceleration);
        if (!(fabs(sum) <= AGREES * row_size(sim, r)) && !(fabs(sum) <= rounding(sim, r)))
            return carom_bodies_refuse_accelerations(
                sim, fabs(sum) / (carom_row_is_angle(&d->rows[r]) ? 1 : m->length_scale));
    }
    return CAROM_OK;
}

/* What the assembly moved far, which may be not what was meant. */
static carom_status warn_of_moved(carom_simulation *sim)
{
    char text[600];
    carom_warning_code code;
    return carom_assembly_warning(sim->model, &sim->start, &code, text, sizeof text)
               ? carom_simulation_warn(sim, code, "%s", text)
               : CAROM_OK;
}

/* Times at which the forces of a run are looked at, and the least share of a guessed speed that they give. */
#define LOOKS 16
#define LEAST_SPEED 1e-6

void carom_start_scale(carom_simulation *sim)
{
    const carom_model *m = sim->model;
    const carom_evaluation *d = sim->trial;
    const double until = sim->run.until;
    const uint64_t evaluations = sim->system->evaluations;
    double most = 0;
    bool solved = true;
    for (int k = 0; m->speed_guessed && solved && k <= LOOKS; k++) {
        solved = carom_rhs_rates(sim, k * until / LOOKS, sim->s.q, sim->rate_scratch) == 0;
        for (int body = 1; solved && body <= m->body_count; body++) {
            const carom_body_acceleration a = sim->s.formulation->body_acceleration(d, body);
            most = fmax(most, carom_v3_norm(a.linear));
            most = fmax(most, carom_v3_norm(a.angular) * m->length_scale);
        }
    }
    sim->system->evaluations = evaluations;
    *sim->s.scale_speed = m->speed_scale;
    if (solved && most * until > 0)
        *sim->s.scale_speed = fmin(m->speed_scale, fmax(most * until, LEAST_SPEED * m->speed_scale));
}

/* A step that is given to a method which takes none. */
static carom_status warn_of_step(carom_simulation *sim)
{
    const carom_run *run = &sim->run;
    return run->step_unused
               ? carom_simulation_warn(sim, CAROM_WARN_STEP_UNUSED,
                                       "`step: %.4g` is not used: integrator %s chooses its steps; take `max_step`, or "
                                       "an integrator with steps of one length, such as rk4",
                                       run->step, run->integrator->kind.name)
               : CAROM_OK;
}

/* So many steps of fixed length that a time takes, the last one shorter where it is no multiple. */
static double steps_in(double time, double step) { return ceil(time / step * (1 - 1e-9)); }

/* Rows that cut steps of fixed length. */
static carom_status warn_of_rows(carom_simulation *sim)
{
    const carom_run *run = &sim->run;
    if (!run->cuts_steps)
        return CAROM_OK;
    const double every = run->output_every, rows = floor(run->until / every * (1 + 1e-9));
    const double steps = rows * steps_in(every, run->step) + steps_in(fmax(run->until - rows * every, 0), run->step);
    return carom_simulation_warn(sim, CAROM_WARN_ROWS_CUT,
                                 "rows each %.6g s cut steps of %.4g s to %.4g s, since a row ends a step: %.0f steps "
                                 "in place of %.0f; take a multiple of `step`, `output: {every: %.12g}`",
                                 every, run->step, every - floor(every / run->step) * run->step, steps,
                                 steps_in(run->until, run->step), carom_run_whole_every(run));
}

carom_status carom_assemble(carom_simulation *sim)
{
    CAROM_TRY(sim->s.formulation->take_bodies ? carom_bodies_start(sim, &sim->start)
                                              : carom_assembly_start(sim->d, &sim->s, &sim->start));
    CAROM_TRY(warn_of_moved(sim));
    CAROM_TRY(carom_given_warn(sim));
    CAROM_TRY(warn_of_step(sim));
    CAROM_TRY(warn_of_rows(sim));
    return accelerations(sim);
}

carom_status carom_start_check_crossed(carom_simulation *sim)
{
    if (sim->statistics.steps > 0 || *sim->s.time > 0 || sim->muted)
        return CAROM_OK;
    return carom_overlap_check_crossed(sim->ctx, sim->d);
}
