/* The start of a model: positions onto the constraints, velocities that keep what was given, branches. */
#include "dynamics/assembly.h"

#include "dynamics/dynamics.h"
#include "dynamics/formulation/formulation.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* Largest violation that counts as assembled, relative to the model's length. */
#define POSITION_TOLERANCE 1e-13
#define ITERATIONS 60

/* ---- positions ---- */

carom_status carom_assembly_rank(carom_evaluation *d, const carom_state *s, bool *redundant, int *rank)
{
    s->formulation->pose(d, s->q, s->v);
    carom_dynamics_constraints(d, s, *s->time);
    CAROM_TRY(d->system->formulation->rank(d, redundant, rank));
    return carom_system_set_redundant(d->system, *rank < carom_dynamics_active_rows(d));
}

static int worst_row(const carom_evaluation *d)
{
    int worst = 0;
    for (int r = 0; r < d->model->row_count; r++)
        if (!(fabs(d->rows[r].phi) <= fabs(d->rows[worst].phi)))
            worst = r;
    return worst;
}

/* Newton's method with the multipliers of the formulation. */
static bool reach(carom_evaluation *d, carom_state *s, double tolerance, int iterations)
{
    return d->system->formulation->project(d, s, *s->time, s->q, s->v, tolerance, iterations);
}

/* The same for many rows of which some depend on others. */
static carom_status reach_sparse(carom_evaluation *d, carom_state *s, double tolerance, bool *assembled)
{
    const carom_model *m = d->model;
    const double limit = fmax(1, m->length_scale);
    double before = HUGE_VAL;
    carom_assembly_rows rows;
    CAROM_TRY(carom_assembly_rows_create(d, &rows));
    carom_status status = CAROM_OK;
    *assembled = false;
    for (int iteration = 0; status == CAROM_OK; iteration++) {
        memset(s->v, 0, (size_t)s->layout.velocities * sizeof *s->v);
        s->formulation->pose(d, s->q, s->v);
        carom_dynamics_constraints(d, s, *s->time);
        const double worst = fabs(d->rows[worst_row(d)].phi);
        *assembled = worst <= tolerance || (iteration > 3 && worst < 1e3 * tolerance && worst > 0.5 * before);
        if (*assembled || !isfinite(worst) || iteration >= ITERATIONS)
            break;
        before = worst;
        double residual, longest = 0;
        rows.count = 0;
        carom_assembly_constraints(&rows, true);
        status = carom_assembly_solve(&rows, rows.count, s->v, &(int){0}, &residual);
        /* a step of more than half a turn or many lengths of the model helps nobody */
        for (int k = 0; k < s->layout.velocities; k++)
            longest = fmax(longest, fabs(s->v[k]));
        for (int k = 0; k < s->layout.velocities && longest > limit; k++)
            s->v[k] *= limit / longest;
        s->formulation->retract(m, s->v, s->q);
    }
    carom_assembly_rows_free(&rows);
    return status;
}

/* Iterates of a failed assembly jump about; the nearest one shows what is missing. */
static void nearest_iterate(carom_evaluation *d, carom_state *s, double tolerance)
{
    double least = HUGE_VAL;
    int best = 0;
    for (int k = 0; k < 20; k++) {
        carom_state_place_bodies(s);
        reach(d, s, tolerance, k);
        double violation = fabs(d->rows[worst_row(d)].phi);
        if (violation < least) {
            least = violation;
            best = k;
        }
    }
    carom_state_place_bodies(s);
    reach(d, s, tolerance, best);
}

static carom_status positions(carom_evaluation *d, carom_state *s, carom_start *out)
{
    const carom_model *m = d->model;
    carom_system *system = d->system;
    const double tolerance = POSITION_TOLERANCE * fmax(1e-3, m->length_scale);
    CAROM_TRY(carom_assembly_rank(d, s, out->redundant, &out->rank));
    bool assembled = false;
    if (!system->sparse || !system->redundant) {
        assembled = reach(d, s, tolerance, ITERATIONS);
        if (!assembled)
            carom_state_place_bodies(s);
    }
    /* the guess may pass a singular pose: least-norm steps get through */
    if (!assembled && system->sparse)
        CAROM_TRY(reach_sparse(d, s, tolerance, &assembled));
    else if (!assembled && !system->redundant) {
        CAROM_TRY(carom_system_set_redundant(system, true));
        assembled = reach(d, s, tolerance, ITERATIONS);
    }
    if (!assembled && !system->sparse)
        nearest_iterate(d, s, tolerance);
    const int worst = worst_row(d);
    out->residual = m->row_count ? fabs(d->rows[worst].phi) : 0;
    if (!assembled) {
        char name[160];
        carom_row_name(m, worst, name, sizeof name);
        return carom_fail(
            system->ctx, CAROM_ERROR_MODEL, carom_row_place(m, worst),
            "the parts cannot be assembled: %s is left open by %.3g; check lengths and the positions `at`", name,
            fabs(d->rows[worst].phi));
    }
    CAROM_TRY(carom_assembly_rank(d, s, out->redundant, &out->rank));
    for (int body = 1; body <= m->body_count; body++) {
        carom_vec3 moved = carom_v3_sub(d->pose[body].p, m->bodies[body].position);
        out->moved = fmax(out->moved, carom_v3_norm(moved));
    }
    return CAROM_OK;
}

/* A joint that is not centred stays so unless the assembly makes its parts overlap. */
static carom_status positions_of_all(carom_evaluation *d, carom_state *s, carom_start *out)
{
    carom_state_place_bodies(s);
    carom_assembly_mark_overlapping(d, s);
    for (int round = 0; round <= d->model->clearance_count; round++) {
        carom_state_place_bodies(s);
        CAROM_TRY(carom_assembly_centre(d, s));
        memset(s->v, 0, (size_t)s->layout.velocities * sizeof *s->v);
        out->moved = 0;
        CAROM_TRY(positions(d, s, out));
        if (!carom_assembly_mark_overlapping(d, s))
            break;
    }
    return CAROM_OK;
}

/* ---- all ---- */

void carom_assembly_branches(carom_evaluation *d, carom_state *s)
{
    const carom_model *m = d->model;
    s->formulation->pose(d, s->q, s->v);
    for (int k = 0; k < m->joint_count; k++) {
        carom_row row;
        double rate;
        if (m->joints[k].coordinate >= 0)
            s->coordinate[m->joints[k].coordinate] =
                carom_dynamics_coordinate(d, k, s->coordinate[m->joints[k].coordinate], &row, &rate);
    }
    if (m->step_measure_count)
        carom_dynamics_measures(d, s, *s->time, s->states);
    if (*s->time > 0)
        for (int k = 0; k < m->expr_count; k++)
            carom_expr_set_switches(m->exprs[k].expr, *s->time, d->measures, s->switches + m->exprs[k].first_switch);
    carom_dynamics_load_switches(d, s, *s->time);
}

void carom_assembly_switches(carom_evaluation *d, carom_state *s)
{
    const carom_model *m = d->model;
    for (int k = 0; k < m->expr_count; k++)
        carom_expr_set_switches(m->exprs[k].expr, *s->time, d->measures, s->switches + m->exprs[k].first_switch);
}

carom_status carom_assembly_start(carom_evaluation *d, carom_state *s, carom_start *out)
{
    carom_assembly_switches(d, s);
    CAROM_TRY(positions_of_all(d, s, out));
    CAROM_TRY(carom_assembly_velocities(d, s, &out->velocity_residual));
    carom_assembly_branches(d, s);
    return CAROM_OK;
}
