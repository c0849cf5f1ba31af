/* Efforts and reactions of a prescribed motion. With the accelerations a, applied forces Q (contacts, loads, gyroscopic
   couples, friction of joints, armatures), rows J of the constraints and A of the actuators
     M a - Q = J^T lambda + A^T e.
   Without what the constraints take, by the projection P on what they leave free, P A^T e = P (M a - Q): e of least
   norm, then lambda of least norm. Friction of joints depends on lambda: both are repeated until it stays.
   Source: Featherstone 2008, Rigid Body Dynamics Algorithms, section 8.12; Laulusa, Bauchau 2008, J. Comput. Nonlinear
   Dyn. 3, 011004 (least norm). */
#include "analysis/inverse_dynamics/inverse.h"

#include "kinds/load/load.h"
#include "math/solve.h"

#include <math.h>
#include <string.h>

/* Searches for the friction of joints, and the change of a force of it, of the largest one, that ends them. Where the
   change no longer falls it is rounding, below this share of the friction that all forces together could make. */
#define SEARCHES 200
#define SETTLED 1e-14
#define STALLED 1e-12
/* Share of the forces that may be left. */
#define LEFT 1e-7
/* Share of the largest singular value below which one is none. */
#define DEPENDS 1e-9

/* ---- applied forces ---- */

static void add_row(const carom_inverse *w, const carom_row *row, int body_i, int body_j, double f, double *out)
{
    memset(w->column, 0, (size_t)w->columns * sizeof *w->column);
    w->d->system->formulation->row_entries(w->d, row, body_i, body_j, w->column);
    for (int i = 0; i < w->columns; i++)
        out[i] += f * w->column[i];
}

/* Rotors on coordinates of joints; their multipliers are the forces of this inertia. */
static void add_armatures(carom_inverse *w, double *out)
{
    const carom_constraint_block *e = carom_model_armatures(w->m);
    for (int k = 0; k < w->m->armature_count; k++) {
        const int r = e[k].first_row;
        const carom_row *row = &w->d->rows[r];
        double sum = -row->gamma;
        memset(w->column, 0, (size_t)w->columns * sizeof *w->column);
        w->d->system->formulation->row_entries(w->d, row, e[k].body_i, e[k].body_j, w->column);
        for (int i = 0; i < w->columns; i++)
            sum += w->column[i] * w->acceleration[i];
        w->d->multipliers[r] = -e[k].armature * sum;
        add_row(w, row, e[k].body_i, e[k].body_j, w->d->multipliers[r], out);
    }
}

/* Wrenches of contacts and loads with the gyroscopic couples, over the velocities. */
static void applied(carom_inverse *w, double *out)
{
    const carom_model *m = w->m;
    for (int body = 1; body <= m->body_count; body++) {
        const carom_wrench *of = &w->d->wrench[body];
        double *to = out + (body - 1) * w->size;
        carom_vec3 torque = of->torque;
        if (w->size == 6 && !m->bodies[body].isotropic) {
            const carom_body_pose *pose = &w->d->pose[body];
            const carom_vec3 turn = carom_m3_apply_t(&pose->axes, pose->w);
            const carom_vec3 gyro = carom_v3_cross(turn, carom_m3_apply(&m->bodies[body].inertia, turn));
            torque = carom_v3_sub(torque, carom_m3_apply(&pose->axes, gyro));
        }
        const double values[6] = {of->force.x, of->force.y, of->force.z, torque.x, torque.y, torque.z};
        memcpy(to, values, sizeof(double) * (size_t)w->size);
        if (w->size == 3)
            to[2] = torque.z;
    }
    add_armatures(w, out);
}

/* ---- efforts and reactions ---- */

/* Efforts for the forces in `rest`, of which what they make is taken off. Efforts of each unit count by the most that
   one of them does. */
static carom_status find_efforts(carom_inverse *w)
{
    const int n = w->columns;
    double most[2] = {1e-300, 1e-300};
    int column = 0, rank;
    memcpy(w->column, w->rest, (size_t)n * sizeof *w->column);
    carom_inverse_project(w, w->column);
    memset(w->effort, 0, (size_t)(n > w->actuators ? n : w->actuators) * sizeof *w->effort);
    memcpy(w->effort, w->column, (size_t)n * sizeof *w->effort);
    for (int k = 0; k < w->drive_count; k++) {
        double *to = w->basis + (size_t)column * (size_t)n;
        if (!w->drives[k].acts)
            continue;
        memcpy(to, carom_inverse_row(w, w->held_count + k), (size_t)n * sizeof *to);
        carom_inverse_project(w, to);
        most[w->drives[k].turns] = fmax(most[w->drives[k].turns], sqrt(carom_inverse_product(w, to, to)));
        column++;
    }
    column = 0;
    for (int k = 0; k < w->drive_count; k++) {
        double *to = w->basis + (size_t)column * (size_t)n;
        column += w->drives[k].acts;
        for (int i = 0; w->drives[k].acts && i < n; i++)
            to[i] /= most[w->drives[k].turns];
    }
    CAROM_TRY(carom_least_norm(w->ctx, n, w->actuators, w->basis, w->effort, DEPENDS, &rank));
    column = 0;
    for (int k = 0; k < w->drive_count; k++) {
        carom_drive *drive = &w->drives[k];
        if (!drive->acts)
            continue;
        drive->effort = w->effort[column++] / most[drive->turns];
        for (int i = 0; i < n; i++)
            w->rest[i] -= drive->effort * carom_inverse_row(w, w->held_count + k)[i];
    }
    return CAROM_OK;
}

/* Multipliers of constraints and motions. */
static void put_multipliers(carom_inverse *w)
{
    for (int k = 0; k < w->held_count; k++)
        w->d->multipliers[w->held[k]] = w->y[k];
    for (int k = 0; k < w->drive_count; k++) {
        const carom_drive *drive = &w->drives[k];
        if (drive->block >= 0)
            w->d->multipliers[w->m->blocks[drive->block].first_row] = drive->acts ? drive->effort : 0;
    }
}

/* One search: C^T M a = x of a = C x. */
static carom_status balance(carom_inverse *w, double *left)
{
    const double *x = w->x;
    double size = 0;
    w->d->system->formulation->scale_rows(w->d, w->load, 1, w->rest);
    for (int i = 0; i < w->columns; i++) {
        size = fmax(size, fmax(fabs(x[i]), fabs(w->rest[i])));
        w->rest[i] = x[i] - w->rest[i];
    }
    CAROM_TRY(find_efforts(w));
    carom_inverse_project(w, w->rest);
    put_multipliers(w);
    *left = 0;
    for (int i = 0; i < w->columns; i++)
        *left = fmax(*left, fabs(w->rest[i]) / fmax(size, 1e-300));
    return CAROM_OK;
}

/* Largest of the forces applied, efforts and reactions; a couple counts as its force at the model's length [N]. */
static double size_of_forces(const carom_inverse *w)
{
    const double length = w->m->length_scale;
    double size = 0;
    for (int i = 0; i < w->columns; i++)
        size = fmax(size, fabs(w->load[i]) / (i % w->size >= w->m->dimension ? length : 1));
    for (int k = 0; k < w->held_count; k++)
        size = fmax(size, fabs(w->y[k]) / (w->angle[k] ? length : 1));
    for (int k = 0; k < w->drive_count; k++)
        size = fmax(size, w->drives[k].acts ? fabs(w->drives[k].effort) / (w->drives[k].turns ? length : 1) : 0);
    return size;
}

/* What changes of the friction from one search to the next. */
typedef struct friction_change {
    double largest, force;      /* change of a force, and the largest force [N or N m] */
    double share;               /* largest change, of what a site's friction could be under the size of all forces */
    double power;               /* largest change of what a site takes [W]: */
    int site;                   /* of this one */
} friction_change;

/* Friction of all sites by the reactions that are there, added to the forces. */
static friction_change add_friction(carom_inverse *w, double *out)
{
    const carom_model *m = w->m;
    carom_evaluation *d = w->d;
    friction_change of = {.force = 1e-300};
    const double size = size_of_forces(w);
    for (int k = 0; k < m->site_count; k++) {
        carom_friction_site *site = &d->sites[k];
        const carom_model_joint *j = &m->joints[m->sites[k].joint];
        double force[CAROM_FRICTION_SLIPS] = {0}, most[CAROM_FRICTION_SLIPS] = {0};
        site->normal = carom_joint_friction_normal(d, k, d->multipliers);
        if (!site->stick) {
            carom_joint_friction_law(d, k, site->normal, force, NULL);
            carom_joint_friction_law(d, k, site->normal + carom_joint_friction_reach(d, k, size), most, NULL);
        }
        for (int c = 0; c < m->sites[k].slip_count; c++) {
            const double change = fabs(force[c] - site->friction[c]);
            const double share = change > 0 ? change / fmax(fabs(force[c]), fabs(most[c])) : 0;
            of.share = isfinite(share) ? fmax(of.share, share) : HUGE_VAL;
            if (!(change * fabs(site->slip[c]) <= of.power)) {
                of.power = change * fabs(site->slip[c]);
                of.site = k;
            }
            of.largest = fmax(of.largest, change);
            of.force = fmax(of.force, fabs(force[c]));
            site->friction[c] = force[c];
            add_row(w, &d->slips[m->sites[k].first_slip + c].row, j->i.body, j->j.body, force[c], out);
        }
    }
    return of;
}

static carom_status settle(carom_inverse *w)
{
    const carom_model *m = w->m;
    const size_t bytes = (size_t)w->columns * sizeof *w->load;
    double left = 0, before = HUGE_VAL;
    for (int k = 0; k < m->site_count; k++) /* the first balance has none, whatever the instant before had */
        memset(w->d->sites[k].friction, 0, sizeof w->d->sites[k].friction);
    memset(w->load, 0, bytes);
    applied(w, w->load);
    CAROM_TRY(balance(w, &left));
    for (int search = 0; m->site_count; search++) {
        memset(w->load, 0, bytes);
        applied(w, w->load);
        const friction_change change = add_friction(w, w->load);
        CAROM_TRY(balance(w, &left));
        if (change.largest <= SETTLED * change.force || (change.share <= STALLED && change.share >= before))
            break;
        before = change.share;
        if (search == SEARCHES || !isfinite(change.share))
            return carom_fail(w->ctx, CAROM_ERROR_SOLVER, &m->joints[m->sites[change.site].joint].place,
                              "inverse-dynamics: at t = %.6g s the friction of joints is not found: it grows with the "
                              "reactions that it makes (self-locking)",
                              *w->s->time);
    }
    w->force_residual = fmax(w->force_residual, left);
    return left <= LEFT ? CAROM_OK
                        : carom_fail(w->ctx, CAROM_ERROR_SOLVER, w->place,
                                     "inverse-dynamics: at t = %.6g s the actuators cannot make the motion: %.3g of "
                                     "the forces is left; the mechanism is in a singular position of its actuators",
                                     *w->s->time, left);
}

/* The efforts of motors are the outputs of their loads. */
static void put_loads(carom_inverse *w)
{
    for (int k = 0; k < w->drive_count; k++) {
        const carom_drive *drive = &w->drives[k];
        if (drive->load < 0 || !drive->acts)
            continue;
        const carom_compiled_load *l = &w->m->loads[drive->load];
        const carom_load_input in = {
            .i = carom_dynamics_frame_pose(&w->d->pose[l->i.body], &l->i, w->m->dimension),
            .j = carom_dynamics_frame_pose(&w->d->pose[l->j.body], &l->j, w->m->dimension),
            .coordinate = drive->row,
        };
        carom_load_along_coordinate(&in, drive->effort, &w->d->loads[drive->load]);
        w->d->loads[drive->load].work_power = drive->effort * drive->rate;
    }
}

/* Decomposes the constraint rows alone. */
static bool factor(carom_inverse *w)
{
    const size_t n = (size_t)w->columns;
    double *held = carom_orthogonal_rows(w->joints);
    memset(held, 0, n * sizeof *held);
    memcpy(held, w->scaled, (size_t)w->held_count * n * sizeof *held);
    memcpy(carom_orthogonal_angles(w->joints), w->angle, (size_t)w->held_count * sizeof(bool));
    return carom_orthogonal_factor(w->joints);
}

/* What is found of the motion and is read from the evaluation. */
static void put_motion(carom_inverse *w)
{
    const size_t n = (size_t)w->columns;
    w->d->time = *w->s->time;
    memset(w->d->multipliers, 0, (size_t)w->m->row_count * sizeof *w->d->multipliers);
    memcpy(w->d->acceleration, w->acceleration, n * sizeof *w->d->acceleration);
    for (int k = 0; k < w->drive_count; k++) {
        carom_drive *drive = &w->drives[k];
        const double *row = w->rows + (size_t)(w->held_count + k) * n;
        if (!drive->prescribes)
            drive->acceleration = carom_inverse_product(w, row, w->acceleration) - drive->row.gamma;
    }
}

/* Joints whose friction holds: the motion does not tell its force, which is taken as 0. */
static int sticking_sites(const carom_inverse *w)
{
    int count = 0;
    for (int k = 0; k < w->m->site_count; k++)
        count += w->d->sites[k].stick;
    return count;
}

carom_status carom_inverse_forces(carom_inverse *w)
{
    carom_evaluation *d = w->d;
    carom_state *s = w->s;
    const double t = *s->time;
    int sticking;
    carom_state_pose(d, s);
    carom_inverse_rows(w);
    if (!factor(w))
        return carom_fail(w->ctx, CAROM_ERROR_SOLVER, w->place,
                          "inverse-dynamics: a row is not finite at t = %.6g s", t);
    put_motion(w);
    CAROM_TRY(carom_inverse_contacts(w, &sticking));
    carom_dynamics_loads(d, s, t, s->states);
    carom_joint_friction_switches(d, s, true);
    carom_dynamics_joint_friction(d, s, s->friction);
    sticking += sticking_sites(w);
    w->sticking = sticking > w->sticking ? sticking : w->sticking;
    CAROM_TRY(settle(w));
    put_loads(w);
    carom_joint_friction_finish(d);
    if (d->model->late_measure_count)
        carom_dynamics_late_measures(d, s);
    return CAROM_OK;
}
