/* Derivatives of the friction of ideal joints: forces along its slips are unknowns, which follow from the multipliers
   of the joint as the laws say, or hold the slip. By differences over the two bodies, the multipliers and the
   states. */
#include "dynamics/newton/newton.h"

#include <math.h>
#include <string.h>

static bool sticks(const carom_newton *nt, int k)
{
    return nt->at->sites[k].stick && nt->model->joints[nt->model->sites[k].joint].friction.law->set_valued;
}

/* What the accelerations of slips that are held miss. */
static void missing(const carom_newton *nt, int k, double *out)
{
    const carom_evaluation *d = nt->at;
    const carom_model_friction_site *of = &nt->model->sites[k];
    const carom_model_joint *joint = &nt->model->joints[of->joint];
    for (int c = 0; c < of->slip_count; c++) {
        const carom_row *row = &d->slips[of->first_slip + c].row;
        out[c] = row->gamma - CAROM_JOINT_SETTLE * d->sites[k].slip[c];
        for (int side = 0; side < 2; side++) {
            const int body = side ? joint->j.body : joint->i.body;
            const carom_body_acceleration a = nt->system->formulation->body_acceleration(d, body);
            out[c] -= carom_v3_dot(side ? row->Lj : row->Li, a.linear) +
                      carom_v3_dot(side ? row->Aj : row->Ai, a.angular);
        }
    }
}

bool carom_slopes_turns(const carom_newton *nt, int k)
{
    const carom_evaluation *d = nt->at;
    const carom_model_friction_site *of = &nt->model->sites[k];
    if (!sticks(nt, k) || !d->sites[k].sliding || of->slip_count < 2)
        return false;
    for (int c = of->first_slip; c < of->first_slip + of->slip_count; c++)
        if (d->slips[c].redundant)
            return false;
    return carom_joint_friction_cone(d, k, d->sites[k].normal) > 0;
}

void carom_slopes_site_rows(const carom_newton *nt, int k, double rate[CAROM_FRICTION_SLIPS][CAROM_FRICTION_SLIPS],
                            double force[CAROM_FRICTION_SLIPS][CAROM_FRICTION_SLIPS])
{
    const carom_friction_site *site = &nt->at->sites[k];
    const int count = nt->model->sites[k].slip_count;
    double left[CAROM_FRICTION_SLIPS], pull = 0;
    missing(nt, k, left);
    for (int c = 0; c < count; c++)
        pull = hypot(pull, left[c]);
    pull /= carom_joint_friction_cone(nt->at, k, site->normal);
    for (int e = 0; e < count; e++)
        for (int c = 0; c < count; c++) {
            const double along = site->clip[e] * site->clip[c];
            rate[e][c] = (e == c) - along;
            force[e][c] = along + pull * rate[e][c];
        }
}

/* Rows of the slips: the force of the law, or what the accelerations of a slip that is held miss; of a force on the
   edge of a cone that can turn the first along it, and the second across. */
static void slip_rows(carom_newton *nt, int k, double *out)
{
    carom_evaluation *d = nt->at;
    const carom_model_friction_site *of = &nt->model->sites[k];
    const carom_friction_site *site = &d->sites[k];
    if (sticks(nt, k) && !site->sliding) {
        missing(nt, k, out);
        return;
    }
    const double normal = carom_joint_friction_normal(d, k, d->multipliers);
    if (!sticks(nt, k)) {
        carom_joint_friction_law(d, k, normal, out, NULL);
        return;
    }
    const double cone = carom_joint_friction_cone(d, k, normal);
    double left[CAROM_FRICTION_SLIPS] = {0}, along = 0;
    if (carom_slopes_turns(nt, k))
        missing(nt, k, left);
    for (int c = 0; c < of->slip_count; c++)
        along += left[c] * site->clip[c];
    for (int c = 0; c < of->slip_count; c++)
        out[c] = left[c] + (cone - along) * site->clip[c];
}

/* Forces on the bodies, slips, power, and rates of the law's states. */
static void site_values(carom_newton *nt, const carom_slopes *e, double *out)
{
    carom_evaluation *d = nt->at;
    const int k = e->object;
    const carom_model_friction_site *of = &nt->model->sites[k];
    const carom_model_joint *joint = &nt->model->joints[of->joint];
    double *rows = out + e->body_count * nt->width;
    carom_dynamics_block(d, nt->state, &nt->model->blocks[e->block], nt->time); /* its reaction follows from its rows */
    carom_joint_friction_slip(d, k);
    slip_rows(nt, k, rows);
    for (int c = 0; c < of->slip_count; c++) {
        const carom_row *row = &d->slips[of->first_slip + c].row;
        const double f = d->sites[k].friction[c];
        const carom_wrench on_i = {carom_v3_scale(f, row->Li), carom_v3_scale(f, row->Ai)};
        const carom_wrench on_j = {carom_v3_scale(f, row->Lj), carom_v3_scale(f, row->Aj)};
        carom_slopes_add_wrench(nt, e, joint->i.body, &on_i, out);
        carom_slopes_add_wrench(nt, e, joint->j.body, &on_j, out);
        if (d->slips[of->first_slip + c].redundant && sticks(nt, k))
            rows[c] = 0;
        rows[of->slip_count] -= f * d->sites[k].slip[c];
    }
    if (of->state >= 0) {
        double force[CAROM_FRICTION_SLIPS];
        carom_joint_friction_law(d, k, carom_joint_friction_normal(d, k, d->multipliers), force,
                                 rows + of->slip_count + 1);
    }
}

/* Steps that resolve the laws: of the slip, where it falls below the speeds at which friction builds up. */
static carom_slope_steps steps_of(const carom_newton *nt, int k)
{
    carom_slope_steps steps = carom_slopes_steps(nt);
    const double speed = nt->at->sites[k].speed, share = fmax(1e-5 * speed, 1e-9) / steps.speed;
    if (share < 1 && !sticks(nt, k)) {
        steps.speed *= share;
        steps.spin *= share;
    }
    return steps;
}

void carom_slopes_fill_site(carom_newton *nt, carom_slopes *e)
{
    carom_evaluation *d = nt->at;
    const int k = e->object;
    const carom_model_friction_site *of = &nt->model->sites[k];
    const carom_model_joint *joint = &nt->model->joints[of->joint];
    const carom_slope_steps steps = steps_of(nt, k);
    double state[CAROM_FRICTION_STATE];
    int column = 0;
    e->on = true;
    carom_slopes_vary_bodies(nt, e, site_values, &steps);
    const double force = 1e-6 * fmax(fabs(d->sites[k].normal), 1e-6); /* one of several bearings may bear little */
    for (int r = 0; r < joint->clearance.rows; r++)
        carom_slopes_vary(nt, e, site_values, column++, &d->multipliers[joint->first_row + r], force);
    for (int c = 0; c < of->slip_count; c++) { /* of the power alone */
        double *by = carom_slopes_column(nt, e, column++);
        memset(by, 0, (size_t)e->height * sizeof *by);
        by[e->body_count * nt->width + of->slip_count] = -d->sites[k].slip[c];
    }
    if (of->state >= 0) {
        const carom_friction_kind *law = joint->friction.law;
        const double size = CAROM_KIND_CALL(law, scale, joint->friction.constants, 0);
        memcpy(state, d->sites[k].state, (size_t)law->state * sizeof *state);
        d->sites[k].state = state;
        for (int c = 0; c < law->state; c++)
            carom_slopes_vary(nt, e, site_values, column++, &state[c], 1e-5 * fmax(fabs(state[c]), size));
        d->sites[k].state = nt->y + nt->positions + nt->velocities + of->state;
    }
    carom_dynamics_block(d, nt->state, &nt->model->blocks[e->block], nt->time);
    carom_joint_friction_slip(d, k);
}
